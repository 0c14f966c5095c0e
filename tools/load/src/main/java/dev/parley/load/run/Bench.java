package dev.parley.load.run;

import com.sun.management.OperatingSystemMXBean;
import dev.parley.embedded.EmbeddedKafka;
import dev.parley.embedded.EmbeddedKafkaSettings;
import dev.parley.embedded.SchemaRegistryEndpoint;
import dev.parley.load.CommittedRecords;
import dev.parley.load.process.JavaProcess;
import dev.parley.load.run.Measured.Observation;
import dev.parley.load.sample.Input;
import dev.parley.protocol.TopicNames;
import dev.parley.topology.topics.AdminFutures;
import dev.parley.topology.topics.AdminOffsets;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A broker in this process, and the systems that run against it, one at a time, each in a process of its own. Not
 * thread-safe.
 */
final class Bench implements AutoCloseable {
    /** Partitions of all topics. */
    static final int PARTITIONS = 4;

    private static final OperatingSystemMXBean BROKER =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private final BenchRun options;
    private final EmbeddedKafka kafka;
    private final Admin admin;
    private int runs;

    /** Starts the broker. */
    Bench(BenchRun options) throws IOException {
        this.options = options;
        Files.createDirectories(options.directory);
        if (options.profile != null) {
            Files.createDirectories(options.profile);
        }
        kafka = EmbeddedKafka.start(EmbeddedKafkaSettings.in(file("kafka"))
                // The default of 3 s is too short while all processors are busy.
                .withOverrides(Map.of("broker.session.timeout.ms", "30000"))
                .withOverrides(options.broker()));
        admin = Admin.create(Map.of("bootstrap.servers", brokers()));
    }

    /** Deletes all topics, and produces the first records of an input. */
    void produce(Input input, long messages) throws InterruptedException {
        deleteTopics(topic -> true);
        createTopics(Map.of("message.timestamp.type", "LogAppendTime"), input.topic());
        // A new partition may refuse a batch and accept the next one (KAFKA-15591).
        try (Feed feed =
                new Feed(producer(Map.of("linger.ms", 5, "max.in.flight.requests.per.connection", 1)), input)) {
            feed.send(messages);
        }
    }

    /** Creates a producer with these settings, which need no brokers. */
    Producer<byte[], byte[]> producer(Map<String, Object> settings) {
        Map<String, Object> all = new HashMap<>(settings);
        all.put("bootstrap.servers", brokers());
        return new KafkaProducer<>(all, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** Bootstrap servers. */
    String brokers() {
        return kafka.bootstrapServers();
    }

    /**
     * Starts a system with empty outputs.
     *
     * @param jar Parley's jar
     * @param input its input topic, which exists
     * @param threads number of stream threads
     * @param sizes sizes of the records of a shape
     */
    Running start(Contender contender, Path jar, String input, int threads, Sizes sizes)
            throws IOException, InterruptedException {
        deleteTopics(topic -> !topic.equals(input));
        String run = "run-" + runs++ + "-" + contender;
        String count = Integer.toString(threads);
        if (contender == Contender.PARLEY) {
            SchemaRegistryEndpoint registry = registry(run);
            Map<String, String> config = Map.of("application.id", run, "roles", "pipeline", "pipeline.threads", count);
            return new Running(this, run, TopicNames.DEFAULT.audit(), registry, parley(run, jar, registry, config));
        }
        String output = run + "-first";
        String second = run + "-second";
        createTopics(Map.of(), output, second);
        List<String> arguments = jvm(run);
        arguments.addAll(List.of("-cp", System.getProperty("java.class.path"), ReferenceTopology.class.getName()));
        arguments.addAll(List.of(brokers(), input, output, second, file(run).toString(), run, count, sizes.json()));
        return new Running(this, run, output, null, JavaProcess.start(arguments, file(run + ".log")));
    }

    /** Starts the registry of a run, with the schemas that it registered. */
    SchemaRegistryEndpoint registry(String run) {
        return SchemaRegistryEndpoint.start(file(run + "-registry"), 0);
    }

    /** Starts a Parley that uses this broker, with a configuration that contains its application ID. */
    JavaProcess parley(String run, Path jar, SchemaRegistryEndpoint registry, Map<String, String> config)
            throws IOException {
        Map<String, String> all = new LinkedHashMap<>(Map.of(
                "bootstrap.servers", brokers(),
                "schema.registry.url", registry.url(),
                "topics.partitions", Integer.toString(PARTITIONS),
                "topics.replication.factor", "1",
                "http.port", "0",
                "state.dir", file(run).toString()));
        all.putAll(config);
        all.putAll(options.config);
        List<String> arguments = jvm(run);
        arguments.addAll(List.of("-jar", jar.toString()));
        return JavaProcess.parley(arguments, all, file(run + ".log"));
    }

    private List<String> jvm(String run) {
        List<String> arguments = new ArrayList<>(options.jvm);
        if (options.profile != null) {
            arguments.add("-XX:FlightRecorderOptions=stackdepth=160");
            arguments.add("-XX:StartFlightRecording=settings=profile,dumponexit=true,filename="
                    + options.profile.resolve(run + ".jfr").toAbsolutePath());
        }
        return arguments;
    }

    private Path file(String name) {
        return options.directory.resolve(name);
    }

    /**
     * A running system. Closing it stops its process; its topics stay until the next start.
     *
     * @param run its application ID
     * @param output the topic with one record per input message
     * @param registry its Schema Registry; null for a shape
     */
    record Running(Bench bench, String run, String output, SchemaRegistryEndpoint registry, JavaProcess process)
            implements AutoCloseable {
        private static final Duration TIMEOUT = Duration.ofMinutes(30);

        /** Measures the speed between two numbers of processed messages. */
        Measured measure(double from, double to) throws InterruptedException {
            Observation first = await(from);
            return Measured.between(run, first, await(to));
        }

        /**
         * Waits until that many messages are processed.
         *
         * @throws IllegalStateException if the process ends or takes too long; the message names the log
         */
        Observation await(double messages) throws InterruptedException {
            long deadline = System.nanoTime() + TIMEOUT.toNanos();
            boolean exists = false;
            while (System.nanoTime() < deadline && process.isAlive()) {
                exists = exists || bench.topics(output::equals).contains(output);
                long done = exists ? bench.end(output) : 0;
                if (done >= messages) {
                    return new Observation(System.nanoTime(), done, process.cpuNanos(), BROKER.getProcessCpuTime());
                }
                TimeUnit.MILLISECONDS.sleep(20);
            }
            throw new IllegalStateException(output + " did not get " + messages + " messages; see " + process.log());
        }

        /** Measures the records of the input and of all topics of this system. Call it after {@link #close}. */
        List<TopicBytes> bytes() {
            List<TopicBytes> all = new ArrayList<>();
            for (String topic : bench.topics(name -> true)) {
                try (KafkaConsumer<byte[], byte[]> consumer = CommittedRecords.of(bench.brokers(), topic)) {
                    TopicBytes.measure(topic.replace(run + "-", ""), consumer).ifPresent(all::add);
                }
            }
            double messages = TopicBytes.named(all, output).records();
            return all.stream().map(topic -> topic.per(messages)).toList();
        }

        @Override
        public void close() throws IOException, InterruptedException {
            process.close();
            if (registry != null) {
                registry.close();
            }
        }
    }

    /** Bytes on disk of some topics. */
    double diskBytes(Predicate<String> topics) {
        List<Integer> brokers = AdminFutures.of(admin.describeCluster().nodes()).stream()
                .map(Node::id)
                .toList();
        return AdminFutures.of(admin.describeLogDirs(brokers).allDescriptions()).values().stream()
                .flatMap(directories -> directories.values().stream())
                .flatMap(directory -> directory.replicaInfos().entrySet().stream())
                .filter(replica -> topics.test(replica.getKey().topic()))
                .mapToDouble(replica -> replica.getValue().size())
                .sum();
    }

    /** Sum of the committed ends of a topic: its records and one marker per transaction. */
    long end(String topic) {
        List<TopicPartition> partitions = IntStream.range(0, PARTITIONS)
                .mapToObj(partition -> new TopicPartition(topic, partition))
                .toList();
        return AdminOffsets.of(admin, partitions, OffsetSpec.latest(), IsolationLevel.READ_COMMITTED).values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    /** Sum of the offsets that a consumer group has committed of a topic; 0 before its first commit. */
    long committed(String group, String topic) {
        return AdminOffsets.committed(admin, group).entrySet().stream()
                .filter(offset -> offset.getKey().topic().equals(topic))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /** Deletes the topics and the offsets of a Kafka Streams application that has stopped. */
    void deleteApplication(String application) throws InterruptedException {
        deleteTopics(topic -> topic.startsWith(application + "-"));
        AdminFutures.of(admin.deleteConsumerGroups(List.of(application)).all());
    }

    private void createTopics(Map<String, String> config, String... names) {
        List<NewTopic> topics = Stream.of(names)
                .map(name -> new NewTopic(name, PARTITIONS, (short) 1).configs(config))
                .toList();
        AdminFutures.of(admin.createTopics(topics).all());
    }

    /** Deletes topics. Parley refuses to start with outputs of another application ID. */
    private void deleteTopics(Predicate<String> which) throws InterruptedException {
        AdminFutures.of(admin.deleteTopics(topics(which)).all());
        while (!topics(which).isEmpty()) {
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }

    /** The topics except Kafka's own. */
    private Set<String> topics(Predicate<String> which) {
        return AdminFutures.of(admin.listTopics().names()).stream()
                .filter(which)
                .collect(Collectors.toSet());
    }

    @Override
    public void close() {
        admin.close();
        kafka.close();
    }
}
