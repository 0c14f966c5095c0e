package dev.parley.embedded;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Runs an embedded broker in a process of its own, so that a test can kill it. Prints a line when its records are
 * acknowledged.
 */
final class KafkaInAnotherProcess {
    static final String READY = "acknowledged";

    private KafkaInAnotherProcess() {}

    /**
     * Starts the broker, writes one record and another one in an open transaction, and waits to be killed.
     *
     * @param args data directory, topic, value of the first record
     */
    public static void main(String[] args) throws Exception {
        EmbeddedKafka kafka = EmbeddedKafka.start(EmbeddedKafkaSettings.in(Path.of(args[0])));
        Map<String, Object> configs = Map.of("bootstrap.servers", kafka.bootstrapServers());
        Map<String, Object> transactional = new HashMap<>(configs);
        transactional.put("transactional.id", "open");
        transactional.put("transaction.timeout.ms", 1_000);
        try (KafkaProducer<String, String> producer =
                        new KafkaProducer<>(configs, new StringSerializer(), new StringSerializer());
                KafkaProducer<String, String> open =
                        new KafkaProducer<>(transactional, new StringSerializer(), new StringSerializer())) {
            producer.send(new ProducerRecord<>(args[1], args[2])).get();
            open.initTransactions();
            open.beginTransaction();
            open.send(new ProducerRecord<>(args[1], "never committed")).get();
            System.out.println(READY);
            Thread.currentThread().join();
        }
    }
}
