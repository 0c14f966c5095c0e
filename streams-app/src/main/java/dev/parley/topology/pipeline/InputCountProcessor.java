package dev.parley.topology.pipeline;

import org.apache.kafka.streams.processor.api.Record;

/** Tells what {@link InputPositions} has counted: the left side of the accounting. */
final class InputCountProcessor extends CountProcessor<byte[], byte[]> {

    InputCountProcessor() {
        super(Stores.INPUTS);
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        // Decode counts, because it must know what was read before.
    }
}
