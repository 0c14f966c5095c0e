package dev.parley.topology.pipeline;

import dev.parley.avro.Accounting;
import dev.parley.topology.setup.SourceTopicMetadata;
import java.util.Optional;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The offset up to which a task has judged its partition of the repartition topic, kept with the outcome counts. What
 * is left in that topic when the committed offsets are lost comes again, and must not be judged again. Made anew at
 * each start of a task.
 */
final class JudgedOffsetTracker {
    private final KeyValueStore<String, Accounting> counts;
    private final SourceTopicMetadata sources;
    private boolean known;
    private String topicId;
    private long judged;

    JudgedOffsetTracker(KeyValueStore<String, Accounting> counts, SourceTopicMetadata sources) {
        this.counts = counts;
        this.sources = sources;
    }

    /** Whether a record of the repartition topic was judged before this task started. */
    boolean isJudged(RecordMetadata record) {
        know(record.topic());
        return record.offset() < judged;
    }

    /** Moves the position of an input partition's counts past a record of the repartition topic. */
    void judged(Accounting counted, RecordMetadata record) {
        know(record.topic());
        counted.setJudgedOffset(record.offset() + 1);
        counted.setTopicId(topicId);
    }

    /** A topic of another ID was created since: what was judged of the old one says nothing of its records. */
    private void know(String topic) {
        if (known) {
            return;
        }
        Optional<String> id = sources.id(topic);
        long highest = 0;
        try (KeyValueIterator<String, Accounting> all = counts.all()) {
            while (all.hasNext()) {
                KeyValue<String, Accounting> entry = all.next();
                String its = entry.value.getTopicId();
                if (id.isEmpty() || its == null || its.equals(id.get())) {
                    highest = Math.max(highest, entry.value.getJudgedOffset());
                }
            }
        }
        topicId = id.orElse(null);
        judged = highest;
        known = true;
    }
}
