package dev.parley.interop;

import dev.parley.load.CommittedRecords;
import dev.parley.serde.AvroSerdes;
import io.confluent.kafka.serializers.KafkaAvroDeserializer;
import java.util.List;
import java.util.Map;
import org.apache.avro.generic.GenericRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.Deserializer;

/** Reads topics as any other program does, with Confluent's deserializer. */
final class TopicRecords {
    static {
        // Parley's classes are on the class path, so Avro has to trust them.
        AvroSerdes.trustRecords();
    }

    private TopicRecords() {}

    /** The committed values of a topic, with logical types as their Java types. */
    static List<GenericRecord> values(String brokers, String registry, String topic) {
        return records(brokers, registry, topic).stream()
                .map(record -> (GenericRecord) record.value())
                .toList();
    }

    /** The committed records of a topic. */
    static List<ConsumerRecord<byte[], Object>> records(String brokers, String registry, String topic) {
        KafkaAvroDeserializer avro = new KafkaAvroDeserializer();
        avro.configure(Map.of("schema.registry.url", registry, "avro.use.logical.type.converters", true), false);
        return read(brokers, topic, avro);
    }

    /** The number of committed records of a topic. */
    static long count(String brokers, String topic) {
        return read(brokers, topic, new ByteArrayDeserializer()).size();
    }

    private static <V> List<ConsumerRecord<byte[], V>> read(String brokers, String topic, Deserializer<V> values) {
        return CommittedRecords.read(brokers, List.of(topic), new ByteArrayDeserializer(), values);
    }
}
