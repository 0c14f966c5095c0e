package dev.parley.server.redrive;

import dev.parley.audit.InputPartition;
import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Inbound;
import dev.parley.avro.Source;
import dev.parley.avro.Verdict;
import dev.parley.checkpoint.Checkpoints;
import dev.parley.checkpoint.MemoryStore;
import dev.parley.codec.Code;
import dev.parley.codec.Symbols;
import dev.parley.decode.MessageDecoder;
import dev.parley.decode.RecordDecodeResult.Undecodable;
import dev.parley.decode.RecordRoute;
import dev.parley.decode.WireRecord;
import dev.parley.dialogue.ConversationState;
import dev.parley.dialogue.Judge;
import dev.parley.dialogue.Judgement;
import dev.parley.stage.ApplyStage;
import dev.parley.stage.ByteBuffers;
import dev.parley.stage.CheckpointView;
import dev.parley.stage.ConversationStore;
import dev.parley.stage.JudgeStage;
import dev.parley.stage.JudgedRecord;
import dev.parley.stage.Outcome;
import dev.parley.stage.RecordStage;
import dev.parley.topology.pipeline.PipelineSettings;
import dev.parley.topology.pipeline.RecordRouter;
import dev.parley.topology.topics.DeadLetterHeaders;
import dev.parley.topology.topics.KafkaHeaders;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.common.header.Headers;

/**
 * Predicts the verdicts on dead letters if they entered now. It runs the stages of the pipeline in memory: first over
 * the recorded messages of a conversation, which gives its dialogue state and its checkpoints, and then over the dead
 * letters. Verdicts are those of the current rules and settings. Not thread-safe.
 */
public final class DryRun {

    /** Offset of the first predicted input, beyond those of real ones. */
    private static final long FIRST_OFFSET = 900_000_000_000_000_000L;

    private final PipelineSettings settings;
    private final Instant now;
    private final RecordRouter router;
    private final MessageDecoder decoder;
    private final Judge judge;
    private long offset = FIRST_OFFSET;

    /**
     * A predicted verdict.
     *
     * @param verdict a verdict; PARKED for a patch that would wait for its base; null if it cannot be predicted
     * @param code code of the decode error or violation; null without one
     * @param detail a sentence; null if the code suffices
     */
    public record Prediction(String verdict, String code, String detail) {

        /** No verdict, for a reason. */
        public static Prediction unknown(String reason) {
            return new Prediction(null, null, "The verdict cannot be predicted: " + reason);
        }
    }

    /**
     * Where a dead letter would belong.
     *
     * @param chain its conversation; empty if it would be undecodable
     * @param undecodable the verdict in that case
     */
    public record Routed(Optional<String> chain, Prediction undecodable) {}

    /** @param now time at which the dead letters would enter */
    public DryRun(PipelineSettings settings, Instant now) {
        this.settings = settings;
        this.now = now;
        this.router = new RecordRouter(settings);
        this.decoder = settings.decoder();
        this.judge = settings.protocols().judge(settings.dialogue());
    }

    /** Finds out where a dead letter would belong. */
    public Routed route(RedriveItem item, int attempt) {
        Input input = input(item, attempt);
        RecordRoute route = router.route(input.wire());
        return route.map(
                message -> new Routed(Optional.of(message.conversation().toString()), null),
                error -> new Routed(Optional.empty(), prediction(error)));
    }

    private static Prediction prediction(Undecodable error) {
        return new Prediction(Verdict.UNDECODABLE.name(), error.code().name(), error.detail());
    }

    /** An input record that a redrive would make. */
    private record Input(WireRecord wire, Headers headers) {}

    private Input input(RedriveItem item, int attempt) {
        InputPartition partition = item.letter().source().orElseThrow().inputPartition();
        Headers headers = DeadLetterHeaders.forRedrive(item.letter().headers(), attempt);
        Source source = new Source(partition.topic(), partition.partition(), offset, now, null);
        return new Input(
                new WireRecord(source, item.letter().key(), item.value(), KafkaHeaders.view(headers)), headers);
    }

    /** Starts with a conversation that has no messages. */
    public Conversation conversation(String chain) {
        return new Conversation(chain);
    }

    /** One conversation: its recorded messages, then dead letters. */
    public final class Conversation {
        private final String chain;
        private final ConversationStore states = ConversationStore.inMemory();
        private final Checkpoints checkpoints =
                new Checkpoints(new MemoryStore<>(), new MemoryStore<>(), new MemoryStore<>(), settings.checkpoints());
        private final JudgeStage judgeStage = new JudgeStage(decoder, judge, states, checkpoints.reader());
        private final ApplyStage applyStage =
                new ApplyStage(judgeStage, checkpoints, settings.dialogue().mode());
        private final RecordStage recordStage = new RecordStage(states, settings.decodeOptions());
        private long next;
        private Optional<String> gap = Optional.empty();

        private Conversation(String chain) {
            this.chain = chain;
        }

        /** Sequence of the next recorded message. */
        public long next() {
            return next;
        }

        /** Adds the next recorded message. */
        public void replay(AuditRecord record) {
            if (record.getSequence() != next && gap.isEmpty()) {
                gap = Optional.of(
                        "the views no longer have the messages before sequence " + record.getSequence() + ".");
            }
            next = record.getSequence() + 1;
            ConversationState before = states.get(chain);
            ConversationState state = before == null ? ConversationState.NEW : before;
            AgentMessage message = record.getMessage();
            if (record.getRedaction() != null) {
                states.put(chain, judge.hashTexts(state).redacted().recorded(record.getHash()));
            } else if (message == null) {
                if (gap.isEmpty()) {
                    gap = Optional.of("the content of sequence " + record.getSequence() + " was removed.");
                }
                states.put(chain, state.recorded(record.getHash()));
            } else {
                states.put(chain, after(state, record, message).recorded(record.getHash()));
            }
        }

        private ConversationState after(ConversationState state, AuditRecord record, AgentMessage message) {
            List<Code> violations =
                    Judge.isShownByMessage(record.getRule()) ? List.of(Code.of(record.getCode())) : List.of();
            Judgement judgement = judge.judge(
                    state,
                    message,
                    List.of(),
                    violations,
                    new CheckpointView(checkpoints.reader(), message.getNamespace(), message.getConversation()));
            if (Checkpoints.isPatch(message) && Symbols.VERDICT.of(record.getVerdict()) == Verdict.ACCEPTED) {
                checkpoints.apply(
                        message,
                        record.getSource().getTimestamp().toEpochMilli(),
                        () -> new Inbound(record.getSource(), null, message.getRaw(), List.of(), null, null));
            }
            return judgement.next();
        }

        /** Gives up: what follows cannot be predicted, for a reason. */
        public void stop(String reason) {
            gap = Optional.of(reason);
        }

        /**
         * Predicts the verdict on a dead letter, given the ones before it.
         *
         * @param attempt number of the attempt
         */
        public Prediction judge(RedriveItem item, int attempt) {
            if (gap.isPresent()) {
                return Prediction.unknown(gap.get());
            }
            Input input = input(item, attempt);
            offset++;
            Source source = input.wire().source();
            Inbound inbound = new Inbound(
                    source,
                    ByteBuffers.wrap(item.letter().key()),
                    ByteBuffers.wrap(item.value()),
                    List.of(),
                    null,
                    null);
            List<JudgedRecord> judged = new ArrayList<>();
            Consumer<JudgedRecord> recorder = outcome -> {
                if (!outcome.isParked()) {
                    recordStage.record(outcome);
                }
                judged.add(outcome);
            };
            applyStage.apply(
                    judgeStage.judge(inbound, input.wire().headers()),
                    () -> KafkaHeaders.toAvro(input.headers()),
                    recorder);
            return judged.stream()
                    .filter(record -> record.inbound().getSource().equals(source))
                    .findFirst()
                    .map(record -> prediction(record.outcome()))
                    .orElseThrow(() -> new IllegalStateException("the stages decided nothing about " + source));
        }

        private static Prediction prediction(Outcome outcome) {
            if (outcome instanceof Outcome.Parked) {
                return new Prediction("PARKED", null, "The patch would wait for its base.");
            }
            return new Prediction(
                    outcome.verdict().name(),
                    outcome.code() == null ? null : outcome.code().name(),
                    outcome.failure().map(Outcome.Failure::detail).orElse(null));
        }
    }
}
