package dev.parley.benchmarks.speed;

import com.sun.management.OperatingSystemMXBean;
import dev.parley.benchmarks.speed.Measured.Observation;
import dev.parley.embedded.EmbeddedKafka;
import dev.parley.embedded.EmbeddedKafkaSettings;
import dev.parley.embedded.SchemaRegistryEndpoint;
import dev.parley.load.sample.Input;
import dev.parley.topology.topics.Topics;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Utils;

/**
 * A broker in this process, and the systems that run against it, one at a time, each in a process of its own. Not
 * thread-safe.
 */
final class Bench implements AutoCloseable {
    /** Partitions of all topics. */
    static final int PARTITIONS = 4;

    private static final Duration TIMEOUT = Duration.ofMinutes(30);
    /** Records read at the end of each partition to measure their sizes. */
    private static final long SAMPLED = 2_500;

    private final BenchOptions options;
    private final EmbeddedKafka kafka;
    private final Admin admin;
    private int runs;

    /** Starts the broker. */
    Bench(BenchOptions options) throws IOException {
        this.options = options;
        Files.createDirectory(options.directory);
        if (options.profile != null) {
            Files.createDirectories(options.profile);
        }
        kafka = EmbeddedKafka.start(EmbeddedKafkaSettings.in(options.directory.resolve("kafka"))
                // The default of 3 s is too short while all processors are busy.
                .withOverrides(Map.of("broker.session.timeout.ms", "30000")));
        admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
    }

    /** Bootstrap servers. */
    String brokers() {
        return kafka.bootstrapServers();
    }

    /** Deletes all topics, and creates the input topic. */
    void createInput(Input input) throws ExecutionException, InterruptedException {
        deleteTopics(topic -> true);
        admin.createTopics(List.of(new NewTopic(input.topic(), PARTITIONS, (short) 1)
                        .configs(Map.of("message.timestamp.type", "LogAppendTime"))))
                .all()
                .get();
    }

    /**
     * Produces the first records of an input into its topic, which is created.
     *
     * @throws IllegalStateException if the broker did not take all of them
     */
    void produce(Input input, long messages) throws ExecutionException, InterruptedException {
        createInput(input);
        AtomicReference<Exception> failure = new AtomicReference<>();
        try (Producer<byte[], byte[]> producer = producer()) {
            for (long number = 0; number < messages; number++) {
                producer.send(input.at(number), (metadata, exception) -> failure.compareAndSet(null, exception));
            }
        }
        if (failure.get() != null) {
            throw new IllegalStateException("The broker did not take all messages", failure.get());
        }
    }

    /** Creates a producer of input records. */
    Producer<byte[], byte[]> producer() {
        return new KafkaProducer<>(
                Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, brokers(), ProducerConfig.LINGER_MS_CONFIG, 5),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    /** Creates a consumer of the committed records of a topic, positioned at its begin. */
    Consumer<byte[], byte[]> consumer(String topic) {
        Consumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of(
                        ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        brokers(),
                        ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                        "read_committed",
                        ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                        false),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        consumer.assign(consumer.partitionsFor(topic).stream()
                .map(info -> new TopicPartition(topic, info.partition()))
                .toList());
        consumer.seekToBeginning(consumer.assignment());
        return consumer;
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
            throws IOException, ExecutionException, InterruptedException {
        deleteTopics(topic -> !topic.equals(input));
        String run = "run-" + runs++ + "-" + contender;
        return contender.isParley()
                ? parley(run, contender, jar, threads)
                : reference(run, contender, input, threads, sizes);
    }

    private Running reference(String run, Contender contender, String input, int threads, Sizes sizes)
            throws IOException, ExecutionException, InterruptedException {
        List<String> outputs = List.of(run + "-first", run + "-second");
        admin.createTopics(outputs.stream()
                        .map(name -> new NewTopic(name, PARTITIONS, (short) 1))
                        .toList())
                .all()
                .get();
        return new Running(
                run,
                outputs.get(0),
                null,
                List.of(
                        "-cp",
                        System.getProperty("java.class.path"),
                        ReferenceTopology.class.getName(),
                        ReferenceTopology.Kind.of(contender).name(),
                        brokers(),
                        input,
                        outputs.get(0),
                        outputs.get(1),
                        options.directory.resolve(run).toString(),
                        run,
                        Integer.toString(threads),
                        sizes.toString()));
    }

    private Running parley(String run, Contender contender, Path jar, int threads) throws IOException {
        SchemaRegistryEndpoint registry = registry(run);
        Map<String, String> config = new LinkedHashMap<>(parleyConfig(registry));
        config.putAll(Map.of(
                "application.id",
                run,
                "roles",
                "pipeline",
                "pipeline.threads",
                Integer.toString(threads),
                "input.keyed-by-conversation",
                Boolean.toString(contender == Contender.KEYED_PARLEY),
                "state.dir",
                options.directory.resolve(run).toString()));
        config.putAll(options.config);
        return new Running(run, Topics.AUDIT, registry, parleyCommand(jar, config));
    }

    /** Starts the registry of a run, with the schemas that it registered. */
    SchemaRegistryEndpoint registry(String run) {
        return SchemaRegistryEndpoint.start(options.directory.resolve(run + "-registry"), 0);
    }

    /** Deletes the topics and the offsets of a Kafka Streams application that is stopped. */
    void forget(String application) throws ExecutionException, InterruptedException {
        deleteTopics(topic -> topic.startsWith(application + "-"));
        boolean known = admin.listGroups().all().get().stream()
                .anyMatch(group -> group.groupId().equals(application));
        if (known) {
            admin.deleteConsumerGroups(List.of(application)).all().get();
        }
    }

    /** Configuration of a Parley that uses this broker, without its application ID and state directory. */
    Map<String, String> parleyConfig(SchemaRegistryEndpoint registry) {
        return Map.of(
                "bootstrap.servers",
                brokers(),
                "schema.registry.url",
                registry.url(),
                "topics.partitions",
                Integer.toString(PARTITIONS),
                "topics.replication.factor",
                "1",
                "http.port",
                "0");
    }

    /** Arguments of the JVM that run Parley. */
    static List<String> parleyCommand(Path jar, Map<String, String> config) {
        List<String> arguments = new ArrayList<>(List.of("-jar", jar.toString(), "run"));
        config.forEach((key, value) -> arguments.addAll(List.of("--set", key + "=" + value)));
        return arguments;
    }

    /** Starts a JVM that writes its output to a log in the directory. */
    Process process(String run, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options.jvm);
        if (options.profile != null) {
            command.add("-XX:FlightRecorderOptions=stackdepth=160");
            command.add("-XX:StartFlightRecording=settings=profile,dumponexit=true,filename="
                    + options.profile.resolve(run + ".jfr").toAbsolutePath());
        }
        command.addAll(arguments);
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log(run).toFile())
                .start();
    }

    /** The log of a process. */
    Path log(String run) {
        return options.directory.resolve(run + ".log");
    }

    /** A running system. Closing it stops its process; its topics stay until the next start. */
    final class Running implements AutoCloseable {
        private final String run;
        private final String output;
        private final SchemaRegistryEndpoint registry;
        private final Process process;
        private boolean found;

        private Running(String run, String output, SchemaRegistryEndpoint registry, List<String> arguments)
                throws IOException {
            this.run = run;
            this.output = output;
            this.registry = registry;
            this.process = process(run, arguments);
        }

        /** Its application ID. */
        String run() {
            return run;
        }

        /** The topic with one record per input message. */
        String output() {
            return output;
        }

        /**
         * Measures the speed between two numbers of processed messages.
         *
         * @throws IllegalStateException if the process ends or takes too long; the message names the logs
         */
        Measured measure(long from, long to) throws ExecutionException, InterruptedException {
            Observation first = await(from);
            return Measured.between(first, await(to));
        }

        /** Waits until that many messages are processed. */
        Observation await(long messages) throws ExecutionException, InterruptedException {
            long deadline = System.nanoTime() + TIMEOUT.toNanos();
            while (System.nanoTime() < deadline && process.isAlive()) {
                long done = outputExists() ? end(output) : 0;
                if (done >= messages) {
                    return new Observation(
                            System.nanoTime(),
                            done,
                            process.info()
                                    .totalCpuDuration()
                                    .map(Duration::toNanos)
                                    .orElse(0L),
                            brokerNanos());
                }
                TimeUnit.MILLISECONDS.sleep(50);
            }
            throw new IllegalStateException(output + " did not get " + messages + " messages; see " + log(run));
        }

        private boolean outputExists() throws ExecutionException, InterruptedException {
            found = found || topics(output::equals).contains(output);
            return found;
        }

        /** Resident memory in MiB on Linux, 0 elsewhere. */
        double residentMiB() throws IOException {
            Path status = Path.of("/proc/" + process.pid() + "/status");
            if (!Files.exists(status)) {
                return 0;
            }
            return Files.readAllLines(status).stream()
                            .filter(line -> line.startsWith("VmRSS:"))
                            .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                            .sum()
                    / 1024.0;
        }

        /** Measures the records of the input and of all topics of this system. Call it after {@link #close}. */
        List<TopicBytes> bytes(String input) throws ExecutionException, InterruptedException {
            double messages = 0;
            Map<String, Sample> samples = new LinkedHashMap<>();
            for (String topic : topics(name -> true)) {
                Sample sample = sample(topic);
                samples.put(topic, sample);
                messages = topic.equals(output) ? sample.records() : messages;
            }
            List<TopicBytes> bytes = new ArrayList<>();
            for (Map.Entry<String, Sample> topic : samples.entrySet()) {
                if (topic.getValue().read > 0) {
                    String name = topic.getKey();
                    boolean isInput = name.equals(input);
                    bytes.add(topic.getValue()
                            .bytes(
                                    isInput ? name : name.replace(run + "-", ""),
                                    isInput ? topic.getValue().records() : messages));
                }
            }
            return bytes;
        }

        /** Measures the bytes on disk of this system's output topics, per message. Call it after {@link #close}. */
        double diskBytes(String input) throws ExecutionException, InterruptedException {
            Predicate<String> isOutput =
                    topic -> !topic.equals(input) && !topic.startsWith("__") && !topic.startsWith(run + "-");
            List<Integer> broker =
                    admin.describeCluster().nodes().get().stream().map(Node::id).toList();
            double bytes = admin.describeLogDirs(broker).allDescriptions().get().values().stream()
                    .flatMap(directories -> directories.values().stream())
                    .flatMap(directory -> directory.replicaInfos().entrySet().stream())
                    .filter(replica -> isOutput.test(replica.getKey().topic()))
                    .mapToLong(replica -> replica.getValue().size())
                    .sum();
            return bytes / sample(output).records();
        }

        @Override
        public void close() throws IOException, InterruptedException {
            process.destroy();
            if (!process.waitFor(1, TimeUnit.MINUTES)) {
                process.destroyForcibly();
            }
            if (registry != null) {
                registry.close();
            }
        }
    }

    private static long brokerNanos() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }

    /** Sums over the last records of a topic, and the offsets that they and the markers between them take. */
    private static final class Sample {
        private long ends;
        private long span;
        private long read;
        private long keys;
        private long values;
        private long headers;
        private long headerCount;

        /** Estimated number of records that were ever in the topic. */
        double records() {
            return span == 0 ? 0 : (double) ends * read / span;
        }

        void add(ConsumerRecord<byte[], byte[]> record) {
            read++;
            keys += Math.max(0, record.serializedKeySize());
            values += Math.max(0, record.serializedValueSize());
            for (Header header : record.headers()) {
                headerCount++;
                headers += Utils.utf8Length(header.key()) + (header.value() == null ? 0 : header.value().length);
            }
        }

        TopicBytes bytes(String topic, double messages) {
            double count = read;
            return new TopicBytes(
                    topic, records() / messages, keys / count, headers / count, headerCount / count, values / count);
        }
    }

    private Sample sample(String topic) {
        Sample sample = new Sample();
        try (Consumer<byte[], byte[]> consumer = consumer(topic)) {
            Map<TopicPartition, Long> begins = consumer.beginningOffsets(consumer.assignment());
            Map<TopicPartition, Long> ends = consumer.endOffsets(consumer.assignment());
            ends.forEach((partition, end) -> {
                long start = Math.max(begins.get(partition), end - SAMPLED);
                consumer.seek(partition, start);
                sample.ends += end;
                sample.span += end - start;
            });
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                consumer.poll(Duration.ofMillis(100)).forEach(sample::add);
            }
        }
        return sample;
    }

    /** Sum of the committed ends of a topic: its records and one marker per transaction. */
    long end(String topic) throws ExecutionException, InterruptedException {
        Map<TopicPartition, OffsetSpec> latest = IntStream.range(0, PARTITIONS)
                .boxed()
                .collect(Collectors.toMap(
                        partition -> new TopicPartition(topic, partition), any -> OffsetSpec.latest()));
        return admin
                .listOffsets(latest, new ListOffsetsOptions(IsolationLevel.READ_COMMITTED))
                .all()
                .get()
                .values()
                .stream()
                .mapToLong(info -> info.offset())
                .sum();
    }

    /** Sum of the offsets that a consumer group has committed of a topic; 0 before its first commit. */
    long committed(String group, String topic) throws ExecutionException, InterruptedException {
        return admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get().entrySet().stream()
                .filter(offset -> offset.getKey().topic().equals(topic) && offset.getValue() != null)
                .mapToLong(offset -> offset.getValue().offset())
                .sum();
    }

    /** Deletes topics. Parley refuses to start with outputs of another application ID. */
    private void deleteTopics(Predicate<String> which) throws ExecutionException, InterruptedException {
        admin.deleteTopics(topics(which)).all().get();
        while (!topics(which).isEmpty()) {
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }

    /** The topics except Kafka's own. */
    private Set<String> topics(Predicate<String> which) throws ExecutionException, InterruptedException {
        return admin.listTopics().names().get().stream().filter(which).collect(Collectors.toSet());
    }

    @Override
    public void close() {
        admin.close();
        kafka.close();
    }
}
