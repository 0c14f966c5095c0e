package dev.parley.embedded;

import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

/** Runs an embedded broker in a process of its own, so that a test can kill it. Prints a line when its record is acknowledged. */
final class KafkaInAnotherProcess {
    static final String READY = "acknowledged";

    private KafkaInAnotherProcess() {}

    /**
     * Starts the broker, writes one record and waits to be killed.
     *
     * @param args data directory, topic, value of the record
     */
    public static void main(String[] args) throws Exception {
        EmbeddedKafka kafka = EmbeddedKafka.start(EmbeddedKafkaSettings.in(Path.of(args[0])));
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers()),
                new StringSerializer(),
                new StringSerializer())) {
            producer.send(new ProducerRecord<>(args[1], args[2])).get();
            System.out.println(READY);
            Thread.currentThread().join();
        }
    }
}
