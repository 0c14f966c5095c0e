package dev.parley.dialogue.lambda;

import dev.parley.avro.LambdaState;
import dev.parley.avro.LambdaStatementKind;

/** Events of the Λ dialogue: the columns of its table (docs/protocols.md 4.3). */
public enum LambdaEvent {
    /** Handshake. */
    HS(LambdaState.HANDSHAKE, "#h"),
    /** Reply to a handshake. */
    HSR(null, "#h<"),
    /** Context without a statement. */
    CTX(LambdaState.CTX_PEND, "{...}"),
    /** Question. */
    Q(LambdaState.Q_PEND, "?"),
    /** Assertion or supposition. */
    A(LambdaState.SAID, "!"),
    /** Command. */
    C(LambdaState.CMD_PEND, "."),
    /** Offer. */
    OFF(LambdaState.OFF_PEND, ">"),
    /** Acknowledgement, urgent or not. */
    ACK(null, "<"),
    /** Agreement. */
    AGR(null, "<+"),
    /** Disagreement. */
    DIS(null, "<-"),
    /** Counter-offer: a disagreement that opens an offer. */
    CNT(LambdaState.OFF_PEND, "<->"),
    /** Request for clarification. */
    CLR(null, "<?"),
    /** Error. */
    ERR(null, "!er:");

    private final LambdaState opens;
    private final String symbol;

    LambdaEvent(LambdaState opens, String symbol) {
        this.opens = opens;
        this.symbol = symbol;
    }

    /** The event on the wire; an assertion stands for a supposition too, and an acknowledgement for an urgent one. */
    String symbol() {
        return symbol;
    }

    /** The state that awaits an answer to it; null if it awaits none. */
    LambdaState opens() {
        return opens;
    }

    /** Whether it is one of the acknowledgements {@code < <! <+ <- <-> <?}. */
    boolean acknowledges() {
        return switch (this) {
            case ACK, AGR, DIS, CNT, CLR -> true;
            case HS, HSR, CTX, Q, A, C, OFF, ERR -> false;
        };
    }

    /**
     * Whether it settles the other side's last statement. A request for clarification does not: the statement still
     * awaits its acknowledgement (Λ v0.6 §6.2). An error does: the statement has failed and must be repeated (Λ v0.6
     * §3.3).
     */
    boolean settles() {
        return switch (this) {
            case HSR, ACK, AGR, DIS, CNT, ERR -> true;
            case HS, CTX, Q, A, C, OFF, CLR -> false;
        };
    }

    /** Returns the column of a statement; null if its kind is no event. */
    static LambdaEvent of(LambdaStatementKind kind) {
        return switch (kind) {
            case ASK -> Q;
            case ASSERT, SUPPOSE -> A;
            case COMMAND -> C;
            case OFFER -> OFF;
            case ACK, ACK_URGENT -> ACK;
            case AGREE -> AGR;
            case DISAGREE -> DIS;
            case COUNTER -> CNT;
            case CLARIFY -> CLR;
            case ERROR -> ERR;
            case META, REFERENCE, DATA, UNKNOWN -> null;
        };
    }
}
