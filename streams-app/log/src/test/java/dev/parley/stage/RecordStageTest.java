package dev.parley.stage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.audit.AuditChain;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Inbound;
import dev.parley.avro.InboundFault;
import dev.parley.avro.Profile;
import dev.parley.avro.Redaction;
import dev.parley.avro.Source;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.checkpoint.CheckpointReader;
import dev.parley.checkpoint.MemoryStore;
import dev.parley.checkpoint.PatchRule;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.Limits;
import dev.parley.decode.RecordDecodeResult;
import dev.parley.diagnosis.ValueDiagnosis;
import dev.parley.dialogue.ConversationState;
import dev.parley.dialogue.DialogueSettings;
import dev.parley.dialogue.Judgement;
import dev.parley.log.AuditLog;
import dev.parley.log.ChainVerifier;
import dev.parley.protocol.Protocols;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The last stage: the place of a verdict in its chain. */
class RecordStageTest {
    private static final int LIMIT = 40;

    private final DecodeOptions options = new DecodeOptions(Profile.STRICT, new Limits(LIMIT, 10, 1_000, 10_000));
    private final ConversationStore conversationStore = ConversationStore.inMemory();
    private final JudgeStage stage = new JudgeStage(
            ValueDiagnosis.decoder(options, Map.of()),
            Protocols.STANDARD.judge(DialogueSettings.DEFAULT),
            conversationStore,
            new CheckpointReader(key -> Optional.empty(), 1_000L));
    private final RecordStage recordStage =
            new RecordStage(conversationStore, options, new AuditLog(0, new MemoryStore<>()), new SecureRandom());
    private long offset;

    @Test
    void theFirstLinkStandsOnZeros() {
        AuditRecord link = record("@a3|f0|c1|S0|d1|T1#");
        assertThat(link.getChain()).isEqualTo("default|SLIP|1");
        assertThat(link.getSequence()).isZero();
        assertThat(link.getPreviousHash()).isEqualTo(ByteBuffer.wrap(new byte[32]));
        assertThat(link.getVerdict()).isEqualTo(Verdict.ACCEPTED.name());
        assertThat(link.getProfile()).isEqualTo(Profile.STRICT.name());
        assertThat(link.getMessage().getSlip().getTurn()).isEqualTo(1);
        assertThat(link.getPayloadHash()).isEqualTo(link.getMessage().getSha256());
        assertThat(link.getRaw()).isNull();
        assertThat(link.getPosition()).isNull();
        assertThat(link.getRule().getSection()).isEqualTo("1.4");
    }

    @Test
    void eachConversationAndThePartitionHaveAChainOfTheirOwn() {
        AuditRecord first = record("@a3|f0|c1|S0|d1|T1#");
        AuditRecord other = record("@a3|f0|c2|S0|d1|T1#");
        AuditRecord bad = record("nothing");
        AuditRecord second = record("@a4|f1|c1|S1|d0|T2#");
        AuditRecord worse = record("nothing more");
        assertThat(List.of(first, other, bad, second, worse))
                .extracting(AuditRecord::getSequence)
                .containsExactly(0L, 0L, 0L, 1L, 1L);
        assertThat(bad.getChain()).isEqualTo("|UNKNOWN|wire-5");
        assertThat(second.getPreviousHash()).isEqualTo(first.getHash());
        assertThat(worse.getPreviousHash()).isEqualTo(bad.getHash());
        ChainVerifier verifier = new ChainVerifier();
        for (AuditRecord link : List.of(first, other, bad, second, worse)) {
            assertThat(verifier.check(link)).isEmpty();
        }
        assertThat(verifier.records()).isEqualTo(5);
        assertThat(verifier.chains()).isEqualTo(3);
    }

    @Test
    void aRejectedMessageHasItsLinkAndMovesNoState() {
        record("@a3|f0|c1|S0|d1|T1#");
        AuditRecord rejected = record("@a3|f0|c1|S0|d1|T1|k1#");
        assertThat(rejected.getVerdict()).isEqualTo(Verdict.REJECTED.name());
        assertThat(rejected.getStage()).isEqualTo(Stage.JUDGE.name());
        assertThat(rejected.getCode()).isEqualTo("SLIP_TURN_REUSED");
        assertThat(rejected.getSequence()).isEqualTo(1);
        assertThat(rejected.getMessage()).isNotNull();
        assertThat(record("@a3|f0|c1|S0|d1|T1#").getWarnings()).containsExactly("SLIP_DUPLICATE");
    }

    @Test
    void anUndecodableMessageKeepsItsBytesAndThePositionOfTheError() {
        AuditRecord link = record("@a3|f9|c1|S0|d1|T1#");
        assertThat(link.getVerdict()).isEqualTo(Verdict.UNDECODABLE.name());
        assertThat(link.getStage()).isEqualTo(Stage.DECODE.name());
        assertThat(link.getCode()).isEqualTo(Code.SLIP_UNKNOWN_FRAME.name());
        assertThat(link.getPosition()).isEqualTo(4);
        assertThat(link.getDetail()).isNotBlank();
        assertThat(link.getMessage()).isNull();
        assertThat(link.getRaw()).isEqualTo(ByteBuffer.wrap("@a3|f9|c1|S0|d1|T1#".getBytes(UTF_8)));
        assertThat(link.getPayloadHash()).isEqualTo(new AuditChain().payloadHash(link.getRaw()));
    }

    @Test
    void bytesUpToTheLimitAreKeptAndBeyondItLeftOutButHashed() {
        AuditRecord kept = record("x".repeat(LIMIT));
        assertThat(kept.getCode()).isEqualTo(Code.UNKNOWN_PROTOCOL.name());
        assertThat(kept.getRaw().remaining()).isEqualTo(LIMIT);
        String large = "x".repeat(LIMIT + 1);
        AuditRecord left = record(large);
        assertThat(left.getCode()).isEqualTo(Code.MESSAGE_TOO_LARGE.name());
        assertThat(left.getRaw()).isNull();
        assertThat(left.getPayloadHash())
                .isEqualTo(new AuditChain().payloadHash(ByteBuffer.wrap(large.getBytes(UTF_8))));
        ChainVerifier verifier = new ChainVerifier();
        assertThat(verifier.check(kept)).isEmpty();
        assertThat(verifier.check(left)).isEmpty();
    }

    @Test
    void aTombstoneHasTheHashOfNoBytes() {
        AuditRecord link = record(null);
        assertThat(link.getCode()).isEqualTo(Code.NULL_VALUE.name());
        assertThat(link.getRaw()).isNull();
        assertThat(link.getPayloadHash()).isEqualTo(new AuditChain().payloadHash(ByteBuffer.allocate(0)));
    }

    @Test
    void theConversationRemembersItsHeadAndItsLastActivity() {
        AuditRecord link = record("@a3|f0|c1|S0|d1|T1#");
        assertThat(conversationStore.get("default|SLIP|1").head().records()).isEqualTo(1);
        assertThat(conversationStore.get("default|SLIP|1").head().hash()).isEqualTo(link.getHash());
        assertThat(conversationStore.get("default|SLIP|1").lastActivity()).isEqualTo(5_000);
    }

    @Test
    void aParkedPatchIsNotRecorded() {
        JudgedRecord judged = judge("@a3|f0|c1|S0|d1|T1#");
        JudgedRecord parked = judged.with(judged.judgement().parked(PatchRule.PARKED.rule()), List.of());
        assertThatThrownBy(() -> recordStage.record(parked))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("parked");
        assertThat(conversationStore.get("default|SLIP|1")).isNull();
    }

    @ParameterizedTest
    @EnumSource(
            value = Verdict.class,
            names = {"ACCEPTED", "FLAGGED", "REJECTED"})
    void aMessageIsRecordedWithEachVerdict(Verdict verdict) {
        JudgedRecord judged = judge("@a3|f0|c1|S0|d1|T1#");
        Judgement judgement = judged.judgement();
        assertRecorded(judged.with(
                verdict == Verdict.ACCEPTED
                        ? judgement
                        : judgement.failed(
                                verdict, Stage.JUDGE, Code.SLIP_TURN_REUSED, null, judgement.rule(), List.of()),
                List.of()));
    }

    @Test
    void aRecordThatIsNotAMessageIsRecordedWithItsContent() {
        Inbound inbound = judge("@a3|f0|c1|S0|d1|T1#").inbound();
        Redaction redaction = new Redaction(
                "chain", 0L, inbound.getSource(), ByteBuffer.allocate(32), "law", "ada", Instant.EPOCH, false);
        RecordDecodeResult.Undecodable error = new RecordDecodeResult.Undecodable(null, Code.UNKNOWN_PROTOCOL, 3, "?");
        assertThat(assertRecorded(JudgedRecord.undecodable(inbound, error)).getPosition())
                .isEqualTo(3);
        Inbound expired = new Inbound(
                inbound.getSource(),
                null,
                null,
                List.of(),
                new InboundFault(Code.INPUT_EXPIRED.name(), null, 0, "deleted", 3L, List.of()),
                null);
        assertThat(assertRecorded(JudgedRecord.undecodable(expired)).getUnread())
                .isEqualTo(3);
        Judgement accepted = new Judgement(
                Verdict.ACCEPTED, Stage.NONE, null, null, List.of(), List.of(), null, ConversationState.NEW);
        assertThat(assertRecorded(JudgedRecord.of("chain", inbound, null, redaction, accepted))
                        .getRedaction())
                .isEqualTo(redaction);
        Judgement refused = Judgement.failure(Verdict.REJECTED, Stage.JUDGE, Code.REDACTION_REFUSED, "unknown chain");
        AuditRecord refusal = assertRecorded(JudgedRecord.of("refused", inbound, null, null, refused));
        assertThat(refusal.getRedaction()).isNull();
        assertThat(refusal.getRaw()).isEqualTo(inbound.getValue());
    }

    private AuditRecord assertRecorded(JudgedRecord judged) {
        AuditRecord auditRecord = recordStage.record(judged).audit().auditRecord();
        assertThat(auditRecord.getPayloadHash()).isNotNull();
        assertThat(auditRecord.getVerdict())
                .isEqualTo(judged.judgement().verdict().name());
        assertThat(auditRecord.getCode())
                .isEqualTo(
                        judged.judgement().code() == null
                                ? null
                                : judged.judgement().code().name());
        return auditRecord;
    }

    private AuditRecord record(String wire) {
        return recordStage.record(judge(wire)).audit().auditRecord();
    }

    private JudgedRecord judge(String wire) {
        Source source = new Source("wire", 5, offset++, Instant.ofEpochMilli(5_000), null);
        return stage.judge(new Inbound(
                source, null, wire == null ? null : ByteBuffer.wrap(wire.getBytes(UTF_8)), List.of(), null, null));
    }
}
