package dev.parley.server.operations;

import dev.parley.encoding.ByteBuffers;
import dev.parley.encoding.Sha256;
import dev.parley.server.deployment.Deployment;
import dev.parley.server.deployment.Deployment.StreamsApplication;
import dev.parley.server.operations.ChangePlan.Step;
import dev.parley.topology.config.AuditKeys;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.RecordMac;
import dev.parley.topology.kafka.StreamsSettings;
import dev.parley.topology.kafka.TopicReader;
import dev.parley.topology.topics.TopicInventory;
import dev.parley.topology.topics.Topics;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigException;

/**
 * Writes the latest trusted record of each key of the internal topics again, and each redaction request that has no
 * code of the first key, with such a code: when a deployment gets its first key, before an old one is removed, or when
 * another client has replaced values. An interrupted run loses nothing, and may be run again.
 */
public final class Sealing {
    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final long BUFFER_BYTES = 32L << 20;

    private final ParleyConfig config;
    private final RecordMac mac;
    private final boolean trustsAll;

    private Sealing(ParleyConfig config, RecordMac mac, boolean trustsAll) {
        this.config = config;
        this.mac = mac;
        this.trustsAll = trustsAll;
    }

    /**
     * Plans the writing; changes nothing.
     *
     * @param trustsAll whether to write also records without a valid code, which any client may have written
     * @throws ConfigException if the configuration has no key
     */
    public static ChangePlan plan(Admin admin, ParleyConfig config, boolean trustsAll) {
        RecordMac mac = RecordMac.of(config)
                .orElseThrow(() -> new ConfigException(
                        AuditKeys.INTERNAL_KEY_FILES + " names no key. Create one with parley keygen."));
        Deployment deployment = Deployment.of(config);
        Sealing sealing = new Sealing(config, mac, trustsAll);
        List<String> refusals = new ArrayList<>();
        Set<String> names =
                new TreeSet<>(Set.of(config.topics().redrive(), config.topics().redaction()));
        for (StreamsApplication application : deployment.applications()) {
            names.addAll(application.internalTopics());
            Group.of(admin, application.applicationId())
                    .flatMap(group -> group.refusal(application.applicationId()))
                    .ifPresent(refusals::add);
        }
        List<Step> steps = TopicInventory.describe(admin, names).existing().values().stream()
                .map(topic -> new Step(
                        "seal",
                        "topic " + topic.name(),
                        "at most " + CommittedOffsetCheck.records(admin, topic) + " records"
                                + (trustsAll ? ", from any client" : " with a valid code"),
                        () -> sealing.seal(topic.name())))
                .toList();
        return new ChangePlan(steps, refusals);
    }

    private void seal(String topic) {
        Map<String, Object> clients = StreamsSettings.clientSettings(config);
        Map<String, Object> settings = StreamsSettings.acknowledgedWriter(
                StreamsSettings.internalClients(config),
                TIMEOUT,
                (int) TIMEOUT.toMillis(),
                config.outputRecordBytes(),
                BUFFER_BYTES);
        try (TopicReader reader = new TopicReader(clients);
                Producer<byte[], byte[]> producer = new KafkaProducer<>(settings)) {
            for (TopicPartition partition : reader.partitions(Set.of(topic))) {
                seal(partition, reader, producer);
            }
        }
    }

    private void seal(TopicPartition partition, TopicReader reader, Producer<byte[], byte[]> producer) {
        Map<TopicPartition, Long> begin = reader.begins(Set.of(partition));
        // Reading waits for open transactions: a record behind one may be the latest of its key.
        Map<TopicPartition, Long> end = reader.ends(Set.of(partition));
        boolean isRepartition = Topics.isRepartition(partition.topic());
        if (isRepartition) {
            // What was judged needs no code.
            Map<TopicPartition, Long> judged = reader.committed(config.getString(ParleyConfig.APPLICATION_ID));
            begin.replaceAll((each, offset) -> Math.max(offset, judged.getOrDefault(each, 0L)));
        }
        boolean isRequests = partition.topic().equals(config.topics().redaction());
        Map<List<ByteBuffer>, Long> latest = new HashMap<>();
        reader.read(begin, end, record -> {
            if (isRepartition ? isSealed(record) : isTrusted(record)) {
                // The pipeline records each copy of a request, so one that is sealed is not written again.
                boolean isDone = isRequests && mac.isValid(record) && mac.isOfFirstKey(record);
                latest.merge(identity(record), isDone ? Long.MAX_VALUE : record.offset(), Math::max);
            }
        });
        AtomicReference<Exception> failure = new AtomicReference<>();
        reader.read(begin, end, record -> {
            // A message is judged as often as it has records with a code.
            boolean counts = isRepartition
                    ? trustsAll && latest.putIfAbsent(identity(record), record.offset()) == null
                    : isTrusted(record) && latest.get(identity(record)) == record.offset();
            if (counts) {
                producer.send(
                        RecordMac.withoutCode(record), (written, exception) -> failure.compareAndSet(null, exception));
            }
        });
        producer.flush();
        if (failure.get() != null) {
            throw new KafkaException(
                    "Cannot write to " + partition + ": " + failure.get().getMessage(), failure.get());
        }
    }

    private boolean isTrusted(ConsumerRecord<byte[], byte[]> record) {
        return trustsAll || mac.isValid(record);
    }

    /**
     * Returns whether an unjudged message has a code.
     *
     * @throws KafkaException if it is of an old key
     */
    private boolean isSealed(ConsumerRecord<byte[], byte[]> message) {
        if (mac.isValid(message) && !mac.isOfFirstKey(message)) {
            throw new KafkaException("An unjudged message in " + message.topic() + "-" + message.partition()
                    + " has a code of an old key. Run the instances with both keys until it is judged.");
        }
        return mac.isValid(message);
    }

    /** What the latest record of counts. Messages and redaction requests do not replace others with their key. */
    private List<ByteBuffer> identity(ConsumerRecord<byte[], byte[]> record) {
        boolean isOne = Topics.isRepartition(record.topic())
                || record.topic().equals(config.topics().redaction());
        return Arrays.asList(
                ByteBuffers.wrap(record.key()),
                isOne && record.value() != null ? ByteBuffer.wrap(Sha256.of(record.value())) : null);
    }
}
