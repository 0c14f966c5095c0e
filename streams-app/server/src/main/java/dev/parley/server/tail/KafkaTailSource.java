package dev.parley.server.tail;

import dev.parley.avro.AuditRecord;
import dev.parley.server.http.ProblemException;
import dev.parley.server.http.ProblemException.Code;
import dev.parley.server.tail.TailReader.End;
import dev.parley.topology.kafka.SizeBoundedConsumer;
import dev.parley.topology.kafka.StreamsSettings;
import dev.parley.topology.topics.AdminFutures;
import dev.parley.topology.topics.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/** Reads committed records of the audit topic, with a consumer for each reader. */
final class KafkaTailSource implements TailSource {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int PARTITION_BYTES = 256 << 10;
    private static final int FETCH_BYTES = 1 << 20;
    private static final int MAX_RECORDS = 200;
    private static final int MAX_BYTES = 1 << 20;
    private static final int FETCH_WAIT_MS = 500;

    private final Map<String, Object> clients;
    private final Topic<String, AuditRecord> topic;
    private Admin admin;

    KafkaTailSource(Map<String, Object> clients, Topic<String, AuditRecord> topic) {
        this.clients = Map.copyOf(clients);
        this.topic = topic;
    }

    @Override
    public Cursor open(Optional<TailPosition> after) {
        KafkaCursor cursor = null;
        try {
            TopicDescription description = AdminFutures.of(
                            admin().describeTopics(List.of(topic.name())).allTopicNames())
                    .get(topic.name());
            cursor = new KafkaCursor(description);
            cursor.seek(after);
            return cursor;
        } catch (KafkaException | ProblemException e) {
            if (cursor != null) {
                cursor.close();
            }
            throw e instanceof KafkaException
                    ? Code.BROKERS_UNAVAILABLE.problem("The audit topic cannot be read: " + e.getMessage())
                    : e;
        }
    }

    /** Settings of the consumer of a reader. */
    static Map<String, Object> consumerSettings(Map<String, Object> clients) {
        Map<String, Object> settings = StreamsSettings.committedReader(clients);
        settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 1);
        // It mostly waits for new records.
        settings.put(
                ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
                clients.getOrDefault(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, FETCH_WAIT_MS));
        settings.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, PARTITION_BYTES);
        settings.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, FETCH_BYTES);
        return settings;
    }

    private synchronized Admin admin() {
        if (admin == null) {
            admin = StreamsSettings.admin(clients);
        }
        return admin;
    }

    @Override
    public synchronized void close() {
        if (admin != null) {
            admin.close(Duration.ZERO);
        }
    }

    /** One reader's consumer, assigned to every partition. */
    private final class KafkaCursor implements Cursor {
        private final Uuid topicId;
        private final List<TopicPartition> partitions;
        private final Consumer<byte[], byte[]> consumer;
        private long[] offsets;

        KafkaCursor(TopicDescription description) {
            topicId = description.topicId();
            partitions = IntStream.range(0, description.partitions().size())
                    .mapToObj(partition -> new TopicPartition(topic.name(), partition))
                    .toList();
            if (partitions.size() > TailPosition.MAX_PARTITIONS) {
                throw TailHandler.invalid("The audit topic has more than " + TailPosition.MAX_PARTITIONS
                        + " partitions, which a tail does not follow.");
            }
            consumer = new SizeBoundedConsumer(consumerSettings(clients), MAX_RECORDS, MAX_BYTES);
        }

        void seek(Optional<TailPosition> after) {
            consumer.assign(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions, TIMEOUT);
            offsets = partitions.stream().mapToLong(ends::get).toArray();
            if (after.isPresent()) {
                resume(after.get());
            }
            for (int i = 0; i < offsets.length; i++) {
                consumer.seek(partitions.get(i), offsets[i]);
            }
        }

        private void resume(TailPosition after) {
            if (!after.topicId().equals(topicId) || after.offsets().size() != partitions.size()) {
                throw TailHandler.invalid(
                        "The position belongs to another audit topic: it may have been created again.");
            }
            Map<TopicPartition, Long> beginnings = consumer.beginningOffsets(partitions, TIMEOUT);
            long[] wanted = after.offsets().stream().mapToLong(Long::longValue).toArray();
            for (int i = 0; i < wanted.length; i++) {
                if (wanted[i] > offsets[i]) {
                    throw TailHandler.invalid(
                            "The position is beyond the end of partition " + i + " of the audit topic.");
                }
                if (wanted[i] < beginnings.get(partitions.get(i))) {
                    throw TailHandler.invalid("The audit topic no longer has the records after the position.");
                }
            }
            offsets = wanted;
        }

        @Override
        public List<Event> poll(Duration timeout, TailFilter filter) {
            List<Event> events = new ArrayList<>();
            try {
                for (ConsumerRecord<byte[], byte[]> polled : consumer.poll(timeout)) {
                    offsets[polled.partition()] = polled.offset() + 1;
                    topic.readOrSkip(polled)
                            .filter(filter::matches)
                            .ifPresent(record -> events.add(new Event(record, position())));
                }
                for (int i = 0; i < offsets.length; i++) {
                    // Behind the ends of transactions, too.
                    offsets[i] = consumer.position(partitions.get(i), TIMEOUT);
                }
            } catch (OffsetOutOfRangeException e) {
                throw new TailEndException(End.EXPIRED, "The audit topic no longer has the next records.");
            } catch (KafkaException e) {
                throw new TailEndException(End.UNAVAILABLE, "The audit topic cannot be read: " + e.getMessage());
            }
            return events;
        }

        @Override
        public TailPosition position() {
            return new TailPosition(topicId, Arrays.stream(offsets).boxed().toList());
        }

        @Override
        public void close() {
            consumer.close(org.apache.kafka.clients.consumer.CloseOptions.timeout(Duration.ofSeconds(1)));
        }
    }
}
