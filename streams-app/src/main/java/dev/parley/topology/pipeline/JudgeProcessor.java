package dev.parley.topology.pipeline;

import dev.parley.avro.DialogueState;
import dev.parley.avro.Inbound;
import dev.parley.dialogue.ConversationState;
import dev.parley.dialogue.Judge;
import dev.parley.dialogue.StoredStates;
import dev.parley.stage.JudgeStage;
import dev.parley.stage.JudgedRecord;
import dev.parley.topology.setup.KafkaHeaders;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Judges a message where it stands in its dialogue, and by stream time closes the dialogues that have been idle too
 * long.
 */
final class JudgeProcessor extends ContextualProcessor<String, Inbound, String, JudgedRecord> {
    private static final long LEAST_INTERVAL_MS = 60_000L;
    private static final Duration TICK = Duration.ofMillis(100);

    /** Maximum number of conversations in one slice of a sweep. */
    static final int SLICE = 1_000;

    /** Maximum time of one slice; the slice ends with the conversation that exceeds it. */
    private static final long SLICE_NANOS = 10_000_000L;

    private final PipelineSettings settings;
    private final Judge judge;
    private final StoredStates form;
    private KeyValueStore<String, DialogueState> conversations;
    private JudgeStage judgeStage;
    private JudgedOffsetTracker position;

    /** Where the next slice of the sweep begins; null when no sweep runs. */
    private String cursor;

    /** The sweep closes what was idle too long by this stream time. */
    private long idleBefore;

    JudgeProcessor(PipelineSettings settings) {
        this.settings = settings;
        this.judge = settings.protocols().judge(settings.dialogue());
        this.form = settings.protocols().storedStates();
    }

    @Override
    public void init(ProcessorContext<String, JudgedRecord> context) {
        super.init(context);
        conversations = context.getStateStore(PipelineStores.CONVERSATIONS);
        judgeStage = new JudgeStage(
                settings.decoder(),
                judge,
                new KafkaConversationStore(conversations, form),
                PipelineStores.checkpointReader(context, settings));
        position = new JudgedOffsetTracker(context.getStateStore(PipelineStores.OUTCOMES), settings.sources());
        cursor = null;
        idleBefore = Long.MIN_VALUE;
        Duration interval = Duration.ofMillis(
                Math.max(LEAST_INTERVAL_MS, settings.dialogue().idleMillis() / 4));
        context.schedule(interval, PunctuationType.STREAM_TIME, this::beginSweep);
        context.schedule(TICK, PunctuationType.WALL_CLOCK_TIME, time -> closeIdle());
    }

    @Override
    public void process(Record<String, Inbound> record) {
        if (!settings.keyedByConversation()
                && context().recordMetadata().map(position::isJudged).orElse(false)) {
            return;
        }
        context().forward(record.withValue(judgeStage.judge(record.value(), KafkaHeaders.view(record.headers()))));
    }

    /**
     * Begins a sweep that bounds the store. Records may come late, so what it closes has been idle twice as long as the
     * rules allow; the rules themselves close exactly, when the next message comes.
     */
    private void beginSweep(long streamTime) {
        idleBefore = streamTime - settings.dialogue().idleMillis();
        if (cursor == null) {
            cursor = "";
        }
    }

    /** Sweeps one slice. Two passes, because a store must not be written under its own iterator. */
    @SuppressWarnings("ReferenceEquality")
    private void closeIdle() {
        if (cursor == null) {
            return;
        }
        List<KeyValue<String, DialogueState>> closed = new ArrayList<>();
        long start = System.nanoTime();
        int seen = 0;
        try (KeyValueIterator<String, DialogueState> slice = conversations.range(cursor, null)) {
            while (seen < SLICE && slice.hasNext() && (seen == 0 || System.nanoTime() - start < SLICE_NANOS)) {
                KeyValue<String, DialogueState> entry = slice.next();
                ConversationState before = form.read(entry.value);
                ConversationState after = judge.expire(before, idleBefore);
                if (after != before) {
                    closed.add(KeyValue.pair(entry.key, form.write(after)));
                }
                // The least key that is greater.
                cursor = entry.key + '\0';
                seen++;
            }
            if (!slice.hasNext()) {
                cursor = null;
            }
        }
        conversations.putAll(closed);
    }
}
