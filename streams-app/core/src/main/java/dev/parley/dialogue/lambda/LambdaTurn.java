package dev.parley.dialogue.lambda;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.LambdaDefined;
import dev.parley.avro.LambdaDialogue;
import dev.parley.avro.LambdaFloor;
import dev.parley.avro.LambdaMessage;
import dev.parley.avro.LambdaPending;
import dev.parley.avro.LambdaState;
import dev.parley.avro.LambdaStatement;
import dev.parley.avro.LambdaStatementKind;
import dev.parley.avro.LambdaToken;
import dev.parley.avro.Provenance;
import dev.parley.avro.Rule;
import dev.parley.codec.Code;
import dev.parley.dialogue.Rules;
import dev.parley.dialogue.StoredText;
import dev.parley.dialogue.TransitionTable.Cell;
import dev.parley.dialogue.lambda.LambdaDefinitions.Made;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Applies the rules to one Λ message. Works on copies: {@link #after} is the resulting dialogue, {@link #violation} the
 * reason why there is none. The first violation ends the evaluation. The warning of its definitions accompanies a
 * violation.
 */
final class LambdaTurn {
    private static final int ERRORS_ALLOWED = 2;

    private static final Rule NOTHING_MOVES =
            Rules.of("message without a statement for the machine → stays", Provenance.I, LambdaTable.SECTION);
    private static final Rule SELF_ACK = Rules.of(
            "acknowledgement by the sender of the pending item → LAMBDA_SELF_ACK", Provenance.I, LambdaTable.SECTION);
    private static final Rule THIRD_ERROR =
            Rules.of("third error in a row → LAMBDA_ERROR_LOOP", Provenance.I, LambdaTable.SECTION);

    private final AgentMessage envelope;
    private final LambdaMessage message;
    private final String sender;
    private final LambdaPendingItems pending;
    private final List<Code> warnings = new ArrayList<>(2);
    private final List<String> agreed = new ArrayList<>(1);
    private LambdaPending clarified;

    private LambdaState state;
    private boolean floorHeld;
    private String floorHolder;
    private int errors;
    private final List<LambdaDefined> definitions;
    private int statement;

    private boolean moved;
    private Code violation;
    private Rule rule = NOTHING_MOVES;
    private String remark = "";

    /**
     * Evaluates a message.
     *
     * @param before the dialogue before it; not changed
     * @param limit maximum number of stored senders
     * @param made result of its definitions; null if it has none, or if the caller needs no definitions
     * @param clarified the offer that was under clarification before the message; null if none was, or if the caller
     *     needs no agreements
     */
    LambdaTurn(LambdaDialogue before, AgentMessage envelope, int limit, Made made, LambdaPending clarified) {
        this.clarified = clarified;
        this.envelope = envelope;
        this.message = envelope.getLambda();
        this.sender = envelope.getSender();
        this.pending = new LambdaPendingItems(before.getPending(), limit);
        this.state = before.getState();
        this.floorHeld = before.getFloorHeld();
        this.floorHolder = before.getFloorHolder();
        this.errors = before.getErrors();
        this.definitions = made == null ? before.getDefinitions() : made.items().recent();
        this.moved = made != null;
        if (made != null && made.changed() > 0) {
            warn(Code.LAMBDA_DEF_CHANGED);
            remark = made.changes();
        }
        if (mark(message.getFloorBefore()) && speak() && drive()) {
            mark(message.getFloorAfter());
        }
    }

    /** Why the message is illegal; null if it is legal. */
    Code violation() {
        return violation;
    }

    /** Each warning once, in the order found. */
    List<Code> warnings() {
        return List.copyOf(warnings);
    }

    /** Senders of the offers that a legal message accepts, in order; null for an unknown sender. */
    List<String> agreed() {
        return agreed;
    }

    /** The offer that is under clarification after a legal message; null if none is. */
    LambdaPending clarified() {
        return clarified;
    }

    /** The rule that decided, with the origins of redefined values. */
    Rule rule() {
        return remark.isEmpty() ? rule : Rules.withRemark(rule, remark);
    }

    /** Whether a legal message changes the dialogue. */
    boolean moved() {
        return moved;
    }

    /** The dialogue after a legal message. */
    LambdaDialogue after() {
        return new LambdaDialogue(state, pending.items(), floorHeld, floorHolder, errors, definitions);
    }

    @SuppressWarnings("ReferenceEquality")
    private boolean mark(LambdaFloor mark) {
        if (mark == null) {
            return true;
        }
        LambdaFloorRule.Outcome outcome = LambdaFloorRule.mark(mark, floorHeld, floorHolder, sender);
        if (outcome.violation() != null) {
            return violate(outcome.violation(), outcome.rule());
        }
        warn(outcome.warning());
        if (rule == NOTHING_MOVES) {
            rule = outcome.rule();
        }
        if (outcome.effect() != LambdaFloorRule.Effect.KEEP) {
            floorHeld = outcome.effect() == LambdaFloorRule.Effect.TAKE;
            floorHolder = floorHeld ? StoredText.bounded(sender) : null;
            moved = true;
        }
        return true;
    }

    private boolean speak() {
        return LambdaFloorRule.maySpeak(message, floorHeld, floorHolder, sender)
                || violate(Code.LAMBDA_FLOOR, LambdaFloorRule.SPEAKING);
    }

    private boolean drive() {
        return switch (message.getKind()) {
            case HANDSHAKE -> drive(LambdaEvent.HS, false);
            case HANDSHAKE_REPLY -> drive(LambdaEvent.HSR, false);
            case CONTEXT_ONLY -> drive(LambdaEvent.CTX, false);
            case STATEMENTS -> driveStatements();
            case DATA_ONLY, ENCRYPTED, FLOOR, UNKNOWN -> true;
        };
    }

    private boolean driveStatements() {
        for (LambdaStatement next : message.getStatements()) {
            statement++;
            LambdaEvent event = LambdaEvent.of(next.getKind());
            if (event != null && !drive(event, isStatus(next))) {
                return false;
            }
        }
        return true;
    }

    /**
     * Explains the violation by the state in which it was found: that before the message, moved by the statements
     * before the illegal one. Quotes no message.
     */
    String reason() {
        String reason = switch (violation) {
            case LAMBDA_FLOOR ->
                StoredText.shown(floorHolder)
                        + " holds the floor; until its <<, others may only acknowledge, report errors, and interject"
                        + " with ><.";
            case LAMBDA_SELF_ACK ->
                "The latest pending item, " + pending.latest().getOpened()
                        + ", is the sender's own; the other side must answer it.";
            case LAMBDA_ERROR_LOOP -> "Two errors precede in a row; send something else before another one.";
            case LAMBDA_HANDSHAKE_REPLY_WITHOUT_REQUEST -> "No handshake #h is pending.";
            default -> pending.items().isEmpty() ? "Nothing is pending." : "";
        };
        return message.getStatements().size() > 1 && statement > 0 ? "Statement " + statement + ": " + reason : reason;
    }

    /**
     * Returns the events that a sender may cause in a dialogue, as on the wire.
     *
     * @param dialogue the dialogue before the event; not changed
     */
    static List<String> allowed(LambdaDialogue dialogue, String sender) {
        LambdaPendingItems pending = new LambdaPendingItems(dialogue.getPending(), Integer.MAX_VALUE);
        boolean answersOnly = !LambdaFloorRule.mayStart(dialogue.getFloorHeld(), dialogue.getFloorHolder(), sender);
        List<String> allowed = new ArrayList<>();
        for (LambdaEvent event : LambdaEvent.values()) {
            boolean answers = event.acknowledges() || event == LambdaEvent.ERR;
            boolean illegal = LambdaTable.cell(dialogue.getState(), event).violation() != null
                    || answersOnly && !answers
                    || event.acknowledges() && pending.latestIsOwn(sender)
                    || event == LambdaEvent.ERR && dialogue.getErrors() >= ERRORS_ALLOWED;
            if (!illegal) {
                allowed.add(event.symbol());
            }
        }
        if (answersOnly) {
            allowed.add("><");
        }
        return allowed;
    }

    private boolean drive(LambdaEvent event, boolean status) {
        if (event.acknowledges() && pending.latestIsOwn(sender)) {
            return violate(Code.LAMBDA_SELF_ACK, SELF_ACK);
        }
        Cell<LambdaState> cell = status ? LambdaTable.status(state) : LambdaTable.cell(state, event);
        if (cell.violation() != null) {
            return violate(cell.violation(), cell.rule());
        }
        if (event == LambdaEvent.ERR && errors >= ERRORS_ALLOWED) {
            return violate(Code.LAMBDA_ERROR_LOOP, THIRD_ERROR);
        }
        warn(cell.warning());
        rule = cell.rule();
        followOffers(event, cell.target());
        state = cell.target();
        errors = event == LambdaEvent.ERR ? errors + 1 : 0;
        updatePending(event);
        moved = true;
        return true;
    }

    /**
     * Notes whether an offer is accepted. An offer under clarification is accepted like the clarified statement of Λ
     * v0.6 §6.2: by the agreement that follows the clarification.
     */
    private void followOffers(LambdaEvent event, LambdaState target) {
        boolean clarifying = state == LambdaState.CLARIFY || state == LambdaState.CTX_PEND;
        if (state == LambdaState.OFF_PEND && (event == LambdaEvent.AGR || event == LambdaEvent.ACK)) {
            pending.offer(sender, envelope.getReplyTo()).ifPresent(offer -> agreed.add(offer.getSender()));
        } else if (clarifying && event == LambdaEvent.AGR && clarified != null) {
            agreed.add(clarified.getSender());
        }
        if (state == LambdaState.OFF_PEND && event == LambdaEvent.CLR) {
            clarified = pending.offer(sender, null).orElse(null);
        } else if (target != LambdaState.CLARIFY && target != LambdaState.CTX_PEND) {
            clarified = null;
        }
    }

    private void updatePending(LambdaEvent event) {
        if (state == LambdaState.IDLE) {
            pending.clear();
            return;
        }
        if (event.settles()) {
            pending.settle(sender, envelope.getReplyTo());
        } else if (event == LambdaEvent.A) {
            pending.settleByAssertion(sender);
        }
        // An event that does not change the state, such as a context during an open offer, awaits no answer.
        if (event.opens() == state) {
            ByteBuffer relayed =
                    !message.getRelay().isEmpty() || pending.anyRelayed() ? LambdaRelay.hash(envelope) : null;
            pending.open(sender, state, message.getId(), relayed);
        }
    }

    private boolean violate(Code code, Rule decided) {
        violation = code;
        rule = decided;
        return false;
    }

    private void warn(Code code) {
        if (code != null && !warnings.contains(code)) {
            warnings.add(code);
        }
    }

    /** Whether the statement is a status report: an assertion whose first tokens spell "st" (Λ v0.6 §6.4). */
    private static boolean isStatus(LambdaStatement statement) {
        List<LambdaToken> tokens = statement.getTokens();
        if (statement.getKind() != LambdaStatementKind.ASSERT || tokens.isEmpty()) {
            return false;
        }
        String first = tokens.get(0).getText();
        return first.equals("st")
                || (first.equals("s")
                        && tokens.size() > 1
                        && tokens.get(1).getText().equals("t"));
    }
}
