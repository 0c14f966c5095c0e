package dev.parley.topology;

import dev.parley.avro.Accounting;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/** Counts what comes in: the left side of the accounting. */
final class CountInputs extends CountProcessor<byte[], byte[]> {

    CountInputs() {
        super(Stores.INPUTS);
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        RecordMetadata metadata = context().recordMetadata().orElseThrow();
        Accounting counted = of(metadata.topic(), metadata.partition());
        counted.setInputs(counted.getInputs() + 1);
        keep(counted);
    }
}
