package dev.parley.topology.pipeline;

import dev.parley.avro.Accounting;
import dev.parley.avro.Source;
import dev.parley.stage.JudgedRecord;
import dev.parley.stage.Outcome;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/** Counts what became of each input: the right side of the accounting. */
final class OutcomeCountProcessor extends AccountingProcessor<String, RecordedVerdict> {

    private final PipelineSettings settings;
    private JudgedOffsetTracker position;

    OutcomeCountProcessor(PipelineSettings settings) {
        super(PipelineStores.OUTCOMES);
        this.settings = settings;
    }

    @Override
    public void init(ProcessorContext<String, Accounting> context) {
        super.init(context);
        position = new JudgedOffsetTracker(counts(), settings.sources());
    }

    @Override
    public void process(Record<String, RecordedVerdict> record) {
        JudgedRecord judged = record.value().judged();
        if (judged.outcome() instanceof Outcome.Expired) {
            return;
        }
        Source source = judged.inbound().getSource();
        Accounting counted = of(source.getTopic(), source.getPartition());
        if (judged.isParked()) {
            counted.setParked(counted.getParked() + 1);
        } else if (judged.released()) {
            counted.setParked(counted.getParked() - 1);
        }
        switch (judged.outcome().verdict()) {
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
