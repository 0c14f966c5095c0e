package dev.parley.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.cli.environment.RunningParley;
import dev.parley.load.Load;
import dev.parley.load.LoadProducer;
import dev.parley.protocol.TopicNames;
import dev.parley.server.auth.Role;
import dev.parley.server.auth.StoredToken;
import dev.parley.topology.topics.TopicSetup;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Utils;

/** Two instances on a local cluster, under the load of producers and HTTP clients, and the oracle of both. */
final class LocalDeployment implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofMinutes(4);
    /** Start of records that are no messages, and come from no client. */
    static final String NOISE = ApiClients.UNDECODABLE + "n";

    private static final String CALLER = "chaos";
    private static final List<String> NAMES = List.of("ONE", "TWO");

    private final Path directory;
    private final long seed;
    private final int rate;
    private final LocalCluster cluster;
    private final List<LocalInstance> instances = new ArrayList<>();
    private final Path tokens;
    private volatile String token = StoredToken.newToken(new SecureRandom());
    private long events;
    private long sent;
    private long noise;
    private boolean isPaused;
    /** Null before the beginning. */
    private Trail trail;

    /** What begins with a new audit trail. */
    private record Trail(
            LoadProducer load, ApiHistory history, ApiClients clients, TopicTailer tailer, VerdictWatcher watcher) {}

    LocalDeployment(Path directory, long seed, int rate) throws Exception {
        this.directory = directory;
        this.seed = seed;
        this.rate = rate;
        cluster = new LocalCluster(directory, NAMES);
        tokens = RunningParley.tokens(directory, token, CALLER, Role.OPERATOR);
        for (String name : NAMES) {
            instances.add(new LocalInstance(name, directory.resolve(name), settings(name), () -> token));
        }
    }

    private Map<String, Object> settings(String name) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", cluster.bootstrap(name));
        settings.putAll(cluster.tls());
        settings.put("schema.registry.url", cluster.registry(name).url());
        settings.put("topics.replication.factor", (short) 3);
        settings.put("topics.partitions", 2);
        settings.put("topics.max.record.bytes", 1 << 20);
        settings.put("state.free.min.bytes", 0L);
        settings.put("http.port", 0);
        settings.put("http.auth.tokens.file", tokens.toString());
        settings.put("http.ingest", true);
        settings.put("http.peers.secret", "0123456789 0123456789 0123456789 0123456789");
        settings.put("http.peers.patience.ms", 3_000);
        settings.put("stop.notice.ms", 0);
        // A patch whose base never comes waits for as long as the suite runs.
        settings.put("csp.parking.ms", Duration.ofDays(1).toMillis());
        settings.put("kafka.session.timeout.ms", 6_000);
        settings.put("kafka.heartbeat.interval.ms", 2_000);
        settings.put("kafka.num.standby.replicas", 1);
        // Soon after partitions were added.
        settings.put("kafka.metadata.max.age.ms", 10_000);
        return settings;
    }

    /** Starts the instances on an empty cluster, and then the load. */
    void begin() throws Exception {
        for (LocalInstance instance : instances) {
            instance.start();
        }
        awaitReady();
        ApiHistory history = new ApiHistory();
        trail = new Trail(
                new LoadProducer(
                        new Load("chaos", seed, 60),
                        rate,
                        Map.of("bootstrap.servers", cluster.bootstrap()),
                        (metadata, record) -> {}),
                history,
                new ApiClients(history, this::running, () -> token),
                new TopicTailer(cluster.bootstrap(), cluster.registry(), new Oracle(history)),
                new VerdictWatcher(cluster.bootstrap()));
        trail.load().resume();
        isPaused = false;
    }

    /** Lets HTTP clients use a new token, and the present one expire, which it returns. */
    String rotateToken() throws IOException {
        String old = token;
        String next = StoredToken.newToken(new SecureRandom());
        Files.write(
                tokens,
                List.of(
                        StoredToken.of(old, CALLER, Role.OPERATOR, Optional.empty(), Optional.of(Instant.now()))
                                .line(),
                        StoredToken.of(next, CALLER, Role.OPERATOR, Optional.empty(), Optional.empty())
                                .line()));
        token = next;
        return old;
    }

    private List<URI> running() {
        return instances.stream()
                .map(LocalInstance::api)
                .flatMap(Optional::stream)
                .toList();
    }

    /** Ends load and instances, deletes topics and state, and begins again. */
    void beginAgain() throws Exception {
        end();
        for (LocalInstance instance : instances) {
            instance.stop();
            Utils.delete(instance.state().toFile());
        }
        List<String> topics = cluster.topics();
        cluster.admin().deleteTopics(topics).all().get();
        await().atMost(TIMEOUT).until(() -> cluster.topics().isEmpty());
        begin();
    }

    private void end() throws Exception {
        events += trail.history().events();
        sent += trail.load().sent();
        trail.watcher().close();
        trail.clients().close();
        trail.load().close();
        trail.tailer().close();
    }

    LocalCluster cluster() {
        return cluster;
    }

    Oracle oracle() {
        return trail.tailer().oracle();
    }

    /** Watches the verdicts of the present audit trail. */
    VerdictWatcher watcher() {
        return trail.watcher();
    }

    /** Number of messages of producers. */
    long sent() {
        return sent + trail.load().sent();
    }

    /** Number of responses that HTTP clients got. */
    long events() {
        return events + trail.history().events();
    }

    List<LocalInstance> instances() {
        return instances;
    }

    LocalInstance any(RandomGenerator random) {
        return instances.get(random.nextInt(instances.size()));
    }

    void awaitReady() {
        instances.forEach(LocalInstance::awaitReady);
    }

    /** Starts what does not run. */
    void startAll() throws IOException {
        for (LocalInstance instance : instances) {
            if (!instance.isRunning()) {
                instance.start();
            }
        }
    }

    /** Pauses producers and clients when each of their operations has ended. */
    void pause() throws InterruptedException {
        if (!isPaused) {
            trail.load().pause();
            trail.clients().pause();
            isPaused = true;
        }
    }

    void resume() {
        if (isPaused) {
            trail.load().resume();
            trail.clients().resume();
            isPaused = false;
        }
    }

    /** Sends records that are no messages to a partition. */
    private void sendNoise(String topic, int partition, int records) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", cluster.bootstrap()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            for (int i = 0; i < records; i++) {
                byte[] value = (NOISE + noise++).getBytes(StandardCharsets.UTF_8);
                producer.send(new ProducerRecord<>(topic, partition, null, value))
                        .get();
            }
        }
    }

    /** Sends records to a partition of the wire topic, and deletes all but the last one while no instance runs. */
    void expire(int partition, int records) throws Exception {
        TopicPartition wire = new TopicPartition(TopicNames.DEFAULT.wire(), partition);
        // The offset of a transaction marker after the last record would count as lost.
        sendNoise(wire.topic(), partition, 1);
        assertThat(trail.tailer().awaitSettled(TIMEOUT)).isTrue();
        for (LocalInstance instance : instances) {
            instance.stop();
        }
        sendNoise(wire.topic(), partition, records + 1);
        long end = cluster.admin()
                .listOffsets(Map.of(wire, OffsetSpec.latest()))
                .partitionResult(wire)
                .get()
                .offset();
        cluster.admin()
                .deleteRecords(Map.of(wire, RecordsToDelete.beforeOffset(end - 1)))
                .all()
                .get();
        oracle().expired(records);
        startAll();
    }

    /** Deletes an input topic with judged records, creates it again, and sends records to it. */
    void recreate(String topic) throws Exception {
        sendNoise(topic, 0, 1);
        sendNoise(topic, 1, 1);
        assertThat(trail.tailer().awaitSettled(TIMEOUT)).isTrue();
        cluster.admin().deleteTopics(List.of(topic)).all().get();
        await().atMost(TIMEOUT).until(() -> !cluster.topics().contains(topic));
        cluster.admin()
                .createTopics(List.of(TopicSetup.of(instances.get(0).config()).newTopic(topic)))
                .all()
                .get();
        sendNoise(topic, 0, 10);
        sendNoise(topic, 1, 10);
    }

    /** Everything that the instances have logged since their last starts. */
    String said() {
        return instances.stream().map(LocalInstance::said).collect(Collectors.joining());
    }

    /** Loses the last records of an input partition by an unclean leader election, after they were judged. */
    void electUnclean(TopicPartition input) throws Exception {
        int leader = 0;
        int follower = 1;
        cluster.reassign(input, List.of(leader, follower));
        cluster.alter(List.of(input.topic()), "min.insync.replicas", "1");
        cluster.alter(List.of(input.topic()), "unclean.leader.election.enable", "true");
        cluster.stop(follower);
        sendNoise(input.topic(), input.partition(), 10);
        assertThat(trail.tailer().awaitSettled(TIMEOUT)).isTrue();
        cluster.stop(leader);
        cluster.start(follower);
        cluster.awaitLeader(input, follower);
        cluster.start(leader);
        sendNoise(input.topic(), input.partition(), 20);
    }

    /** Adds a partition to an input topic, and sends a record to it. */
    void addPartition(String topic) throws Exception {
        cluster.admin()
                .createPartitions(Map.of(topic, NewPartitions.increaseTo(3)))
                .all()
                .get();
        sendNoise(topic, 2, 1);
    }

    /** Lets the load go on for a while. */
    static void hold(Duration time) {
        ChaosIT.rest(time);
    }

    /** Pauses, waits for all verdicts, and asks the oracle. */
    void check(String when) throws InterruptedException {
        pause();
        if (!trail.tailer().awaitSettled(TIMEOUT)) {
            instances.forEach(instance -> System.out.println(instance.name() + ":\n" + instance.said()));
        }
        assertThat(oracle().objections(trail.load().sent()))
                .as("after %s, seed %d; logs in %s", when, seed, directory)
                .isEmpty();
    }

    @Override
    public void close() throws Exception {
        if (trail != null) {
            end();
        }
        for (LocalInstance instance : instances) {
            if (instance.isRunning()) {
                instance.kill();
            }
        }
        cluster.close();
    }
}
