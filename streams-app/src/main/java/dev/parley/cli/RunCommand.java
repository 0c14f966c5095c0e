package dev.parley.cli;

import dev.parley.config.ParleyConfig;
import dev.parley.query.Doors;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.common.KafkaException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code parley run}: against a real cluster, until stopped. */
@Command(
        name = "run",
        description = "Runs the pipeline, the views and the HTTP API against a Kafka cluster, until it is stopped.",
        footer = {
            "",
            "Waits for brokers and registry; creates the topics that are missing. SIGTERM stops it in order.",
            "Exit status: 0 when stopped; 1 when it could not start.",
            "",
            "Example:",
            "  parley run --config parley.properties --set http.port=9090"
        })
final class RunCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ConfigOptions config;

    @Option(
            names = "--describe-config",
            description = "Prints every configuration key with its default and meaning, and leaves.")
    private boolean describe;

    @Override
    public Integer call() throws InterruptedException {
        if (describe) {
            spec.commandLine().getOut().println(ParleyConfig.definition().toEnrichedRst());
            return 0;
        }
        ParleyConfig settings = config.read(spec);
        try {
            Doors doors =
                    HttpDoors.of(settings, line -> spec.commandLine().getErr().println("parley: warning: " + line));
            Dependencies.await(settings, line -> spec.commandLine().getErr().println("parley: " + line));
            Application application = Application.start(settings, doors);
            Runtime.getRuntime().addShutdownHook(new Thread(application::close, "parley-stop"));
            spec.commandLine().getErr().println("parley: HTTP API at " + application.uri());
            new CountDownLatch(1).await();
            return 0;
        } catch (Application.TopicsUnfit | KafkaException e) {
            spec.commandLine().getErr().println("parley: " + e.getMessage());
            return 1;
        }
    }
}
