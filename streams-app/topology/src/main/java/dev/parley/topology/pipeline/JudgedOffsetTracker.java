package dev.parley.topology.pipeline;

import dev.parley.audit.InputPartition;
import dev.parley.avro.Accounting;
import dev.parley.avro.Source;
import dev.parley.topology.kafka.SourceTopicMetadata;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Tracks the next offset to judge in a partition of the repartition topic, and for each input partition, stored with
 * the outcome counts. After a loss of the committed offsets, remaining records of the repartition topic are read again
 * but must not be judged again. The records of an input partition arrive in their order, so one with a lower offset is
 * a copy that another client wrote. Each start of a task creates a new tracker.
 */
final class JudgedOffsetTracker {
    private final KafkaSortedStore<Accounting> counts;
    private final SourceTopicMetadata sources;
    private final boolean hasRepartition;
    private boolean loaded;
    private String topicId;
    private long judged;
    private final Map<InputPartition, Long> nextInputs = new HashMap<>();

    /** Creates a tracker over the outcome counts. Without a repartition topic, it tracks nothing. */
    JudgedOffsetTracker(KeyValueStore<String, Accounting> counts, PipelineSettings settings) {
        this.counts = new KafkaSortedStore<>(counts);
        this.sources = settings.sources();
        this.hasRepartition = !settings.keyedByConversation();
    }

    /**
     * Returns whether an input record was judged before, which its record of the repartition topic shows. If not, the
     * next one must be later.
     *
     * @throws IllegalStateException if a later one of its partition was judged before
     */
    boolean isJudged(Optional<RecordMetadata> record, Source input) {
        if (!hasRepartition || record.isEmpty()) {
            return false;
        }
        RecordMetadata at = record.get();
        load(at.topic());
        if (at.offset() < judged) {
            return true;
        }
        InputPartition partition = new InputPartition(input.getTopic(), input.getPartition());
        if (input.getOffset() < nextInputs.computeIfAbsent(partition, this::stored)) {
            throw new IllegalStateException("The record " + at.topic() + "-" + at.partition() + "@" + at.offset()
                    + " has the input " + partition + "@" + input.getOffset()
                    + ", but a later one was judged before: one of them is a copy");
        }
        nextInputs.put(partition, input.getOffset() + 1);
        return false;
    }

    /** The stored offset after the last judged record of an input partition. */
    private long stored(InputPartition partition) {
        return counts.getReadable(partition.toString())
                .map(Accounting::getNextOffset)
                .orElse(0L);
    }

    /**
     * Stores the offset after a record of the repartition topic with the counts of an input partition. A verdict of a
     * punctuation has no such record.
     */
    void track(Accounting counted, Optional<RecordMetadata> record, Source input) {
        if (hasRepartition && record.isPresent() && record.get().offset() >= 0) {
            load(record.get().topic());
            counted.setNextOffset(Math.max(counted.getNextOffset(), input.getOffset() + 1));
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
        judged = 0;
        counts.scanFrom(null, (key, counted) -> {
            String countedId = counted.getTopicId();
            if (id.isEmpty() || countedId == null || countedId.equals(id.get())) {
                judged = Math.max(judged, counted.getJudgedOffset());
            }
            return true;
        });
        topicId = id.orElse(null);
        loaded = true;
    }
}
