package dev.parley.cli;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says once when the brokers stop answering, every half minute while they do not, and once when they answer again; the clients retry by themselves. */
final class BrokerWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerWatch.class);
    private static final int INTERVAL_SECONDS = 5;
    private static final int REPEAT = 6;

    private final Admin admin;
    private final String brokers;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "parley-broker-watch");
        thread.setDaemon(true);
        return thread;
    });
    private int silences;

    BrokerWatch(Map<String, Object> clients, String brokers) {
        this.brokers = brokers;
        Map<String, Object> settings = new HashMap<>(clients);
        settings.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, INTERVAL_SECONDS * 1_000);
        settings.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, INTERVAL_SECONDS * 1_000);
        admin = Admin.create(settings);
        clock.scheduleWithFixedDelay(this::look, INTERVAL_SECONDS, INTERVAL_SECONDS, TimeUnit.SECONDS);
    }

    private void look() {
        try {
            admin.describeCluster().clusterId().get(INTERVAL_SECONDS, TimeUnit.SECONDS);
            if (silences > 0) {
                LOG.info("The brokers at {} answer again", brokers);
            }
            silences = 0;
        } catch (ExecutionException | TimeoutException e) {
            if (silences++ % REPEAT == 0) {
                LOG.error(
                        "No answer from the brokers at {}; the pipeline waits and goes on when they are back", brokers);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        clock.shutdownNow();
        admin.close(Duration.ZERO);
    }
}
