package dev.parley.chaos;

import static org.awaitility.Awaitility.await;

import dev.parley.avro.Stage;
import dev.parley.load.CommittedRecords;
import dev.parley.protocol.Protocols;
import dev.parley.protocol.TopicNames;
import dev.parley.serde.AvroSerdes;
import dev.parley.topology.topics.Topic;
import dev.parley.topology.topics.Topics;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.awaitility.core.ConditionTimeoutException;

/**
 * Reads the committed records of all topics, from its last position to their current ends, into an {@link Oracle}:
 * inputs first, and the audit trail before the records that follow from it.
 */
final class TopicTailer implements AutoCloseable {
    private final Oracle oracle;
    private final AvroSerdes serdes;
    private final Topics topics;
    private final String brokers;
    private final Map<String, KafkaConsumer<byte[], byte[]>> consumers = new HashMap<>();

    /**
     * Creates a reader at the start of all topics.
     *
     * @param brokers bootstrap servers
     * @param registry URL of the Schema Registry
     * @param oracle receives the records
     */
    TopicTailer(String brokers, String registry, Oracle oracle) {
        this.oracle = oracle;
        serdes = AvroSerdes.fromConfig(Map.of("schema.registry.url", registry));
        topics = new Topics(TopicNames.DEFAULT, serdes);
        this.brokers = brokers;
    }

    /** The oracle with all records read. */
    Oracle oracle() {
        return oracle;
    }

    /**
     * Reads until each message has its verdict and Parley has counted it.
     *
     * @return false if that takes too long
     */
    boolean awaitSettled(Duration timeout) {
        try {
            await().atMost(timeout)
                    .pollInSameThread()
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(300))
                    .until(() -> {
                        readOn();
                        return oracle.isSettled() && oracle.isCounted();
                    });
            return true;
        } catch (ConditionTimeoutException e) {
            return false;
        }
    }

    /** Reads to the current ends of all topics. */
    void readOn() {
        for (String input : topics.names().inputs(Protocols.STANDARD)) {
            read(input, oracle::input);
        }
        read(topics.audit(), (key, record) -> oracle.audit(record));
        read(topics.message(), (key, message) -> oracle.message(message));
        for (Stage stage : TopicNames.DEAD_LETTER_STAGES) {
            read(topics.deadLetters(stage).name(), letter -> oracle.deadLetter(stage, letter));
        }
        read(topics.checkpoint(), (key, checkpoint) -> oracle.checkpoint(checkpoint));
        read(topics.accounting(), oracle::accounting);
        read(topics.traffic(), oracle::traffic);
    }

    private <K, V> void read(Topic<K, V> topic, BiConsumer<K, V> taker) {
        read(
                topic.name(),
                record -> taker.accept(
                        topic.keys().deserializer().deserialize(record.topic(), record.key()),
                        topic.read(record.value())));
    }

    private void read(String topic, Consumer<ConsumerRecord<byte[], byte[]>> taker) {
        CommittedRecords.readOn(consumers.computeIfAbsent(topic, name -> CommittedRecords.of(brokers, name)), taker);
    }

    @Override
    public void close() throws IOException {
        consumers.values().forEach(KafkaConsumer::close);
        serdes.close();
    }
}
