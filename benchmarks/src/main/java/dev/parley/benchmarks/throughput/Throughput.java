package dev.parley.benchmarks.throughput;

import dev.parley.benchmarks.load.Base62;
import dev.parley.benchmarks.throughput.ReferenceTopology.Kind;
import dev.parley.embedded.EmbeddedKafka;
import dev.parley.embedded.EmbeddedKafkaSettings;
import dev.parley.embedded.SchemaRegistryEndpoint;
import dev.parley.topology.setup.Topics;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Runs a pass-through topology, Parley's shape without its logic, and Parley itself in turn, over the same nSLIP
 * messages on the same broker, for several rounds. Each system is a separate process with one stream thread. The speed
 * is measured between 15 % and 95 % of the messages, which excludes start and end.
 */
@Command(
        name = "throughput",
        mixinStandardHelpOptions = true,
        description = "Measures messages per second and application CPU of a pass-through, Parley's shape, and Parley.")
public final class Throughput implements Callable<Integer> {
    private static final int PARTITIONS = 4;
    private static final int CONVERSATIONS = 10_000;
    private static final double FROM = 0.15;
    private static final double TO = 0.95;
    private static final String INPUT = Topics.WIRE + ".slip";
    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    @Option(
            names = "--messages",
            defaultValue = "600000",
            description = "Messages of 66 bytes (default: ${DEFAULT-VALUE}).")
    private int messages;

    @Option(names = "--rounds", defaultValue = "3", description = "Number of rounds (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--jar",
            required = true,
            description = "A parley.jar next to its libraries; repeat it to compare another build.")
    private List<Path> jars;

    @Option(
            names = "--min-ratio",
            description = "Exit status 1 if the first jar's throughput is below this share of the shape's.")
    private Double minRatio;

    @Option(names = "--directory", required = true, description = "New directory for topics, stores and results.")
    private Path directory;

    private Admin admin;
    private EmbeddedKafka kafka;
    private int runs;

    /** Speed of one run. */
    private record Speed(double perSecond, double cpuMicros) {}

    /** Runs the command. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Throughput()).execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        Files.createDirectory(directory);
        kafka = EmbeddedKafka.start(EmbeddedKafkaSettings.in(directory.resolve("kafka")));
        admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
        try {
            produce();
            Map<String, List<Speed>> speeds = new LinkedHashMap<>();
            for (int round = 0; round < rounds; round++) {
                for (Kind kind : Kind.values()) {
                    add(speeds, name(kind), reference(kind));
                }
                for (int i = 0; i < jars.size(); i++) {
                    add(speeds, i == 0 ? "Parley" : "Parley, build " + (i + 1), parley(jars.get(i)));
                }
            }
            return report(speeds);
        } finally {
            admin.close();
            kafka.close();
        }
    }

    private static String name(Kind kind) {
        return kind == Kind.SHAPE ? "Parley's shape without logic" : "pass-through topology";
    }

    private static void add(Map<String, List<Speed>> speeds, String name, Speed speed) {
        speeds.computeIfAbsent(name, any -> new ArrayList<>()).add(speed);
        System.err.printf(
                Locale.ROOT,
                "throughput: %s: %,.0f messages/s, %.1f µs of CPU%n",
                name,
                speed.perSecond(),
                speed.cpuMicros());
    }

    /** Produces conversations in turn, each with its own task; 66 bytes per message. */
    private void produce() throws ExecutionException, InterruptedException {
        admin.createTopics(List.of(new NewTopic(INPUT, PARTITIONS, (short) 1)
                        .configs(Map.of("message.timestamp.type", "LogAppendTime"))))
                .all()
                .get();
        try (Producer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers(), "linger.ms", 20),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            for (int i = 0; i < messages; i++) {
                int conversation = 1 + i % CONVERSATIONS;
                int turn = 1 + i / CONVERSATIONS;
                String start = "@a0|f2|c" + Base62.of(conversation) + "|S0|d1|T" + Base62.of(turn) + "|t\"";
                String wire = start + "x".repeat(66 - start.length() - 2) + "\"#";
                producer.send(new ProducerRecord<>(
                        INPUT,
                        Integer.toString(conversation).getBytes(StandardCharsets.UTF_8),
                        wire.getBytes(StandardCharsets.UTF_8)));
            }
        }
    }

    private Speed reference(Kind kind) throws Exception {
        String run = "run-" + runs++;
        List<String> outputs = List.of(run + "-first", run + "-second");
        admin.createTopics(outputs.stream()
                        .map(name -> new NewTopic(name, PARTITIONS, (short) 1))
                        .toList())
                .all()
                .get();
        Process process = start(
                run,
                List.of(
                        "-cp",
                        System.getProperty("java.class.path"),
                        ReferenceTopology.class.getName(),
                        kind.name(),
                        kafka.bootstrapServers(),
                        INPUT,
                        outputs.get(0),
                        outputs.get(1),
                        directory.resolve(run).toString(),
                        "reference-" + run));
        Speed speed = measure(process, outputs.get(0));
        deleteInternalTopics("reference-" + run);
        return speed;
    }

    private Speed parley(Path jar) throws Exception {
        String run = "run-" + runs++;
        deleteOutputs();
        List<String> command = new ArrayList<>(List.of("-Xmx1g", "-jar", jar.toString(), "run"));
        Speed speed;
        try (SchemaRegistryEndpoint registry = SchemaRegistryEndpoint.start(directory.resolve(run + "-registry"), 0)) {
            Map.of(
                            "application.id",
                            "parley-" + run,
                            "bootstrap.servers",
                            kafka.bootstrapServers(),
                            "schema.registry.url",
                            registry.url(),
                            "topics.partitions",
                            Integer.toString(PARTITIONS),
                            "topics.replication.factor",
                            "1",
                            "roles",
                            "pipeline",
                            "http.port",
                            "0",
                            "state.dir",
                            directory.resolve(run).toString())
                    .forEach((key, value) -> command.addAll(List.of("--set", key + "=" + value)));
            speed = measure(start(run, command), Topics.AUDIT);
        }
        deleteInternalTopics("parley-" + run);
        return speed;
    }

    private Process start(String run, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(arguments);
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve(run + ".log").toFile())
                .start();
    }

    private Speed measure(Process process, String output) throws Exception {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        try {
            long[] first = null;
            while (System.nanoTime() < deadline && process.isAlive()) {
                long done = exists(output) ? end(output) : 0;
                long[] now = {System.nanoTime(), done, cpuNanos(process)};
                if (first == null && done >= FROM * messages) {
                    first = now;
                }
                if (first != null && done >= TO * messages) {
                    double count = now[1] - first[1];
                    return new Speed(
                            count / (now[0] - first[0]) * TimeUnit.SECONDS.toNanos(1),
                            (now[2] - first[2]) / count / 1e3);
                }
                TimeUnit.MILLISECONDS.sleep(100);
            }
            throw new IllegalStateException(output + " did not get all messages; see the logs in " + directory);
        } finally {
            process.destroy();
            if (!process.waitFor(1, TimeUnit.MINUTES)) {
                process.destroyForcibly();
            }
        }
    }

    private static long cpuNanos(Process process) {
        return process.info().totalCpuDuration().map(Duration::toNanos).orElse(0L);
    }

    private boolean exists(String topic) throws ExecutionException, InterruptedException {
        return admin.listTopics().names().get().contains(topic);
    }

    /** Sum of the committed ends of a topic: its records and one marker per transaction. */
    private long end(String topic) throws ExecutionException, InterruptedException {
        Map<TopicPartition, OffsetSpec> ends = IntStream.range(0, PARTITIONS)
                .boxed()
                .collect(Collectors.toMap(
                        partition -> new TopicPartition(topic, partition), partition -> OffsetSpec.latest()));
        return admin
                .listOffsets(ends, new ListOffsetsOptions(IsolationLevel.READ_COMMITTED))
                .all()
                .get()
                .values()
                .stream()
                .mapToLong(info -> info.offset())
                .sum();
    }

    /** Deletes the outputs, because Parley refuses to start with outputs of another application ID. */
    private void deleteOutputs() throws ExecutionException, InterruptedException {
        deleteTopics(name -> name.startsWith("parley.") && !name.equals(INPUT));
    }

    private void deleteInternalTopics(String applicationId) throws ExecutionException, InterruptedException {
        deleteTopics(name -> name.startsWith(applicationId + "-"));
    }

    private void deleteTopics(Predicate<String> which) throws ExecutionException, InterruptedException {
        Set<String> topics = topics(which);
        admin.deleteTopics(topics).all().get();
        while (!topics(which).isEmpty()) {
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }

    private Set<String> topics(Predicate<String> which) throws ExecutionException, InterruptedException {
        return admin.listTopics().names().get().stream().filter(which).collect(Collectors.toSet());
    }

    private int report(Map<String, List<Speed>> speeds) throws IOException {
        double shape = median(speeds.get(name(Kind.SHAPE)).stream()
                .mapToDouble(Speed::perSecond)
                .toArray());
        StringBuilder table = new StringBuilder(String.format(
                Locale.ROOT,
                "%,d nSLIP messages of 66 bytes, %d partitions, one stream thread, exactly once, %d rounds, medians "
                        + "(lowest to highest).%n%n"
                        + "| system | messages/s | of the shape | application CPU per message |%n|---|---|---|---|%n",
                messages,
                PARTITIONS,
                rounds));
        Optional<Double> ratio = Optional.empty();
        for (Map.Entry<String, List<Speed>> system : speeds.entrySet()) {
            double[] rates = sorted(
                    system.getValue().stream().mapToDouble(Speed::perSecond).toArray());
            double[] cpu = sorted(
                    system.getValue().stream().mapToDouble(Speed::cpuMicros).toArray());
            if (system.getKey().equals("Parley")) {
                ratio = Optional.of(median(rates) / shape);
            }
            table.append(String.format(
                    Locale.ROOT,
                    "| %s | %,.0f (%,.0f to %,.0f) | %.2f | %.1f µs (%.1f to %.1f) |%n",
                    system.getKey(),
                    median(rates),
                    rates[0],
                    rates[rates.length - 1],
                    median(rates) / shape,
                    median(cpu),
                    cpu[0],
                    cpu[cpu.length - 1]));
        }
        Files.writeString(directory.resolve("throughput.md"), table);
        System.out.print(table);
        return minRatio != null && ratio.orElseThrow() < minRatio ? 1 : 0;
    }

    private static double median(double[] values) {
        double[] sorted = sorted(values);
        return sorted[sorted.length / 2];
    }

    private static double[] sorted(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted;
    }
}
