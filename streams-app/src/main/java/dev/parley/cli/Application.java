package dev.parley.cli;

import dev.parley.avro.Inbound;
import dev.parley.config.HttpKeys;
import dev.parley.config.InstanceKeys;
import dev.parley.config.ParleyConfig;
import dev.parley.operations.Deployment;
import dev.parley.operations.ProgressMonitor;
import dev.parley.operations.RestartLog;
import dev.parley.operations.StateMark;
import dev.parley.query.Address;
import dev.parley.query.Doors;
import dev.parley.query.HealthServer;
import dev.parley.query.HttpPeers;
import dev.parley.query.Instances;
import dev.parley.query.LocalViews;
import dev.parley.query.Metrics;
import dev.parley.query.QueryServer;
import dev.parley.query.Redaction;
import dev.parley.query.StreamsCluster;
import dev.parley.query.StreamsReadiness;
import dev.parley.query.StreamsViews;
import dev.parley.serde.AvroSerdes;
import dev.parley.topology.BrokerSourceTopics;
import dev.parley.topology.Inputs;
import dev.parley.topology.Observer;
import dev.parley.topology.ParleyTopology;
import dev.parley.topology.PipelineSettings;
import dev.parley.topology.SourceTopics;
import dev.parley.topology.Stores;
import dev.parley.topology.StreamsSettings;
import dev.parley.topology.TopicSetup;
import dev.parley.topology.Topics;
import dev.parley.topology.TrafficTopology;
import dev.parley.topology.ViewRetention;
import dev.parley.topology.ViewsTopology;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.state.HostInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running Parley: the pipeline and the views, as the roles say, and the HTTP API. */
final class Application implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Application.class);
    private static final Duration REDRIVE_TIMEOUT = Duration.ofSeconds(10);
    private static final String VIEWS = "views";

    private final AvroSerdes serdes;
    private final Map<String, KafkaStreams> streams = new LinkedHashMap<>();
    private final Duration bound;
    private final Duration notice;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private BrokerWatch watch;
    private Metrics metrics;
    private Address address;
    private StreamsViews views;
    private QueryServer server;
    private HealthServer health;
    private KafkaRedrive redrive;
    private KafkaRedactor redactor;
    private Leaving readiness;
    private BrokerSourceTopics sources;
    private ProgressMonitor monitor;
    private final Map<String, RestartLog> restarts = new LinkedHashMap<>();

    private Application(ParleyConfig config, AvroSerdes serdes) {
        this.serdes = serdes;
        this.bound = Duration.ofMillis(config.getInt(ParleyConfig.STOP_MS));
        this.notice = Duration.ofMillis(config.getInt(ParleyConfig.STOP_NOTICE_MS));
    }

    /**
     * Starts; topics that are missing are created. Brokers and registry must answer: see {@link Dependencies}.
     *
     * @throws TopicsUnfit when existing topics are not what Parley needs
     * @throws ConfigException when the HTTP API cannot be what the configuration says
     */
    static Application start(ParleyConfig config) {
        return start(config, HttpDoors.of(config, LOG::warn));
    }

    /** The same with doors that are made already. */
    static Application start(ParleyConfig config, Doors doors) {
        setUpTopics(config);
        AvroSerdes serdes = AvroSerdes.fromConfig(config.serdeSettings());
        Application application = new Application(config, serdes);
        try {
            application.run(config, doors);
            application.watch = new BrokerWatch(
                    StreamsSettings.clients(config), String.join(",", config.getList(ParleyConfig.BOOTSTRAP_SERVERS)));
            return application;
        } catch (RuntimeException e) {
            application.close();
            throw e;
        }
    }

    /** Where the HTTP API listens. */
    URI uri() {
        return server.uri();
    }

    /** The pipeline's topology under a configuration. */
    static Topology pipeline(ParleyConfig config, AvroSerdes serdes, Observer observer) {
        return pipeline(config, serdes, observer, SourceTopics.NONE);
    }

    private static Topology pipeline(ParleyConfig config, AvroSerdes serdes, Observer observer, SourceTopics sources) {
        return new ParleyTopology(
                        new Topics(serdes),
                        new Stores(serdes),
                        serdes.values(Inbound.class),
                        PipelineSettings.of(config).with(sources),
                        observer)
                .build();
    }

    private void run(ParleyConfig config, Doors doors) {
        address = take(config);
        metrics = Metrics.create();
        if (config.hasRole("pipeline")) {
            sources = new BrokerSourceTopics(StreamsSettings.clients(config));
            Topology pipeline = pipeline(config, serdes, metrics, sources);
            add("pipeline", new KafkaStreams(pipeline, ParleyTopology.config(config), sources));
        }
        Optional<Instances> instances = config.hasRole(VIEWS) ? Optional.of(addViews(config, doors)) : Optional.empty();
        serve(config, instances, doors);
        streams.values().forEach(KafkaStreams::start);
    }

    private Instances addViews(ParleyConfig config, Doors doors) {
        Topics topics = new Topics(serdes);
        add(
                "traffic",
                new KafkaStreams(
                        TrafficTopology.build(topics, Duration.ofMillis(config.getLong(ParleyConfig.TRAFFIC_GRACE_MS))),
                        StreamsSettings.outputReader(config, "traffic")));
        HostInfo self = Advertised.of(config, address.port());
        KafkaStreams viewStreams = add(
                VIEWS,
                new KafkaStreams(
                        ViewsTopology.build(topics, ViewRetention.of(config), metrics),
                        ViewsTopology.config(config, self.host() + ":" + self.port())));
        views = new StreamsViews(viewStreams, topics);
        if (doors.peers().isEmpty()) {
            LOG.info(
                    "{} is not set: if other instances share the views, this one neither asks nor answers them.",
                    InstanceKeys.SECRET);
        }
        return new Instances(
                views,
                new StreamsCluster(viewStreams, self),
                metrics.timed(new HttpPeers(
                        doors.tls(),
                        doors.peers(),
                        Duration.ofMillis(config.getInt(InstanceKeys.TIMEOUT_MS)),
                        doors.limits().responseBytes())),
                Duration.ofMillis(config.getInt(InstanceKeys.PATIENCE_MS)));
    }

    private static Address take(ParleyConfig config) {
        return take(config.getString(ParleyConfig.HTTP_HOST), config.getInt(ParleyConfig.HTTP_PORT));
    }

    private static Address take(String host, int port) {
        try {
            return Address.take(host, port);
        } catch (IOException | UnresolvedAddressException e) {
            throw new ConfigException("The HTTP API cannot listen on " + host + ":" + port
                    + ", which another process may have; set http.host and http.port: " + e.getMessage());
        }
    }

    /** Every process answers about itself; one with views also about what it has seen. */
    private void serve(ParleyConfig config, Optional<Instances> instances, Doors doors) {
        Optional<LocalViews> local = instances.map(Instances::local);
        metrics.watch(streams, local);
        monitor = new ProgressMonitor(config, watched(config));
        metrics.watch(monitor);
        readiness = new Leaving(new StreamsReadiness(streams, local, monitor));
        redrive = new KafkaRedrive(
                StreamsSettings.clients(config),
                Inputs.of(config).topics(),
                config.outputRecordBytes(),
                REDRIVE_TIMEOUT);
        redactor = new KafkaRedactor(new Topics(serdes).redaction(), StreamsSettings.clients(config), REDRIVE_TIMEOUT);
        server = QueryServer.start(
                address,
                new QueryServer.Parts(
                        instances,
                        readiness,
                        Redaction.PRIVATE,
                        metrics,
                        instances.map(readable -> redrive),
                        instances.map(readable -> redactor)),
                doors);
        int healthPort = config.getInt(HttpKeys.HEALTH_PORT);
        if (healthPort >= 0) {
            health = HealthServer.start(take(config.getString(HttpKeys.HEALTH_HOST), healthPort), readiness);
        }
    }

    private KafkaStreams add(String name, KafkaStreams application) {
        RestartLog log = new RestartLog();
        restarts.put(name, log);
        application.setUncaughtExceptionHandler(new Restarting(name, stopping, log));
        streams.put(name, application);
        return application;
    }

    /** The applications of this process, and the pipeline wherever it runs, since the accounting is about its inputs. */
    private List<ProgressMonitor.Watched> watched(ParleyConfig config) {
        Deployment deployment = Deployment.of(config);
        return deployment.parts().stream()
                .filter(part -> streams.containsKey(part.name()) || part.equals(deployment.pipeline()))
                .map(part -> new ProgressMonitor.Watched(
                        part.name(),
                        part.applicationId(),
                        // Of a pipeline elsewhere only the inputs matter here.
                        streams.containsKey(part.name()) ? part.sources() : part.reads(),
                        () -> assigned(part.name()),
                        restarts.getOrDefault(part.name(), new RestartLog())))
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
        try (Admin admin = Admin.create(StreamsSettings.clients(config))) {
            List<String> wrong = new ArrayList<>();
            setup.run(admin).forEach(misfit -> wrong.add(misfit.toString()));
            if (wrong.isEmpty()) {
                new StateMark(Path.of(config.getString(ParleyConfig.STATE_DIR)))
                        .keep(admin, setup.names())
                        .ifPresent(stale -> wrong.add(stale.toString()));
            }
            if (!wrong.isEmpty()) {
                throw new TopicsUnfit(String.join(System.lineSeparator(), wrong));
            }
        }
    }

    /**
     * Stops within one time for all: says so first, hands the work on, and lets the API and the views that it reads go last, so that requests in progress
     * end.
     */
    @Override
    public void close() {
        Drain drain = new Drain(bound);
        stopping.countDown();
        if (readiness != null) {
            readiness.leave();
        }
        if (watch != null) {
            watch.close();
        }
        if (monitor != null) {
            monitor.close();
        }
        List<Drain.Stopping> parts = new ArrayList<>();
        streams.forEach((name, application) -> {
            if (!name.equals(VIEWS)) {
                parts.add(drain.begin(name, left -> stop(application, left)));
            }
        });
        if (server != null) {
            drain.pause(drain.atMost(notice));
            // The views need some of the time too.
            server.close(drain.left().dividedBy(2));
        }
        if (redactor != null) {
            parts.add(drain.begin("producers of operators", left -> {
                redrive.close();
                redactor.close();
                return true;
            }));
        }
        if (metrics != null) {
            metrics.close();
        }
        if (views != null) {
            views.close();
        }
        giveBack(address);
        if (streams.containsKey(VIEWS)) {
            parts.add(drain.begin(VIEWS, left -> stop(streams.get(VIEWS), left)));
        }
        drain.await(parts);
        if (sources != null) {
            sources.close();
        }
        if (health != null) {
            // Last: a probe must not take a graceful shutdown for a failure.
            health.close();
        }
        try {
            serdes.close();
        } catch (IOException e) {
            LOG.warn("The Schema Registry client did not close: {}", e.getMessage());
        }
    }

    /** Of an address where a server was started, that one has done it. */
    private static void giveBack(Address address) {
        if (address != null) {
            try {
                address.close();
            } catch (IOException e) {
                LOG.warn("The address of the HTTP API was not given back: {}", e.getMessage());
            }
        }
    }

    /** Leaving the group hands the work on at once; otherwise nobody does it until the session times out. */
    private static boolean stop(KafkaStreams application, Duration left) {
        return application.close(CloseOptions.timeout(left)
                .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
    }

    /** Existing topics are not what Parley needs; the message has a line for each. */
    static final class TopicsUnfit extends RuntimeException {
        private static final long serialVersionUID = 1L;

        TopicsUnfit(String message) {
            super(message);
        }
    }
}
