package dev.parley.topology.pipeline;

import org.apache.kafka.streams.processor.api.Record;

/** Tells what {@link InputPositionTracker} has counted: the left side of the accounting. */
final class InputCountProcessor extends AccountingProcessor<byte[], byte[]> {

    InputCountProcessor() {
        super(PipelineStores.INPUTS);
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        // Decode counts, because it must know what was read before.
    }
}
