package dev.parley.topology;

import dev.parley.avro.DialogueState;
import dev.parley.avro.Inbound;
import dev.parley.dialogue.Judge;
import dev.parley.pipeline.Judged;
import dev.parley.pipeline.Judging;
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

/** Judges a message where it stands in its dialogue, and by stream time closes the dialogues that have been idle too long. */
final class JudgeProcessor extends ContextualProcessor<String, Inbound, String, Judged> {
    private static final long LEAST_INTERVAL_MS = 60_000L;

    private final PipelineSettings settings;
    private final Judge judge;
    private KeyValueStore<String, DialogueState> conversations;
    private Judging judging;

    JudgeProcessor(PipelineSettings settings) {
        this.settings = settings;
        this.judge = new Judge(settings.dialogue());
    }

    @Override
    public void init(ProcessorContext<String, Judged> context) {
        super.init(context);
        conversations = context.getStateStore(Stores.CONVERSATIONS);
        judging = new Judging(
                settings.decoder(),
                judge,
                new StoredConversations(conversations),
                Stores.checkpointReader(context, settings),
                Judging.RedactionLimits.of(context.taskId().partition(), settings.maxRedactions()));
        Duration interval = Duration.ofMillis(
                Math.max(LEAST_INTERVAL_MS, settings.dialogue().idleMillis() / 4));
        context.schedule(interval, PunctuationType.STREAM_TIME, this::closeIdle);
    }

    @Override
    public void process(Record<String, Inbound> record) {
        context().forward(record.withValue(judging.judge(record.value(), KafkaHeaders.reading(record.headers()))));
    }

    /**
     * Bounds the store. Records may come late, so what is closed here has been idle twice as long as the rules allow; the rules themselves close
     * exactly, when the next message comes. Two passes, because a store must not be written under its own iterator.
     */
    @SuppressWarnings("ReferenceEquality")
    private void closeIdle(long streamTime) {
        long late = streamTime - settings.dialogue().idleMillis();
        List<KeyValue<String, DialogueState>> closed = new ArrayList<>();
        try (KeyValueIterator<String, DialogueState> all = conversations.all()) {
            while (all.hasNext()) {
                KeyValue<String, DialogueState> entry = all.next();
                DialogueState state = judge.expire(entry.value, late);
                if (state != entry.value) {
                    closed.add(KeyValue.pair(entry.key, state));
                }
            }
        }
        conversations.putAll(closed);
    }
}
