package dev.parley.server.redrive;

import dev.parley.audit.InputPartition;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Source;
import dev.parley.avro.Verdict;
import dev.parley.decode.RecordDecodeResult.Undecodable;
import dev.parley.decode.WireRecord;
import dev.parley.dialogue.Judgement;
import dev.parley.stage.JudgedRecord;
import dev.parley.stage.OfflinePipeline;
import dev.parley.topology.pipeline.PipelineSettings;
import dev.parley.topology.pipeline.RecordRouter;
import dev.parley.topology.topics.DeadLetterHeaders;
import dev.parley.topology.topics.KafkaHeaders;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
    private long offset = FIRST_OFFSET;

    /**
     * A predicted verdict.
     *
     * @param verdict a verdict; PARKED for a patch that would wait for its base; null if it cannot be predicted
     * @param code code of the decode error or violation; null without one
     * @param detail a sentence; null if the code suffices
     */
    public record Prediction(String verdict, String code, String detail) {}

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
    }

    /** Finds out where a dead letter would belong. */
    public Routed route(RedriveItem item, int attempt) {
        Input input = input(item, attempt);
        return router.route(input.wire())
                .map(
                        message -> new Routed(Optional.of(message.conversation().toString()), null),
                        error -> new Routed(Optional.empty(), prediction(error)));
    }

    private static Prediction prediction(Undecodable error) {
        return new Prediction(Verdict.UNDECODABLE.name(), error.code().name(), error.detail());
    }

    /** An input record that a redrive would make. */
    private record Input(WireRecord wire, Headers headers) {}

    private Input input(RedriveItem item, int attempt) {
        InputPartition partition = item.source().inputPartition();
        Headers headers = DeadLetterHeaders.forRedrive(item.headers(), attempt);
        Source source = new Source(partition.topic(), partition.partition(), offset, now, null);
        return new Input(new WireRecord(source, item.key(), item.value(), KafkaHeaders.view(headers)), headers);
    }

    /** Starts with a conversation that has no messages. */
    public Conversation conversation() {
        return new Conversation();
    }

    /** One conversation: its recorded messages, then dead letters. */
    public final class Conversation {
        private final OfflinePipeline pipeline = new OfflinePipeline(settings.stages());
        private long next;
        private Optional<String> gap = Optional.empty();

        private Conversation() {}

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
            if (record.getRedaction() == null && record.getMessage() == null && gap.isEmpty()) {
                gap = Optional.of("the content of sequence " + record.getSequence() + " was removed.");
            }
            pipeline.replay(record);
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
                return new Prediction(null, null, "The verdict cannot be predicted: " + gap.get());
            }
            Input input = input(item, attempt);
            offset++;
            Source source = input.wire().source();
            List<JudgedRecord> judged = new ArrayList<>();
            pipeline.accept(input.wire(), KafkaHeaders.toAvro(input.headers()), judged::add);
            return judged.stream()
                    .filter(record -> record.inbound().getSource().equals(source))
                    .findFirst()
                    .map(Conversation::prediction)
                    .orElseThrow(() -> new IllegalStateException("the stages decided nothing about " + source));
        }

        private static Prediction prediction(JudgedRecord record) {
            if (record.isParked()) {
                return new Prediction("PARKED", null, "The patch would wait for its base.");
            }
            Judgement judgement = record.judgement();
            return new Prediction(
                    judgement.verdict().name(),
                    judgement.code() == null ? null : judgement.code().name(),
                    judgement.detail());
        }
    }
}
