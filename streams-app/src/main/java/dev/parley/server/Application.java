package dev.parley.server;

import dev.parley.avro.Inbound;
import dev.parley.serde.AvroSerdes;
import dev.parley.server.access.MaskingPolicy;
import dev.parley.server.api.QueryServer;
import dev.parley.server.cluster.DistributedViews;
import dev.parley.server.cluster.HttpPeers;
import dev.parley.server.cluster.StreamsPartitionMetadata;
import dev.parley.server.health.ProgressMonitor;
import dev.parley.server.health.Readiness;
import dev.parley.server.health.RestartLog;
import dev.parley.server.health.ShutdownReadiness;
import dev.parley.server.health.StreamsReadiness;
import dev.parley.server.http.AccessLog;
import dev.parley.server.http.BoundAddress;
import dev.parley.server.http.HealthServer;
import dev.parley.server.http.HttpSecurity;
import dev.parley.server.http.IngestLimits;
import dev.parley.server.http.Metrics;
import dev.parley.server.operations.Deployment;
import dev.parley.server.operations.StateTopicIds;
import dev.parley.server.tail.TailReader;
import dev.parley.server.tracing.OtlpMetrics;
import dev.parley.server.tracing.OtlpSettings;
import dev.parley.server.tracing.VerdictSpans;
import dev.parley.topology.analytics.TrafficSettings;
import dev.parley.topology.analytics.TrafficTopology;
import dev.parley.topology.config.ClusterKeys;
import dev.parley.topology.config.HttpKeys;
import dev.parley.topology.config.IngestKeys;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.BrokerTopicMetadata;
import dev.parley.topology.kafka.SourceTopicMetadata;
import dev.parley.topology.kafka.StreamsSettings;
import dev.parley.topology.pipeline.ParleyTopology;
import dev.parley.topology.pipeline.PipelineListener;
import dev.parley.topology.pipeline.PipelineSettings;
import dev.parley.topology.pipeline.PipelineStores;
import dev.parley.topology.topics.InputTopics;
import dev.parley.topology.topics.TopicSetup;
import dev.parley.topology.topics.Topics;
import dev.parley.topology.views.ViewRetention;
import dev.parley.topology.views.ViewsTopology;
import dev.parley.topology.views.read.LocalViews;
import dev.parley.topology.views.read.StreamsViews;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.state.HostInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running Parley instance: the applications of its roles, and the HTTP API. */
public final class Application implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Application.class);
    private static final Duration REDRIVE_TIMEOUT = Duration.ofSeconds(10);
    private static final String VIEWS = "views";

    private final AvroSerdes serdes;
    private final Map<String, KafkaStreams> streams = new LinkedHashMap<>();
    private final Duration timeout;
    private final Duration notice;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final AtomicBoolean closed = new AtomicBoolean();
    private BrokerWatch watch;
    private Metrics metrics;
    private Optional<OtlpMetrics> exported = Optional.empty();
    private Optional<VerdictSpans> spans = Optional.empty();
    private BoundAddress boundAddress;
    private StreamsViews views;
    private QueryServer server;
    private HealthServer health;
    private KafkaRedriver redriver;
    private KafkaRedactor redactor;
    private KafkaIngester ingester;
    private KafkaAccessLog accessLog;
    private KafkaTailSource tailSource;
    private ShutdownReadiness readiness;
    private BrokerTopicMetadata sources;
    private ProgressMonitor monitor;
    private final Map<String, RestartLog> restarts = new LinkedHashMap<>();

    private Application(ParleyConfig config, AvroSerdes serdes) {
        this.serdes = serdes;
        this.timeout = Duration.ofMillis(config.getInt(ParleyConfig.STOP_MS));
        this.notice = Duration.ofMillis(config.getInt(ParleyConfig.STOP_NOTICE_MS));
    }

    /**
     * Starts an instance and creates missing topics. Brokers and registry must be available: see {@link Dependencies}.
     *
     * @throws InvalidTopicsException when existing topics are not what Parley needs
     * @throws ConfigException when the configuration of the HTTP API is invalid
     */
    public static Application start(ParleyConfig config) {
        return start(config, HttpSecurityFactory.of(config, LOG::warn));
    }

    /** Starts an instance with given HTTP security; otherwise like {@link #start(ParleyConfig)}. */
    public static Application start(ParleyConfig config, HttpSecurity httpSecurity) {
        setUpTopics(config);
        AvroSerdes serdes = AvroSerdes.fromConfig(config.serdeSettings());
        Application application = new Application(config, serdes);
        try {
            application.run(config, httpSecurity);
            application.watch = new BrokerWatch(
                    StreamsSettings.clientSettings(config),
                    String.join(",", config.getList(ParleyConfig.BOOTSTRAP_SERVERS)));
            return application;
        } catch (RuntimeException e) {
            application.close();
            throw e;
        }
    }

    /** The address of the HTTP API. */
    public URI uri() {
        return server.uri();
    }

    public static Topology pipeline(ParleyConfig config, AvroSerdes serdes, PipelineListener pipelineListener) {
        return pipeline(config, serdes, pipelineListener, SourceTopicMetadata.NONE);
    }

    private static Topology pipeline(
            ParleyConfig config, AvroSerdes serdes, PipelineListener pipelineListener, SourceTopicMetadata sources) {
        return new ParleyTopology(
                        new Topics(serdes),
                        new PipelineStores(serdes),
                        serdes.values(Inbound.class),
                        PipelineSettings.of(config).with(sources),
                        pipelineListener)
                .build();
    }

    private void run(ParleyConfig config, HttpSecurity httpSecurity) {
        boundAddress = take(config);
        Optional<OtlpSettings> otlp = OtlpSettings.of(config);
        exported = otlp.filter(OtlpSettings::metrics).map(OtlpMetrics::new);
        metrics = Metrics.create(exported.map(registry -> registry));
        exported.ifPresent(registry -> registry.refreshWith(metrics::refresh));
        if (config.hasRole("pipeline")) {
            sources = new BrokerTopicMetadata(StreamsSettings.clientSettings(config));
            spans = otlp.filter(OtlpSettings::traces)
                    .map(settings -> VerdictSpans.overHttp(settings, metrics, metrics));
            Topology pipeline =
                    pipeline(config, serdes, spans.<PipelineListener>map(s -> s).orElse(metrics), sources);
            add("pipeline", new KafkaStreams(pipeline, ParleyTopology.config(config), sources));
        }
        Optional<DistributedViews> instances =
                config.hasRole(VIEWS) ? Optional.of(addViews(config, httpSecurity)) : Optional.empty();
        serve(config, instances, httpSecurity);
        streams.values().forEach(KafkaStreams::start);
    }

    private DistributedViews addViews(ParleyConfig config, HttpSecurity httpSecurity) {
        Topics topics = new Topics(serdes);
        add(
                "traffic",
                new KafkaStreams(
                        TrafficTopology.build(topics, TrafficSettings.of(config)), TrafficTopology.config(config)));
        HostInfo self = Advertised.of(config, boundAddress.port());
        KafkaStreams viewStreams = add(
                VIEWS,
                new KafkaStreams(
                        ViewsTopology.build(
                                topics,
                                ViewRetention.of(config),
                                config.getBoolean(ParleyConfig.SEARCH_INDEX),
                                metrics),
                        ViewsTopology.config(config, self.host() + ":" + self.port())));
        views = new StreamsViews(viewStreams, topics);
        if (httpSecurity.peers().isEmpty()) {
            LOG.info(
                    "{} is not set: this instance neither queries other instances of the deployment nor answers them.",
                    ClusterKeys.SECRET);
        }
        return new DistributedViews(
                views,
                new StreamsPartitionMetadata(viewStreams, self),
                metrics.timed(new HttpPeers(
                        httpSecurity.tls(),
                        httpSecurity.peers(),
                        Duration.ofMillis(config.getInt(ClusterKeys.TIMEOUT_MS)),
                        httpSecurity.limits().responseBytes(),
                        Clock.systemUTC())),
                Duration.ofMillis(config.getInt(ClusterKeys.PATIENCE_MS)));
    }

    private static BoundAddress take(ParleyConfig config) {
        return take(config.getString(ParleyConfig.HTTP_HOST), config.getInt(ParleyConfig.HTTP_PORT));
    }

    private static BoundAddress take(String host, int port) {
        try {
            return BoundAddress.bind(host, port);
        } catch (IOException | UnresolvedAddressException e) {
            throw new ConfigException("The HTTP API cannot listen on " + host + ":" + port
                    + ". Check whether another process uses it, or change http.host and http.port: " + e.getMessage());
        }
    }

    /** Starts the HTTP servers: health and metrics on every instance, queries where there are views. */
    private void serve(ParleyConfig config, Optional<DistributedViews> instances, HttpSecurity httpSecurity) {
        Optional<LocalViews> local = instances.map(DistributedViews::local);
        metrics.watch(streams, local);
        monitor = new ProgressMonitor(config, watched(config));
        metrics.watch(monitor);
        readiness = new ShutdownReadiness(new StreamsReadiness(streams, local, monitor));
        redriver = new KafkaRedriver(
                new KafkaRedriver.Settings(
                        StreamsSettings.clientSettings(config),
                        InputTopics.of(config).topics(),
                        config.getString(ParleyConfig.APPLICATION_ID) + "-redrive",
                        config.outputRecordBytes(),
                        config.getInt(ParleyConfig.REDRIVE_ATTEMPTS),
                        REDRIVE_TIMEOUT),
                new Topics(serdes).redrive(),
                Clock.systemUTC());
        redactor = new KafkaRedactor(
                new Topics(serdes).redaction(),
                StreamsSettings.clientSettings(config),
                config.getBoolean(ParleyConfig.KEYED),
                REDRIVE_TIMEOUT);
        server = QueryServer.start(
                boundAddress,
                new QueryServer.Components(
                        instances,
                        readiness,
                        MaskingPolicy.PRIVATE,
                        metrics,
                        instances.map(readable -> new QueryServer.Redrive(redriver, PipelineSettings.of(config))),
                        instances.map(readable -> redactor),
                        config.glosses(),
                        instances.flatMap(readable -> ingest(config)),
                        instances.flatMap(readable -> tail(config)),
                        new QueryServer.Console(
                                config.getBoolean(ParleyConfig.SEARCH_INDEX),
                                instances.flatMap(readable -> accessLog(config))),
                        PipelineSettings.stages(config)),
                httpSecurity);
        int healthPort = config.getInt(HttpKeys.HEALTH_PORT);
        if (healthPort >= 0) {
            health = HealthServer.start(
                    take(config.getString(HttpKeys.HEALTH_HOST), healthPort), readiness, System::nanoTime);
        }
    }

    private Optional<AccessLog> accessLog(ParleyConfig config) {
        if (!config.getBoolean(HttpKeys.ACCESS_LOG)) {
            return Optional.empty();
        }
        accessLog =
                new KafkaAccessLog(StreamsSettings.clientSettings(config), config.getInt(HttpKeys.ACCESS_LOG_BUFFER));
        return Optional.of(accessLog);
    }

    private Optional<QueryServer.Tail> tail(ParleyConfig config) {
        int most = config.getInt(HttpKeys.TAIL_STREAMS);
        if (most == 0) {
            return Optional.empty();
        }
        tailSource = new KafkaTailSource(StreamsSettings.clientSettings(config), new Topics(serdes).audit());
        return Optional.of(new QueryServer.Tail(
                tailSource,
                most,
                config.getInt(HttpKeys.TAIL_CALLER_STREAMS),
                new TailReader.Limits(
                        Duration.ofMillis(config.getInt(HttpKeys.TAIL_MS)),
                        Duration.ofMillis(config.getInt(HttpKeys.TAIL_SLOW_MS)))));
    }

    private Optional<QueryServer.Ingest> ingest(ParleyConfig config) {
        if (!config.getBoolean(IngestKeys.ENABLED)) {
            return Optional.empty();
        }
        ingester = new KafkaIngester(IngestSettings.of(config));
        return Optional.of(new QueryServer.Ingest(
                ingester,
                new IngestLimits(
                        config.getInt(IngestKeys.BODY_BYTES),
                        config.getInt(IngestKeys.IN_FLIGHT_BYTES),
                        config.getInt(IngestKeys.MESSAGES),
                        config.getInt(ParleyConfig.LIMIT_BYTES))));
    }

    private KafkaStreams add(String name, KafkaStreams application) {
        RestartLog log = new RestartLog();
        restarts.put(name, log);
        application.setUncaughtExceptionHandler(new RestartingExceptionHandler(name, stopping, log));
        streams.put(name, application);
        return application;
    }

    /**
     * The applications of this process, and the pipeline wherever it runs, since the accounting is about its inputs.
     */
    private List<ProgressMonitor.MonitoredApplication> watched(ParleyConfig config) {
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

    private static void setUpTopics(ParleyConfig config) {
        TopicSetup setup = TopicSetup.of(config);
        try (Admin admin = Admin.create(StreamsSettings.clientSettings(config))) {
            List<String> wrong = new ArrayList<>();
            setup.createAndValidate(admin).forEach(problem -> wrong.add(problem.toString()));
            if (wrong.isEmpty()) {
                new StateTopicIds(Path.of(config.getString(ParleyConfig.STATE_DIR)))
                        .keep(admin, setup.names())
                        .ifPresent(stale -> wrong.add(stale.toString()));
            }
            if (!wrong.isEmpty()) {
                throw new InvalidTopicsException(String.join(System.lineSeparator(), wrong));
            }
        }
    }

    /** Whether all that this instance runs is ready, as {@code /health/ready} reports. */
    public boolean isReady() {
        return readiness.parts().stream().allMatch(part -> part.status() == Readiness.Status.READY);
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
     * @return whether every component stopped in time
     */
    public boolean stop() {
        if (closed.getAndSet(true)) {
            return true;
        }
        ShutdownCoordinator shutdown = new ShutdownCoordinator(timeout);
        stopping.countDown();
        if (readiness != null) {
            readiness.stopping();
        }
        if (watch != null) {
            watch.close();
        }
        if (monitor != null) {
            monitor.close();
        }
        List<ShutdownCoordinator.Stopping> components = new ArrayList<>();
        streams.forEach((name, application) -> {
            if (!name.equals(VIEWS)) {
                components.add(shutdown.begin(name, remaining -> stop(application, remaining)));
            }
        });
        if (server != null) {
            shutdown.pause(shutdown.atMost(notice));
            // The views need the other half.
            server.close(shutdown.remaining().dividedBy(2));
        }
        if (accessLog != null) {
            // After the server: no read is without an entry.
            components.add(shutdown.begin("access log", remaining -> {
                accessLog.close();
                return true;
            }));
        }
        if (tailSource != null) {
            tailSource.close();
        }
        if (redactor != null) {
            if (ingester != null) {
                components.add(shutdown.begin("ingest", remaining -> {
                    ingester.close();
                    return true;
                }));
            }
            components.add(shutdown.begin("redrive and redaction", remaining -> {
                redriver.close();
                redactor.close();
                return true;
            }));
        }
        Optional<ShutdownCoordinator.Stopping> exporting = closeMetrics(shutdown);
        if (views != null) {
            views.close();
        }
        release(boundAddress);
        if (streams.containsKey(VIEWS)) {
            components.add(shutdown.begin(VIEWS, remaining -> stop(streams.get(VIEWS), remaining)));
        }
        boolean orderly = shutdown.await(components);
        // After the pipeline, whose last verdicts have spans too. A slow collector loses them; nothing else is late.
        spans.ifPresent(tracing -> tracing.close(shutdown.remaining()));
        exporting
                .filter(component -> !shutdown.hasStopped(component))
                .ifPresent(late -> LOG.warn("The collector at otlp.endpoint did not accept the last metrics in time."));
        if (sources != null) {
            sources.close();
        }
        if (health != null) {
            // Last: a liveness probe must not take a graceful shutdown for a failure.
            health.close();
        }
        try {
            serdes.close();
        } catch (IOException e) {
            LOG.warn("The Schema Registry client did not close: {}", e.getMessage());
        }
        return orderly;
    }

    /** Closes the metrics; if they are exported, on a thread of its own, because the collector may be slow. */
    private Optional<ShutdownCoordinator.Stopping> closeMetrics(ShutdownCoordinator shutdown) {
        if (exported.isEmpty()) {
            if (metrics != null) {
                metrics.close();
            }
            return Optional.empty();
        }
        // The views end before the last export.
        exported.get().refreshWith(() -> {});
        return Optional.of(shutdown.begin("metrics", remaining -> {
            metrics.close();
            return true;
        }));
    }

    /** Releases the address if no server was started on it; a server releases its own. */
    private static void release(BoundAddress boundAddress) {
        if (boundAddress != null) {
            try {
                boundAddress.close();
            } catch (IOException e) {
                LOG.warn("The address of the HTTP API was not released: {}", e.getMessage());
            }
        }
    }

    /** Leaves the group, so that other instances take the partitions over before the session timeout. */
    private static boolean stop(KafkaStreams application, Duration timeout) {
        return application.close(CloseOptions.timeout(timeout)
                .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
    }
}
