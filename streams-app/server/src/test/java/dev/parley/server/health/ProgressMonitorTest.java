package dev.parley.server.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.parley.server.ServerConfig;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.lifecycle.RestartLog;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class ProgressMonitorTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final Logger log = (Logger) LoggerFactory.getLogger(ProgressMonitor.class);
    private final ListAppender<ILoggingEvent> events = new ListAppender<>();

    @BeforeEach
    void listen() {
        events.start();
        log.addAppender(events);
    }

    @AfterEach
    void stopListening() {
        log.detachAppender(events);
    }

    @Test
    void closingDuringARequestLogsNothing() {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        ProgressMonitor monitor = new ProgressMonitor(
                ServerConfig.of(Map.of(ParleyConfig.BOOTSTRAP_SERVERS, "127.0.0.1:1")),
                List.of(new ProgressMonitor.MonitoredApplication(
                        "pipeline", "parley", Set.of("parley.wire"), Optional::empty, new RestartLog())),
                progress -> {});
        await().atMost(TIMEOUT).until(() -> requesting(before).isPresent());
        Thread observer = requesting(before).orElseThrow();

        monitor.close();

        await().atMost(TIMEOUT).until(() -> !observer.isAlive());
        assertThat(events.list).isEmpty();
    }

    /** The thread that waits for a response of the brokers. */
    private static Optional<Thread> requesting(Set<Thread> before) {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(thread -> !before.contains(thread.getKey()))
                .filter(thread -> List.of(thread.getValue()).stream()
                        .anyMatch(frame -> frame.getMethodName().equals("observe")))
                .filter(thread -> thread.getKey().getState() == Thread.State.WAITING
                        || thread.getKey().getState() == Thread.State.TIMED_WAITING)
                .map(Map.Entry::getKey)
                .findFirst();
    }
}
