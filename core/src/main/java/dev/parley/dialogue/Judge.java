package dev.parley.dialogue;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.codec.Code;
import dev.parley.codec.Warnings;
import dev.parley.decode.ProtocolIndex;
import dev.parley.dialogue.Rule.Provenance;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;

/** Judges messages where they stand in their dialogue. Pure and immutable; for any number of threads. */
public final class Judge {
    private final DialogueSettings settings;
    private final List<Bound<?>> protocols = new ArrayList<>();
    private final ProtocolIndex<Bound<?>> index;

    /** A judge of these protocols. */
    public Judge(List<DialogueProtocol<?>> protocols, DialogueSettings settings) {
        this.settings = settings;
        for (DialogueProtocol<?> protocol : protocols) {
            this.protocols.add(bind(protocol));
        }
        this.index = new ProtocolIndex<>(this.protocols, bound -> bound.protocol.wire());
    }

    private <D extends SpecificRecord> Bound<D> bind(DialogueProtocol<D> protocol) {
        return new Bound<>(protocol, protocol.rules().apply(settings), settings.idleMillis());
    }

    /**
     * Judges one message. What has been idle longer than the settings allow, by the message's own timestamp, is closed
     * first. A patch that is legal here is accepted only as far as the dialogue goes; whether it applies is for the
     * checkpoints to say.
     *
     * @param state the conversation before the message
     * @param message the message
     * @param warnings what the decoder found
     * @param violations what the decoder found illegal wherever the message stands
     * @param context what the conversation's checkpoints define
     * @throws IllegalArgumentException when the message's protocol has no rules
     */
    public Judgement judge(
            ConversationState state,
            AgentMessage message,
            List<Code> warnings,
            List<Code> violations,
            ContextView context) {
        Bound<?> protocol = index.of(message);
        if (protocol == null) {
            throw new IllegalArgumentException("protocol " + message.getProtocol() + " has no dialogue rules");
        }
        long now = message.getSource().getTimestamp().toEpochMilli();
        ConversationState open = protocol.expired(state, now);
        if (!violations.isEmpty()) {
            Code first = violations.get(0);
            Bound<?> its = index.named(first.protocol().name());
            Rule rule = (its == null ? protocol : its).shownByItself(first);
            return judgement(first, warnings, rule, open.activeAt(now));
        }
        return judged(protocol, open, message, warnings, context, now);
    }

    private <D extends SpecificRecord> Judgement judged(
            Bound<D> protocol,
            ConversationState open,
            AgentMessage message,
            List<Code> warnings,
            ContextView context,
            long now) {
        RuleResult<D> ruleResult = protocol.judge(open, message, context);
        ConversationState next = open.with(protocol.after(open.dialogue(), ruleResult.next()));
        return judgement(
                ruleResult.violation(),
                Warnings.union(warnings, ruleResult.warnings()),
                ruleResult.rule(),
                next.activeAt(now));
    }

    /**
     * Closes what has been idle longer than the settings allow. The pipeline may call this at any time up to the time
     * of the next message: the verdicts are the same as if it never had.
     *
     * @param state the conversation
     * @param now milliseconds since the epoch, in record time
     * @return the same instance when nothing was idle that long
     */
    public ConversationState expire(ConversationState state, long now) {
        Bound<?> protocol = of(state.dialogue());
        return protocol == null ? state : protocol.expired(state, now);
    }

    /**
     * Replaces every text that the state keeps from messages by its hash: something in the conversation was redacted.
     * The verdicts on later messages are the same as if it had not.
     *
     * @param state the conversation
     */
    public ConversationState seal(ConversationState state) {
        Bound<?> protocol = of(state.dialogue());
        return protocol == null ? state : state.with(protocol.sealed(state.dialogue()));
    }

    /**
     * Name of the dialogue state that a message belongs to, as documented.
     *
     * @param state the conversation once the message was judged
     */
    public String positionOf(ConversationState state, AgentMessage message) {
        return index.of(message).positionOf(state.dialogue(), message);
    }

    private Bound<?> of(Dialogue dialogue) {
        for (int i = 0; i < protocols.size() && dialogue.state() != null; i++) {
            if (protocols.get(i).protocol.stateType().isInstance(dialogue.state())) {
                return protocols.get(i);
            }
        }
        return null;
    }

    private Judgement judgement(Code violation, List<Code> warnings, Rule rule, ConversationState next) {
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

    /** A protocol with its rules under the settings. */
    private static final class Bound<D extends SpecificRecord> {
        final DialogueProtocol<D> protocol;
        final ProtocolRules<D> rules;
        final long idleMillis;

        Bound(DialogueProtocol<D> protocol, ProtocolRules<D> rules, long idleMillis) {
            this.protocol = protocol;
            this.rules = rules;
            this.idleMillis = idleMillis;
        }

        /** The rule for a violation that the decoder found. */
        Rule shownByItself(Code violation) {
            String section = protocol.wire().name() + " " + rules.sectionOf(violation);
            return new Rule("shown by the message itself → V " + violation, Provenance.I, section);
        }

        @SuppressWarnings("ReferenceEquality")
        ConversationState expired(ConversationState state, long now) {
            D before = stateOf(state.dialogue());
            D after = before == null ? null : rules.expire(before, state.lastActivity(), now - idleMillis);
            return after == before
                    ? state
                    : state.with(new Dialogue(after, after == null && rules.isIncomplete(before)));
        }

        RuleResult<D> judge(ConversationState open, AgentMessage message, ContextView context) {
            return rules.judge(
                    stateOf(open.dialogue()),
                    message,
                    new RuleContext(open.head().records(), open.dialogue().closedIncomplete(), context));
        }

        /**
         * The dialogue after the rules have set its state. They were told of an incomplete dialogue, so nothing more is
         * to be said of it.
         */
        @SuppressWarnings("ReferenceEquality")
        Dialogue after(Dialogue open, D next) {
            D bounded = next == null ? null : rules.bounded(next);
            return bounded == open.state() && !open.closedIncomplete() ? open : new Dialogue(bounded, false);
        }

        Dialogue sealed(Dialogue dialogue) {
            return new Dialogue(rules.sealed(stateOf(dialogue)), dialogue.closedIncomplete());
        }

        String positionOf(Dialogue dialogue, AgentMessage message) {
            return rules.positionOf(stateOf(dialogue), message);
        }

        private D stateOf(Dialogue dialogue) {
            return protocol.stateType().cast(dialogue.state());
        }
    }
}
