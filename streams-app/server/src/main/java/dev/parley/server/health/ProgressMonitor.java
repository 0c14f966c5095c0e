package dev.parley.server.health;

import dev.parley.server.health.SourceProgress.Cause;
import dev.parley.server.health.SourceProgress.Partition;
import dev.parley.server.health.SourceProgress.Transaction;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.StreamsSettings;
import dev.parley.topology.kafka.TopicReader;
import dev.parley.topology.lifecycle.RestartLog;
import dev.parley.topology.topics.AdminFutures;
import dev.parley.topology.topics.AdminOffsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsResult;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.utils.ThreadUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares, on a timer, the applications' committed offsets with the ends of their source partitions, and detects
 * partitions without progress. {@link #progress} and {@link #problem} return the last result and never wait for a
 * broker.
 */
public final class ProgressMonitor implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ProgressMonitor.class);
    private static final int TIMEOUT_MS = 5_000;
    private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(3);
    private static final int MAX_PROBES = 4;
    private static final int MAX_NAMED = 5;
    private static final int STALE_INTERVALS = 3;
    /** Number of observations after which topics are described again. */
    private static final int DESCRIPTION_OBSERVATIONS = 5;

    private final Admin admin;
    private final Map<String, Object> clients;
    private final List<MonitoredApplication> applications;
    private final long intervalMs;
    private final long stalledMs;
    private final int maxRestarts;
    private final Consumer<SourceProgress> listener;
    private final Map<String, Observed> observed = new ConcurrentHashMap<>();
    private final ScheduledExecutorService clock =
            Executors.newSingleThreadScheduledExecutor(ThreadUtils.createThreadFactory("parley-progress", true));
    private final Map<String, Uuid> ids = new HashMap<>();
    private final Set<String> unseen = new HashSet<>();
    private final Set<String> recreated = ConcurrentHashMap.newKeySet();
    private final Map<MonitoredApplication, Set<TopicPartition>> sources = new LinkedHashMap<>();
    /** Observations until the topics are described again. */
    private int descriptionDue;

    private boolean brokersUnavailable;
    private volatile SourceProgress last;
    private volatile long lastNanos;

    /**
     * A monitored application.
     *
     * @param group its consumer group
     * @param topics the topics that its group consumes
     * @param assigned the partitions of these topics that this instance owns; empty during a rebalance
     * @param restarts the restarts of its threads; an empty log for an application of other instances
     */
    public record MonitoredApplication(
            String name,
            String group,
            Set<String> topics,
            Supplier<Optional<Set<TopicPartition>>> assigned,
            RestartLog restarts) {}

    /** Observations of an application. */
    private static final class Observed {
        private final Map<TopicPartition, StallDetector> detectors = new HashMap<>();
        private volatile Set<TopicPartition> owned = Set.of();
    }

    /**
     * Monitors applications, starting immediately.
     *
     * @param listener receives each result
     */
    public ProgressMonitor(
            ParleyConfig config, List<MonitoredApplication> applications, Consumer<SourceProgress> listener) {
        this.listener = listener;
        this.clients = StreamsSettings.clientSettings(config);
        this.applications = List.copyOf(applications);
        this.intervalMs = config.getInt(HealthKeys.INTERVAL_MS);
        this.stalledMs = config.getInt(HealthKeys.STALLED_MS);
        this.maxRestarts = config.getInt(HealthKeys.RESTARTS);
        admin = StreamsSettings.admin(clients, Duration.ofMillis(TIMEOUT_MS));
        clock.scheduleWithFixedDelay(this::observe, 0, intervalMs, TimeUnit.MILLISECONDS);
    }

    /** The last result; empty if the brokers have been unavailable recently. */
    public Optional<SourceProgress> progress() {
        SourceProgress found = last;
        long old = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - lastNanos);
        return found == null || old > STALE_INTERVALS * intervalMs + TIMEOUT_MS ? Optional.empty() : Optional.of(found);
    }

    /**
     * The reason why an application of this instance makes no progress although its threads run.
     *
     * @param name the application
     * @return sentences; empty if there is no problem
     */
    public Optional<String> problem(String name) {
        return applications.stream()
                .filter(application -> application.name().equals(name))
                .findFirst()
                .flatMap(this::problem);
    }

    /**
     * Names the partitions of an application of this instance that open transactions hold back. That does not affect
     * readiness: an agent can keep a transaction open, and other partitions make progress.
     *
     * @param name the application
     * @return sentences; empty if there is none
     */
    public Optional<String> heldBack(String name) {
        List<String> held = stalls(name, Cause.OPEN_TRANSACTION, ProgressMonitor::heldBack);
        String more = held.size() > MAX_NAMED ? " And " + (held.size() - MAX_NAMED) + " more." : "";
        return held.isEmpty()
                ? Optional.empty()
                : Optional.of(held.stream().limit(MAX_NAMED).collect(Collectors.joining(" ")) + more);
    }

    private static String heldBack(Partition partition, SourceProgress.Stall stall) {
        return "An open transaction "
                + stall.transaction()
                        .map(transaction -> (transaction.id() == null ? "" : "of '" + transaction.id() + "' ")
                                + "(producer " + transaction.producerId() + ") ")
                        .orElse("")
                + "holds back " + partition.topic() + "-" + partition.partition() + " since " + stall.since() + ".";
    }

    /** Sentences about the partitions of an application of this instance that stall for a cause. */
    private List<String> stalls(
            String name, Cause cause, BiFunction<Partition, SourceProgress.Stall, String> sentence) {
        Set<TopicPartition> mine = observed.getOrDefault(name, new Observed()).owned;
        return progress().stream()
                .flatMap(found -> found.partitions().stream())
                .filter(partition -> partition.application().equals(name)
                        && mine.contains(new TopicPartition(partition.topic(), partition.partition())))
                .flatMap(partition -> partition.stall().stream()
                        .filter(stall -> stall.cause() == cause)
                        .map(stall -> sentence.apply(partition, stall)))
                .toList();
    }

    private Optional<String> problem(MonitoredApplication application) {
        List<String> problems = new ArrayList<>();
        application
                .restarts()
                .series()
                .filter(run -> run.count() >= maxRestarts)
                .ifPresent(run -> problems.add("Stream threads failed " + run.count() + " times without progress since "
                        + run.since() + ", last at " + run.last() + " (" + run.failure() + ")."));
        application.topics().stream()
                .filter(recreated::contains)
                .sorted()
                .forEach(topic -> problems.add("Topic " + topic
                        + " was deleted and created again. Stop every instance and run parley check."));
        problems.addAll(stalls(
                application.name(),
                Cause.RECORDS,
                (partition, stall) -> "No progress in " + partition.topic() + "-" + partition.partition() + " since "
                        + stall.since() + " (" + stall.seconds() + " s): position " + partition.position() + ", end "
                        + partition.end() + "."));
        return problems.isEmpty() ? Optional.empty() : Optional.of(String.join(" ", problems));
    }

    /** The restarts of each application's threads, by name. */
    public Map<String, RestartLog> restarts() {
        return applications.stream()
                .collect(Collectors.toMap(MonitoredApplication::name, MonitoredApplication::restarts));
    }

    private void observe() {
        try {
            // Each record that was there at this time is before the ends.
            Instant time = Instant.now();
            List<Partition> found = observeAll();
            found.sort(Comparator.comparing(Partition::application)
                    .thenComparing(Partition::topic)
                    .thenComparingInt(Partition::partition));
            lastNanos = System.nanoTime();
            last = new SourceProgress(time, found);
            brokersUnavailable = false;
            listener.accept(last);
        } catch (KafkaException e) {
            // The broker watch reports an outage; here it only means that the progress is unknown.
            if (!brokersUnavailable && !clock.isShutdown()) {
                LOG.warn("Progress is unknown: {}", AdminFutures.root(e));
            }
            brokersUnavailable = true;
        } catch (RuntimeException e) {
            // Closing interrupts the requests to the brokers.
            if (!clock.isShutdown()) {
                LOG.warn("Progress is unknown: {}", e.getClass().getName());
                LOG.debug("Stack trace:", e);
            }
        }
    }

    /** Observes all applications with one request of each kind. */
    private List<Partition> observeAll() {
        Instant start = Instant.now();
        if (descriptionDue == 0) {
            describe();
        }
        int remaining = descriptionDue - 1;
        // After a failure, the next observation describes them.
        descriptionDue = 0;
        Set<TopicPartition> all = sources.values().stream().flatMap(Set::stream).collect(Collectors.toSet());
        ListOffsetsResult ends = AdminOffsets.request(admin, all, OffsetSpec.latest(), IsolationLevel.READ_UNCOMMITTED);
        ListConsumerGroupOffsetsResult committed = admin.listConsumerGroupOffsets(sources.keySet().stream()
                .collect(Collectors.toMap(
                        MonitoredApplication::group, application -> new ListConsumerGroupOffsetsSpec())));
        List<Partition> found = new ArrayList<>();
        sources.forEach((application, its) -> unlessForbidden(application, () -> {
            Map<TopicPartition, Long> itsEnds = AdminOffsets.of(ends, its);
            Map<TopicPartition, Long> positions =
                    withFirst(AdminOffsets.committed(committed, application.group()), itsEnds);
            observe(application, start, itsEnds, positions, found);
        }));
        descriptionDue = remaining;
        return found;
    }

    /** Finds the partitions of the applications, except those that it may not observe. */
    private void describe() {
        Set<String> topics = applications.stream()
                .flatMap(application -> application.topics().stream())
                .collect(Collectors.toSet());
        Map<String, KafkaFuture<TopicDescription>> descriptions =
                admin.describeTopics(topics).topicNameValues();
        descriptionDue = DESCRIPTION_OBSERVATIONS;
        sources.clear();
        for (MonitoredApplication application : applications) {
            unlessForbidden(
                    application, () -> sources.put(application, partitions(application.topics(), descriptions)));
        }
    }

    private void unlessForbidden(MonitoredApplication application, Runnable observation) {
        try {
            observation.run();
        } catch (AuthorizationException e) {
            if (unseen.add(application.name())) {
                LOG.warn("Progress of {} is unknown: {}", application.name(), e.getMessage());
            }
        }
    }

    private void observe(
            MonitoredApplication application,
            Instant start,
            Map<TopicPartition, Long> ends,
            Map<TopicPartition, Long> positions,
            List<Partition> found) {
        Observed of = observed.computeIfAbsent(application.name(), name -> new Observed());
        Map<TopicPartition, StallDetector> detectors = of.detectors;
        detectors.keySet().retainAll(ends.keySet());
        long nowMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
        ends.forEach((partition, end) -> detectors
                .computeIfAbsent(partition, added -> new StallDetector(stalledMs, STALE_INTERVALS * intervalMs))
                .observe(positions.get(partition), end, nowMs, start));
        application.assigned().get().ifPresent(assigned -> {
            // A failed thread may leave its partitions without an owner. They stay with this instance until one of
            // their records is read.
            Set<TopicPartition> all = new HashSet<>(assigned);
            detectors.forEach((partition, detector) -> {
                if (detector.stays() && of.owned.contains(partition)) {
                    all.add(partition);
                }
            });
            of.owned = Set.copyOf(all);
        });
        probe(detectors);
        forgetRestarts(application, nowMs, of);
        detectors.forEach((partition, detector) -> found.add(detector.progress(application.name(), partition)));
    }

    /**
     * Ends a series of restarts when no thread has failed for the limit and every partition of this instance has moved
     * or is empty.
     */
    private void forgetRestarts(MonitoredApplication application, long nowMs, Observed of) {
        Optional<RestartLog.Series> series = application.restarts().series();
        if (series.isPresent()
                && application.assigned().get().isPresent()
                && of.owned.stream()
                        .filter(of.detectors::containsKey)
                        .allMatch(partition -> of.detectors
                                .get(partition)
                                .hasMovedSince(series.get().lastMs()))) {
            application.restarts().progressed(nowMs - stalledMs);
        }
    }

    /**
     * Finds why partitions make no progress. A partition whose position has reached its last stable offset needs no
     * poll, so a transaction that stays open costs a share of one request.
     */
    private void probe(Map<TopicPartition, StallDetector> detectors) {
        Set<TopicPartition> suspects = detectors.entrySet().stream()
                .filter(entry -> entry.getValue().isSuspect())
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
        if (suspects.isEmpty()) {
            return;
        }
        int probes = 0;
        Set<TopicPartition> held = new HashSet<>();
        Map<TopicPartition, Long> stable =
                AdminOffsets.of(admin, suspects, OffsetSpec.latest(), IsolationLevel.READ_COMMITTED);
        for (TopicPartition partition : suspects) {
            StallDetector detector = detectors.get(partition);
            long readable = stable.get(partition);
            if (detector.position() < readable && (probes++ >= MAX_PROBES || !isEmpty(partition, detector, readable))) {
                continue;
            }
            if (readable >= detector.end()) {
                detector.clear(readable);
            } else if (detector.hold(readable) && held.size() < OpenTransactions.MAX_PARTITIONS) {
                held.add(partition);
            }
        }
        if (held.isEmpty()) {
            return;
        }
        try {
            Map<TopicPartition, Transaction> transactions = new OpenTransactions(admin).first(held);
            held.forEach(
                    partition -> detectors.get(partition).heldBy(Optional.ofNullable(transactions.get(partition))));
        } catch (KafkaException e) {
            LOG.info("The open transactions in {} are unknown: {}", held, AdminFutures.root(e));
        }
    }

    /**
     * Returns whether only markers of transactions follow a position. Without permission to read, the position itself
     * is the evidence of records.
     */
    private boolean isEmpty(TopicPartition partition, StallDetector detector, long readable) {
        Optional<Boolean> empty;
        try (TopicReader reader = new TopicReader(clients, PROBE_TIMEOUT)) {
            empty = reader.isEmpty(new HashMap<>(Map.of(partition, detector.position())), Map.of(partition, readable));
        } catch (AuthorizationException e) {
            empty = Optional.of(false);
        }
        if (empty.isPresent() && !empty.get()) {
            detector.confirmRecords();
        }
        return empty.orElse(false);
    }

    private Set<TopicPartition> partitions(
            Set<String> topics, Map<String, KafkaFuture<TopicDescription>> descriptions) {
        Set<TopicPartition> partitions = new HashSet<>();
        topics.forEach(topic -> {
            try {
                TopicDescription description = AdminFutures.of(descriptions.get(topic));
                Uuid before = ids.put(topic, description.topicId());
                if (before != null && !before.equals(description.topicId())) {
                    LOG.error("Topic {} was deleted and created again while Parley runs", topic);
                    recreated.add(topic);
                }
                description.partitions().forEach(info -> partitions.add(new TopicPartition(topic, info.partition())));
            } catch (UnknownTopicOrPartitionException e) {
                // The application creates the topic when it first needs it.
                descriptionDue = 1;
            }
        });
        return partitions;
    }

    /** Adds the first available offset of each partition without a committed one. */
    private Map<TopicPartition, Long> withFirst(Map<TopicPartition, Long> positions, Map<TopicPartition, Long> ends) {
        positions.keySet().retainAll(ends.keySet());
        Set<TopicPartition> without = new HashSet<>();
        ends.forEach((partition, end) -> {
            if (end == 0) {
                positions.putIfAbsent(partition, 0L);
            } else if (!positions.containsKey(partition)) {
                without.add(partition);
            }
        });
        if (!without.isEmpty()) {
            positions.putAll(AdminOffsets.of(admin, without, OffsetSpec.earliest()));
        }
        return positions;
    }

    @Override
    public void close() {
        clock.shutdownNow();
        admin.close(Duration.ZERO);
    }
}
