package dev.parley.dialogue;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.Performative;
import dev.parley.avro.Protocol;
import dev.parley.avro.SlipAct;
import dev.parley.avro.SlipDialogue;
import dev.parley.avro.SlipFrame;
import dev.parley.avro.SlipMessage;
import dev.parley.avro.SlipTask;
import dev.parley.avro.SlipTaskState;
import dev.parley.avro.SlipTurn;
import dev.parley.avro.Source;
import dev.parley.avro.SubitMessage;
import dev.parley.avro.SubitType;
import dev.parley.checkpoint.CheckpointReader;
import dev.parley.stage.KnownCheckpoints;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecord;

/** Messages as the decoders of SLIP and SUBIT hand them to the judge, as far as the rules look at them. */
final class DialogueMessages {
    /** The context of a first message. */
    static final ContextView NO_CHECKPOINTS =
            new KnownCheckpoints(new CheckpointReader(key -> Optional.empty(), 0), "default", "ctx");

    static final RuleContext CONTEXT = new RuleContext(0, false, NO_CHECKPOINTS, OlderItems.NONE);

    private DialogueMessages() {}

    /**
     * A SLIP message with the frame that goes with its act: agent 0 requests and decides, agent 1 proposes, commits and
     * informs.
     */
    static AgentMessage slip(long turn, SlipAct act, Long task, long millis) {
        boolean works = act == SlipAct.PROPOSE || act == SlipAct.COMMIT || act == SlipAct.INFORM;
        return slip(turn, act, frameOf(act), works ? 1 : 0, works ? 0 : 1, task, null, "", millis);
    }

    /** A SLIP message between two agents. */
    static AgentMessage slip(long turn, SlipAct act, Long task, long source, long destination) {
        return slip(turn, act, frameOf(act), source, destination, task, null, "", 0);
    }

    /** A SLIP dialogue whose last turn was accepted. */
    static SlipDialogue slipDialogue(long turn, List<SlipTask> tasks) {
        return new SlipDialogue(List.of(new SlipTurn(turn, ByteBuffer.allocate(16), true)), tasks);
    }

    /** A SLIP task that agent 0 requested of agent 1, which has proposed a plan. */
    static SlipTask slipTask(Long id, SlipTaskState state, long millis) {
        return new SlipTask(id, state, millis, 1L, List.of(1L));
    }

    static AgentMessage slip(
            long turn,
            SlipAct act,
            SlipFrame frame,
            long source,
            long destination,
            Long task,
            Long parent,
            String tag,
            long millis) {
        SlipMessage slip = new SlipMessage(
                act,
                frame,
                3L,
                source,
                destination,
                turn,
                null,
                task,
                parent,
                null,
                null,
                null,
                null,
                null,
                tag,
                "t",
                List.of());
        return message(Protocol.SLIP, Long.toString(source), slip, null, millis);
    }

    static SlipFrame frameOf(SlipAct act) {
        return switch (act) {
            case REQUEST -> SlipFrame.TASK;
            case PROPOSE -> SlipFrame.PLAN;
            case EVAL -> SlipFrame.EVALUATION;
            case META -> SlipFrame.CONTROL;
            default -> SlipFrame.OBSERVATION;
        };
    }

    /** A SUBIT packet; agent is null for an unknown sender. */
    static AgentMessage subit(SubitType type, String agent, long millis) {
        SubitMessage subit =
                new SubitMessage(type, List.of(6, 49, 27), false, null, null, null, List.of(), List.of(), List.of());
        return message(Protocol.SUBIT, agent, null, subit, millis);
    }

    /** A conversation whose last message came at that time. */
    static ConversationState state(long lastActivity, SpecificRecord dialogue) {
        return new ConversationState(ChainHead.EMPTY, lastActivity, new Dialogue(dialogue, false));
    }

    /** A message in which only the protocol matters. */
    static AgentMessage of(Protocol protocol, long millis) {
        return message(protocol, null, null, null, millis);
    }

    private static AgentMessage message(
            Protocol protocol, String sender, SlipMessage slip, SubitMessage subit, long millis) {
        byte[] raw = (protocol + " " + sender + " " + slip + " " + subit).getBytes(StandardCharsets.UTF_8);
        return new AgentMessage(
                "wire-0-0",
                "default",
                protocol.name(),
                "3",
                sender,
                List.of(),
                Performative.UNSPECIFIED.name(),
                null,
                List.of(),
                new Source("wire", 0, 0L, Instant.ofEpochMilli(millis), null),
                ByteBuffer.wrap(raw),
                ByteBuffer.wrap(sha256(raw)),
                slip,
                subit,
                null,
                null,
                null,
                null);
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
