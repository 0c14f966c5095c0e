package dev.parley.topology.pipeline;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Profile;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.Limits;
import dev.parley.decode.Expectation;
import dev.parley.decode.RecordDecodeResult;
import dev.parley.decode.WireProtocol;
import dev.parley.decode.WireProtocols;
import dev.parley.decode.WireRecord;
import dev.parley.diagnosis.ValueDiagnosis;
import dev.parley.dialogue.Judge;
import dev.parley.log.CheckedRecord;
import dev.parley.log.RestoredLogException;
import dev.parley.log.RestoredLogVerifier;
import dev.parley.stage.DialogueReplay;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.topics.KafkaHeaders;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.api.Record;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decodes the inputs of restored audit records again, judges their messages again, and compares the records with the
 * results. Sentences may change with the version of Parley, so {@code detail} is not compared. Not thread-safe.
 */
final class RecordReplay {
    private static final Logger LOG = LoggerFactory.getLogger(RecordReplay.class);

    /** Codes that a setting gives to any message. */
    private static final Set<Code> BY_SETTINGS =
            Set.of(Code.INPUT_NOT_ALLOWED, Code.MESSAGE_TOO_LARGE, Code.TOO_DEEP, Code.TOO_MANY_FIELDS);

    /** The largest limits that a configuration may have. */
    private static final Limits LARGEST = new Limits(16 << 20, 1_000, Integer.MAX_VALUE, Integer.MAX_VALUE);

    private static final String REMEDY = ". If it was recorded by another version of Parley or with another "
            + ParleyConfig.IDLE_MS + ", start with that until a head has been signed";

    private final PipelineSettings settings;
    private final RecordRouter router;
    private final Judge judge;
    private final DialogueReplay dialogues;
    private boolean isReported;

    RecordReplay(PipelineSettings settings) {
        this.settings = settings;
        router = new RecordRouter(settings);
        judge = settings.stages().judge();
        dialogues = new DialogueReplay(judge);
    }

    /**
     * Judges the next record of a chain again if it knows all before it. Checkpoints take no part, nor do the failures
     * that they cause.
     *
     * @throws RestoredLogException if the dialogue rules give another code
     */
    void judge(CheckedRecord checked) throws RestoredLogException {
        AuditRecord recorded = checked.auditRecord();
        if ((recorded.getMessage() != null || recorded.getRedaction() != null)
                && dialogues.state(checked.chain()).head().records() == checked.sequence()) {
            dialogues.add(recorded);
        }
        if (!dialogues.isExact()) {
            throw RestoredLogVerifier.ofInput(checked, "judged again, the message has another code" + REMEDY);
        }
    }

    /**
     * Decodes the input of a record again. Logs the first record that only other settings give. Redaction requests are
     * not read, but must have no message.
     *
     * @throws RestoredLogException if no settings give the record
     */
    void compare(CheckedRecord checked, ConsumerRecord<byte[], byte[]> input) throws RestoredLogException {
        AuditRecord recorded = checked.auditRecord();
        WireRecord wire = wire(recorded, input, settings.stages().decode().limits());
        RecordDecodeResult now = router.route(wire);
        boolean isRequest = input.topic().equals(settings.inputs().names().redaction());
        if (isRequest && recorded.getMessage() == null || follows(recorded, wire, now, false)) {
            return;
        }
        String cause = "the input does not give this record: decoded again, it is "
                + now.map(
                        message -> "a message of " + message.conversation() + " from " + message.sender(),
                        error -> "undecodable (" + error.code() + " at byte " + error.position() + ")");
        if (!isExplained(recorded, input)) {
            throw RestoredLogVerifier.ofInput(checked, cause + REMEDY);
        }
        (isReported ? LOG.atDebug() : LOG.atWarn())
                .log("{}: {}. Other settings give it, so the log is signed.", checked.input(), cause);
        isReported = true;
    }

    /** Whether other settings of the decoder, or another input policy and its protocols of topics, give the record. */
    private boolean isExplained(AuditRecord recorded, ConsumerRecord<byte[], byte[]> input) {
        WireRecord wire = wire(recorded, input, LARGEST);
        DecodeOptions options = new DecodeOptions(Profile.valueOf(recorded.getProfile()), LARGEST);
        WireProtocols protocols = settings.stages().protocols().wire();
        List<Map<String, WireProtocol<?>>> mappings =
                new ArrayList<>(List.of(settings.stages().topicProtocols()));
        if (!settings.inputs().names().inputs(settings.stages().protocols()).contains(input.topic())) {
            mappings.add(Map.of());
            protocols.all().forEach(protocol -> mappings.add(Map.of(input.topic(), protocol)));
        }
        return mappings.stream()
                .map(topics -> ValueDiagnosis.decoder(options, protocols, topics))
                .anyMatch(decoder -> follows(recorded, wire, decoder.decode(wire), true));
    }

    /** The input as the pipeline decodes it, with the source of its audit record. */
    private static WireRecord wire(AuditRecord recorded, ConsumerRecord<byte[], byte[]> input, Limits limits) {
        Record<byte[], byte[]> record =
                InputProcessor.unwrapped(new Record<>(input.key(), input.value(), 0, input.headers()), limits);
        return new WireRecord(recorded.getSource(), record.key(), record.value(), KafkaHeaders.view(record.headers()));
    }

    /**
     * Whether a record has what follows from its decoded input alone.
     *
     * @param anySettings whether settings may have refused the message, or withheld claims
     */
    private boolean follows(AuditRecord recorded, WireRecord wire, RecordDecodeResult result, boolean anySettings) {
        boolean isRefused = recorded.getVerdict().equals(Verdict.UNDECODABLE.name())
                && recorded.getMessage() == null
                && recorded.getRedaction() == null
                && recorded.getChain().equals(InputProcessor.chainOf(wire.source()));
        return anySettings && isRefused && BY_SETTINGS.contains(Code.of(recorded.getCode()))
                || result.map(
                        message -> !recorded.getVerdict().equals(Verdict.UNDECODABLE.name())
                                && recorded.getRedaction() == null
                                && recorded.getStage().equals(Stage.NONE.name()) == (recorded.getCode() == null)
                                && message.message().equals(recorded.getMessage())
                                && message.conversation().toString().equals(recorded.getChain())
                                && (Judge.isUnapplied(recorded)
                                        ? isUnmet(message.expectation(), recorded)
                                        : !message.expectation().isMissedAt(recorded.getSequence())
                                                && judge.shownByMessage(recorded)
                                                        .equals(message.violations().stream()
                                                                .limit(1)
                                                                .toList())),
                        error -> isRefused
                                && error.code().name().equals(recorded.getCode())
                                && Objects.equals(error.position(), recorded.getPosition())
                                && error.inner().equals(recorded.getInnerMessages())
                                && (anySettings || Objects.equals(error.claims(), recorded.getClaims())));
    }

    /** Whether the expectation of a message explains that it was not applied. */
    private static boolean isUnmet(Expectation expectation, AuditRecord recorded) {
        boolean moved = recorded.getCode().equals(Code.CONVERSATION_MOVED.name());
        return moved == expectation.isMissedAt(recorded.getSequence()) && (moved || expectation.accepted());
    }
}
