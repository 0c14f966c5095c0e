package dev.parley.topology.pipeline;

import dev.parley.avro.Inbound;
import dev.parley.decode.WireRecord;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Keys an input record by its conversation. It forwards the original record instead of the decoded message: decoding
 * again after the repartition costs less than sending the larger decoded form.
 */
final class DecodeProcessor extends InputProcessor {
    private final RecordRouter router;

    DecodeProcessor(PipelineSettings settings) {
        super(settings.sources(), settings.stages().decode().limits());
        this.router = new RecordRouter(settings);
    }

    @Override
    Record<String, Inbound> decode(Record<byte[], byte[]> record, WireRecord wire) {
        return router.route(wire)
                .map(
                        message -> keyed(record, wire, message.conversation().toString()),
                        error -> undecodable(record, wire, error));
    }
}
