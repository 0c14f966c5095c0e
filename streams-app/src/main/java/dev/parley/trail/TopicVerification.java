package dev.parley.trail;

import dev.parley.audit.AuditTrail;
import dev.parley.audit.AuditTrail.InputPartition;
import dev.parley.audit.ChainVerifier.Extent;
import dev.parley.audit.Fault;
import dev.parley.audit.FaultCode;
import dev.parley.audit.HeadKeys;
import dev.parley.audit.InputOffsets;
import dev.parley.audit.Place;
import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditRecord;
import dev.parley.serde.AvroSerdes;
import dev.parley.topology.InternalDeadLetters;
import dev.parley.topology.Topic;
import dev.parley.topology.Topics;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Verifies the audit trail as it stands in the topics: every chain, every published head, and that every input record is in a chain once. What comes while it runs is not
 * looked at.
 */
public final class TopicVerification implements AutoCloseable {
    private final TopicReader reader;
    private final AvroSerdes serdes;
    private final Topics topics;
    private final String applicationId;
    private final Watcher watcher;
    private final Set<String> truncated = new HashSet<>();
    private final AuditTrail trail;
    private long faults;
    private long done;

    /**
     * A verification.
     *
     * @param clients what every Kafka client starts from
     * @param serdes how values are read
     * @param applicationId application id of the pipeline, whose places tell what is in flight
     * @param keys who may have signed heads
     * @param watcher hears of faults and of progress
     */
    public TopicVerification(
            Map<String, Object> clients, AvroSerdes serdes, String applicationId, HeadKeys keys, Watcher watcher) {
        this.reader = new TopicReader(clients);
        this.serdes = serdes;
        this.topics = new Topics(serdes);
        this.applicationId = applicationId;
        this.watcher = watcher;
        this.trail = new AuditTrail(
                new Extent() {
                    @Override
                    public boolean mayBeginLate(Place place) {
                        return place.equals(Place.NONE) ? !truncated.isEmpty() : truncated.contains(place.in());
                    }

                    @Override
                    public boolean mayEndEarly() {
                        return false;
                    }
                },
                keys);
    }

    /** Reads and verifies everything that was there when it began. */
    public Found run() {
        // In this order: what the pipeline had read, then the heads, then the chains. So nothing that is looked for
        // later can have come too late.
        Map<TopicPartition, Long> committed = reader.committed(applicationId);
        readHeads();
        List<TopicPartition> audit = reader.partitions(List.of(Topics.AUDIT));
        Map<TopicPartition, Long> begins = reader.begins(audit);
        Map<TopicPartition, Long> ends = reader.ends(audit);
        begins.forEach((partition, begin) -> {
            if (begin > 0) {
                truncated.add(partition.toString());
            }
        });
        long total = audit.stream()
                .mapToLong(partition -> ends.get(partition) - begins.get(partition))
                .sum();
        Map<TopicPartition, Long> oldest = new HashMap<>();
        Names names = new Names();
        reader.read(begins, ends, record -> {
            TopicPartition partition = new TopicPartition(record.topic(), record.partition());
            oldest.putIfAbsent(partition, record.timestamp());
            done = Math.min(total, done + 1);
            watcher.progress(done, total);
            auditRecord(record, names.of(record));
        });
        watcher.progress(total, total);
        tell(trail.finish());
        long expiredBefore = oldest.entrySet().stream()
                .filter(entry -> truncated.contains(entry.getKey().toString()))
                .mapToLong(Map.Entry::getValue)
                .max()
                .orElse(Long.MIN_VALUE);
        Found.Unrecorded unrecorded = new InputCheck(reader, serdes, applicationId, committed, this::tell)
                .run(trail.inputs(), trail.deleted(), expiredBefore);
        return Found.of(trail, unrecorded, faults);
    }

    private void readHeads() {
        List<TopicPartition> partitions = reader.partitions(List.of(Topics.AUDIT_HEAD));
        Map<TopicPartition, Long> begins = reader.begins(partitions);
        Map<String, Map.Entry<AuditHead, Place>> last = new HashMap<>();
        Names names = new Names();
        reader.read(begins, reader.ends(partitions), record -> {
            Place place = Place.of(names.of(record), record.offset());
            if (record.value() == null) {
                last.remove(text(record.key()));
            } else {
                read(topics.auditHead(), record.value(), place)
                        .ifPresent(head -> last.put(text(record.key()), Map.entry(head, place)));
            }
        });
        last.values().forEach(entry -> tell(trail.head(entry.getKey(), entry.getValue())));
    }

    private void auditRecord(ConsumerRecord<byte[], byte[]> record, String partition) {
        Place place = Place.of(partition, record.offset());
        Optional<AuditRecord> link =
                record.value() == null ? Optional.empty() : read(topics.audit(), record.value(), place);
        if (link.isPresent()) {
            if (!link.get().getChain().equals(text(record.key()))) {
                tell(new Fault(
                        FaultCode.KEY_CHANGED,
                        place,
                        link.get().getChain(),
                        link.get().getSequence(),
                        FaultCode.KEY_CHANGED.meaning()));
            }
            tell(trail.record(link.get(), place));
        } else if (record.value() == null) {
            tell(new Fault(FaultCode.UNREADABLE, place, "", -1, "the record has no value"));
        }
    }

    private <T> Optional<T> read(Topic<String, T> topic, byte[] value, Place place) {
        try {
            return Optional.of(topic.read(value));
        } catch (RuntimeException e) {
            if (InternalDeadLetters.isOutage(e)) {
                throw e;
            }
            tell(new Fault(
                    FaultCode.UNREADABLE, place, "", -1, FaultCode.UNREADABLE.meaning() + ": " + e.getMessage()));
            return Optional.empty();
        }
    }

    private void tell(List<Fault> some) {
        some.forEach(this::tell);
    }

    private void tell(Fault fault) {
        faults++;
        watcher.found(fault);
    }

    static String text(byte[] key) {
        return key == null ? "" : new String(key, StandardCharsets.UTF_8);
    }

    static InputPartition inputPartition(TopicPartition partition) {
        return new InputPartition(partition.topic(), partition.partition());
    }

    static InputOffsets offsets(Map<InputPartition, InputOffsets> all, TopicPartition partition) {
        return all.getOrDefault(inputPartition(partition), new InputOffsets());
    }

    @Override
    public void close() {
        reader.close();
    }

    /** Names of partitions, each made once. */
    private static final class Names {
        private final Map<Integer, String> names = new HashMap<>();

        String of(ConsumerRecord<byte[], byte[]> record) {
            return names.computeIfAbsent(record.partition(), partition -> record.topic() + "-" + partition);
        }
    }
}
