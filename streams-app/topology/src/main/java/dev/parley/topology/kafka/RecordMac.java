package dev.parley.topology.kafka;

import dev.parley.topology.config.AuditKeys;
import dev.parley.topology.config.KeyPairFile;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.topics.Topics;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * The message authentication codes of the records that Parley writes for itself: repartition topics, changelogs,
 * accounting, redrives and redaction requests. Each is in a header, and binds key, value and other headers to the
 * topic, and to the partition of a repartition topic or changelog. That of a repartition record also covers its
 * timestamp. {@link MacProducerInterceptor} writes them, and {@link MacConsumerInterceptor} verifies them. Thread-safe.
 *
 * <p>A valid code says that an instance of the deployment wrote the record once, not that it is the latest one.
 */
public final class RecordMac {
    /** Name of the header: key ID, partition or -1, and code, of 4, 4 and 16 bytes. */
    public static final String HEADER = "parley-mac";

    /** Name of the setting of a client that has the instance as its value. */
    public static final String CONFIG = "parley.record.mac";

    private static final String ALGORITHM = "HmacSHA256";
    private static final byte[] PURPOSE = "parley-internal-records".getBytes(StandardCharsets.US_ASCII);
    private static final int ANY_PARTITION = -1;
    private static final int CODE_BYTES = 16;
    private static final int HEADER_BYTES = 2 * Integer.BYTES + CODE_BYTES;

    private static final byte[] REFUSED = UnreadableValues.refused();

    private final String application;
    private final Set<String> topics;
    private final String requests;
    private final List<Key> keys = new ArrayList<>();

    private record Key(int id, ThreadLocal<Mac> macs) {}

    /**
     * Creates the codes of a deployment.
     *
     * @param applicationId ID of the pipeline, with which the names of all internal topics begin
     * @param topics names of the other topics that only Parley writes
     * @param requests name of the input topic that only Parley writes
     * @param secrets secrets of the deployment, at least one; the first writes, and all verify
     */
    public RecordMac(String applicationId, Set<String> topics, String requests, List<byte[]> secrets) {
        this.application = applicationId + "-";
        this.topics = topics;
        this.requests = requests;
        for (byte[] secret : secrets) {
            SecretKeySpec key = new SecretKeySpec(initialized(secret).doFinal(PURPOSE), ALGORITHM);
            int id = ByteBuffer.wrap(initialized(key.getEncoded()).doFinal()).getInt();
            keys.add(new Key(id, ThreadLocal.withInitial(() -> initialized(key.getEncoded()))));
        }
    }

    private static Mac initialized(byte[] secret) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret, ALGORITHM));
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(ALGORITHM + " is missing from this Java runtime", e);
        }
    }

    /**
     * The codes of a deployment by its configuration; empty without a key.
     *
     * @throws ConfigException if a key file cannot be read
     */
    public static Optional<RecordMac> of(ParleyConfig config) {
        List<byte[]> secrets = config.getList(AuditKeys.INTERNAL_KEY_FILES).stream()
                .map(file -> KeyPairFile.read(AuditKeys.INTERNAL_KEY_FILES, Path.of(file))
                        .getPrivate()
                        .getEncoded())
                .toList();
        return secrets.isEmpty()
                ? Optional.empty()
                : Optional.of(new RecordMac(
                        config.getString(ParleyConfig.APPLICATION_ID),
                        Set.of(config.topics().accounting(), config.topics().redrive()),
                        config.topics().redaction(),
                        secrets));
    }

    /** Returns whether only Parley writes a topic, with codes. */
    boolean covers(String topic) {
        return topics.contains(topic) || topic.equals(requests) || isInternal(topic);
    }

    private boolean isInternal(String topic) {
        return topic.startsWith(application) && (topic.endsWith("-changelog") || Topics.isRepartition(topic));
    }

    /** Adds the code to the headers of a record. */
    void sign(ProducerRecord<byte[], byte[]> record) {
        Header[] headers = record.headers().toArray();
        Place place = new Place(record.topic(), record.partition(), record.timestamp());
        record.headers().add(HEADER, header(keys.get(0), place, record.key(), record.value(), headers));
    }

    /** Returns whether a record has a valid code. */
    public boolean isValid(ConsumerRecord<byte[], byte[]> record) {
        Header[] headers = record.headers().toArray();
        int last = headers.length - 1;
        byte[] given = last < 0 || !headers[last].key().equals(HEADER) ? null : headers[last].value();
        if (given == null || given.length != HEADER_BYTES) {
            return false;
        }
        Place place = new Place(record.topic(), record.partition(), record.timestamp());
        Header[] signed = Arrays.copyOf(headers, last);
        int id = ByteBuffer.wrap(given).getInt();
        for (Key key : keys) {
            if (key.id == id) {
                return MessageDigest.isEqual(header(key, place, record.key(), record.value(), signed), given);
            }
        }
        return false;
    }

    /** Returns whether the code of a valid record is one of the first key. */
    public boolean isOfFirstKey(ConsumerRecord<byte[], byte[]> valid) {
        return ByteBuffer.wrap(valid.headers().lastHeader(HEADER).value()).getInt() == keys.get(0).id;
    }

    /**
     * Verifies a record and removes its code.
     *
     * @return the record; one with {@link UnreadableValues#refused} as its value if it has no valid code. A request has
     *     that as its code instead: the pipeline audits what it received.
     */
    ConsumerRecord<byte[], byte[]> verified(ConsumerRecord<byte[], byte[]> record) {
        String reason = "its code (" + HEADER + ") is missing or invalid, so no instance with the key wrote it";
        try {
            if (isValid(record)) {
                removeLast(record.headers());
                return record;
            }
        } catch (RuntimeException e) {
            // Kafka ignores exceptions of interceptors, and would go on with the record.
            reason = "its code cannot be verified: " + ExceptionSummary.of(e);
        }
        UnreadableValues.report(
                record.topic(), record.partition(), record.offset(), record.key(), reason, "it is not used");
        if (record.topic().equals(requests)) {
            record.headers().add(HEADER, REFUSED);
            return record;
        }
        return ConsumedRecords.with(record, record.key(), record.timestamp(), REFUSED);
    }

    /** Returns a record to be written again, without the code that it has. */
    public static ProducerRecord<byte[], byte[]> withoutCode(ConsumerRecord<byte[], byte[]> record) {
        RecordHeaders headers = new RecordHeaders(record.headers());
        Header[] all = headers.toArray();
        if (all.length > 0 && all[all.length - 1].key().equals(HEADER)) {
            removeLast(headers);
        }
        return new ProducerRecord<>(
                record.topic(), record.partition(), record.timestamp(), record.key(), record.value(), headers);
    }

    /** Removes the last header, and keeps one of the same name that an agent sent. */
    private static void removeLast(Headers headers) {
        Header[] all = headers.toArray();
        headers.remove(HEADER);
        if (headers.toArray().length < all.length - 1) {
            for (Header header : all) {
                headers.remove(header.key());
            }
            for (Header header : Arrays.copyOf(all, all.length - 1)) {
                headers.add(header);
            }
        }
    }

    /** Where a record is, and its timestamp; partition and timestamp may be null before it is sent. */
    private record Place(String topic, Integer partition, Long timestamp) {}

    /** Returns the header of a record with some other headers. */
    private byte[] header(Key key, Place place, byte[] recordKey, byte[] value, Header... headers) {
        Mac mac = key.macs.get();
        update(mac, place.topic().getBytes(StandardCharsets.UTF_8));
        int bound = isInternal(place.topic()) ? place.partition() : ANY_PARTITION;
        mac.update(ByteBuffer.allocate(2 * Integer.BYTES + Long.BYTES)
                .putInt(bound)
                .putLong(Topics.isRepartition(place.topic()) ? place.timestamp() : 0)
                .putInt(headers.length)
                .flip());
        update(mac, recordKey);
        update(mac, value);
        for (Header header : headers) {
            update(mac, header.key().getBytes(StandardCharsets.UTF_8));
            update(mac, header.value());
        }
        return ByteBuffer.allocate(HEADER_BYTES)
                .putInt(key.id)
                .putInt(bound)
                .put(mac.doFinal(), 0, CODE_BYTES)
                .array();
    }

    /** Adds bytes with their length; null has the length -1. */
    private static void update(Mac mac, byte[] bytes) {
        int length = bytes == null ? -1 : bytes.length;
        mac.update((byte) (length >>> 24));
        mac.update((byte) (length >>> 16));
        mac.update((byte) (length >>> 8));
        mac.update((byte) length);
        if (length > 0) {
            mac.update(bytes);
        }
    }
}
