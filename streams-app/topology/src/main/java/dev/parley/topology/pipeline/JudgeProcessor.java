package dev.parley.topology.pipeline;

import dev.parley.avro.DialogueState;
import dev.parley.avro.Inbound;
import dev.parley.checkpoint.UnreadableValueException;
import dev.parley.dialogue.ConversationState;
import dev.parley.dialogue.DialogueSettings;
import dev.parley.dialogue.Judge;
import dev.parley.stage.ApplyStage;
import dev.parley.stage.JudgedRecord;
import dev.parley.topology.kafka.SliceScheduler;
import dev.parley.topology.topics.KafkaHeaders;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Runs the stages judge and apply. Judges each message by its dialogue state, and applies patches to the checkpoint
 * stores. Parks a patch whose base is unknown, and releases it when its base is applied or the parking time is over,
 * before the next record. Of a long cascade, it releases the first slice at once and the rest by punctuation, so that
 * the thread commits in between. Closes dialogues that have been idle too long in stream time.
 */
final class JudgeProcessor extends ContextualProcessor<String, Inbound, String, JudgedRecord> {
    private static final long MIN_SWEEP_INTERVAL_MS = 60_000L;
    private static final long MIN_EXPIRY_INTERVAL_MS = 1_000L;
    private static final Duration EXPIRY_INTERVAL = Duration.ofSeconds(1);

    /** Maximum number of conversations and their older items in one slice of a sweep, except those of the last. */
    static final int SLICE = 1_000;

    /** Maximum duration of one slice; it ends after the conversation that exceeds it. */
    private static final long SLICE_NANOS = 10_000_000L;

    private final PipelineSettings settings;
    private final String redactions;
    private KafkaSortedStore<DialogueState> states;
    private KafkaConversationStore conversations;
    private final Judge judge;
    private ApplyStage stage;
    private JudgedOffsetTracker judgedOffset;
    private SliceScheduler releases;
    private SliceScheduler sweep;
    private SliceScheduler expiry;

    /** First key of the next slice; null if no sweep runs. */
    private String cursor;

    /** The sweep closes dialogues that were idle too long at this stream time. */
    private long idleBefore;

    /**
     * Creates a processor.
     *
     * @param redactions topic of the requests that {@link RedactProcessor} judges instead
     */
    JudgeProcessor(PipelineSettings settings, String redactions) {
        this.settings = settings;
        this.judge = settings.stages().judge();
        this.redactions = redactions;
    }

    @Override
    public void init(ProcessorContext<String, JudgedRecord> context) {
        super.init(context);
        states = new KafkaSortedStore<>(context.getStateStore(PipelineStores.CONVERSATIONS));
        conversations = new KafkaConversationStore(context, settings);
        stage = new ApplyStage(settings.stages(), conversations, PipelineStores.checkpoints(context, settings));
        judgedOffset = new JudgedOffsetTracker(context.getStateStore(PipelineStores.OUTCOMES), settings);
        cursor = null;
        idleBefore = Long.MIN_VALUE;
        DialogueSettings dialogue = settings.stages().dialogue();
        context.schedule(
                Duration.ofMillis(Math.max(MIN_SWEEP_INTERVAL_MS, dialogue.idleMillis() / 4)),
                PunctuationType.STREAM_TIME,
                this::beginSweep);
        sweep = new SliceScheduler(context, SliceScheduler.INTERVAL, time -> closeIdle());
        releases = new SliceScheduler(context, SliceScheduler.INTERVAL, time -> resume(context.currentStreamTimeMs()));
        // An earlier task may have left cascades.
        releases.start();
        context.schedule(
                Duration.ofMillis(Math.max(
                        MIN_EXPIRY_INTERVAL_MS, settings.stages().checkpoints().parkingMillis() / 60)),
                PunctuationType.STREAM_TIME,
                this::expire);
        // Between the intervals in stream time, which may never end without further records.
        expiry = new SliceScheduler(context, EXPIRY_INTERVAL, time -> {
            expire(context.currentStreamTimeMs());
            return false;
        });
    }

    @Override
    public void process(Record<String, Inbound> record) {
        if (record.value().getSource().getTopic().equals(redactions)) {
            return;
        }
        expiry.start();
        if (judgedOffset.isJudged(context().recordMetadata(), record.value().getSource())) {
            return;
        }
        stage.accept(
                record.value(),
                KafkaHeaders.view(record.headers()),
                () -> KafkaHeaders.toAvro(record.headers()),
                judged -> {
                    if (judged.released()) {
                        forward(judged, record.timestamp());
                    } else {
                        context().forward(record.withValue(judged));
                    }
                });
        if (stage.isSuspended()) {
            releases.start();
        }
    }

    private void expire(long streamTime) {
        if (resume(streamTime)) {
            releases.start();
        }
    }

    private boolean resume(long streamTime) {
        return stage.resume(streamTime, judged -> forward(judged, streamTime));
    }

    /** Forwards a released patch, whose headers were parked with it. */
    private void forward(JudgedRecord judged, long timestamp) {
        Headers headers = KafkaHeaders.fromAvro(judged.inbound().getHeaders());
        context().forward(new Record<>(judged.chain(), judged, timestamp, headers));
    }

    /**
     * Starts a sweep that bounds the store. Records may arrive late, so the sweep closes dialogues that have been idle
     * for twice the allowed time. The rules close a dialogue exactly, at its next message.
     */
    private void beginSweep(long streamTime) {
        idleBefore = streamTime - settings.stages().dialogue().idleMillis();
        if (cursor == null) {
            cursor = "";
        }
        sweep.start();
    }

    /**
     * Processes one slice in two passes, because a store must not be written during its own iteration. Returns whether
     * more remains.
     */
    private boolean closeIdle() {
        List<KeyValue<String, ConversationState>> closed = new ArrayList<>();
        long start = System.nanoTime();
        int[] seen = {0};
        boolean last = states.scanFrom(cursor, (chain, stored) -> {
            seen[0] += expire(chain, stored, closed);
            // The next possible key.
            cursor = chain + '\0';
            return seen[0] < SLICE && System.nanoTime() - start < SLICE_NANOS;
        });
        cursor = last ? null : cursor;
        closed.forEach(entry -> {
            try {
                conversations.put(entry.key, entry.value);
            } catch (UnreadableValueException e) {
                // It stays open, and stops no other.
            }
        });
        return cursor != null;
    }

    /** Adds a conversation to those that are closed if it is idle. Returns the number of records that this takes. */
    @SuppressWarnings("ReferenceEquality")
    private int expire(String chain, DialogueState stored, List<KeyValue<String, ConversationState>> closed) {
        try {
            ConversationState before = conversations.read(chain, stored);
            ConversationState after = judge.expire(before, idleBefore);
            if (after == before) {
                return 1;
            }
            closed.add(KeyValue.pair(chain, after));
            return 1
                    + (after.dialogue().olderItems().cleared()
                            ? before.dialogue().olderItems().count()
                            : 0);
        } catch (UnreadableValueException e) {
            // It stays open, and stops no other.
            return 1;
        }
    }
}
