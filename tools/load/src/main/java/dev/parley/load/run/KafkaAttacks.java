package dev.parley.load.run;

import dev.parley.load.CspPatchText;
import dev.parley.protocol.TopicNames;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Attacks by an agent with permission to write to the input topics. */
final class KafkaAttacks implements AutoCloseable {
    private static final String NAMESPACE = "hostile";
    private static final int BOMB_BYTES = 40 << 20;
    private static final int SMALL_BOMB_BYTES = 1 << 20;
    private static final int SMALL_BOMBS = 50;
    private static final int ORPHANS = 25;
    private static final int CASCADE = 1_000;
    private static final long[] TIMESTAMPS = {0L, 1_000L, 1_483_228_800_000L, Long.MAX_VALUE};

    private final Map<String, Producer<byte[], byte[]>> producers = new HashMap<>();
    private final SplittableRandom random;
    private final AtomicLong numbers = new AtomicLong();

    /**
     * Creates attacks on these brokers.
     *
     * @param brokers bootstrap servers
     * @param seed seed of keys and choices
     */
    KafkaAttacks(String brokers, long seed) {
        this.random = new SplittableRandom(seed);
        for (String compression : List.of("none", "gzip", "zstd")) {
            Map<String, Object> settings = Map.of(
                    "bootstrap.servers",
                    brokers,
                    "compression.type",
                    compression,
                    "max.request.size",
                    2 * BOMB_BYTES,
                    "buffer.memory",
                    4L * BOMB_BYTES,
                    "delivery.timeout.ms",
                    60_000,
                    "request.timeout.ms",
                    20_000);
            producers.put(
                    compression, new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer()));
        }
    }

    List<Attack> all() {
        return List.of(
                new Attack("compressed bombs of 40 MiB", Duration.ofSeconds(10), this::bomb),
                new Attack("batches of compressed records of 1 MiB", Duration.ofSeconds(30), this::smallBombs),
                new Attack("orphaned patches", Duration.ofMillis(500), this::orphans),
                new Attack("cascades of 1,000 patches", Duration.ofSeconds(20), this::cascade),
                new Attack("forged and oversized headers", Duration.ofMillis(100), this::forgedHeaders),
                new Attack("extreme timestamps", Duration.ofMillis(100), this::extremeTimestamp));
    }

    private void bomb() throws Exception {
        String compression = random.nextBoolean() ? "gzip" : "zstd";
        Producer<byte[], byte[]> producer = producers.get(compression);
        producer.send(record(new byte[BOMB_BYTES])).get();
        producer.send(new ProducerRecord<>(TopicNames.DEFAULT.wire(), new byte[SMALL_BOMB_BYTES * 8], utf8("@a1|f0#")))
                .get();
    }

    private void smallBombs() throws Exception {
        Producer<byte[], byte[]> producer = producers.get("zstd");
        for (int i = 0; i < SMALL_BOMBS; i++) {
            producer.send(record(new byte[SMALL_BOMB_BYTES]));
        }
        producer.flush();
    }

    private void orphans() throws Exception {
        Producer<byte[], byte[]> producer = producers.get("none");
        for (int i = 0; i < ORPHANS; i++) {
            long number = numbers.incrementAndGet();
            producer.send(patch("orphans-" + number % 50, "P" + number, "GONE" + number, "C" + number));
        }
        producer.flush();
    }

    /** Sends a chain of patches in reverse order; the first patch, which comes last, releases all others. */
    private void cascade() throws Exception {
        Producer<byte[], byte[]> producer = producers.get("none");
        String context = "cascade-" + numbers.incrementAndGet();
        for (int i = CASCADE; i > 0; i--) {
            producer.send(patch(context, "P" + i, i == 1 ? "C0" : "C" + (i - 1), "C" + i));
        }
        producer.flush();
    }

    private void forgedHeaders() throws Exception {
        ProducerRecord<byte[], byte[]> record = record(utf8("Hello team, please deploy"));
        record.headers()
                .add("parley.error.code", utf8("NOT_THE_CODE"))
                .add("parley.error.attempt", utf8("999999999"))
                .add("__streams.errors.topic", utf8("parley.audit.v1"))
                .add("__streams.errors.partition", utf8("x"))
                .add("__streams.errors.offset", utf8("-1"))
                .add("traceparent", new byte[random.nextInt(10_000)]);
        for (int i = random.nextInt(500); i > 0; i--) {
            record.headers().add("h" + i, new byte[random.nextInt(100)]);
        }
        producers.get("none").send(record);
    }

    private void extremeTimestamp() {
        int choice = random.nextInt(TIMESTAMPS.length + 1);
        long timestamp = choice < TIMESTAMPS.length
                ? TIMESTAMPS[choice]
                : System.currentTimeMillis() + Duration.ofMinutes(55).toMillis();
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                TopicNames.DEFAULT.wire(),
                null,
                timestamp,
                utf8("time-" + random.nextInt(20)),
                utf8("@a0|f2|c" + (100 + random.nextInt(20)) + "|S0|d1|T" + numbers.incrementAndGet() % 60 + "#"));
        record.headers().add("parley-namespace", utf8(NAMESPACE));
        producers.get("none").send(record);
    }

    private static ProducerRecord<byte[], byte[]> patch(String context, String id, String base, String target) {
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                TopicNames.DEFAULT.wire(),
                utf8(context),
                utf8(CspPatchText.of(id, base, target, "+ DEF N_" + id + " = 1")));
        record.headers().add("parley-namespace", utf8(NAMESPACE));
        return record;
    }

    /** A record with a unique key, so that every partition gets some. */
    private ProducerRecord<byte[], byte[]> record(byte[] value) {
        return new ProducerRecord<>(TopicNames.DEFAULT.wire(), utf8("hostile-" + random.nextInt(1_000)), value);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        producers.values().forEach(producer -> producer.close(Duration.ofSeconds(5)));
    }
}
