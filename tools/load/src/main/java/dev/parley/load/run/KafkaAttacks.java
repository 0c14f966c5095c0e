package dev.parley.load.run;

import dev.parley.audit.InputPosition;
import dev.parley.codec.slip.SlipCodec;
import dev.parley.load.CspPatchText;
import dev.parley.protocol.TopicNames;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Attacks by an agent with permission to write to the input topics. */
final class KafkaAttacks implements AutoCloseable {
    private static final String NAMESPACE = "hostile";
    private static final int BOMB_BYTES = 40 << 20;
    private static final int SMALL_BOMB_BYTES = 1 << 20;
    private static final int SMALL_BOMBS = 10;
    /** What takes longest to diagnose, and zeros. */
    private static final List<String> SMALL_BOMB_PARTS = List.of("\0", "A\n", "{\"", "- ", "CSP/1\n");

    private static final int ORPHANS = 25;
    private static final int CASCADE = 1_000;
    private static final int SHORT_MESSAGES = 300;
    private static final int NAMES = 120;
    private static final long[] TIMESTAMPS = {0L, 1_000L, 1_483_228_800_000L, Long.MAX_VALUE};

    /** Timeout of the transactions of attackers. A broker aborts those that are open for longer. */
    static final int TRANSACTION_TIMEOUT_MS = 20_000;

    private static final String DEFINITIONS = IntStream.range(0, 900)
            .mapToObj(i -> Integer.toString(i, 36) + "=")
            .collect(Collectors.joining(",", "{def:", "}"));

    private static final String SUBIT_STATE = "{\"type\":\"STATE\",\"payload\":\"000110\"}";
    private static final String SUBIT_INTENT = "{\"type\":\"INTENT\",\"payload\":\"000110110001\"}";

    private final Bench bench;
    private final Map<String, Producer<byte[], byte[]>> producers = new HashMap<>();
    private final SplittableRandom random;
    private final AtomicLong numbers = new AtomicLong();

    /**
     * Creates attacks on these brokers.
     *
     * @param bench the broker
     * @param seed seed of keys and choices
     */
    KafkaAttacks(Bench bench, long seed) {
        this.bench = bench;
        this.random = new SplittableRandom(seed);
        for (String compression : List.of("none", "gzip", "zstd")) {
            Map<String, Object> settings = new HashMap<>(Map.of("compression.type", compression));
            settings.put("max.request.size", 2 * BOMB_BYTES);
            settings.put("buffer.memory", 4L * BOMB_BYTES);
            settings.put("delivery.timeout.ms", 60_000);
            settings.put("request.timeout.ms", 20_000);
            producers.put(compression, bench.producer(settings));
        }
    }

    /**
     * All attacks.
     *
     * @param misplaced a record for another partition than that of its key
     */
    List<Attack> all(Supplier<ProducerRecord<byte[], byte[]>> misplaced) {
        return List.of(
                new Attack("compressed bombs of 40 MiB", Duration.ofSeconds(10), this::bomb),
                new Attack("batches of compressed records of 1 MiB", Duration.ofSeconds(6), this::smallBombs),
                new Attack("orphaned patches", Duration.ofMillis(500), this::orphans),
                new Attack("cascades of 1,000 patches", Duration.ofSeconds(20), this::cascade),
                new Attack("forged and oversized headers", Duration.ofMillis(100), this::forgedHeaders),
                new Attack("extreme timestamps", Duration.ofMillis(100), this::extremeTimestamp),
                new Attack("300 short messages in a large state", Duration.ofSeconds(2), this::amplify),
                new Attack("120 new names in short messages", Duration.ofMillis(200), this::newNames),
                new Attack("open transactions", Duration.ofSeconds(5), this::openTransaction),
                new Attack(
                        "messages in other partitions",
                        Duration.ofMillis(50),
                        () -> producers.get("none").send(misplaced.get())));
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
            String part = SMALL_BOMB_PARTS.get(i % SMALL_BOMB_PARTS.size());
            producer.send(record(utf8(part.repeat(SMALL_BOMB_BYTES / part.length()))));
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
        String conversation = Integer.toString(random.nextInt(10));
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                TopicNames.DEFAULT.wire(),
                null,
                timestamp,
                utf8(conversation),
                utf8("@a0|f2|c" + conversation + "|S0|d1|T" + numbers.incrementAndGet() % 60 + "#"));
        record.headers().add("parley-namespace", utf8(NAMESPACE));
        producers.get("none").send(record);
    }

    /** Gives a conversation a large state, and sends messages that need or change a part of it. */
    private void amplify() {
        long number = numbers.incrementAndGet();
        for (int i = 1; i <= SHORT_MESSAGES; i++) {
            String index = SlipCodec.digits(i);
            String operation = i < 30 ? "+ DEF A" + i + " = " + "v".repeat(10_000) : "~ DEF A1 := " + i;
            String value = switch ((int) (number % 4)) {
                case 0 -> i == 1 ? DEFINITIONS : i % 2 == 0 ? "?Uc" : "<+";
                case 1 -> i == 1 ? SUBIT_STATE : SUBIT_INTENT;
                case 2 -> "@a3|f0|c" + SlipCodec.digits(number) + "|S0|d1|T" + index + "|k" + index + "#";
                default -> CspPatchText.of("P" + i, "C" + (i - 1), "C" + i, operation);
            };
            ProducerRecord<byte[], byte[]> record = message(Long.toString(number), value);
            // The messages of nSLIP and CSP name their senders.
            if (number % 4 < 2) {
                record.headers().add("parley-sender", utf8("A" + i));
            }
            producers.get("none").send(record);
        }
    }

    private void newNames() {
        for (int i = 0; i < NAMES; i++) {
            String name = Long.toString(numbers.incrementAndGet(), 36);
            ProducerRecord<byte[], byte[]> record = message(name, i % 2 == 0 ? "?Uc" : "<+");
            record.headers().add("parley-sender", utf8(name));
            producers.get("none").send(record);
        }
    }

    /** Holds back a partition, and then commits or aborts, if the broker has not aborted. */
    private void openTransaction() throws InterruptedException {
        Map<String, Object> settings =
                Map.of("transactional.id", "hostile", "transaction.timeout.ms", TRANSACTION_TIMEOUT_MS);
        try (Producer<byte[], byte[]> producer = bench.producer(settings)) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>(TopicNames.DEFAULT.wire(), 0, utf8("open"), utf8("!It")));
            producer.flush();
            TimeUnit.MILLISECONDS.sleep(random.nextInt(2 * TRANSACTION_TIMEOUT_MS));
            if (random.nextBoolean()) {
                producer.commitTransaction();
            } else {
                producer.abortTransaction();
            }
        }
    }

    /** Whether transactions of attackers hold back a partition. */
    static boolean isHeldBack(InputPosition position) {
        return position.partition() == 0 && position.topic().equals(TopicNames.DEFAULT.wire());
    }

    private static ProducerRecord<byte[], byte[]> patch(String context, String id, String base, String target) {
        return message(context, CspPatchText.of(id, base, target, "+ DEF N_" + id + " = 1"));
    }

    private static ProducerRecord<byte[], byte[]> message(String conversation, String value) {
        ProducerRecord<byte[], byte[]> record =
                new ProducerRecord<>(TopicNames.DEFAULT.wire(), utf8(conversation), utf8(value));
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
