package dev.parley.stage;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.CspDialogue;
import dev.parley.avro.CspMessage;
import dev.parley.avro.SlipAct;
import dev.parley.avro.SlipDialogue;
import dev.parley.avro.SlipFrame;
import dev.parley.avro.SlipMessage;
import dev.parley.avro.SlipTask;
import dev.parley.avro.Source;
import dev.parley.avro.SubitMessage;
import dev.parley.avro.SubitType;
import dev.parley.codec.Code;
import dev.parley.codec.RecordHeaders;
import dev.parley.codec.csp.CspCodec;
import dev.parley.codec.slip.SlipCodec;
import dev.parley.codec.subit.SubitCodec;
import dev.parley.decode.MessageDecoder;
import dev.parley.decode.WireProtocol;
import dev.parley.decode.WireRecord;
import dev.parley.dialogue.ContextView;
import dev.parley.dialogue.ConversationState;
import dev.parley.dialogue.Judge;
import dev.parley.dialogue.Judgement;
import dev.parley.dialogue.csp.CspTasks;
import dev.parley.encoding.ByteBuffers;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.StringTokenizer;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;

/**
 * Writes templates of messages for the present state of a conversation: those that the remedy of a violation names, and
 * one for each act. A template has the agents, the IDs and, in SLIP, the next free turn. Not thread-safe.
 */
public final class RepairPlanner {
    /** The failed message itself, with a free turn. */
    private static final String AGAIN = "AGAIN";

    /** The failed message with a free ID. */
    private static final String NEW_ID = "NEW_ID";

    /** The messages that remedies name, in their order; after a bar, those to send in another state. */
    private static final Properties STEPS = new Properties();

    static {
        try (InputStream in = RepairPlanner.class.getResourceAsStream("repairs.properties")) {
            STEPS.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the plans of repairs", e);
        }
    }

    /** Acts of the agent that does a task; the other acts on a task are those of the agent that gives it. */
    private static final Set<SlipAct> OF_WORKER = EnumSet.of(SlipAct.PROPOSE, SlipAct.COMMIT, SlipAct.INFORM);

    private static final Set<SlipAct> OF_GIVER =
            EnumSet.of(SlipAct.REQUEST, SlipAct.ACCEPT, SlipAct.REJECT, SlipAct.EVAL);

    private static final int PLAN_FORMS = 3;

    private final MessageDecoder decoder;
    private final Judge judge;

    /**
     * A message to send, in the order of a plan.
     *
     * @param act what it is
     * @param sender its sender; null if it is unknown
     * @param wire its bytes
     * @param judgement the judgement after the messages before it
     */
    public record Step(String act, String sender, byte[] wire, Judgement judgement) {}

    public RepairPlanner(StageSettings settings) {
        this.decoder = settings.decoder();
        this.judge = settings.judge();
    }

    /**
     * Plans a repair.
     *
     * @param code code of the violation; may be null
     * @param failed message with the violation
     * @param state its conversation now
     * @param now time of the messages
     */
    public List<Step> repair(String code, AgentMessage failed, ConversationState state, Instant now) {
        List<Step> steps = plan(code, failed, state, now);
        Code next =
                steps.isEmpty() ? null : steps.get(steps.size() - 1).judgement().code();
        // With a free turn, for example, the message may have the violation that its turn has hidden.
        List<Step> others =
                next == null || next.name().equals(code) ? List.of() : plan(next.name(), failed, state, now);
        return others.isEmpty() ? steps : others;
    }

    private static List<String> parts(String text, String separator) {
        List<String> parts = new ArrayList<>();
        new StringTokenizer(text, separator).asIterator().forEachRemaining(part -> parts.add((String) part));
        return parts;
    }

    /** Returns the first plan of a code whose messages are accepted, else its first. */
    private List<Step> plan(String code, AgentMessage failed, ConversationState state, Instant now) {
        List<Step> first = List.of();
        for (String plan : parts(STEPS.getProperty(String.valueOf(code), ""), "|")) {
            List<Step> steps = steps(parts(plan, " "), failed, state, now);
            if (steps.stream().allMatch(step -> step.judgement().code() == null)) {
                return steps;
            }
            first = first.isEmpty() ? steps : first;
        }
        return first;
    }

    /**
     * Returns one message for each act that is accepted now.
     *
     * @param last a message of the conversation, whose agents and IDs the messages have
     */
    public List<Step> next(AgentMessage last, ConversationState state, Instant now) {
        List<Enum<?>> acts = new ArrayList<>(
                last.getSlip() != null
                        ? List.of(SlipAct.values())
                        : last.getSubit() != null ? List.of(SubitType.values()) : List.of());
        List<Step> steps = new ArrayList<>();
        Stream<String> names = acts.isEmpty()
                ? Stream.of(AGAIN)
                : acts.stream().map(Enum::name).filter(name -> !name.equals("UNKNOWN"));
        names.forEach(act -> steps.addAll(steps(List.of(act), last, state, now)));
        steps.removeIf(step -> step.judgement().code() != null);
        return steps;
    }

    /** Returns a message with the next free turn; in a protocol without turns, as it is. Empty if no turn is free. */
    public Optional<Step> withFreeTurn(AgentMessage message, ConversationState state, Instant now) {
        return steps(List.of(AGAIN), message, state, now).stream().findFirst();
    }

    private List<Step> steps(List<String> acts, AgentMessage like, ConversationState state, Instant now) {
        Source source = new Source("draft", 0, 0L, now, null);
        List<Step> steps = new ArrayList<>();
        ConversationState[] after = {judge.expire(state, now.toEpochMilli())};
        acts.forEach(act -> {
            Step step = step(act, like, after[0], source);
            if (step != null) {
                steps.add(step);
                after[0] = step.judgement().next().recorded(like.getSha256());
            }
        });
        return steps;
    }

    /** Returns null if there is no such message, for example because no turn is free. */
    private Step step(String act, AgentMessage like, ConversationState state, Source source) {
        byte[] wire = wire(act, like, state);
        if (wire == null) {
            return null;
        }
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put(RecordHeaders.NAMESPACE, like.getNamespace());
        headers.put(RecordHeaders.PROTOCOL, WireProtocol.nameOf(like));
        headers.put(RecordHeaders.CONVERSATION, like.getConversation());
        if (like.getSender() != null && like.getSlip() == null && like.getCsp() == null) {
            headers.put(RecordHeaders.SENDER, like.getSender());
        }
        return decoder.decode(new WireRecord(source, null, wire, RecordHeaders.ofText(headers)))
                .map(
                        decoded -> new Step(
                                act,
                                decoded.sender(),
                                wire,
                                judge.judge(
                                        state,
                                        decoded.message(),
                                        decoded.warnings(),
                                        decoded.violations(),
                                        ContextView.NONE)),
                        error -> null);
    }

    private static byte[] wire(String act, AgentMessage like, ConversationState state) {
        if (like.getSlip() != null) {
            return slip(act, like.getSlip(), (SlipDialogue) state.dialogue().state());
        }
        if (like.getSubit() != null && !act.equals(AGAIN)) {
            return subit(SubitType.valueOf(act), like.getSubit());
        }
        if (like.getCsp() != null && !act.equals(AGAIN)) {
            return csp(act, like.getCsp(), state);
        }
        return ByteBuffers.of(like.getRaw());
    }

    /**
     * Warns that turns are taken from agents that count them.
     *
     * @param messages number of messages to send
     * @return null if the conversation has no turns
     */
    public static String turnWarning(ConversationState state, int messages) {
        return state.dialogue().state() instanceof SlipDialogue dialogue
                ? "Each message takes a turn. An agent that counts turns itself regresses if it goes on at or below T"
                        + SlipCodec.digits(lastTurn(dialogue) + Math.max(1, messages))
                        + ", unless it has read the messages."
                : null;
    }

    private static long lastTurn(SlipDialogue dialogue) {
        return dialogue == null || dialogue.getTurns().isEmpty()
                ? 0
                : dialogue.getTurns().get(dialogue.getTurns().size() - 1).getTurn();
    }

    private static byte[] slip(String act, SlipMessage like, SlipDialogue dialogue) {
        long last = lastTurn(dialogue);
        if (last == Long.MAX_VALUE) {
            return null;
        }
        SlipMessage message = copy(like, new SlipMessage());
        message.setTurn(last + 1);
        if (act.equals(NEW_ID)) {
            List<SlipTask> tasks = dialogue == null ? List.of() : dialogue.getTasks();
            message.setTaskId(1
                    + tasks.stream()
                            .mapToLong(task ->
                                    task.getTask() == null || task.getTask() == Long.MAX_VALUE ? 0 : task.getTask())
                            .max()
                            .orElse(0));
            message.setSlotOrder((like.getTaskId() == null ? "k" : "") + like.getSlotOrder());
        } else if (!act.equals(AGAIN)) {
            SlipAct other = SlipAct.valueOf(act);
            boolean answers = OF_WORKER.contains(other) && OF_GIVER.contains(like.getAct())
                    || OF_GIVER.contains(other) && OF_WORKER.contains(like.getAct());
            String text = "@a" + SlipCodec.digits(other.ordinal() - 1) + "|f"
                    + (frame(other).ordinal() - 1) + "|c"
                    + SlipCodec.digits(like.getConversation())
                    + "|S" + SlipCodec.digits(answers ? like.getDestination() : like.getSource())
                    + "|d" + SlipCodec.digits(answers ? like.getSource() : like.getDestination())
                    + "|T" + SlipCodec.digits(last + 1)
                    + (like.getGoalId() == null ? "" : "|g" + SlipCodec.digits(like.getGoalId()))
                    + (like.getTaskId() == null ? "" : "|k" + SlipCodec.digits(like.getTaskId())) + '#';
            return text.getBytes(UTF_8);
        }
        return new SlipCodec().encode(message);
    }

    private static SlipFrame frame(SlipAct act) {
        return switch (act) {
            case PROPOSE, ACCEPT, REJECT, COMMIT -> SlipFrame.PLAN;
            case INFORM, OBSERVE, ERROR -> SlipFrame.OBSERVATION;
            case EVAL -> SlipFrame.EVALUATION;
            case META -> SlipFrame.CONTROL;
            case REQUEST, ASK, UNKNOWN -> SlipFrame.TASK;
        };
    }

    /** A packet with the forms of another one, repeated or cut to the length of its type. */
    private static byte[] subit(SubitType type, SubitMessage like) {
        int count = switch (type) {
            case STATE, ERROR, UNKNOWN -> 1;
            case INTENT, ACTION, TRACE -> 2;
            case PLAN -> PLAN_FORMS;
        };
        Integer[] forms = new Integer[count];
        for (int i = 0; i < count; i++) {
            forms[i] = like.getForms().get(i % like.getForms().size());
        }
        SubitMessage message = copy(like, new SubitMessage());
        message.setType(type);
        message.setForms(Arrays.asList(forms));
        return new SubitCodec().encode(message);
    }

    private static byte[] csp(String act, CspMessage like, ConversationState state) {
        if (act.equals(NEW_ID)) {
            int number = 2;
            while (CspTasks.find((CspDialogue) state.dialogue().state(), like.getId() + '-' + number) != null) {
                number++;
            }
            CspMessage message = copy(like, new CspMessage());
            message.setId(like.getId() + '-' + number);
            return new CspCodec().encode(message);
        }
        // The values of keys have no line ends.
        String task = "CSP/1\nFROM " + like.getRecipient() + "\nTO " + like.getSender() + "\nCTX " + like.getCtx()
                + "\nINTENT TASK\n\nTASK " + like.getId() + "\nREQ Try again.";
        return task.getBytes(UTF_8);
    }

    private static <M extends SpecificRecord> M copy(M from, M to) {
        from.getSchema().getFields().forEach(field -> to.put(field.pos(), from.get(field.pos())));
        return to;
    }
}
