package dev.parley.topology;

import org.apache.kafka.streams.processor.api.Record;

/** Tells what {@link InputPositions} has counted: the left side of the accounting. */
final class CountInputs extends CountProcessor<byte[], byte[]> {

    CountInputs() {
        super(Stores.INPUTS);
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        // Decode counts, because it must know what was read before.
    }
}
