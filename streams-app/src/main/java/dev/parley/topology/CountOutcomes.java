package dev.parley.topology;

import dev.parley.avro.Accounting;
import dev.parley.avro.Source;
import dev.parley.codec.Code;
import dev.parley.pipeline.Judged;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/** Counts what became of each input: the right side of the accounting. */
final class CountOutcomes extends CountProcessor<String, Recorded> {

    private final PipelineSettings settings;
    private JudgedPosition position;

    CountOutcomes(PipelineSettings settings) {
        super(Stores.OUTCOMES);
        this.settings = settings;
    }

    @Override
    public void init(ProcessorContext<String, Accounting> context) {
        super.init(context);
        position = new JudgedPosition(counts(), settings.sources());
    }

    @Override
    public void process(Record<String, Recorded> record) {
        Judged judged = record.value().judged();
        Source source = judged.inbound().getSource();
        Accounting counted = of(source.getTopic(), source.getPartition());
        if (judged.code() == Code.INPUT_EXPIRED) {
            // It tells of records that never came in, and is none itself.
            return;
        }
        switch (judged.parking()) {
            case PARKED -> counted.setParked(counted.getParked() + 1);
            case RELEASED -> counted.setParked(counted.getParked() - 1);
            case NONE -> {}
        }
        switch (judged.verdict()) {
            case ACCEPTED -> counted.setAccepted(counted.getAccepted() + 1);
            case REJECTED -> counted.setRejected(counted.getRejected() + 1);
            case FLAGGED -> counted.setFlagged(counted.getFlagged() + 1);
            case UNDECODABLE -> counted.setUndecodable(counted.getUndecodable() + 1);
            case UNSPECIFIED -> {}
        }
        if (!settings.keyedByConversation()) {
            // A verdict that time brings, not a record, moves no position.
            RecordMetadata metadata = context().recordMetadata().orElse(null);
            if (metadata != null && metadata.offset() >= 0) {
                position.judged(counted, metadata);
            }
        }
        keep(counted);
    }
}
