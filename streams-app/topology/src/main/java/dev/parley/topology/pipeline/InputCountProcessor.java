package dev.parley.topology.pipeline;

import org.apache.kafka.streams.processor.api.Record;

/** Publishes the input counts of {@link InputPositionTracker}: the left side of the accounting. */
final class InputCountProcessor extends AccountingProcessor<byte[], byte[]> {

    InputCountProcessor() {
        super(PipelineStores.INPUTS);
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        // InputPositionTracker counts, because decode needs the position.
        publishSoon();
    }
}
