package dev.parley.dialogue;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Provenance;
import dev.parley.avro.Rule;
import dev.parley.avro.Source;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.codec.Code;
import dev.parley.codec.Warnings;
import dev.parley.decode.ProtocolIndex;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;

/** Judges messages against the dialogue state of their conversation. Pure, immutable, and thread-safe. */
public final class Judge {
    private static final Rule MOVED =
            Rules.of("another position than in parley-expect → V " + Code.CONVERSATION_MOVED, Provenance.I, "0");
    private static final String ONLY_ACCEPTED = "not applied, because of parley-expect: accepted";
    private static final String SHOWN_BY_MESSAGE = "shown by the message itself → V ";

    private final DialogueSettings settings;
    private final List<Bound<?>> protocols = new ArrayList<>();
    private final ProtocolIndex<Bound<?>> index;

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
     * Judges one message. First closes whatever has been idle longer than the settings allow, by the timestamp of the
     * message. An accepted patch is legal in the dialogue; the checkpoints decide whether it applies.
     *
     * @param state the conversation before the message
     * @param warnings warnings of the decoder
     * @param violations violations that the decoder found, independent of dialogue state
     * @param context checkpoints of the conversation
     * @throws IllegalArgumentException if the message's protocol has no rules
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
        return judge(protocol, state, message, warnings, violations, context);
    }

    private <D extends SpecificRecord> Judgement judge(
            Bound<D> protocol,
            ConversationState state,
            AgentMessage message,
            List<Code> warnings,
            List<Code> violations,
            ContextView checkpoints) {
        long now = message.getSource().getTimestamp().toEpochMilli();
        ConversationState open = protocol.expired(state, now);
        D before = protocol.stateOf(open.dialogue());
        RuleContext context = new RuleContext(
                open.head().records(),
                open.dialogue().closedIncomplete(),
                checkpoints,
                protocol.olderItems(open, message));
        if (!violations.isEmpty()) {
            Code shown = violations.get(0);
            Explanation explanation = protocol.rules.explain(before, message, context, shown);
            RuleResult<D> after = protocol.rules.afterInvalid(before, message, context);
            ConversationState next = after == null ? open : open.with(protocol.after(open.dialogue(), after));
            List<Code> all = after == null ? warnings : Warnings.union(warnings, after.warnings());
            return violating(shown, all, ruleOf(protocol, shown), explanation, next.activeAt(now));
        }
        RuleResult<D> result = protocol.rules.judge(before, message, context);
        ConversationState next =
                open.with(protocol.after(open.dialogue(), result)).activeAt(now);
        List<Code> all = Warnings.union(warnings, result.warnings());
        if (result.violation() != null) {
            Explanation explanation = protocol.rules.explain(before, message, context, result.violation());
            return violating(result.violation(), all, result.rule(), explanation, next);
        }
        String remark =
                result.warnings().isEmpty() ? null : protocol.rules.remark(before, message, context, result.warnings());
        return new Judgement(Verdict.ACCEPTED, Stage.NONE, null, remark, List.of(), all, result.rule(), next);
    }

    /**
     * Returns the judgement on a message that expects another position of its conversation, in any mode.
     *
     * @param state the conversation before the message
     * @param expected the position that it expects
     */
    public Judgement moved(ConversationState state, AgentMessage message, long expected) {
        long at = state.head().records();
        String detail = "the conversation is at " + at + ", not at " + expected
                + "; this record takes that position, so send the message with " + (at + 1);
        return Judgement.failure(Verdict.REJECTED, Stage.JUDGE, Code.CONVERSATION_MOVED, detail)
                .unapplied(MOVED, unapplied(state, message.getSource()));
    }

    /**
     * Returns the judgement on a message that must be accepted: a violation is rejected in any mode, and has no effect
     * on the dialogue.
     *
     * @param state the conversation before the message
     * @param judgement the judgement without this condition
     */
    public Judgement onlyAccepted(ConversationState state, AgentMessage message, Judgement judgement) {
        return judgement.code() == null
                ? judgement
                : judgement.unapplied(
                        Rules.withRemark(judgement.rule(), ONLY_ACCEPTED), unapplied(state, message.getSource()));
    }

    /** Returns the conversation after a message that was not applied, which is activity. */
    public ConversationState unapplied(ConversationState state, Source message) {
        long now = message.getTimestamp().toEpochMilli();
        return expire(state, now).activeAt(now);
    }

    /** Returns whether a recorded message was not applied, because of its header parley-expect. */
    public static boolean isUnapplied(AuditRecord record) {
        return record.getRule() != null
                && (record.getRule().equals(MOVED) || record.getRule().getText().endsWith(ONLY_ACCEPTED));
    }

    /**
     * Closes whatever has been idle longer than the settings allow. The pipeline may call this at any time up to the
     * time of the next message; verdicts do not change.
     *
     * @param now record time, milliseconds since the epoch
     * @return the same instance if nothing was idle that long
     */
    public ConversationState expire(ConversationState state, long now) {
        Bound<?> protocol = of(state.dialogue());
        return protocol == null ? state : protocol.expired(state, now);
    }

    /**
     * Replaces every text from messages in the state by its hash, after a redaction in the conversation. Verdicts on
     * later messages do not change.
     */
    public ConversationState hashTexts(ConversationState state) {
        Bound<?> protocol = of(state.dialogue());
        return protocol == null ? state : state.with(protocol.withHashes(state.dialogue()));
    }

    /** Returns whether the judge has the rules of a message's protocol. */
    public boolean knows(AgentMessage message) {
        return index.of(message) != null;
    }

    /**
     * Returns the violation of a recorded message that the decoder found, independent of dialogue state; empty for any
     * other record.
     *
     * @param record record of a message whose protocol the judge knows
     */
    public List<Code> shownByMessage(AuditRecord record) {
        if (!Code.isName(record.getCode())) {
            return List.of();
        }
        Code code = Code.of(record.getCode());
        return ruleOf(index.of(record.getMessage()), code).equals(record.getRule()) ? List.of(code) : List.of();
    }

    /**
     * Returns the documented name of the dialogue state that a message belongs to.
     *
     * @param state the conversation after the message
     */
    public String positionOf(ConversationState state, AgentMessage message) {
        return index.of(message).positionOf(state, message);
    }

    private Bound<?> of(Dialogue dialogue) {
        for (int i = 0; i < protocols.size() && dialogue.state() != null; i++) {
            if (protocols.get(i).protocol.stateType().isInstance(dialogue.state())) {
                return protocols.get(i);
            }
        }
        return null;
    }

    private Rule ruleOf(Bound<?> protocol, Code violation) {
        Bound<?> ofCode = index.named(violation.protocol().name());
        return (ofCode == null ? protocol : ofCode).ruleOf(violation);
    }

    private Judgement violating(
            Code violation, List<Code> warnings, Rule rule, Explanation explanation, ConversationState next) {
        Verdict verdict = switch (settings.mode()) {
            case ENFORCE -> Verdict.REJECTED;
            case OBSERVE -> Verdict.FLAGGED;
        };
        return new Judgement(
                verdict,
                stageOf(violation),
                violation,
                explanation.detail(),
                explanation.allowed(),
                warnings,
                rule,
                next);
    }

    /** Some codes are warnings elsewhere but fail here as dialogue violations (LAMBDA_ERROR_LOOP). */
    private static Stage stageOf(Code violation) {
        return violation.kind() == Code.Kind.PATCH_VIOLATION ? Stage.APPLY : Stage.JUDGE;
    }

    /** The rules of a protocol under the settings. */
    private record Bound<D extends SpecificRecord>(
            DialogueProtocol<D> protocol, ProtocolRules<D> rules, long idleMillis) {
        /**
         * Returns the rule for a violation that the decoder found. Audit records contain and hash it, so it must not
         * change.
         */
        Rule ruleOf(Code violation) {
            return Rules.of(SHOWN_BY_MESSAGE + violation, Provenance.I, rules.sectionOf(violation));
        }

        @SuppressWarnings("ReferenceEquality")
        ConversationState expired(ConversationState state, long now) {
            D before = stateOf(state.dialogue());
            D after = before == null ? null : rules.expire(before, state.lastActivity(), now - idleMillis);
            if (after == before) {
                return state;
            }
            OlderItems older = state.dialogue().olderItems();
            return state.with(
                    after == null
                            ? new Dialogue(null, rules.isIncomplete(before), older.clear())
                            : new Dialogue(after, false, older));
        }

        /** The older items; those that were idle too long before the latest message have expired. */
        private OlderItems olderItems(ConversationState state, AgentMessage message) {
            long latest = Math.max(
                    state.lastActivity(), message.getSource().getTimestamp().toEpochMilli());
            return state.dialogue().olderItems().withDeadline(latest - idleMillis);
        }

        /**
         * Returns the dialogue after the rules have set its state. The rules have already reported an incomplete
         * dialogue, so the mark goes.
         */
        @SuppressWarnings("ReferenceEquality")
        Dialogue after(Dialogue open, RuleResult<D> result) {
            D next = result.next();
            // A state that stays was bounded when it was made, and measuring it costs as much as its entries.
            D bounded = next == null || next == open.state() ? next : rules.bounded(next);
            OlderItems older = result.olderItems() == null ? open.olderItems() : result.olderItems();
            return bounded == open.state() && older == open.olderItems() && !open.closedIncomplete()
                    ? open
                    : new Dialogue(bounded, false, older);
        }

        Dialogue withHashes(Dialogue dialogue) {
            return new Dialogue(
                    rules.withHashes(stateOf(dialogue)),
                    dialogue.closedIncomplete(),
                    rules.withHashes(dialogue.olderItems()));
        }

        String positionOf(ConversationState state, AgentMessage message) {
            return rules.positionOf(stateOf(state.dialogue()), olderItems(state, message), message);
        }

        private D stateOf(Dialogue dialogue) {
            return protocol.stateType().cast(dialogue.state());
        }
    }
}
