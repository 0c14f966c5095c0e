package dev.parley.topology.pipeline;

import dev.parley.avro.Accounting;
import dev.parley.topology.kafka.SourceTopicMetadata;
import java.util.Optional;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Tracks the next offset to judge in a partition of the repartition topic, stored with the outcome counts. After a loss
 * of the committed offsets, remaining records of that topic are read again but must not be judged again. Each start of
 * a task creates a new tracker.
 */
final class JudgedOffsetTracker {
    private final KeyValueStore<String, Accounting> counts;
    private final SourceTopicMetadata sources;
    private final boolean hasRepartition;
    private boolean loaded;
    private String topicId;
    private long judged;

    /** Creates a tracker over the outcome counts. Without a repartition topic, it tracks nothing. */
    JudgedOffsetTracker(KeyValueStore<String, Accounting> counts, PipelineSettings settings) {
        this.counts = counts;
        this.sources = settings.sources();
        this.hasRepartition = !settings.keyedByConversation();
    }

    /** Returns whether a record of the repartition topic was judged before this task started. */
    boolean isJudged(Optional<RecordMetadata> record) {
        if (!hasRepartition || record.isEmpty()) {
            return false;
        }
        load(record.get().topic());
        return record.get().offset() < judged;
    }

    /**
     * Stores the offset after a record of the repartition topic with the counts of an input partition. A verdict of a
     * punctuation has no such record.
     */
    void track(Accounting counted, Optional<RecordMetadata> record) {
        if (hasRepartition && record.isPresent() && record.get().offset() >= 0) {
            load(record.get().topic());
            counted.setJudgedOffset(record.get().offset() + 1);
            counted.setTopicId(topicId);
        }
    }

    /** Loads the judged offset. Offsets of a deleted topic of the same name do not count. */
    private void load(String topic) {
        if (loaded) {
            return;
        }
        Optional<String> id = sources.id(topic);
        long highest = 0;
        try (KeyValueIterator<String, Accounting> all = counts.all()) {
            while (all.hasNext()) {
                KeyValue<String, Accounting> entry = all.next();
                String countedId = entry.value.getTopicId();
                if (id.isEmpty() || countedId == null || countedId.equals(id.get())) {
                    highest = Math.max(highest, entry.value.getJudgedOffset());
                }
            }
        }
        topicId = id.orElse(null);
        judged = highest;
        loaded = true;
    }
}
