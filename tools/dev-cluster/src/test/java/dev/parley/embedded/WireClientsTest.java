package dev.parley.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.CspMessage;
import dev.parley.avro.LambdaMessage;
import dev.parley.avro.SlipAct;
import dev.parley.avro.SlipFrame;
import dev.parley.avro.SlipMessage;
import dev.parley.avro.SubitMessage;
import dev.parley.codec.csp.CspMessages;
import dev.parley.codec.lambda.LambdaBuilder;
import dev.parley.codec.slip.SlipBuilder;
import dev.parley.codec.subit.SubitBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Producers and consumers that use the wire serdes by class name only. */
class WireClientsTest {
    private static final int DEADLINE_SECONDS = 30;

    @TempDir
    Path directory;

    @Test
    void consumerReadsRecordsOfAProducer() throws Exception {
        SlipMessage slip = SlipBuilder.of(SlipAct.REQUEST, SlipFrame.TASK, 1, 0, 1, 1)
                .taskId(1)
                .tag("auth")
                .build();
        SubitMessage subit = SubitBuilder.state(6).session("crew-12").build();
        CspMessage csp = CspMessages.of("ada", "bob", "C0")
                .patch("P1", "C0", "C1")
                .add("GOAL", "ship")
                .build();
        LambdaMessage lambda = LambdaBuilder.message().ask("Uc/la").build();
        try (EmbeddedKafka kafka = EmbeddedKafka.start(EmbeddedKafkaSettings.in(directory))) {
            requireSame(kafka, "slip", slip);
            requireSame(kafka, "subit", subit);
            requireSame(kafka, "csp", csp);
            requireSame(kafka, "lambda", lambda);
        }
    }

    private static void requireSame(EmbeddedKafka kafka, String protocol, Object message) throws Exception {
        Cluster.createTopic(kafka, protocol);
        try (KafkaProducer<Object, Object> producer = new KafkaProducer<>(settings(kafka, protocol, "serializer"))) {
            producer.send(new ProducerRecord<>(protocol, message, message)).get();
            producer.send(new ProducerRecord<>(protocol, null, null)).get();
        }
        List<Object> read = new ArrayList<>();
        try (KafkaConsumer<Object, Object> consumer = new KafkaConsumer<>(settings(kafka, protocol, "deserializer"))) {
            consumer.assign(List.of(new TopicPartition(protocol, 0)));
            consumer.seekToBeginning(consumer.assignment());
            long deadline =
                    System.nanoTime() + Duration.ofSeconds(DEADLINE_SECONDS).toNanos();
            while (read.size() < 4 && System.nanoTime() < deadline) {
                consumer.poll(Duration.ofSeconds(1)).forEach(record -> {
                    read.add(record.key());
                    read.add(record.value());
                });
            }
        }
        assertThat(read).containsExactly(message, message, null, null);
    }

    /** Settings as in a properties file: strings only. */
    private static Properties settings(EmbeddedKafka kafka, String protocol, String role) {
        String type = "dev.parley.serde.Wire" + (role.equals("serializer") ? "Serializer" : "Deserializer");
        Properties settings = new Properties();
        settings.setProperty("bootstrap.servers", kafka.bootstrapServers());
        settings.setProperty("key." + role, type);
        settings.setProperty("value." + role, type);
        settings.setProperty("parley.protocol", protocol);
        settings.setProperty("parley.profile", "strict");
        settings.setProperty("parley.limits.message.bytes", "65536");
        return settings;
    }
}
