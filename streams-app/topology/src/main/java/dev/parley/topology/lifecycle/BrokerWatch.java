package dev.parley.topology.lifecycle;

import dev.parley.topology.kafka.StreamsSettings;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.utils.ThreadUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs when the brokers become unavailable, every 30 s until they are available again, and then once. Kafka clients
 * reconnect without it.
 */
public final class BrokerWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerWatch.class);
    private static final int INTERVAL_SECONDS = 5;
    /** Logs one of this many failures: one every 30 s. */
    private static final int FAILURES_PER_LOG = 6;

    private final Admin admin;
    private final String brokers;
    private final ScheduledExecutorService clock =
            Executors.newSingleThreadScheduledExecutor(ThreadUtils.createThreadFactory("parley-broker-watch", true));
    private int failures;

    /**
     * Starts the checks.
     *
     * @param clients settings of the client
     * @param brokers name of the brokers in the log
     */
    public BrokerWatch(Map<String, Object> clients, String brokers) {
        this.brokers = brokers;
        admin = StreamsSettings.admin(clients, Duration.ofSeconds(INTERVAL_SECONDS));
        clock.scheduleWithFixedDelay(this::check, INTERVAL_SECONDS, INTERVAL_SECONDS, TimeUnit.SECONDS);
    }

    private void check() {
        try {
            admin.describeCluster().clusterId().get(INTERVAL_SECONDS, TimeUnit.SECONDS);
            if (failures > 0) {
                LOG.info("The brokers at {} are available again", brokers);
            }
            failures = 0;
        } catch (ExecutionException | TimeoutException e) {
            if (failures++ % FAILURES_PER_LOG == 0) {
                LOG.error("The brokers at {} are unavailable; processing pauses until they are back", brokers);
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
