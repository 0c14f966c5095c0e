package dev.parley.topology.pipeline;

import dev.parley.avro.Accounting;
import dev.parley.avro.Source;
import dev.parley.stage.JudgedRecord;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/** Counts the outcomes of input records: the right side of the accounting. */
final class OutcomeCountProcessor extends AccountingProcessor<String, JudgedRecord> {

    private final PipelineSettings settings;
    private CountStore outcomes;
    private JudgedOffsetTracker judgedOffset;

    OutcomeCountProcessor(PipelineSettings settings) {
        super(PipelineStores.OUTCOMES);
        this.settings = settings;
    }

    @Override
    public void init(ProcessorContext<String, Accounting> context) {
        super.init(context);
        outcomes = new CountStore(counts());
        judgedOffset = new JudgedOffsetTracker(counts(), settings);
    }

    @Override
    public void process(Record<String, JudgedRecord> record) {
        super.process(record);
        JudgedRecord judged = record.value();
        if (judged.isExpired()) {
            return;
        }
        Source source = judged.inbound().getSource();
        CountStore.Entry entry = outcomes.get(source.getTopic(), source.getPartition());
        Accounting counted = entry.counts();
        counted.setLog(context().taskId().partition());
        judgedOffset.track(counted, context().recordMetadata(), source);
        if (judged.isParked()) {
            counted.setParked(counted.getParked() + 1);
        } else if (judged.released()) {
            counted.setParked(counted.getParked() - 1);
        }
        switch (judged.judgement().verdict()) {
            case ACCEPTED -> counted.setAccepted(counted.getAccepted() + 1);
            case REJECTED -> counted.setRejected(counted.getRejected() + 1);
            case FLAGGED -> counted.setFlagged(counted.getFlagged() + 1);
            case UNDECODABLE -> counted.setUndecodable(counted.getUndecodable() + 1);
            case UNSPECIFIED -> {}
        }
        outcomes.save(entry);
    }
}
