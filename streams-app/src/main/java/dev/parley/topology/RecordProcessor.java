package dev.parley.topology;

import dev.parley.pipeline.Judged;
import dev.parley.pipeline.Recording;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/** Gives each final verdict its place in its audit chain. What is parked passes by unrecorded, to be counted. */
final class RecordProcessor extends ContextualProcessor<String, Judged, String, Recorded> {
    private final PipelineSettings settings;
    private Recording recording;

    RecordProcessor(PipelineSettings settings) {
        this.settings = settings;
    }

    @Override
    public void init(ProcessorContext<String, Recorded> context) {
        super.init(context);
        recording = new Recording(
                new StoredConversations(context.getStateStore(Stores.CONVERSATIONS)), settings.decodeOptions());
    }

    @Override
    public void process(Record<String, Judged> record) {
        Judged judged = record.value();
        context()
                .forward(record.withValue(new Recorded(judged, judged.isParked() ? null : recording.record(judged)))
                        .withTimestamp(
                                judged.inbound().getSource().getTimestamp().toEpochMilli()));
    }
}
