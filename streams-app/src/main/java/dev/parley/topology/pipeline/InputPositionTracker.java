package dev.parley.topology.pipeline;

import dev.parley.avro.Accounting;
import dev.parley.codec.Code;
import dev.parley.topology.setup.SourceTopicMetadata;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.streams.state.KeyValueStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The offset up to which a task has handled each input partition, kept with the input counts in the transaction of the
 * records themselves. Committed offsets can expire or be deleted; this position cannot, so no record is judged twice,
 * and records that were deleted unread are noticed. Made anew at each start of a task.
 */
final class InputPositionTracker {
    private static final Logger LOG = LoggerFactory.getLogger(InputPositionTracker.class);

    private final KeyValueStore<String, Accounting> counts;
    private final SourceTopicMetadata sources;
    private final Set<String> identified = new HashSet<>();

    InputPositionTracker(KeyValueStore<String, Accounting> counts, SourceTopicMetadata sources) {
        this.counts = counts;
        this.sources = sources;
    }

    /**
     * How a record arrives.
     *
     * @param isReread whether it was handled before
     * @param firstUnread the first offset before it that was deleted unread
     * @param unread number of offsets from there to it that were deleted unread; 0 when there are none
     */
    record Arrival(boolean isReread, long firstUnread, long unread) {
        private static final Arrival NEXT = new Arrival(false, -1, 0);
        private static final Arrival REREAD = new Arrival(true, -1, 0);
    }

    /**
     * Counts a record and moves the position past it.
     *
     * @throws RecreatedTopicException when the partition belongs to another topic of that name
     */
    Arrival arrive(String topic, int partition, long offset) {
        String key = topic + "-" + partition;
        Accounting counted = counts.get(key);
        if (counted == null) {
            counted = AccountingProcessor.none(topic, partition);
        }
        if (!identified.contains(key)) {
            identify(counted);
            identified.add(key);
        }
        Arrival arrival = arrival(counted, offset);
        if (arrival.isReread()) {
            counted.setReread(counted.getReread() + 1);
        } else {
            counted.setInputs(counted.getInputs() + 1);
            counted.setNextOffset(offset + 1);
            counted.setUnread(counted.getUnread() + arrival.unread());
        }
        counts.put(key, counted);
        return arrival;
    }

    private Arrival arrival(Accounting counted, long offset) {
        long next = counted.getNextOffset();
        if (next < 0) {
            // Counts of version 0.1.0 have no position: then this record is where it begins.
            next = counted.getInputs() == 0 ? 0 : offset;
        }
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
                "The offsets {} to {} of {}-{} were deleted before they were read; they are counted and audited as {}",
                next,
                next + unread - 1,
                counted.getTopic(),
                counted.getPartition(),
                Code.INPUT_EXPIRED);
        return new Arrival(false, next, unread);
    }

    private void identify(Accounting counted) {
        Optional<String> id = sources.id(counted.getTopic());
        if (id.isPresent()) {
            if (counted.getTopicId() != null && !counted.getTopicId().equals(id.get())) {
                throw new RecreatedTopicException(counted.getTopic());
            }
            counted.setTopicId(id.get());
        }
    }
}
