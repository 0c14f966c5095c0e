package dev.parley.load.run;

import dev.parley.cli.Parley;
import dev.parley.embedded.EmbeddedKafka;
import dev.parley.embedded.EmbeddedKafkaSettings;
import dev.parley.load.process.JavaProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.kafka.common.utils.Utils;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures the processor time of an idle demo, and then of its broker alone with the same topics, each in a process of
 * its own with the options that {@code ./parley demo} has.
 */
@Command(
        name = "idle",
        mixinStandardHelpOptions = true,
        description = "Measures the processor time of an idle demo, and of its broker alone.")
final class Idle implements Callable<Integer> {
    private static final Pattern CONSOLE = Pattern.compile("Console: (http://\\S+)\\s");
    private static final Pattern BROKER = Pattern.compile("broker at (\\S+)\\s");
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    @Option(names = "--seconds", defaultValue = "60", description = "Seconds of a round (default: ${DEFAULT-VALUE}).")
    private long seconds;

    @Option(
            names = "--settle",
            defaultValue = "60",
            description = "Seconds from the start of a process to the first round (default: ${DEFAULT-VALUE}).")
    private long settle;

    @Option(names = "--rounds", defaultValue = "3", description = "Rounds of each process (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--max",
            defaultValue = "2",
            description = "Percent of a core that the demo may take above the broker (default: ${DEFAULT-VALUE}).")
    private double max;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("parley-idle");
        try {
            double demo = measure("demo", directory, CONSOLE, Parley.class.getName(), demo(directory));
            double broker = measure("broker", directory, BROKER, Broker.class.getName(), List.of(kafka(directory)));
            System.out.printf(
                    Locale.ROOT,
                    "demo %.2f %% of a core, broker alone %.2f %%, difference %.2f (at most %.2f)%n",
                    demo,
                    broker,
                    demo - broker,
                    max);
            return demo - broker <= max ? 0 : 1;
        } finally {
            Utils.delete(directory.toFile());
        }
    }

    private static List<String> demo(Path directory) {
        List<String> arguments = new ArrayList<>(List.of("demo", "--port", "0", "--data", directory.toString()));
        for (String address : List.of("bootstrap.servers=127.0.0.1:0", "schema.registry.url=http://127.0.0.1:0")) {
            arguments.addAll(List.of("--set", address));
        }
        return arguments;
    }

    /** Where the demo has its broker's data. */
    private static String kafka(Path directory) {
        return directory.resolve("kafka").toString();
    }

    /** Returns the least percentage of a core that a process takes in a round. */
    private double measure(String name, Path directory, Pattern started, String program, List<String> arguments)
            throws IOException, InterruptedException {
        List<String> java = new ArrayList<>(
                List.of("-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"), program));
        java.addAll(arguments);
        try (JavaProcess process = JavaProcess.start(java, directory.resolve(name + ".log"))) {
            process.await(started, TIMEOUT);
            TimeUnit.SECONDS.sleep(settle);
            double least = Double.MAX_VALUE;
            for (int round = 1; round <= rounds; round++) {
                long start = System.nanoTime();
                long cpu = process.cpuNanos();
                TimeUnit.SECONDS.sleep(seconds);
                double percent = 100.0 * (process.cpuNanos() - cpu) / (System.nanoTime() - start);
                System.err.printf(Locale.ROOT, "%s, round %d: %.2f %%%n", name, round, percent);
                least = Math.min(least, percent);
            }
            return least;
        }
    }

    /** A broker alone, with the data of a directory. */
    static final class Broker {
        private Broker() {}

        /** Runs until the process is stopped. */
        public static void main(String[] arguments) throws InterruptedException {
            try (EmbeddedKafka kafka = EmbeddedKafka.start(EmbeddedKafkaSettings.in(Path.of(arguments[0])))) {
                System.out.println("broker at " + kafka.bootstrapServers());
                new CountDownLatch(1).await();
            }
        }
    }
}
