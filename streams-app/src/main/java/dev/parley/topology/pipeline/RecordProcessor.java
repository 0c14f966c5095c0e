package dev.parley.topology.pipeline;

import dev.parley.audit.Journal;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.JournalState;
import dev.parley.stage.JudgedRecord;
import dev.parley.stage.RecordStage;
import java.util.Optional;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;

/** Gives each final verdict its place in its audit chain. What is parked passes by unrecorded, to be counted. */
final class RecordProcessor extends ContextualProcessor<String, JudgedRecord, String, RecordedVerdict> {
    private final PipelineSettings settings;
    private final PipelineListener pipelineListener;
    private RecordStage recordStage;
    private Journal journal;
    private KeyValueStore<String, JournalState> journals;

    RecordProcessor(PipelineSettings settings, PipelineListener pipelineListener) {
        this.settings = settings;
        this.pipelineListener = pipelineListener;
    }

    @Override
    public void init(ProcessorContext<String, RecordedVerdict> context) {
        super.init(context);
        journals = context.getStateStore(PipelineStores.JOURNAL);
        // Read again whenever the task begins anew: what an aborted transaction added does not count.
        journal = new Journal(context.taskId().partition(), journals.get(PipelineStores.JOURNAL_NOW));
        recordStage = new RecordStage(
                new KafkaConversationStore(
                        context.getStateStore(PipelineStores.CONVERSATIONS),
                        settings.protocols().storedStates()),
                settings.decodeOptions(),
                Optional.of(journal));
    }

    @Override
    public void process(Record<String, JudgedRecord> record) {
        JudgedRecord judged = record.value();
        VerdictLog.log(judged);
        AuditRecord audit = judged.isParked() ? null : recordStage.record(judged);
        if (audit != null) {
            journals.put(PipelineStores.JOURNAL_NOW, journal.state());
            pipelineListener.recorded(
                    judged.outcome().protocol(), audit.getVerdict(), audit.getStage(), audit.getCode());
        }
        // A released patch is dated when it was released: exports seek by this time, and brokers expire outputs by it.
        long received = judged.inbound().getSource().getTimestamp().toEpochMilli();
        context()
                .forward(record.withValue(new RecordedVerdict(judged, audit))
                        .withTimestamp(Math.max(record.timestamp(), received)));
    }
}
