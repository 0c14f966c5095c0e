package dev.parley.topology.pipeline;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Source;
import dev.parley.dialogue.Judgement;
import dev.parley.stage.JudgedRecord;
import dev.parley.stage.RecordStage;
import java.security.SecureRandom;
import java.util.function.Function;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Appends each final verdict to its audit chain. Forwards a parked patch unrecorded, for the counts. */
final class RecordProcessor extends ContextualProcessor<String, JudgedRecord, String, JudgedRecord> {
    private static final Logger LOG = LoggerFactory.getLogger(RecordProcessor.class);

    private final PipelineSettings settings;
    private final PipelineListener pipelineListener;
    /** Reads the log when its task records its first verdict; null before. */
    private RecordStage recordStage;

    RecordProcessor(PipelineSettings settings, PipelineListener pipelineListener) {
        this.settings = settings;
        this.pipelineListener = pipelineListener;
    }

    @Override
    public void init(ProcessorContext<String, JudgedRecord> context) {
        super.init(context);
        // Read again after each start of the task, so that records of an aborted transaction do not count.
        recordStage = null;
    }

    private RecordStage stage() {
        if (recordStage == null) {
            recordStage = new RecordStage(
                    new KafkaConversationStore(context(), settings),
                    settings.stages().decode(),
                    PipelineStores.log(context(), Function.identity()),
                    new SecureRandom());
        }
        return recordStage;
    }

    @Override
    public void process(Record<String, JudgedRecord> record) {
        JudgedRecord judged = record.value();
        log(judged);
        JudgedRecord recorded = judged.isParked() ? judged : stage().record(judged);
        if (!recorded.isParked()) {
            AuditRecord audit = recorded.audit().auditRecord();
            Judgement judgement = recorded.judgement();
            pipelineListener.recorded(recorded.protocol(), judgement.verdict(), judgement.stage(), audit.getCode());
            pipelineListener.recorded(audit, record.headers());
        }
        // A released patch gets the time of its release: exports seek by this timestamp, and brokers expire outputs by
        // it.
        long received = judged.inbound().getSource().getTimestamp().toEpochMilli();
        long time = Math.max(record.timestamp(), received);
        context().forward(new Record<>(record.key(), recorded, time, record.headers()));
    }

    /** Logs a verdict at DEBUG, without the content of the message. */
    private static void log(JudgedRecord judged) {
        if (LOG.isDebugEnabled()) {
            Judgement judgement = judged.judgement();
            Source source = judged.inbound().getSource();
            LOG.atDebug()
                    .addKeyValue("conversation", judged.chain())
                    .addKeyValue("topic", source.getTopic())
                    .addKeyValue("partition", source.getPartition())
                    .addKeyValue("offset", source.getOffset())
                    .log("{} {}", judgement.verdict(), judgement.code() == null ? "" : judgement.code());
        }
    }
}
