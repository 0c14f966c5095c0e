package dev.parley.dialogue;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.DialogueState;
import dev.parley.avro.Protocol;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.codec.Code;
import dev.parley.codec.Warnings;
import dev.parley.dialogue.Rule.Provenance;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Judges messages of all four protocols where they stand in their dialogue. Pure and immutable; for any number of threads. */
public final class Judge {
    /** Citations for what a decoder finds illegal. */
    private static final Map<Code, Rule> SHOWN_BY_ITSELF = new EnumMap<>(Code.class);

    static {
        for (Code code : Code.values()) {
            String section = code.protocol() + " " + sectionOf(code);
            SHOWN_BY_ITSELF.put(code, new Rule("shown by the message itself → V " + code, Provenance.I, section));
        }
    }

    private static String sectionOf(Code code) {
        return switch (code) {
            case CSP_PATCH_NAME_TWICE -> "3.2 C11";
            case CSP_SELF_APPLY -> "3.2 C18";
            case LAMBDA_CHECKSUM -> "4.2 L1";
            case LAMBDA_TABLE_RAGGED -> "4.2 L22";
            default -> "5";
        };
    }

    private final DialogueSettings settings;
    private final Map<Protocol, ProtocolRules> rules = new EnumMap<>(Protocol.class);

    /** A judge with these settings. */
    public Judge(DialogueSettings settings) {
        this.settings = settings;
        rules.put(Protocol.SLIP, new SlipRules(settings));
        rules.put(Protocol.SUBIT, new SubitRules(settings));
        rules.put(Protocol.CSP, new CspRules(settings));
        rules.put(Protocol.LAMBDA, new LambdaRules(settings));
    }

    /**
     * Judges one message. What has been idle longer than the settings allow, by the message's own timestamp, is closed first. A CSP PATCH
     * that is legal here is accepted only as far as the dialogue goes; whether it applies is for the checkpoints to say.
     *
     * @param state the conversation before the message; a new DialogueState for a new conversation; not changed
     * @param message the message
     * @param warnings what the decoder found
     * @param violations what the decoder found illegal wherever the message stands
     * @param context what the conversation's checkpoints define
     * @throws IllegalArgumentException when the message's protocol has no rules
     */
    public Judgement judge(
            DialogueState state,
            AgentMessage message,
            List<Code> warnings,
            List<Code> violations,
            ContextView context) {
        ProtocolRules protocol = rules.get(message.getProtocol());
        if (protocol == null) {
            throw new IllegalArgumentException("protocol " + message.getProtocol() + " has no dialogue rules");
        }
        long now = message.getSource().getTimestamp().toEpochMilli();
        DialogueState open = protocol.expire(state, now - settings.idleMillis());
        if (!violations.isEmpty()) {
            Code first = violations.get(0);
            return judgement(first, warnings, SHOWN_BY_ITSELF.get(first), activeAt(open, now));
        }
        Ruling ruling = protocol.judge(open, message, context);
        return judgement(
                ruling.violation(),
                union(warnings, ruling.warnings()),
                ruling.rule(),
                activeAt(StateBytes.bounded(ruling.next()), now));
    }

    /**
     * Closes what has been idle longer than the settings allow. The pipeline may call this at any time up to the time of the next message:
     * the verdicts are the same as if it never had.
     *
     * @param state the conversation; not changed
     * @param now milliseconds since the epoch, in record time
     * @return the same instance when nothing was idle that long
     */
    public DialogueState expire(DialogueState state, long now) {
        DialogueState open = state;
        for (ProtocolRules protocol : rules.values()) {
            open = protocol.expire(open, now - settings.idleMillis());
        }
        return open;
    }

    /**
     * Replaces every text that the state keeps from messages by its hash: something in the conversation was redacted. The verdicts on later messages are the same as if it had
     * not.
     *
     * @param state the conversation; not changed
     */
    public static DialogueState seal(DialogueState state) {
        return KeptText.sealed(state);
    }

    private Judgement judgement(Code violation, List<Code> warnings, Rule rule, DialogueState next) {
        if (violation == null) {
            return new Judgement(Verdict.ACCEPTED, Stage.NONE, null, warnings, rule, next);
        }
        Verdict verdict = switch (settings.mode()) {
            case ENFORCE -> Verdict.REJECTED;
            case OBSERVE -> Verdict.FLAGGED;
        };
        return new Judgement(verdict, stageOf(violation), violation, warnings, rule, next);
    }

    /** Codes that are warnings elsewhere fail here as violations of the dialogue (LAMBDA_ERROR_LOOP). */
    private static Stage stageOf(Code violation) {
        return violation.kind() == Code.Kind.PATCH_VIOLATION ? Stage.PATCH : Stage.DIALOGUE;
    }

    private static List<Code> union(List<Code> decoders, List<Code> judges) {
        if (judges.isEmpty()) {
            return decoders;
        }
        if (decoders.isEmpty()) {
            return judges;
        }
        Warnings all = new Warnings();
        decoders.forEach(all::add);
        judges.forEach(all::add);
        return all.codes();
    }

    /** The state with its last activity at that time, unless it was later already: a late record sets no clock back. */
    private static DialogueState activeAt(DialogueState state, long now) {
        if (state.getLastActivity() >= now) {
            return state;
        }
        return new DialogueState(
                state.getSequence(),
                state.getHead(),
                now,
                state.getClosedIncomplete(),
                state.getSlip(),
                state.getSubit(),
                state.getCsp(),
                state.getLambda(),
                state.getRedactions());
    }
}
