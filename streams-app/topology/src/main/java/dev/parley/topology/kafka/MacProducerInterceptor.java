package dev.parley.topology.kafka;

import java.util.Map;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/** Adds the code of {@link RecordMac} to the records of the topics that it covers. */
public final class MacProducerInterceptor implements ProducerInterceptor<byte[], byte[]> {
    private RecordMac mac;

    @Override
    public void configure(Map<String, ?> configs) {
        mac = (RecordMac) configs.get(RecordMac.CONFIG);
    }

    @Override
    public ProducerRecord<byte[], byte[]> onSend(ProducerRecord<byte[], byte[]> record) {
        if (mac.covers(record.topic())) {
            try {
                mac.sign(record);
            } catch (RuntimeException e) {
                // Kafka ignores exceptions of interceptors, and would send the record without a code.
                throw new AssertionError("No code for a record of " + record.topic(), e);
            }
        }
        return record;
    }

    @Override
    public void onAcknowledgement(RecordMetadata metadata, Exception exception) {}

    @Override
    public void close() {}
}
