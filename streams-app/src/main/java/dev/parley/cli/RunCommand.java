package dev.parley.cli;

import dev.parley.cli.io.ConfigDescription;
import dev.parley.cli.io.ConfigOptions;
import dev.parley.cli.io.Terminal;
import dev.parley.config.ParleyConfig;
import dev.parley.logging.ControlCharacters;
import dev.parley.operations.Check;
import dev.parley.operations.Finding;
import dev.parley.operations.Preflight;
import dev.parley.operations.Severity;
import dev.parley.query.http.HttpSecurity;
import dev.parley.server.Application;
import dev.parley.server.Dependencies;
import dev.parley.server.HttpSecurityFactory;
import dev.parley.server.InvalidTopicsException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code parley run}: runs Parley against a cluster until it is stopped. */
@Command(
        name = "run",
        description = "Runs the pipeline, the views and the HTTP API against a Kafka cluster, until it is stopped.",
        footer = {
            "",
            "Waits for the brokers and Schema Registry, runs the preflight checks, and creates missing topics.",
            "SIGTERM stops it in order, within stop.timeout.ms.",
            "Exit status: 0 when stopped; 1 when it could not start.",
            "",
            "Example:",
            "  parley run --config parley.properties --set http.port=9090"
        })
final class RunCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(RunCommand.class);
    private static final Set<Check> WAITED_FOR = Set.of(Check.BROKERS_SILENT, Check.REGISTRY_SILENT);
    private static final int PAUSE_SECONDS = 5;

    @Spec
    private CommandSpec spec;

    @Mixin
    private ConfigOptions config;

    @Option(
            names = "--describe-config",
            description = "Prints every configuration key with its default and meaning, and exits.")
    private boolean describe;

    @Option(names = "--json", description = "With --describe-config: prints a JSON object per key.")
    private boolean json;

    @Override
    public Integer call() throws InterruptedException {
        if (describe) {
            if (json) {
                ConfigDescription.printJson();
            } else {
                ConfigDescription.print(spec.commandLine().getOut(), Terminal.width());
            }
            return 0;
        }
        ParleyConfig settings = config.read(spec);
        try {
            HttpSecurity httpSecurity = HttpSecurityFactory.of(
                    settings, line -> spec.commandLine().getErr().println("parley: warning: " + line));
            Dependencies.await(settings, line -> spec.commandLine().getErr().println("parley: " + line));
            if (!preflight(settings)) {
                return 1;
            }
            Application application = Application.start(settings, httpSecurity);
            Runtime.getRuntime().addShutdownHook(new Thread(application::close, "parley-stop"));
            spec.commandLine().getErr().println("parley: HTTP API at " + application.uri());
            new CountDownLatch(1).await();
            return 0;
        } catch (InvalidTopicsException | KafkaException e) {
            spec.commandLine()
                    .getErr()
                    .println("parley: " + ControlCharacters.escapeLines(String.valueOf(e.getMessage())));
            return 1;
        }
    }

    /** Runs the preflight checks; false if there is an error. Waits for unavailable systems. */
    private boolean preflight(ParleyConfig settings) throws InterruptedException {
        List<Finding> findings = Preflight.of(settings);
        while (findings.stream().map(Finding::check).anyMatch(WAITED_FOR::contains)) {
            report(findings);
            TimeUnit.SECONDS.sleep(PAUSE_SECONDS);
            findings = Preflight.of(settings);
        }
        report(findings);
        boolean fit = !CheckCommand.has(findings, Severity.ERROR);
        if (!fit) {
            spec.commandLine()
                    .getErr()
                    .println("parley: Startup aborted. Fix the errors above, then run parley check.");
        }
        return fit;
    }

    private static void report(List<Finding> findings) {
        for (Finding finding : findings) {
            switch (finding.severity()) {
                case ERROR -> LOG.error("{}", finding);
                case WARNING -> LOG.warn("{}", finding);
                case INFO -> LOG.debug("{}", finding);
            }
        }
    }
}
