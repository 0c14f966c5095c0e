package dev.parley.topology.pipeline;

import dev.parley.avro.Accounting;
import dev.parley.codec.Code;
import dev.parley.topology.kafka.SourceTopicMetadata;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.state.KeyValueStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks the next offset of each input partition, stored with the input counts in the transaction of the records.
 * Committed offsets can expire or be deleted, but this position cannot. So no record is judged twice, and records that
 * were deleted unread are detected. Each start of a task creates a new tracker.
 */
final class InputPositionTracker {
    private static final Logger LOG = LoggerFactory.getLogger(InputPositionTracker.class);

    private final CountStore counts;
    private final SourceTopicMetadata sources;
    private CountStore.Entry tracked;

    InputPositionTracker(KeyValueStore<String, Accounting> counts, SourceTopicMetadata sources) {
        this.counts = new CountStore(counts);
        this.sources = sources;
    }

    /**
     * The result of tracking a record.
     *
     * @param isReread whether the record was processed before
     * @param firstUnread first offset before the record that was deleted unread
     * @param unread number of offsets that were deleted unread since then; 0 if none were
     */
    record Arrival(boolean isReread, long firstUnread, long unread) {
        private static final Arrival NEXT = new Arrival(false, -1, 0);
        private static final Arrival REREAD = new Arrival(true, -1, 0);
    }

    /**
     * Counts a record and advances the position, until {@link #save} in memory only.
     *
     * @throws RecreatedTopicException if the topic was deleted and created again
     */
    Arrival track(String topic, int partition, long offset) {
        CountStore.Entry entry = counts.get(topic, partition);
        Accounting counted = entry.counts();
        // A task can survive the deletion of a topic, and then reads the new one from its first offset or its position.
        checkTopicId(counted);
        Arrival arrival = arrival(counted, offset);
        if (arrival.isReread()) {
            counted.setReread(counted.getReread() + 1);
        } else {
            counted.setInputs(counted.getInputs() + 1);
            counted.setNextOffset(offset + 1);
            counted.setUnread(counted.getUnread() + arrival.unread());
        }
        tracked = entry;
        return arrival;
    }

    /**
     * Stores the counts of the last tracked record.
     *
     * @param log partition of the audit log that will have its audit record; empty if none will
     */
    void save(OptionalInt log) {
        log.ifPresent(partition -> {
            List<Long> byLog = tracked.counts().getInputsByLog();
            while (byLog.size() <= partition) {
                byLog.add(0L);
            }
            byLog.set(partition, byLog.get(partition) + 1);
        });
        counts.save(tracked);
    }

    private Arrival arrival(Accounting counted, long offset) {
        long next = Math.max(0, counted.getNextOffset());
        if (offset < next) {
            return Arrival.REREAD;
        }
        if (offset == next) {
            return Arrival.NEXT;
        }
        long first = sources.expiredBefore(counted.getTopic(), counted.getPartition());
        long unread = Math.min(first, offset) - next;
        if (unread <= 0) {
            return Arrival.NEXT;
        }
        LOG.warn(
                "Offsets {} to {} of {}-{} were deleted before they were read; they are counted and audited as {}",
                next,
                next + unread - 1,
                counted.getTopic(),
                counted.getPartition(),
                Code.INPUT_EXPIRED);
        return new Arrival(false, next, unread);
    }

    private void checkTopicId(Accounting counted) {
        Optional<String> id = sources.id(counted.getTopic());
        if (id.isPresent()) {
            if (counted.getTopicId() != null && !counted.getTopicId().equals(id.get())) {
                throw new RecreatedTopicException(counted.getTopic());
            }
            counted.setTopicId(id.get());
        }
    }

    /**
     * Thrown if an input topic was deleted and created again, so that its offsets differ from those in the audit trail.
     * No record caused it, so the stream thread stops.
     */
    static final class RecreatedTopicException extends StreamsException {

        private static final long serialVersionUID = 1L;

        RecreatedTopicException(String topic) {
            super("Topic " + topic + " was deleted and created again, so its offsets would be audited twice."
                    + " Stop every instance and run parley reset --empty-outputs, or restore the topic.");
        }
    }
}
