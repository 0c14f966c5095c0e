package dev.parley.topology.views;

import static org.awaitility.Awaitility.await;

import dev.parley.audit.AuditChain;
import dev.parley.audit.InputPosition;
import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.AuditTile;
import dev.parley.avro.Protocol;
import dev.parley.avro.Redaction;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.log.KeyFiles;
import dev.parley.log.LogNoteReader;
import dev.parley.log.LogNotes;
import dev.parley.protocol.TopicNames;
import dev.parley.serde.AvroSerdes;
import dev.parley.testing.SharedCluster;
import dev.parley.topology.config.AuditKeys;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.CheckedRestores;
import dev.parley.topology.kafka.UnreadableValues;
import dev.parley.topology.topics.ChainPartitioner;
import dev.parley.topology.topics.PublicContent;
import dev.parley.topology.topics.Topic;
import dev.parley.topology.topics.Topics;
import dev.parley.topology.views.read.StreamsStores;
import dev.parley.topology.views.search.SearchQuery;
import dev.parley.topology.views.search.SearchText;
import dev.parley.topology.views.store.ViewStores;
import dev.parley.topology.views.store.ViewsUnavailableException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.assertj.core.api.Assertions;
import org.hamcrest.Matchers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against a real broker: TopologyTestDriver does not restore stores. */
@Tag("long")
class ViewsRestoreTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int PARTITIONS = 2;
    private static final byte[] ONE_BYTE = {1};

    /** What a test changes of the configuration, by key. */
    private final Map<String, Object> settings = new HashMap<>();

    @TempDir
    private Path directory;

    @Test
    void instanceWithoutStateRestoresTheViews() throws Exception {
        try (AvroSerdes serdes = AvroSerdes.fromConfig(Map.of("schema.registry.url", "mock://" + UUID.randomUUID()))) {
            Topics topics = new Topics(SharedCluster.newDeployment(), serdes);
            createTopics(topics);
            try (Running running = running(topics, "first");
                    StreamsStores stores = new StreamsStores(running.streams())) {
                KafkaStreams first = running.streams();
                Views views = new Views(stores, topics);
                Assertions.assertThatThrownBy(views::accounting).isInstanceOf(ViewsUnavailableException.class);
                first.start();
                produce(topics, 0);
                await().atMost(TIMEOUT).until(() -> isComplete(views, 1));
            }
            // Records written while no instance ran, and a record without key on top of it.
            produce(topics, 1);

            for (String state : List.of("first", "second")) {
                try (Running running = running(topics, state);
                        StreamsStores stores = new StreamsStores(running.streams())) {
                    running.streams().start();
                    Views views = new Views(stores, topics);
                    await().atMost(TIMEOUT).until(() -> isComplete(views, 2));
                }
            }

            long unreadable = UnreadableValues.total();
            int written = writeUnreadableValues(topics);
            AtomicInteger readAgain = new AtomicInteger();
            try (Running running = running(topics, "third", record -> readAgain.incrementAndGet());
                    StreamsStores stores = new StreamsStores(running.streams())) {
                running.streams().start();
                Views views = new Views(stores, topics);
                await().atMost(TIMEOUT).until(() -> readAgain.get() == 2 && isComplete(views, 2));
                Assertions.assertThat(search(views)).as("records by search").isEqualTo(2);
                Assertions.assertThat(UnreadableValues.total() - unreadable)
                        .as("reported values")
                        .isEqualTo(written);
            }
            // What was written again is in the changelogs, and nothing is read again for the other keys.
            AtomicInteger read = new AtomicInteger();
            try (Running running = running(topics, "fourth", record -> read.incrementAndGet());
                    StreamsStores stores = new StreamsStores(running.streams())) {
                running.streams().start();
                Views views = new Views(stores, topics);
                await().atMost(TIMEOUT).until(() -> isComplete(views, 2));
                produce(topics, 2);
                await().atMost(TIMEOUT).until(() -> isComplete(views, 3));
                Assertions.assertThat(read).as("records that became visible").hasValue(1);
            }
        }
    }

    /** With a key, also a value that its store could read is refused if another client wrote it. */
    @Test
    void aReadableValueWithoutAValidCodeIsNotUsed() throws Exception {
        Path key = directory.resolve("internal.key");
        Files.writeString(key, KeyFiles.privatePem(KeyFiles.newPair()));
        settings.put(AuditKeys.INTERNAL_KEY_FILES, key.toString());
        try (AvroSerdes serdes = AvroSerdes.fromConfig(Map.of("schema.registry.url", "mock://" + UUID.randomUUID()))) {
            Topics topics = new Topics(SharedCluster.newDeployment(), serdes);
            createTopics(topics);
            produce(topics, 0);
            try (Running running = running(topics, "first");
                    StreamsStores stores = new StreamsStores(running.streams())) {
                running.streams().start();
                await().atMost(TIMEOUT).until(() -> hasMessages(new Views(stores, topics), 1));
            }
            AuditRecord forged = record(0);
            forged.setVerdict(Verdict.REJECTED.name());
            String chain = forged.getChain();
            int partition = ChainPartitioner.partition(chain, PARTITIONS);
            write(List.of(
                    change(
                            topics,
                            ViewStores.AUDIT,
                            partition,
                            MessageView.key(chain, 0),
                            topics.audit().write(forged)),
                    // Any bytes are a value of this entry, and no other has its key.
                    change(
                            topics,
                            ViewStores.AUDIT,
                            partition,
                            ConversationView.indexEntry(
                                    ConversationOrder.By.LAST.prefix(),
                                    ConversationView.key("default", Protocol.SLIP, "invented")),
                            ONE_BYTE)));

            AtomicInteger readAgain = new AtomicInteger();
            try (Running running = running(topics, "second", record -> readAgain.incrementAndGet());
                    StreamsStores stores = new StreamsStores(running.streams())) {
                running.streams().start();
                Views views = new Views(stores, topics);
                await().atMost(TIMEOUT).until(() -> hasMessages(views, 1));
                Assertions.assertThat(views.messages(chain, 0, 10))
                        .extracting(AuditRecord::getVerdict)
                        .containsExactly(Verdict.ACCEPTED.name());
                await("records read again because of the entry without a valid value")
                        .atMost(TIMEOUT)
                        .untilAtomic(readAgain, Matchers.is(1));
            }
        }
    }

    private static int search(Views views) {
        List<AuditRecord> found = new ArrayList<>();
        views.search()
                .list(
                        new SearchQuery(
                                SearchText.parse("protocol:slip"),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty()),
                        Optional.empty(),
                        10,
                        (key, record) -> found.add(record));
        return found.size();
    }

    /** Writes one byte as the value of entries of several stores to their changelogs, and returns how many. */
    private static int writeUnreadableValues(Topics topics) throws Exception {
        String chain = "default|SLIP|7";
        int partition = ChainPartitioner.partition(chain, PARTITIONS);
        int logPartition = ChainPartitioner.partition(LogNotes.key(0), PARTITIONS);
        List<ProducerRecord<byte[], byte[]>> records = List.of(
                change(topics, ViewStores.AUDIT, partition, MessageView.key(chain, 0), ONE_BYTE),
                change(topics, ViewStores.AUDIT, partition, MessageView.chainStart(chain), ONE_BYTE),
                change(topics, ViewStores.AUDIT, partition, MessageView.key("default|SLIP|invented", 0), ONE_BYTE),
                change(
                        topics,
                        ViewStores.AUDIT,
                        partition,
                        ConversationView.key("default", Protocol.SLIP, "7"),
                        ONE_BYTE),
                change(topics, ViewStores.LOG, logPartition, LogView.headKey(0), ONE_BYTE));
        write(records);
        return records.size();
    }

    private static void write(List<ProducerRecord<byte[], byte[]>> records) {
        try (KafkaProducer<byte[], byte[]> producer = SharedCluster.transactionalProducer("attacker")) {
            producer.initTransactions();
            producer.beginTransaction();
            records.forEach(producer::send);
            producer.commitTransaction();
        }
    }

    private static ProducerRecord<byte[], byte[]> change(
            Topics topics, String store, int partition, Bytes key, byte[] value) {
        return new ProducerRecord<>(
                topics.names().applicationId() + "-views-" + store + "-changelog", partition, key.get(), value);
    }

    private static boolean hasMessages(Views views, int rounds) {
        try {
            return views.conversation("default", Protocol.SLIP, "7")
                            .filter(summary -> summary.getAccepted() == rounds)
                            .isPresent()
                    && views.messages("default|SLIP|7", 0, 10).size() == rounds;
        } catch (ViewsUnavailableException e) {
            return false;
        }
    }

    private static boolean isComplete(Views views, int rounds) {
        try {
            return hasMessages(views, rounds)
                    && views.redactions()
                            .of(
                                    new InputPosition("parley.wire", 0, 0),
                                    record(0).getHash())
                            .isPresent()
                    && views.log()
                            .head(0)
                            .filter(head -> head.getSize() == rounds)
                            .isPresent()
                    && views.log()
                            .tile(0, 0, 0)
                            .filter(tile -> tile.getHashes().remaining() == rounds * AuditChain.HASH_BYTES)
                            .isPresent()
                    && ViewPages.deadLetters(views, Optional.empty(), Optional.empty(), Optional.empty(), 10)
                                    .items()
                                    .size()
                            == rounds;
        } catch (ViewsUnavailableException e) {
            return false;
        }
    }

    /**
     * An application that leaves its group when it stops, as Parley does, so that the next one need not wait for the
     * end of its session.
     */
    private record Running(KafkaStreams streams) implements AutoCloseable {
        @Override
        public void close() {
            streams.close(CloseOptions.timeout(TIMEOUT)
                    .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
        }
    }

    private Running running(Topics topics, String state) {
        return running(topics, state, ViewsListener.NONE);
    }

    private Running running(Topics topics, String state, ViewsListener listener) {
        Map<String, Object> all = new HashMap<>(settings);
        all.put(ParleyConfig.BOOTSTRAP_SERVERS, SharedCluster.brokers());
        all.put(ParleyConfig.PREFIX, topics.names().prefix());
        all.put(ParleyConfig.REPLICATION, "1");
        all.put(ParleyConfig.STATE_DIR, directory.resolve(state).toString());
        Properties application = ViewsTopology.config(new ParleyConfig(all), "unused:1");
        CheckedRestores restores =
                new CheckedRestores(topics.names().applicationId() + "-views", ViewChecks.stores(topics));
        application.put(CheckedRestores.CONFIG, restores);
        return new Running(new KafkaStreams(
                ViewsTopology.build(
                        topics,
                        1,
                        ViewRetention.NONE,
                        LogNoteReader::ofAll,
                        Optional.of(PublicContent.WITHOUT_RULES),
                        listener),
                application,
                restores));
    }

    private static void createTopics(Topics topics) throws Exception {
        List<NewTopic> all = Stream.concat(
                        Stream.of(
                                topics.audit(),
                                topics.auditHead(),
                                topics.auditTile(),
                                topics.checkpoint(),
                                topics.parkedItem(),
                                topics.accounting(),
                                topics.redaction(),
                                topics.redrive(),
                                topics.traffic(),
                                topics.violation(),
                                topics.edge(),
                                topics.turnaround(),
                                topics.openItem()),
                        TopicNames.DEAD_LETTER_STAGES.stream().map(topics::deadLetters))
                .map(topic -> new NewTopic(topic.name(), PARTITIONS, (short) 1))
                .toList();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", SharedCluster.brokers()))) {
            admin.createTopics(all).all().get();
        }
    }

    /**
     * One accepted message and one dead letter without a key, in a transaction, as the pipeline writes them; and before
     * them another that is aborted, which must not become visible.
     */
    private static void produce(Topics topics, long sequence) {
        try (KafkaProducer<byte[], byte[]> producer = SharedCluster.transactionalProducer("pipeline")) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(accepted(topics, sequence + 1_000));
            producer.flush();
            producer.abortTransaction();
            producer.beginTransaction();
            producer.send(accepted(topics, sequence));
            producer.send(redactionRequest(topics));
            int rounds = Math.toIntExact(sequence + 1);
            AuditHead head = new LogNotes("parley/audit", List.of())
                    .head(0, rounds, new byte[AuditChain.HASH_BYTES], AuditRecords.NOON);
            producer.send(ofLog(topics.auditHead(), head));
            ByteBuffer hashes = ByteBuffer.allocate(rounds * AuditChain.HASH_BYTES);
            producer.send(ofLog(topics.auditTile(), new AuditTile(0, 0, 0L, hashes)));
            producer.send(new ProducerRecord<>(topics.names().deadLetters(Stage.INTERNAL), null, new byte[] {1, 2, 3}));
            producer.commitTransaction();
        }
    }

    /**
     * A redaction of the first message. Its key differs from the view's key, so that a restore must do more than copy.
     */
    private static ProducerRecord<byte[], byte[]> redactionRequest(Topics topics) {
        Redaction redaction = AuditRecords.redaction(record(0));
        return new ProducerRecord<>(
                topics.names().redaction(),
                redaction.getChain().getBytes(StandardCharsets.UTF_8),
                topics.redaction().write(redaction));
    }

    /** A record of the log of partition 0, in the partition of that log. */
    private static <V> ProducerRecord<byte[], byte[]> ofLog(Topic<String, V> topic, V value) {
        int partition = ChainPartitioner.partition(LogNotes.key(0), PARTITIONS);
        return new ProducerRecord<>(topic.name(), partition, new byte[] {1}, topic.write(value));
    }

    private static AuditRecord record(long sequence) {
        return AuditRecords.accepted("default", Protocol.SLIP, "7", sequence, "1", AuditRecords.NOON);
    }

    private static ProducerRecord<byte[], byte[]> accepted(Topics topics, long sequence) {
        AuditRecord record = record(sequence);
        byte[] key = record.getChain().getBytes(StandardCharsets.UTF_8);
        byte[] value =
                topics.audit().values().serializer().serialize(topics.audit().name(), record);
        return new ProducerRecord<>(topics.audit().name(), key, value);
    }
}
