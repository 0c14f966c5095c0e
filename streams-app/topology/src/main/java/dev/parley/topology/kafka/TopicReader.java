package dev.parley.topology.kafka;

import dev.parley.audit.InputPosition;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.topics.AdminFutures;
import dev.parley.topology.topics.AdminOffsets;
import dev.parley.topology.topics.ChainPartitioner;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Reads ranges of partitions without a consumer group: committed records, in the order of each partition. Not
 * thread-safe.
 */
public final class TopicReader implements AutoCloseable {
    /** Maximum clock difference of the brokers and instances that set timestamps, which may go back by as much. */
    public static final Duration MAX_SKEW = Duration.ofHours(1);

    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /** Number of offsets in the first window that is read backwards. */
    private static final long FIRST_WINDOW = 1_024;

    /** Positions of one partition so close to each other are read without another seek. */
    private static final long NEAR = 500;

    private final Admin admin;
    private final org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> consumer;
    private final Duration timeout;

    /** Takes the number of records read, and the number of offsets in the range, which may be larger. */
    public interface Progress {
        void at(long done, long total);
    }

    /**
     * Receives the records that are read.
     *
     * @param <E> exception that ends the reading
     */
    @FunctionalInterface
    public interface Visitor<E extends Exception> {
        void visit(ConsumerRecord<byte[], byte[]> record) throws E;
    }

    public TopicReader(Map<String, Object> clients) {
        this(
                StreamsSettings.admin(clients),
                new SizeBoundedConsumer(StreamsSettings.committedReader(clients)),
                TIMEOUT);
    }

    /** @param timeout maximum time of a request to the brokers, and of reading without progress */
    public TopicReader(Map<String, Object> clients, Duration timeout) {
        this(StreamsSettings.admin(clients, timeout), consumer(clients, timeout), timeout);
    }

    /**
     * Reads with given clients.
     *
     * @param consumer a consumer without a group
     * @param timeout maximum time of reading without progress
     */
    public TopicReader(
            Admin admin, org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> consumer, Duration timeout) {
        this.admin = admin;
        this.consumer = consumer;
        this.timeout = timeout;
    }

    private static SizeBoundedConsumer consumer(Map<String, Object> clients, Duration timeout) {
        Map<String, Object> settings = StreamsSettings.committedReader(clients);
        settings.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) timeout.toMillis());
        return new SizeBoundedConsumer(settings);
    }

    /** Returns the key of a record as UTF-8 text; empty without a key. */
    public static String key(ConsumerRecord<byte[], byte[]> record) {
        return record.key() == null ? "" : new String(record.key(), StandardCharsets.UTF_8);
    }

    /** The partitions of the existing ones of these topics. */
    public List<TopicPartition> partitions(Collection<String> topics) {
        List<TopicPartition> partitions = new ArrayList<>();
        admin.describeTopics(topics).topicNameValues().forEach((topic, description) -> {
            try {
                AdminFutures.of(description)
                        .partitions()
                        .forEach(info -> partitions.add(new TopicPartition(topic, info.partition())));
            } catch (UnknownTopicOrPartitionException e) {
                // It has no partitions.
            }
        });
        return partitions;
    }

    /**
     * The partitions of topics that must exist.
     *
     * @throws IllegalStateException if one does not; the message names it and the settings to check
     */
    public List<TopicPartition> require(Collection<String> topics) {
        List<TopicPartition> partitions = partitions(topics);
        Set<String> missing = new TreeSet<>(topics);
        partitions.forEach(partition -> missing.remove(partition.topic()));
        if (!missing.isEmpty()) {
            throw new IllegalStateException("no topic " + String.join(", ", missing) + ". Check " + ParleyConfig.PREFIX
                    + " and " + ParleyConfig.BOOTSTRAP_SERVERS
                    + ". If they are correct, no instance of Parley that needs the topic has started yet.");
        }
        return partitions;
    }

    /** The first available offset of each partition. */
    public Map<TopicPartition, Long> begins(Collection<TopicPartition> partitions) {
        return AdminOffsets.of(admin, partitions, OffsetSpec.earliest());
    }

    /** The current end of each partition, including open transactions. */
    public Map<TopicPartition, Long> ends(Collection<TopicPartition> partitions) {
        return AdminOffsets.of(admin, partitions, OffsetSpec.latest());
    }

    /** The current end of each partition, without open transactions. */
    public Map<TopicPartition, Long> stableEnds(Collection<TopicPartition> partitions) {
        return AdminOffsets.of(admin, partitions, OffsetSpec.latest(), IsolationLevel.READ_COMMITTED);
    }

    /** The offset of the first record at or after a time, by the topic's timestamps; the end if there is none. */
    public Map<TopicPartition, Long> at(Collection<TopicPartition> partitions, long time) {
        Map<TopicPartition, Long> found = AdminOffsets.of(admin, partitions, OffsetSpec.forTimestamp(time));
        Map<TopicPartition, Long> ends = ends(partitions);
        found.replaceAll((partition, offset) -> offset < 0 ? ends.get(partition) : offset);
        return found;
    }

    /** The committed offsets of a group; empty if the group does not exist. */
    public Map<TopicPartition, Long> committed(String group) {
        return AdminOffsets.committed(admin, group);
    }

    /**
     * Reads all records that a topic has now; none if it does not exist.
     *
     * @throws TimeoutException if a partition makes no progress for the timeout
     */
    public void readAll(String topic, Consumer<ConsumerRecord<byte[], byte[]>> each) {
        List<TopicPartition> partitions = partitions(List.of(topic));
        read(begins(partitions), ends(partitions), each::accept);
    }

    /** Reads the last offsets of each partition before open transactions: some may be markers of transactions. */
    public void readLast(
            Collection<TopicPartition> partitions, long offsets, Consumer<ConsumerRecord<byte[], byte[]>> each) {
        Map<TopicPartition, Long> ends = stableEnds(partitions);
        Map<TopicPartition, Long> from = begins(partitions);
        from.replaceAll((partition, begin) -> Math.max(begin, ends.get(partition) - offsets));
        read(from, ends, each::accept);
    }

    /**
     * Reads as {@link #readAll} does, and all records to which those with a key refer: it finds the end of their
     * partition first.
     *
     * @param key key of records that refer to others, which were committed before them
     */
    public void readReferring(String topic, String key, Consumer<ConsumerRecord<byte[], byte[]>> each) {
        List<TopicPartition> partitions = partitions(List.of(topic));
        if (partitions.isEmpty()) {
            return;
        }
        TopicPartition referring = new TopicPartition(topic, ChainPartitioner.partition(key, partitions.size()));
        Map<TopicPartition, Long> first = ends(List.of(referring));
        Map<TopicPartition, Long> ends = new HashMap<>(ends(partitions));
        ends.putAll(first);
        read(begins(partitions), ends, each::accept);
    }

    /**
     * Reads all records that topics have now.
     *
     * @throws IllegalStateException if a topic does not exist, as {@link #require}
     * @throws TimeoutException if a partition makes no progress for the timeout
     */
    public void readRequired(
            Collection<String> topics, Progress progress, Consumer<ConsumerRecord<byte[], byte[]>> each) {
        List<TopicPartition> partitions = require(topics);
        read(begins(partitions), ends(partitions), progress, each);
    }

    /**
     * Reads the records at these positions that exist; ranges without a position are skipped.
     *
     * @throws TimeoutException if a partition makes no progress for the timeout
     */
    public <E extends Exception> void readAt(Collection<InputPosition> positions, Visitor<E> each) throws E {
        Map<TopicPartition, TreeSet<Long>> left = new HashMap<>();
        positions.forEach(position -> left.computeIfAbsent(
                        new TopicPartition(position.topic(), position.partition()), none -> new TreeSet<>())
                .add(position.offset()));
        left.keySet()
                .retainAll(partitions(
                        positions.stream().map(InputPosition::topic).distinct().toList()));
        // Without open transactions, whose end it would wait for.
        Map<TopicPartition, Long> ends = stableEnds(left.keySet());
        ends.forEach((partition, end) -> left.get(partition).tailSet(end).clear());
        Map<TopicPartition, Long> from = begins(left.keySet());
        while (!left.isEmpty()) {
            left.forEach((partition, offsets) ->
                    offsets.headSet(from.getOrDefault(partition, 0L)).clear());
            left.values().removeIf(Set::isEmpty);
            Map<TopicPartition, Long> to = new HashMap<>();
            left.forEach((partition, offsets) -> {
                from.put(partition, offsets.first());
                to.put(partition, endOfRun(offsets));
            });
            from.keySet().retainAll(left.keySet());
            this.<E>read(from, to, record -> {
                if (left.get(new TopicPartition(record.topic(), record.partition()))
                        .contains(record.offset())) {
                    each.visit(record);
                }
            });
            from.putAll(to);
        }
    }

    private static long endOfRun(SortedSet<Long> offsets) {
        long end = offsets.first();
        for (long offset : offsets) {
            if (offset - end > NEAR) {
                break;
            }
            end = offset + 1;
        }
        return end;
    }

    /** Reads as {@link #read(Map, Map, Visitor)} does, and reports progress before each record. */
    public void read(
            Map<TopicPartition, Long> from,
            Map<TopicPartition, Long> to,
            Progress progress,
            Consumer<ConsumerRecord<byte[], byte[]>> each) {
        long total = from.entrySet().stream()
                .mapToLong(begin -> Math.max(0, to.get(begin.getKey()) - begin.getValue()))
                .sum();
        long[] done = {0};
        read(from, to, record -> {
            progress.at(Math.min(total, ++done[0]), total);
            each.accept(record);
        });
        progress.at(total, total);
    }

    /**
     * Reads from one offset of each partition to another. Waits for open transactions in that range.
     *
     * @param from start offset of each partition, inclusive
     * @param to end offset of each partition, exclusive
     * @throws TimeoutException if a partition makes no progress for the timeout
     */
    public <E extends Exception> void read(
            Map<TopicPartition, Long> from, Map<TopicPartition, Long> to, Visitor<E> each) throws E {
        read(from, to, () -> false, each);
    }

    private <E extends Exception> void read(
            Map<TopicPartition, Long> from, Map<TopicPartition, Long> to, BooleanSupplier isEnough, Visitor<E> each)
            throws E {
        Map<TopicPartition, Long> left = new TreeMap<>(AdminOffsets.ORDER);
        from.forEach((partition, begin) -> {
            if (begin < to.get(partition)) {
                left.put(partition, to.get(partition));
            }
        });
        consumer.assign(left.keySet());
        left.keySet().forEach(partition -> consumer.seek(partition, from.get(partition)));
        long moved = System.nanoTime();
        long before = -1;
        while (!left.isEmpty() && !isEnough.getAsBoolean()) {
            for (ConsumerRecord<byte[], byte[]> record : poll()) {
                Long end = to.get(new TopicPartition(record.topic(), record.partition()));
                if (record.offset() < end) {
                    each.visit(record);
                }
            }
            long positions = 0;
            Set<TopicPartition> done = new HashSet<>();
            for (Map.Entry<TopicPartition, Long> entry : left.entrySet()) {
                long position = consumer.position(entry.getKey());
                positions += position;
                if (position >= entry.getValue()) {
                    done.add(entry.getKey());
                }
            }
            if (!done.isEmpty()) {
                left.keySet().removeAll(done);
                consumer.pause(done);
                positions = -1;
            }
            if (positions != before) {
                before = positions;
                moved = System.nanoTime();
            } else if (System.nanoTime() - moved > timeout.toNanos()) {
                throw new TimeoutException(
                        "Timed out after " + timeout.toSeconds() + " s waiting for records of " + left.keySet()
                                + ". A transaction may be open: check with kafka-transactions.sh find-hanging.");
            }
        }
        consumer.unsubscribe();
    }

    /** Polls; goes on behind records that were deleted meanwhile, as those of a repartition topic are. */
    private ConsumerRecords<byte[], byte[]> poll() {
        try {
            return consumer.poll(POLL);
        } catch (OffsetOutOfRangeException e) {
            Map<TopicPartition, Long> positions = e.offsetOutOfRangePartitions();
            Map<TopicPartition, Long> begins = consumer.beginningOffsets(positions.keySet());
            for (Map.Entry<TopicPartition, Long> begin : begins.entrySet()) {
                if (begin.getValue() <= positions.get(begin.getKey())) {
                    throw e;
                }
                consumer.seek(begin.getKey(), begin.getValue());
            }
            return ConsumerRecords.empty();
        }
    }

    /**
     * Returns whether partitions have no record between offsets, only markers of transactions, aborted records and
     * deleted ones. A group that has read them may not commit their offsets.
     *
     * @param from start offset of each partition, inclusive; 0 if absent. Moved to where records may follow, so that a
     *     range that takes longer is continued by the next call
     * @param to end offset of each partition, exclusive
     * @return empty if unknown: a transaction is open before an end, or reading takes longer than the timeout
     */
    public Optional<Boolean> isEmpty(Map<TopicPartition, Long> from, Map<TopicPartition, Long> to) {
        Map<TopicPartition, Long> ends = new HashMap<>(to);
        ends.entrySet().removeIf(end -> from.getOrDefault(end.getKey(), 0L) >= end.getValue());
        Map<TopicPartition, Long> stable = stableEnds(ends.keySet());
        if (ends.entrySet().stream().anyMatch(end -> stable.get(end.getKey()) < end.getValue())) {
            return Optional.empty();
        }
        Map<TopicPartition, Long> starts = begins(ends.keySet());
        starts.replaceAll((partition, begin) -> Math.max(begin, from.getOrDefault(partition, 0L)));
        long deadline = System.nanoTime() + timeout.toNanos();
        boolean[] found = {false};
        BooleanSupplier isEnough = () -> {
            if (!found[0]) {
                // A poll may return records after the end, which are not visited.
                consumer.assignment()
                        .forEach(partition ->
                                from.put(partition, Math.min(consumer.position(partition), ends.get(partition))));
            }
            return found[0] || System.nanoTime() > deadline;
        };
        read(starts, ends, isEnough, record -> found[0] = true);
        return found[0] || System.nanoTime() < deadline ? Optional.of(!found[0]) : Optional.empty();
    }

    /**
     * Reads partitions from offsets backwards, at least one window, and of twice the size each time, until enough was
     * read.
     *
     * @param to end offset of each partition, exclusive
     * @param isEnough whether the windows read so far are enough
     * @return false if all remaining records were read and are not enough
     * @throws TimeoutException if a partition makes no progress for the timeout
     */
    public <E extends Exception> boolean readBackwards(
            Map<TopicPartition, Long> to, BooleanSupplier isEnough, Visitor<E> each) throws E {
        Map<TopicPartition, Long> begins = begins(to.keySet());
        Map<TopicPartition, Long> end = to;
        for (long window = FIRST_WINDOW; ; window *= 2) {
            Map<TopicPartition, Long> from = new HashMap<>();
            for (Map.Entry<TopicPartition, Long> partition : end.entrySet()) {
                from.put(partition.getKey(), Math.max(begins.get(partition.getKey()), partition.getValue() - window));
            }
            read(from, end, each);
            if (isEnough.getAsBoolean()) {
                return true;
            }
            if (from.equals(begins)) {
                return false;
            }
            end = from;
        }
    }

    @Override
    public void close() {
        consumer.close();
        admin.close(Duration.ofSeconds(1));
    }
}
