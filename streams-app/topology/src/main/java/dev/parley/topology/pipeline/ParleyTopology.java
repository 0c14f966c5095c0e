package dev.parley.topology.pipeline;

import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditTile;
import dev.parley.avro.Checkpoint;
import dev.parley.avro.Inbound;
import dev.parley.avro.Stage;
import dev.parley.checkpoint.CheckpointKey;
import dev.parley.log.LogNotes;
import dev.parley.serde.AvroSerdes;
import dev.parley.stage.JudgedRecord;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.ProducerTimestampInterceptor;
import dev.parley.topology.kafka.StreamsSettings;
import dev.parley.topology.topics.ChainPartitioner;
import dev.parley.topology.topics.Topic;
import dev.parley.topology.topics.Topics;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Named;
import org.apache.kafka.streams.kstream.Repartitioned;

/**
 * The pipeline.
 *
 * <pre>
 * wire topics     → decode           ┐                   ┌ judge  ┐
 *                                    ├ by-conversation → ┤        ├ record → outputs
 * redaction topic → decode-redaction ┘                   └ redact ┘
 *
 * judge → parked items
 * outputs: audit, message, checkpoint and dead-letter topics; publish-log → heads and tiles
 * count-inputs (of both decode stages), count-outcomes → accounting
 * </pre>
 */
public final class ParleyTopology {
    private static final int TOMBSTONE_DAYS = 7;

    private final Topics topics;
    private final AvroSerdes serdes;
    private final PipelineSettings settings;
    private final PipelineListener pipelineListener;

    /**
     * Creates the pipeline.
     *
     * @param topics topics that it reads and writes
     * @param serdes serdes of its stores, and of the records between decode and judge
     * @param settings settings of its stages
     * @param pipelineListener receives every verdict
     */
    public ParleyTopology(
            Topics topics, AvroSerdes serdes, PipelineSettings settings, PipelineListener pipelineListener) {
        this.topics = topics;
        this.serdes = serdes;
        this.settings = settings;
        this.pipelineListener = pipelineListener;
    }

    /**
     * Builds the topology. Every node, store and internal topic has an explicit name. Processors select their
     * records themselves: a filter costs each record a copy.
     */
    public Topology build() {
        StreamsBuilder builder = new StreamsBuilder();
        PipelineStores.addTo(builder, serdes);
        KStream<byte[], byte[]> wire = source(builder, "wire", settings.inputs().topics());
        KStream<byte[], byte[]> requests =
                source(builder, "redaction", List.of(topics.redaction().name()));
        countInputs(wire.merge(requests, Named.as("all-inputs")));

        KStream<String, Inbound> decoded = decode(wire).merge(decodeRedaction(requests), Named.as("decoded"));
        KStream<String, Inbound> inbound = byConversation(decoded);
        KStream<String, JudgedRecord> judged = judge(inbound);
        publishParked(judged);
        KStream<String, JudgedRecord> redacted = redact(inbound);
        KStream<String, JudgedRecord> recorded = record(judged.merge(redacted, Named.as("judged")));

        countOutcomes(recorded);
        publishVerdicts(recorded);
        publishLog(recorded);
        publishDeadLetters(recorded, Stage.DECODE);
        publishDeadLetters(recorded, Stage.JUDGE);
        publishDeadLetters(recorded, Stage.APPLY);
        return builder.build();
    }

    private KStream<byte[], byte[]> source(StreamsBuilder builder, String name, List<String> inputs) {
        return builder.stream(
                inputs,
                Consumed.with(Serdes.ByteArray(), Serdes.ByteArray())
                        .withTimestampExtractor(settings.recordTime())
                        // With an explicit policy, Kafka Streams itself resets the position, and BrokerTopicMetadata
                        // can note it.
                        .withOffsetResetPolicy(AutoOffsetReset.earliest())
                        .withName(name));
    }

    private void countInputs(KStream<byte[], byte[]> wire) {
        wire.process(
                        () -> new AccountingProcessor<>(PipelineStores.INPUTS),
                        Named.as("count-inputs"),
                        PipelineStores.INPUTS)
                .to(topics.accounting().name(), topics.accounting().producedAs("inputs"));
    }

    private KStream<String, Inbound> decode(KStream<byte[], byte[]> wire) {
        return wire.process(() -> InputProcessor.ofMessages(settings), Named.as("decode"), PipelineStores.INPUTS);
    }

    private KStream<String, Inbound> decodeRedaction(KStream<byte[], byte[]> redaction) {
        return redaction.process(
                () -> InputProcessor.ofRedactions(settings, topics.redaction()),
                Named.as("decode-redaction"),
                PipelineStores.INPUTS);
    }

    private KStream<String, Inbound> byConversation(KStream<String, Inbound> decoded) {
        return settings.keyedByConversation()
                ? decoded
                : decoded.repartition(Repartitioned.with(Serdes.String(), serdes.values(Inbound.class))
                        .withStreamPartitioner(
                                (topic, chain, value, partitions) -> ChainPartitioner.sink(chain, partitions))
                        .withName(Topics.BY_CONVERSATION));
    }

    private KStream<String, JudgedRecord> judge(KStream<String, Inbound> inbound) {
        return inbound.process(
                () -> new JudgeProcessor(settings, topics.redaction().name()),
                Named.as("judge"),
                PipelineStores.CONVERSATIONS,
                PipelineStores.ITEMS,
                PipelineStores.CHECKPOINTS,
                PipelineStores.CHECKPOINT_INDEX,
                PipelineStores.PARKED,
                PipelineStores.OUTCOMES);
    }

    private KStream<String, JudgedRecord> redact(KStream<String, Inbound> inbound) {
        return inbound.process(
                () -> new RedactProcessor(settings, topics.redaction()),
                Named.as("redact"),
                PipelineStores.CONVERSATIONS,
                PipelineStores.ITEMS,
                PipelineStores.OUTCOMES);
    }

    private KStream<String, JudgedRecord> record(KStream<String, JudgedRecord> judged) {
        return judged.process(
                () -> new RecordProcessor(settings, pipelineListener),
                Named.as("record"),
                PipelineStores.CONVERSATIONS,
                PipelineStores.ITEMS,
                PipelineStores.LOG);
    }

    private void countOutcomes(KStream<String, JudgedRecord> recorded) {
        recorded.process(() -> new OutcomeCountProcessor(settings), Named.as("count-outcomes"), PipelineStores.OUTCOMES)
                .to(topics.accounting().name(), topics.accounting().producedAs("outcomes"));
    }

    private void publishVerdicts(KStream<String, JudgedRecord> recorded) {
        recorded.process(
                        () -> new CloudEventProcessor<>(
                                "audit",
                                r -> r.isParked()
                                        ? List.of()
                                        : List.of(r.audit().encoded()),
                                (r, audit) -> r.chain()),
                        Named.as("audit-event"))
                .to(topics.encodedAudit().name(), topics.encodedAudit().producedAs("audit"));
        recorded.process(
                        () -> new CloudEventProcessor<>(
                                "message",
                                r -> r.passes() ? List.of(r.audit().encodedMessage()) : List.of(),
                                (r, message) -> r.chain()),
                        Named.as("message-event"))
                .to(topics.encodedMessage().name(), topics.encodedMessage().producedAs("message"));
        recorded.process(
                        () -> new CloudEventProcessor<>(
                                "checkpoint", JudgedRecord::checkpoints, (r, checkpoint) -> keyOf(checkpoint)),
                        Named.as("checkpoint-event"))
                .to(
                        topics.checkpoint().name(),
                        topics.checkpoint().producedByChainAs("checkpoint", (key, checkpoint) -> chainOf(checkpoint)));
    }

    private void publishParked(KStream<String, JudgedRecord> judged) {
        judged.process(ParkingProcessor::new, Named.as("list-parked"))
                .to(
                        topics.parkedItem().name(),
                        topics.parkedItem()
                                .producedByChainAs("parked-items", (key, item) -> ParkingProcessor.chainOf(key)));
    }

    private void publishLog(KStream<String, JudgedRecord> recorded) {
        KStream<String, SpecificRecord> published = recorded.process(
                () -> new LogHeadProcessor(settings, pipelineListener), Named.as("publish-log"), PipelineStores.LOG);
        ofType(published, AuditTile.class, "tile")
                .to(
                        topics.auditTile().name(),
                        topics.auditTile()
                                .producedByChainAs("audit-tiles", (key, tile) -> LogNotes.key(tile.getPartition())));
        ofType(published, AuditHead.class, "head")
                .to(
                        topics.auditHead().name(),
                        topics.auditHead()
                                .producedByChainAs("audit-heads", (key, head) -> LogNotes.key(head.getPartition())));
    }

    private static <T extends SpecificRecord> KStream<String, T> ofType(
            KStream<String, SpecificRecord> published, Class<T> type, String name) {
        return published
                .filter((key, value) -> type.isInstance(value), Named.as("is-" + name))
                .mapValues(type::cast, Named.as(name));
    }

    private static String keyOf(Checkpoint checkpoint) {
        return new CheckpointKey(checkpoint.getNamespace(), checkpoint.getContext(), checkpoint.getId()).toString();
    }

    private static String chainOf(Checkpoint checkpoint) {
        return ChainPartitioner.chainOfContext(checkpoint.getNamespace(), checkpoint.getContext());
    }

    private void publishDeadLetters(KStream<String, JudgedRecord> recorded, Stage stage) {
        String name = stage.name().toLowerCase(Locale.ROOT);
        Topic<byte[], byte[]> deadLetters = topics.deadLetters(stage);
        recorded.process(() -> new DeadLetterProcessor(stage), Named.as("dead-letter-" + name))
                .to(deadLetters.name(), deadLetters.producedAs("dlq-" + name));
    }

    /** Returns the Kafka Streams settings of the pipeline. */
    public static Properties config(ParleyConfig config) {
        Properties settings = StreamsSettings.common(config, config.getString(ParleyConfig.APPLICATION_ID));
        settings.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, config.getInt(ParleyConfig.THREADS));
        // No order between input topics is promised, and a check of the empty ones for each record takes 7 % of the
        // CPU.
        settings.put(StreamsConfig.MAX_TASK_IDLE_MS_CONFIG, StreamsConfig.MAX_TASK_IDLE_MS_DISABLED);
        settings.putAll(StreamsSettings.memoryLimits(
                Runtime.getRuntime().maxMemory(),
                config.getInt(ParleyConfig.THREADS),
                config.getInt(ParleyConfig.LIMIT_BYTES)));
        settings.put(StreamsConfig.PROCESSING_EXCEPTION_HANDLER_CLASS_CONFIG, DeadLetterExceptionHandler.class);
        settings.put(StreamsConfig.DESERIALIZATION_EXCEPTION_HANDLER_CLASS_CONFIG, DeadLetterExceptionHandler.class);
        settings.put(StreamsConfig.PRODUCTION_EXCEPTION_HANDLER_CLASS_CONFIG, DeadLetterExceptionHandler.class);
        settings.put(DeadLetterExceptionHandler.TOPIC, config.topics().deadLetters(Stage.INTERNAL));
        // A restore refuses the tombstone of another client only while the changelog contains it.
        settings.put(
                StreamsConfig.topicPrefix(TopicConfig.DELETE_RETENTION_MS_CONFIG),
                TimeUnit.DAYS.toMillis(TOMBSTONE_DAYS));
        settings.putAll(config.kafkaClientSettings());
        StreamsSettings.intercept(settings, StreamsConfig.MAIN_CONSUMER_PREFIX, ProducerTimestampInterceptor.class);
        StreamsSettings.addMac(config, settings);
        return settings;
    }
}
