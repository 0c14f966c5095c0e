package dev.parley.server.lifecycle;

import dev.parley.log.LogNoteReader;
import dev.parley.log.tlog.VerifierKey;
import dev.parley.protocol.Protocols;
import dev.parley.serde.AvroSerdes;
import dev.parley.server.Features;
import dev.parley.server.HttpSecurityFactory;
import dev.parley.server.api.QueryServer;
import dev.parley.server.cluster.AllowedPeers;
import dev.parley.server.cluster.ClusterKeys;
import dev.parley.server.cluster.DistributedViews;
import dev.parley.server.cluster.HttpPeers;
import dev.parley.server.cluster.Peers;
import dev.parley.server.cluster.StreamsPartitionMetadata;
import dev.parley.server.deployment.Deployment;
import dev.parley.server.feature.Feature;
import dev.parley.server.feature.RunningFeature;
import dev.parley.server.health.Accounts;
import dev.parley.server.health.ProgressMeters;
import dev.parley.server.health.ProgressMonitor;
import dev.parley.server.health.Readiness;
import dev.parley.server.health.StatisticBounds;
import dev.parley.server.health.StreamsReadiness;
import dev.parley.server.http.BoundAddress;
import dev.parley.server.http.HealthServer;
import dev.parley.server.http.HttpKeys;
import dev.parley.server.http.HttpListener;
import dev.parley.server.http.HttpSecurity;
import dev.parley.server.http.TimedPeers;
import dev.parley.server.lifecycle.Parts.Phase;
import dev.parley.server.metrics.Metrics;
import dev.parley.server.metrics.PipelineMeters;
import dev.parley.server.metrics.ViewMeters;
import dev.parley.server.telemetry.OtlpKeys;
import dev.parley.server.telemetry.OtlpMetrics;
import dev.parley.server.telemetry.SpanMeters;
import dev.parley.server.telemetry.VerdictSpans;
import dev.parley.topology.analytics.TrafficSettings;
import dev.parley.topology.analytics.TrafficTopology;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.BrokerTopicMetadata;
import dev.parley.topology.kafka.CheckedRestores;
import dev.parley.topology.kafka.StreamsSettings;
import dev.parley.topology.lifecycle.BrokerWatch;
import dev.parley.topology.lifecycle.Dependencies;
import dev.parley.topology.lifecycle.LocalState;
import dev.parley.topology.lifecycle.RestartLog;
import dev.parley.topology.lifecycle.RestartingExceptionHandler;
import dev.parley.topology.pipeline.BrokerPublishedHeads;
import dev.parley.topology.pipeline.BrokerRestoredLogs;
import dev.parley.topology.pipeline.LogHeadSettings;
import dev.parley.topology.pipeline.ParleyTopology;
import dev.parley.topology.pipeline.PipelineListener;
import dev.parley.topology.pipeline.PipelineSettings;
import dev.parley.topology.pipeline.RestoredLogs;
import dev.parley.topology.topics.PublicContent;
import dev.parley.topology.topics.Topics;
import dev.parley.topology.views.ViewChecks;
import dev.parley.topology.views.ViewRetention;
import dev.parley.topology.views.Views;
import dev.parley.topology.views.ViewsTopology;
import dev.parley.topology.views.read.StreamsStores;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.state.HostInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running Parley instance: the applications of its roles, its features, and the HTTP API. */
public final class Application implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Application.class);
    private static final String PIPELINE = "pipeline";
    private static final String VIEWS = "views";

    private final ParleyConfig config;
    private final Topics topics;
    private final Parts parts = new Parts();
    private final Map<String, KafkaStreams> streams = new LinkedHashMap<>();
    private final Map<String, RestartLog> restarts = new LinkedHashMap<>();
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final AtomicBoolean closed = new AtomicBoolean();
    private final QueryServer server;
    private final StreamsReadiness readiness;
    private final Accounts accounts;

    /** Starts the parts of an instance in order, each with the phase of its stop. */
    private Application(ParleyConfig config, HttpSecurity httpSecurity) {
        this.config = config;
        AvroSerdes serdes = AvroSerdes.fromConfig(config.serdeSettings());
        topics = new Topics(config.topics(), serdes);
        parts.add(Phase.NOTICE, "restarts", stopping::countDown);
        parts.add(Phase.LAST, "Schema Registry client", () -> {
            try {
                serdes.close();
            } catch (IOException e) {
                LOG.warn("The Schema Registry client did not close: {}", e.getMessage());
            }
        });
        try {
            BoundAddress address = bind(config, HttpKeys.HOST, HttpKeys.PORT);
            // A server releases its own address.
            parts.add(Phase.VIEWS, "address", address::close);
            Metrics metrics = startMetrics();
            PipelineMeters pipeline = new PipelineMeters(metrics);
            if (config.hasRole(PIPELINE)) {
                addPipeline(serdes, metrics, pipeline);
            }
            Optional<DistributedViews> views = config.hasRole(VIEWS)
                    ? Optional.of(addViews(httpSecurity, metrics, address.port()))
                    : Optional.empty();
            Optional<Views> local = views.map(DistributedViews::local);
            accounts = new Accounts(() -> local.map(Views::accounting).orElse(List.of()));
            ProgressMonitor monitor = new ProgressMonitor(config, watched(), accounts::observe);
            readiness = new StreamsReadiness(streams, views, monitor, pipeline);
            parts.add(Phase.NOTICE, "readiness", readiness::stopping);
            BrokerWatch watch = new BrokerWatch(
                    StreamsSettings.clientSettings(config),
                    String.join(",", config.getList(ParleyConfig.BOOTSTRAP_SERVERS)));
            parts.add(Phase.NOTICE, "broker watch", watch::close);
            parts.add(Phase.NOTICE, "progress monitor", monitor::close);
            streams.forEach(metrics::watch);
            ProgressMeters.addProgress(metrics, monitor);
            local.ifPresent(stores -> ProgressMeters.addAccounting(metrics, accounts, monitor::progress));
            server = startServer(address, httpSecurity, views, metrics, startFeatures());
            startHealthServer();
            // The health listener answers meanwhile: reading a large state can take minutes.
            streams.forEach((name, application) -> {
                LocalState.deleteDamaged(Path.of(
                        config.getString(ParleyConfig.STATE_DIR),
                        name.equals(PIPELINE)
                                ? config.getString(ParleyConfig.APPLICATION_ID)
                                : StreamsSettings.outputReaderId(config, name)));
                application.start();
            });
        } catch (RuntimeException e) {
            stop();
            throw e;
        }
    }

    /**
     * Starts an instance and creates missing topics. Brokers and registry must be available: see {@link Dependencies}.
     *
     * @throws org.apache.kafka.common.errors.InvalidTopicException when existing topics are not what Parley needs
     * @throws ConfigException when the configuration of the HTTP API is invalid
     */
    public static Application start(ParleyConfig config) {
        return start(config, HttpSecurityFactory.of(config, LOG::warn));
    }

    /** Starts an instance with given HTTP security; otherwise like {@link #start(ParleyConfig)}. */
    public static Application start(ParleyConfig config, HttpSecurity httpSecurity) {
        Dependencies.setUpTopics(config, Feature.topics(Features.STANDARD, config));
        return new Application(config, httpSecurity);
    }

    /** The address of the HTTP API. */
    public URI uri() {
        return server.uri();
    }

    private Metrics startMetrics() {
        Optional<OtlpMetrics> exported =
                OtlpKeys.sends(config, "metrics") ? Optional.of(new OtlpMetrics(config)) : Optional.empty();
        Metrics metrics = new Metrics(exported.map(registry -> registry), config.getBoolean(HttpKeys.METRICS_KAFKA));
        exported.ifPresent(registry -> registry.refreshWith(metrics::refresh));
        exported.ifPresentOrElse(
                registry -> addExport(registry, metrics), () -> parts.add(Phase.VIEWS, "metrics", metrics::close));
        return metrics;
    }

    /** Adds the pipeline, which reports to metrics and spans. */
    private void addPipeline(AvroSerdes serdes, Metrics metrics, PipelineMeters meters) {
        BrokerTopicMetadata sources = new BrokerTopicMetadata(StreamsSettings.clientSettings(config));
        SpanMeters spanMeters = new SpanMeters(metrics);
        Optional<VerdictSpans> spans = OtlpKeys.sends(config, "traces")
                ? Optional.of(VerdictSpans.overHttp(config, meters, spanMeters))
                : Optional.empty();
        // After the pipeline, whose last verdicts have spans too. A slow collector loses them.
        spans.ifPresent(
                tracing -> parts.addTimed(Phase.LAST, "spans", deadline -> tracing.close(deadline.remaining())));
        parts.add(Phase.LAST, "topic metadata", sources::close);
        Optional<BrokerRestoredLogs> checks = BrokerRestoredLogs.of(config, serdes, sources);
        checks.ifPresent(logs -> parts.add(Phase.LAST, "checks of restored logs", logs::close));
        BrokerPublishedHeads heads = new BrokerPublishedHeads(config, serdes);
        parts.add(Phase.LAST, "published heads", heads::close);
        Topology pipeline = new ParleyTopology(
                        topics,
                        serdes,
                        PipelineSettings.of(config)
                                .with(
                                        sources,
                                        checks.<RestoredLogs>map(logs -> logs).orElse(RestoredLogs.NONE),
                                        heads),
                        spans.<PipelineListener>map(s -> s).orElse(meters))
                .build();
        add(PIPELINE, Phase.APPLICATIONS, new KafkaStreams(pipeline, ParleyTopology.config(config), sources));
    }

    /** Closes exported metrics on a thread of its own, because the collector may be slow. */
    private void addExport(OtlpMetrics registry, Metrics metrics) {
        CompletableFuture<Void> closing = new CompletableFuture<>();
        parts.add(Phase.VIEWS, "metrics", () -> {
            // The views end before the last export.
            registry.refreshWith(() -> {});
            closing.completeAsync(() -> {
                metrics.close();
                return null;
            });
        });
        parts.addTimed(Phase.LAST, "export of metrics", deadline -> {
            try {
                closing.get(deadline.remaining().toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                LOG.warn("The collector at otlp.endpoint did not accept the last metrics in time.");
            }
        });
    }

    private DistributedViews addViews(HttpSecurity httpSecurity, Metrics metrics, int port) {
        int partitions;
        try (BrokerTopicMetadata brokers = new BrokerTopicMetadata(StreamsSettings.clientSettings(config))) {
            partitions = brokers.partitions(List.of(topics.audit().name()));
        }
        add(
                "traffic",
                Phase.APPLICATIONS,
                new KafkaStreams(
                        TrafficTopology.build(topics, partitions, TrafficSettings.of(config, Protocols.STANDARD)),
                        TrafficTopology.config(config),
                        new CheckedRestores(
                                StreamsSettings.outputReaderId(config, "traffic"), TrafficTopology.CHECKS)));
        HostInfo self = Advertised.of(config, port);
        ViewMeters meters = new ViewMeters(metrics);
        CheckedRestores restores =
                new CheckedRestores(StreamsSettings.outputReaderId(config, VIEWS), ViewChecks.stores(topics));
        Properties settings = ViewsTopology.config(config, self.host() + ":" + self.port());
        settings.put(CheckedRestores.CONFIG, restores);
        List<VerifierKey> keys = LogHeadSettings.verifierKeys(config);
        Optional<PublicContent> search =
                Optional.of(HttpKeys.readers(config)).filter(readers -> config.getBoolean(ParleyConfig.SEARCH_INDEX));
        Topology topology = ViewsTopology.build(
                topics, partitions, ViewRetention.of(config), () -> new LogNoteReader(keys), search, meters);
        KafkaStreams viewStreams = new KafkaStreams(topology, settings, restores);
        StreamsStores stores = new StreamsStores(viewStreams);
        Views views = new Views(stores, topics);
        meters.watch(views);
        parts.add(Phase.VIEWS, "readers of the views", stores::close);
        add(VIEWS, Phase.VIEWS, viewStreams);
        if (httpSecurity.peers().isEmpty()) {
            LOG.info(
                    "{} is not set: this instance neither queries other instances of the deployment nor answers them.",
                    ClusterKeys.SECRET);
        }
        Duration timeout = Duration.ofMillis(config.getInt(ClusterKeys.TIMEOUT_MS));
        int responseBytes = httpSecurity.limits().responseBytes();
        Peers peers =
                new HttpPeers(httpSecurity.tls(), httpSecurity.peers(), timeout, responseBytes, Clock.systemUTC());
        peers = new AllowedPeers(peers, config.getList(ClusterKeys.ALLOWED), self.host());
        return new DistributedViews(
                views,
                new StreamsPartitionMetadata(viewStreams, self, config.topics()),
                new TimedPeers(peers, metrics),
                Duration.ofMillis(config.getInt(ClusterKeys.PATIENCE_MS)));
    }

    /** Adds an application. When it stops, it leaves its group, so that other instances take over at once. */
    private void add(String name, Phase phase, KafkaStreams application) {
        RestartLog log = new RestartLog();
        restarts.put(name, log);
        application.setUncaughtExceptionHandler(new RestartingExceptionHandler(name, stopping, log));
        streams.put(name, application);
        parts.addBackground(phase, name, deadline -> {
            if (!application.close(CloseOptions.timeout(deadline.remaining())
                    .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP))) {
                throw new TimeoutException();
            }
        });
    }

    private List<RunningFeature> startFeatures() {
        List<RunningFeature> running = new ArrayList<>();
        for (Feature feature : Feature.enabled(Features.STANDARD, config)) {
            RunningFeature started = feature.start(config, topics);
            running.add(started);
            parts.addBackground(Phase.FEATURES, feature.name(), deadline -> started.close());
        }
        return running;
    }

    private QueryServer startServer(
            BoundAddress address,
            HttpSecurity httpSecurity,
            Optional<DistributedViews> views,
            Metrics metrics,
            List<RunningFeature> features) {
        TrafficSettings traffic = TrafficSettings.of(config, Protocols.STANDARD);
        long retention = ViewRetention.of(config).statistics();
        StatisticBounds bounds = new StatisticBounds(
                traffic.grace().plus(traffic.pause()),
                retention < 0 ? Optional.empty() : Optional.of(Duration.ofMillis(retention)),
                readiness::progress);
        QueryServer started = QueryServer.start(
                address,
                new QueryServer.Components(
                        views,
                        readiness,
                        accounts,
                        bounds,
                        metrics,
                        config.glosses(),
                        HttpKeys.readers(config),
                        config.getBoolean(ParleyConfig.SEARCH_INDEX),
                        config.topics(),
                        PipelineSettings.stages(config),
                        features),
                httpSecurity);
        parts.addTimed(Phase.API, "HTTP API", deadline -> {
            deadline.pause(Duration.ofMillis(config.getInt(HttpKeys.STOP_NOTICE_MS)));
            // The views need the other half.
            started.close(deadline.remaining().dividedBy(2));
        });
        return started;
    }

    private void startHealthServer() {
        if (config.getInt(HttpKeys.HEALTH_PORT) >= 0) {
            HttpListener health = HealthServer.start(
                    bind(config, HttpKeys.HEALTH_HOST, HttpKeys.HEALTH_PORT), readiness, System::nanoTime);
            // Last: a liveness probe must not take a graceful shutdown for a failure.
            parts.add(Phase.LAST, "health listener", health::close);
        }
    }

    /**
     * Checks that the configured addresses can be bound.
     *
     * @throws ConfigException if one cannot be bound; the message names the keys
     */
    public static void checkAddresses(ParleyConfig config) {
        List<BoundAddress> bound = new ArrayList<>();
        try {
            bound.add(bind(config, HttpKeys.HOST, HttpKeys.PORT));
            if (config.getInt(HttpKeys.HEALTH_PORT) >= 0) {
                bound.add(bind(config, HttpKeys.HEALTH_HOST, HttpKeys.HEALTH_PORT));
            }
        } finally {
            bound.forEach(address -> Utils.closeQuietly(address, "address"));
        }
    }

    /**
     * Binds a configured address.
     *
     * @throws ConfigException if it cannot be bound; the message names the keys
     */
    static BoundAddress bind(ParleyConfig config, String hostKey, String portKey) {
        String host = config.getString(hostKey);
        int port = config.getInt(portKey);
        try {
            return BoundAddress.bind(host, port);
        } catch (IOException e) {
            throw new ConfigException("Cannot listen on " + host + ":" + port
                    + ". Check whether another process uses it, or change " + hostKey + " and " + portKey + ": "
                    + e.getMessage());
        }
    }

    /**
     * The applications of this process, and the pipeline wherever it runs, since the accounting is about its inputs.
     */
    private List<ProgressMonitor.MonitoredApplication> watched() {
        Deployment deployment = Deployment.of(config);
        return deployment.applications().stream()
                .filter(streamsApplication -> streams.containsKey(streamsApplication.name())
                        || streamsApplication.equals(deployment.pipeline()))
                .map(streamsApplication -> new ProgressMonitor.MonitoredApplication(
                        streamsApplication.name(),
                        streamsApplication.applicationId(),
                        // The accounting needs the inputs of a pipeline that runs elsewhere, not its internal topics.
                        streams.containsKey(streamsApplication.name())
                                ? streamsApplication.sources()
                                : streamsApplication.reads(),
                        () -> assigned(streamsApplication.name()),
                        restarts.getOrDefault(streamsApplication.name(), new RestartLog())))
                .toList();
    }

    private Optional<Set<TopicPartition>> assigned(String name) {
        KafkaStreams application = streams.get(name);
        if (application == null || application.state() != KafkaStreams.State.RUNNING) {
            return Optional.empty();
        }
        Set<TopicPartition> assigned = new HashSet<>();
        application
                .metadataForLocalThreads()
                .forEach(thread -> thread.activeTasks().forEach(task -> assigned.addAll(task.topicPartitions())));
        return Optional.of(assigned);
    }

    /** Whether all that this instance runs is ready, as {@code /health/ready} reports. */
    public boolean isReady() {
        return readiness.parts().stream().allMatch(Readiness.Part::isReady);
    }

    /** Shuts down; see {@link #stop}. */
    @Override
    public void close() {
        stop();
    }

    /**
     * Shuts down gracefully within {@code stop.timeout.ms}: reports itself as stopping, leaves the consumer groups, and
     * keeps the API and its views until requests in progress have ended. Only the first call does.
     *
     * @return whether every part stopped in time
     */
    public boolean stop() {
        return closed.getAndSet(true) || parts.stop(Duration.ofMillis(config.getInt(ParleyConfig.STOP_MS)));
    }
}
