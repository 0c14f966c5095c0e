package dev.parley.cli;

import dev.parley.cli.io.ConfigCommand;
import dev.parley.cli.io.UsageException;
import dev.parley.codec.ControlCharacters;
import dev.parley.logging.LogFormat;
import dev.parley.server.Features;
import dev.parley.server.HttpSecurityFactory;
import dev.parley.server.http.HttpSecurity;
import dev.parley.server.lifecycle.Application;
import dev.parley.server.operations.Preflight;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.lifecycle.Dependencies;
import dev.parley.topology.lifecycle.NativeLibraries;
import dev.parley.topology.lifecycle.StopSignals;
import dev.parley.topology.topics.Check;
import dev.parley.topology.topics.Finding;
import dev.parley.topology.topics.Severity;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code parley run}: runs Parley against a cluster until it is stopped. */
@Command(
        name = "run",
        description = "Runs the pipeline, the views and the HTTP API against a Kafka cluster, until it is stopped.",
        footer = {
            "",
            "Waits for the brokers and Schema Registry, runs the preflight checks, and creates missing topics.",
            "SIGTERM and Ctrl-C start a graceful shutdown, which takes at most stop.timeout.ms.",
            "Exit status: 0 after a graceful shutdown; 1 if it could not start, or a component exceeded the timeout.",
            "",
            "Example:",
            "  parley run --config parley.properties --set http.port=9090"
        })
final class RunCommand extends ConfigCommand {
    private static final Logger LOG = LoggerFactory.getLogger(RunCommand.class);
    private static final Set<Check> WAITED_FOR = Set.of(Check.BROKERS_SILENT, Check.REGISTRY_SILENT);
    private static final int PAUSE_SECONDS = 5;
    private static final int READY_POLL_MS = 100;

    private final AtomicReference<Future<Application>> started = new AtomicReference<>();

    @Override
    public Integer call() throws InterruptedException {
        try {
            return run(settings());
        } catch (UsageException e) {
            if (!LogFormat.isJson()) {
                throw e;
            }
            LOG.error("{}", e.getMessage());
            return CommandLine.ExitCode.USAGE;
        } catch (KafkaException e) {
            report(Level.ERROR, String.valueOf(e.getMessage()));
            return 1;
        }
    }

    private int run(ParleyConfig settings) throws InterruptedException {
        StopSignals.handle(this::stop);
        NativeLibraries.unpack();
        HttpSecurity httpSecurity = HttpSecurityFactory.of(settings, line -> report(Level.WARN, "warning: " + line));
        Dependencies.await(settings, line -> report(Level.WARN, line));
        if (!preflight(settings)) {
            return 1;
        }
        FutureTask<Application> start = new FutureTask<>(() -> Application.start(settings, httpSecurity));
        started.set(start);
        start.run();
        Application application = result(start);
        // For signals that the JVM handles itself.
        Runtime.getRuntime().addShutdownHook(new Thread(application::close, "parley-stop"));
        event("started", "HTTP API at " + application.uri(), application);
        while (!application.isReady()) {
            TimeUnit.MILLISECONDS.sleep(READY_POLL_MS);
        }
        event("ready", "ready", application);
        new CountDownLatch(1).await();
        return 0;
    }

    private static Application result(Future<Application> start) throws InterruptedException {
        try {
            return start.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
        }
    }

    /** Ends the process: with status 0 after an orderly shutdown, or before anything was started. */
    private void stop() {
        long begin = System.nanoTime();
        boolean orderly = true;
        Future<Application> start = started.get();
        if (start != null) {
            try {
                orderly = result(start).stop();
            } catch (InterruptedException | RuntimeException e) {
                // It did not start, and the main thread reports why.
                orderly = false;
            }
        }
        report(
                orderly ? Level.INFO : Level.WARN,
                "stopped" + (orderly ? "" : ", but not gracefully,") + " after "
                        + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin) + " ms",
                Map.of("event", "stopped"));
        System.exit(orderly ? 0 : 1);
    }

    private void event(String event, String line, Application application) {
        report(Level.INFO, line, Map.of("event", event, "url", application.uri()));
    }

    private void report(Level level, String line) {
        report(level, line, Map.of());
    }

    /**
     * Writes a line for a person, or a log record where a program reads JSON from the same stream.
     *
     * @param keys additional keys of the log record
     */
    private void report(Level level, String line, Map<String, Object> keys) {
        if (!LogFormat.isJson()) {
            err().println("parley: " + ControlCharacters.escapeLines(line));
            return;
        }
        LoggingEventBuilder builder = LOG.atLevel(level);
        for (Map.Entry<String, Object> key : keys.entrySet()) {
            builder = builder.addKeyValue(key.getKey(), key.getValue());
        }
        builder.log("{}", line);
    }

    /** Runs the preflight checks; false if there is an error. Waits for unavailable systems. */
    private boolean preflight(ParleyConfig settings) throws InterruptedException {
        List<Finding> findings = Preflight.of(settings, Features.STANDARD);
        while (findings.stream().map(Finding::check).anyMatch(WAITED_FOR::contains)) {
            report(findings);
            TimeUnit.SECONDS.sleep(PAUSE_SECONDS);
            findings = Preflight.of(settings, Features.STANDARD);
        }
        report(findings);
        boolean fit = !CheckCommand.has(findings, Severity.ERROR);
        if (!fit) {
            report(Level.ERROR, "Startup aborted. Fix the errors above, then run parley check.");
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
