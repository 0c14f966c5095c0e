package dev.parley.topology.pipeline;

import dev.parley.avro.Inbound;
import dev.parley.avro.Redaction;
import dev.parley.encoding.ByteBuffers;
import dev.parley.stage.JudgedRecord;
import dev.parley.stage.RedactStage;
import dev.parley.topology.topics.Topic;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/** Judges redaction requests by the state of their conversations. Ignores all other records. */
final class RedactProcessor extends ContextualProcessor<String, Inbound, String, JudgedRecord> {
    private final PipelineSettings settings;
    private final RedactionReader reader;
    private final String topic;
    private RedactStage redactStage;
    private JudgedOffsetTracker judgedOffset;

    RedactProcessor(PipelineSettings settings, Topic<String, Redaction> redactions) {
        this.settings = settings;
        this.reader = new RedactionReader(redactions);
        this.topic = redactions.name();
    }

    @Override
    public void init(ProcessorContext<String, JudgedRecord> context) {
        super.init(context);
        redactStage = new RedactStage(
                settings.stages().judge(),
                new KafkaConversationStore(context, settings),
                topic,
                context.taskId().partition(),
                settings.maxRedactions());
        judgedOffset = new JudgedOffsetTracker(context.getStateStore(PipelineStores.OUTCOMES), settings);
    }

    @Override
    public void process(Record<String, Inbound> record) {
        boolean isRedaction = record.value().getSource().getTopic().equals(topic);
        if (!isRedaction
                || judgedOffset.isJudged(
                        context().recordMetadata(), record.value().getSource())) {
            return;
        }
        context().forward(record.withValue(judge(record.value())));
    }

    private JudgedRecord judge(Inbound inbound) {
        if (inbound.getFault() != null) {
            return JudgedRecord.undecodable(inbound);
        }
        return reader.read(
                ByteBuffers.of(inbound.getKey()),
                ByteBuffers.of(inbound.getValue()),
                redaction -> redactStage.judge(inbound, redaction),
                error -> JudgedRecord.undecodable(inbound, error));
    }
}
