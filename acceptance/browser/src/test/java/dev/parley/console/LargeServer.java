package dev.parley.console;

import dev.parley.cli.api.ApiClient;
import dev.parley.embedded.EmbeddedKafka;
import dev.parley.embedded.EmbeddedKafkaSettings;
import dev.parley.embedded.SchemaRegistryEndpoint;
import dev.parley.load.process.JavaProcess;
import dev.parley.load.process.ParleyProcess;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A broker and a Schema Registry in this process, and one Parley in a process of its own, which can be restarted. */
final class LargeServer implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofMinutes(15);
    private static final Duration AGE = Duration.ofMinutes(2);

    private final Path directory;
    private final EmbeddedKafka kafka;
    private final SchemaRegistryEndpoint registry;
    private final Producer<byte[], byte[]> producer;
    private final AtomicReference<Exception> failure = new AtomicReference<>();
    private final Map<String, String> config = new HashMap<>();
    private ParleyProcess parley;
    private long sent;

    private LargeServer(Path directory) throws IOException {
        this.directory = directory;
        kafka = EmbeddedKafka.start(EmbeddedKafkaSettings.in(directory.resolve("kafka"))
                // The default of 3 s is too short while all processors are busy.
                .withOverrides(Map.of("broker.session.timeout.ms", "30000")));
        registry = SchemaRegistryEndpoint.start(directory.resolve("registry"), 0);
        producer = new KafkaProducer<>(
                Map.of(
                        ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        kafka.bootstrapServers(),
                        ProducerConfig.LINGER_MS_CONFIG,
                        10,
                        // A new partition may refuse a batch and accept the next one (KAFKA-15591).
                        ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION,
                        1),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        config.put("bootstrap.servers", kafka.bootstrapServers());
        config.put("schema.registry.url", registry.url());
        config.put("state.dir", directory.resolve("state").toString());
        config.put("http.port", "0");
        config.put("topics.partitions", "2");
        config.put("topics.replication.factor", "1");
        config.put("stop.notice.ms", "0");
        // The messages have such keys. With this, and with fewer compactions, the load takes less time.
        config.put("input.keyed-by-conversation", "true");
        config.put("state.memory.bytes", Long.toString(384L << 20));
        // The messages are of an earlier minute, which is counted as soon as no more arrive.
        config.put("input.time", "producer");
        config.put("traffic.grace.ms", "0");
        config.put("traffic.pause.ms", "2000");
        // Pages of the test follow each other faster than those of people.
        config.put("http.limits.rate", "0");
        // A stream counts until the server notices that its page is gone.
        config.put("http.tail.caller.streams", "1000");
        config.put("http.tail.streams", "1000");
    }

    /** Starts everything, without messages. */
    static LargeServer start(Path directory) throws IOException, InterruptedException {
        LargeServer server = new LargeServer(directory);
        server.startParley();
        server.config.put("http.port", Integer.toString(server.parley.api().getPort()));
        return server;
    }

    /** Starts Parley; after the first time, on the same port and with the same stores. */
    void startParley() throws IOException, InterruptedException {
        parley = new ParleyProcess(JavaProcess.parley(
                List.of("-Xmx1g", "-cp", System.getProperty("java.class.path"), "dev.parley.cli.Parley"),
                config,
                directory.resolve("parley.log")));
        parley.awaitReady(TIMEOUT);
    }

    /** Stops Parley and waits until its process has ended. */
    void stopParley() throws InterruptedException {
        parley.close();
    }

    /** Address of the console, with a slash at the end. */
    URI uri() {
        return parley.api().resolve("/");
    }

    /** Client of the HTTP API. */
    ApiClient api() {
        return new ApiClient(uri());
    }

    /** Sends a record with a time of two minutes ago, later if Parley does not run. */
    void send(ProducerRecord<byte[], byte[]> record) {
        producer.send(
                new ProducerRecord<>(
                        record.topic(),
                        record.partition(),
                        System.currentTimeMillis() - AGE.toMillis(),
                        record.key(),
                        record.value(),
                        record.headers()),
                (metadata, exception) -> failure.compareAndSet(null, exception));
        sent++;
    }

    /** Waits until the broker has all records. */
    void flush() {
        producer.flush();
        if (failure.get() != null) {
            throw new IllegalStateException("The broker did not take all messages", failure.get());
        }
    }

    /** Waits until the views show all records that were sent. */
    void awaitVisible() throws InterruptedException {
        flush();
        if (!api().awaitAccounted(sent, TIMEOUT, new CountDownLatch(1))) {
            throw new IllegalStateException("The views do not show all messages; see parley.log in " + directory);
        }
    }

    @Override
    public void close() throws IOException, InterruptedException {
        parley.close();
        producer.close();
        registry.close();
        kafka.close();
    }
}
