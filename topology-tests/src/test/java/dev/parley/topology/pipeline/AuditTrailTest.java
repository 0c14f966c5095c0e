package dev.parley.topology.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.audit.Redactions;
import dev.parley.avro.Accounting;
import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.DialogueState;
import dev.parley.avro.LogPosition;
import dev.parley.avro.Redaction;
import dev.parley.avro.Source;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.encoding.ByteBuffers;
import dev.parley.log.AuditFault;
import dev.parley.log.AuditTrailVerifier;
import dev.parley.log.FaultCode;
import dev.parley.log.KeyFiles;
import dev.parley.log.LogNoteReader;
import dev.parley.log.LogNotes;
import dev.parley.log.PartitionStatement;
import dev.parley.log.RecordLocation;
import dev.parley.log.RecordVerifier;
import dev.parley.log.tlog.Frontier;
import dev.parley.log.tlog.InclusionProof;
import dev.parley.log.tlog.MerkleHasher;
import dev.parley.log.tlog.NoteSigner;
import dev.parley.log.tlog.TreeHead;
import dev.parley.log.tlog.VerifierKey;
import dev.parley.protocol.TopicNames;
import dev.parley.topology.config.AuditKeys;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.RecordMac;
import dev.parley.topology.kafka.SourceTopicMetadata;
import dev.parley.topology.kafka.UnreadableValues;
import dev.parley.topology.views.AuditRecords;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The heads that the pipeline publishes, and the redactions that it records. */
class AuditTrailTest extends AbstractPipelineTest {
    private static final Duration INTERVAL = Duration.ofSeconds(60);
    private static final MerkleHasher LEAVES = new MerkleHasher();

    @Test
    void aTaskPublishesAHeadWhenItStarts() {
        start();
        pipeline.waitFor(Duration.ofSeconds(1));

        assertThat(pipeline.heads()).extracting(TestRecord::key).containsExactly("parley/audit", "parley/audit/0");
        AuditHead head = pipeline.heads().get(1).value();
        assertThat(head.getSize()).isZero();
        assertThat(LogTrees.treeHead(head).root()).isEqualTo(MerkleHasher.emptyRoot());
    }

    @Test
    void aHeadIsPublishedAtEveryIntervalInWhichTheLogHasGrown() {
        start();
        pipeline.waitFor(INTERVAL);
        for (int turn = 1; turn <= 3; turn++) {
            pipeline.send(InputRecord.slipRequest(1, turn));
            pipeline.send(InputRecord.slipRequest(turn + 1, 1));
            pipeline.send(InputRecord.text("nothing"));
            pipeline.waitFor(INTERVAL);
        }
        pipeline.waitFor(INTERVAL);

        assertThat(pipeline.heads())
                .extracting(TestRecord::value)
                .filteredOn(head -> head.getPartition() == 0)
                .as("and again, while nothing moves")
                .extracting(AuditHead::getSize)
                .containsExactly(0L, 3L, 6L, 9L, 9L);
        List<AuditRecord> audit = pipeline.audit();
        for (int i = 0; i < audit.size(); i++) {
            assertThat(audit.get(i).getLog()).isEqualTo(new LogPosition(0, (long) i));
        }
        assertThat(verifier(List.of())).isZero();
    }

    @Test
    void everyHeadIsSignedWithEveryKey(@TempDir Path keys) throws Exception {
        KeyPair old = KeyFiles.newPair();
        KeyPair next = KeyFiles.newPair();
        start(Map.of(
                AuditKeys.HEADS_KEY_FILES,
                Files.writeString(keys.resolve("old.key"), KeyFiles.privatePem(old)) + ","
                        + Files.writeString(keys.resolve("next.key"), KeyFiles.privatePem(next)),
                AuditKeys.HEADS_INTERVAL_MS,
                1_000L,
                AuditKeys.ORIGIN,
                "example.com/audit"));
        pipeline.send(InputRecord.slipRequest(1, 1));
        pipeline.waitFor(Duration.ofSeconds(1));

        for (KeyPair pair : List.of(old, next)) {
            assertThat(verifier(List.of(NoteSigner.of("example.com/audit", pair).verifierKey())))
                    .isZero();
        }
        assertThat(pipeline.heads())
                .hasSize(2)
                .allSatisfy(head -> assertThat(LogNotes.signersOf(head.value())).hasSize(2));
        assertThat(pipeline.heads().get(0).value().getNote())
                .startsWith("example.com/audit\npartitions 1\ntime ")
                .contains("\nkey example.com/audit+");
        assertThat(verifier(List.of(
                        NoteSigner.of("example.com/audit", KeyFiles.newPair()).verifierKey())))
                .as("records that a head of another key does not cover")
                .isPositive();
    }

    /** Two runs with one key, as after a reset: the inputs decide the verdicts, and the order decides the history. */
    @Test
    void twoRunsOverTheSameInputInAnotherOrderProveTheirOwnHistories(@TempDir Path other) throws Exception {
        KeyPair pair = KeyFiles.newPair();
        Map<String, Object> settings = Map.of(
                AuditKeys.HEADS_KEY_FILES,
                Files.writeString(other.resolve("audit.key"), KeyFiles.privatePem(pair))
                        .toString(),
                AuditKeys.HEADS_INTERVAL_MS,
                1_000L,
                AuditKeys.ORIGIN,
                "example.com/audit");
        List<VerifierKey> key = List.of(NoteSigner.of("example.com/audit", pair).verifierKey());
        List<InputRecord> inputs = new ArrayList<>();
        for (int turn = 1; turn <= 3; turn++) {
            Instant time = PipelineDriver.START.plusSeconds(turn);
            inputs.add(InputRecord.slipRequest(1, turn).at(time));
            inputs.add(InputRecord.slipAcceptOfNothing(2, turn)
                    .to(TopicNames.DEFAULT.wire() + ".slip")
                    .at(time));
        }
        start(settings);
        try (PipelineDriver second = PipelineDriver.in(other.resolve("second"), settings)) {
            inputs.forEach(pipeline::send);
            inputs.stream()
                    .sorted(Comparator.comparing(InputRecord::topic).reversed())
                    .forEach(second::send);
            pipeline.waitFor(Duration.ofSeconds(1));
            second.waitFor(Duration.ofSeconds(1));

            assertThat(pipeline.audit()).map(AuditTrailTest::decision).hasSize(6);
            assertThat(second.audit())
                    .map(AuditTrailTest::decision)
                    .containsExactlyInAnyOrderElementsOf(pipeline.audit().stream()
                            .map(AuditTrailTest::decision)
                            .toList());
            assertThat(faults(pipeline.heads(), pipeline.audit(), key)).isEmpty();
            assertThat(faults(second.heads(), second.audit(), key)).isEmpty();
            assertThat(faults(second.heads(), pipeline.audit(), key))
                    .extracting(AuditFault::code)
                    .containsExactly(FaultCode.HEAD_MISMATCH);

            for (AuditRecord record : pipeline.audit()) {
                byte[] leaf = LEAVES.leaf(ByteBuffers.of(record.getHash()));
                InclusionProof proof = InclusionProof.of(
                        record.getLog().getIndex(), 6, (from, to) -> root(pipeline.audit(), from, to));
                assertThat(proof.verify(leaf, lastRoot(pipeline))).isTrue();
                assertThat(proof.verify(leaf, lastRoot(second))).isFalse();
            }
        }
    }

    private static List<Object> decision(AuditRecord record) {
        return List.of(
                record.getSource().getTopic(),
                record.getSource().getOffset(),
                record.getChain(),
                record.getSequence(),
                record.getPayloadHash(),
                record.getVerdict(),
                Optional.ofNullable(record.getCode()));
    }

    private static byte[] root(List<AuditRecord> audit, long from, long to) {
        Frontier tree = new Frontier();
        audit.subList((int) from, (int) to)
                .forEach(record -> tree.append(LEAVES.leaf(ByteBuffers.of(record.getHash()))));
        return tree.root();
    }

    private static byte[] lastRoot(PipelineDriver driver) {
        AuditHead head = driver.heads().stream()
                .map(TestRecord::value)
                .filter(note -> note.getPartition() == 0 && note.getSize() == 6)
                .findFirst()
                .orElseThrow();
        return LogTrees.treeHead(head).root();
    }

    /** Verifies the trail. Returns the number of faults. */
    private int verifier(List<VerifierKey> keys) {
        return faults(pipeline.heads(), pipeline.audit(), keys).size();
    }

    private static List<AuditFault> faults(
            List<TestRecord<String, AuditHead>> heads, List<AuditRecord> audit, List<VerifierKey> keys) {
        AuditTrailVerifier trail = new AuditTrailVerifier(new LogNoteReader(keys));
        List<AuditFault> faults = new ArrayList<>();
        heads.forEach(head -> faults.addAll(trail.note(head.value(), RecordLocation.NONE)));
        audit.forEach(
                record -> faults.addAll(trail.record(new RecordVerifier().check(record), RecordLocation.NONE, false)));
        faults.addAll(trail.finish(true, Map.of()));
        return faults;
    }

    @Test
    void theStatementFollowsThePublishedHeads() {
        start();
        pipeline.waitFor(INTERVAL);
        for (int turn = 1; turn <= 3; turn++) {
            pipeline.send(InputRecord.slipRequest(1, turn));
            pipeline.waitFor(INTERVAL);
            pipeline.waitFor(INTERVAL);
        }
        pipeline.waitFor(INTERVAL);

        List<List<Long>> sizes = new ArrayList<>();
        pipeline.heads()
                .forEach(note -> PartitionStatement.of(note.value())
                        .ifPresent(statement -> sizes.add(statement.heads().values().stream()
                                .map(TreeHead::size)
                                .toList())));
        assertThat(sizes)
                .as("none while nothing moved")
                .containsExactly(List.of(), List.of(0L), List.of(1L), List.of(2L), List.of(3L));
        assertThat(verifier(List.of())).isZero();
    }

    @ParameterizedTest
    @CsvSource({"true, 5", "false, 7"})
    void theStatementHasThePartitionsOfTheTasksThatJudge(boolean keyed, int partitions) {
        start(Map.of(ParleyConfig.KEYED, keyed), new SourceTopicMetadata() {
            @Override
            public Optional<String> id(String topic) {
                return Optional.empty();
            }

            @Override
            public long expiredBefore(String topic, int partition) {
                return 0;
            }

            @Override
            public int partitions(Collection<String> topics) {
                if (topics.contains(TopicNames.DEFAULT.wire())) {
                    return 5;
                }
                assertThat(topics).containsExactly("parley-by-conversation-repartition");
                return 7;
            }
        });
        pipeline.waitFor(Duration.ofSeconds(1));

        AuditHead statement = pipeline.heads().get(0).value();
        assertThat(statement.getPartition()).isEqualTo(-1);
        assertThat(statement.getSize()).isEqualTo(partitions);
        assertThat(statement.getNote())
                .isEqualTo("parley/audit\npartitions " + partitions + "\ntime "
                        + statement.getTime().toEpochMilli() + "\n");
    }

    @Test
    void redactionIsARecordOfTheSameChainAndCounted() {
        start();
        Source said = pipeline.send(InputRecord.slipRequest(1, 1));
        AuditRecord link = pipeline.auditOf(said);
        Redaction redaction = AuditRecords.redaction(link);
        Source asked = pipeline.redact(redaction);

        AuditRecord event = pipeline.auditOf(asked);
        assertThat(event.getChain()).isEqualTo(link.getChain());
        assertThat(event.getSequence()).isEqualTo(1);
        assertThat(event.getVerdict()).isEqualTo(Verdict.ACCEPTED.name());
        assertThat(event.getRedaction()).isEqualTo(redaction);
        assertThat(event.getMessage()).isNull();
        assertThat(event.getRaw()).isNotNull();
        assertThat(pipeline.messages()).hasSize(1);
        assertThat(pipeline.deadLetters()).isEmpty();
        pipeline.waitFor(Duration.ofSeconds(2));
        Map<String, Accounting> counted = new HashMap<>();
        pipeline.accounting().forEach(record -> counted.put(record.key(), record.value()));
        assertThat(counted.values())
                .filteredOn(count -> count.getTopic().equals(TopicNames.DEFAULT.redaction()))
                .extracting(Accounting::getInputs, Accounting::getAccepted)
                .containsExactlyInAnyOrder(
                        org.assertj.core.groups.Tuple.tuple(1L, 0L), org.assertj.core.groups.Tuple.tuple(0L, 1L));
    }

    @Test
    void redactionChangesNoDialogue() {
        start();
        AuditRecord link = pipeline.auditOf(pipeline.send(InputRecord.slipRequest(1, 1)));
        long before = pipeline.conversationStore().get(link.getChain()).getLastActivity();
        pipeline.later(Duration.ofHours(1));
        pipeline.redact(AuditRecords.redaction(link));
        assertThat(pipeline.conversationStore().get(link.getChain()).getLastActivity())
                .isEqualTo(before);
    }

    /** A server declares a tool, and then differently. Returns the audit record of the change. */
    private AuditRecord changedDefinition() {
        Source last = null;
        for (int id = 0; id < 2; id++) {
            pipeline.send(mcp("client-to-server", "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"tools/list\"}"));
            last = pipeline.send(mcp(
                    "server-to-client",
                    "{\"jsonrpc\":\"2.0\",\"id\":" + id
                            + ",\"result\":{\"tools\":[{\"name\":\"add\",\"description\":\"version " + id + "\"}]}}"));
        }
        AuditRecord changed = pipeline.auditOf(last);
        assertThat(changed.getWarnings()).containsExactly("MCP_DEFINITION_CHANGED");
        return changed;
    }

    private static InputRecord mcp(String direction, String json) {
        return InputRecord.text(json).key("s").header("parley-protocol", "mcp").header("parley-direction", direction);
    }

    @Test
    void anApprovalIsARecordOfTheSameChainAndRemovesNothing() {
        start();
        AuditRecord changed = changedDefinition();
        DialogueState before = pipeline.conversationStore().get(changed.getChain());
        Redaction approval = AuditRecords.redaction(changed);
        approval.setApproves(true);
        pipeline.later(Duration.ofHours(1));

        AuditRecord event = pipeline.auditOf(pipeline.redact(approval));
        assertThat(event.getChain()).isEqualTo(changed.getChain());
        assertThat(event.getSequence()).isEqualTo(4);
        assertThat(event.getVerdict()).isEqualTo(Verdict.ACCEPTED.name());
        assertThat(event.getRedaction()).isEqualTo(approval);
        assertThat(Redactions.approves(approval, changed)).isTrue();
        DialogueState after = pipeline.conversationStore().get(changed.getChain());
        assertThat(after.getMcp()).isEqualTo(before.getMcp());
        assertThat(after.getLastActivity()).isEqualTo(before.getLastActivity());
        assertThat(after.getRedactions()).isEqualTo(1);
        assertThat(pipeline.deadLetters()).isEmpty();
        pipeline.waitFor(INTERVAL);
        assertThat(verifier(List.of())).isZero();
    }

    @Test
    void anApprovalLeavesTheTextsOfAState() {
        start();
        AuditRecord link = pipeline.auditOf(pipeline.send(
                InputRecord.text("{def:x=\"zanzibar\"}?Uk/co").key("talk").header("parley-protocol", "lambda")));
        Redaction approval = AuditRecords.redaction(link);
        approval.setApproves(true);
        DialogueState before = pipeline.conversationStore().get(link.getChain());
        assertThat(pipeline.auditOf(pipeline.redact(approval)).getCode()).isNull();
        assertThat(pipeline.conversationStore().get(link.getChain()).getLambda())
                .isEqualTo(before.getLambda());
        pipeline.redact(AuditRecords.redaction(link));
        assertThat(pipeline.conversationStore().get(link.getChain()).getLambda())
                .as("after a redaction")
                .isNotEqualTo(before.getLambda());
    }

    @Test
    void approvalsAreLimitedAndCheckedAsRedactionsAre() {
        start(Map.of("audit.redactions.limit", 1));
        AuditRecord changed = changedDefinition();
        Redaction late = AuditRecords.redaction(changed);
        late.setApproves(true);
        late.setSequence(9L);
        assertThat(pipeline.auditOf(pipeline.redact(late)).getCode()).isEqualTo("REDACTION_REFUSED");
        late.setSequence(3L);
        late.setReason(" ");
        assertThat(pipeline.auditOf(pipeline.redact(late)).getCode()).isEqualTo("REDACTION_MALFORMED");
        late.setReason("reviewed");
        AuditRecord event = pipeline.auditOf(pipeline.redact(late));
        assertThat(event.getCode()).isNull();
        Redaction ofApproval = AuditRecords.redaction(event);
        ofApproval.setApproves(true);
        for (Redaction refused : List.of(ofApproval, late, AuditRecords.redaction(changed))) {
            assertThat(pipeline.auditOf(pipeline.redact(refused)).getCode()).isEqualTo("REDACTION_REFUSED");
        }
        assertThat(pipeline.deadLetters()).hasSize(5);
    }

    @Test
    void invalidRedactionRequestIsADeadLetter() {
        start();
        Source garbage = pipeline.send(InputRecord.text("redact all").to(TopicNames.DEFAULT.redaction()));
        Source nothing = pipeline.send(InputRecord.tombstone().to(TopicNames.DEFAULT.redaction()));
        Redaction redaction = AuditRecords.redaction(pipeline.auditOf(pipeline.send(InputRecord.slipRequest(1, 1))));
        Source otherKey = pipeline.redact(redaction, "default|SLIP|2");
        for (Source source : List.of(garbage, nothing, otherKey)) {
            assertThat(pipeline.auditOf(source).getVerdict()).isEqualTo(Verdict.UNDECODABLE.name());
            assertThat(pipeline.auditOf(source).getCode()).isEqualTo("REDACTION_MALFORMED");
        }
        assertThat(pipeline.deadLetters()).hasSize(3);
    }

    @Test
    void redactionOfAMissingRecordIsRejectedAndExtendsNoAgentsChain() {
        start();
        AuditRecord link = pipeline.auditOf(pipeline.send(InputRecord.slipRequest(1, 1)));
        Redaction chain = AuditRecords.redaction(link);
        chain.setChain("default|SLIP|2");
        Redaction noChain = AuditRecords.redaction(link);
        noChain.setChain("made up");
        Redaction sequence = AuditRecords.redaction(link);
        sequence.setSequence(1L);
        List<Source> asked = List.of(pipeline.redact(chain), pipeline.redact(noChain), pipeline.redact(sequence));

        Set<String> chains = new HashSet<>();
        for (Source source : asked) {
            AuditRecord refused = pipeline.auditOf(source);
            assertThat(refused.getVerdict()).isEqualTo(Verdict.REJECTED.name());
            assertThat(refused.getCode()).isEqualTo("REDACTION_REFUSED");
            assertThat(refused.getRedaction()).isNull();
            assertThat(refused.getRaw()).isNotNull();
            chains.add(refused.getChain());
        }
        assertThat(chains).containsExactly("|UNKNOWN|parley.redaction.v1.refused-0");
        assertThat(pipeline.conversationStore().get(link.getChain()).getSequence())
                .isEqualTo(1);
        assertThat(pipeline.conversationStore().get("default|SLIP|2")).isNull();
        assertThat(pipeline.conversationStore().get("made up")).isNull();
        assertThat(pipeline.deadLetters(Stage.JUDGE)).hasSize(3);
    }

    @Test
    void recordedRedactionCannotBeRedacted() {
        start();
        AuditRecord link = pipeline.auditOf(pipeline.send(InputRecord.slipRequest(1, 1)));
        AuditRecord event = pipeline.auditOf(pipeline.redact(AuditRecords.redaction(link)));
        AuditRecord refused = pipeline.auditOf(pipeline.redact(AuditRecords.redaction(event)));
        assertThat(refused.getCode()).isEqualTo("REDACTION_REFUSED");
        assertThat(pipeline.conversationStore().get(link.getChain()).getSequence())
                .isEqualTo(2);
    }

    @Test
    void requestsWithImpossibleValuesAreMalformed() {
        start();
        AuditRecord link = pipeline.auditOf(pipeline.send(InputRecord.slipRequest(1, 1)));
        List<Consumer<Redaction>> changes = List.of(
                request -> request.setSequence(-1L),
                request -> request.setRecordHash(ByteBuffer.wrap(new byte[31])),
                request -> request.setReason("x".repeat(1_001)),
                request -> request.setReason(" "),
                request -> request.setBy("x".repeat(1_001)),
                request -> request.getSource().setOffset(-1L),
                request -> request.getSource().setTopic("x".repeat(250)));
        for (Consumer<Redaction> change : changes) {
            Redaction request = AuditRecords.redaction(link);
            request.setSource(new Source(
                    link.getSource().getTopic(),
                    link.getSource().getPartition(),
                    link.getSource().getOffset(),
                    link.getSource().getTimestamp(),
                    null));
            change.accept(request);
            AuditRecord refused = pipeline.auditOf(pipeline.redact(request));
            assertThat(refused.getVerdict()).isEqualTo(Verdict.UNDECODABLE.name());
            assertThat(refused.getCode()).isEqualTo("REDACTION_MALFORMED");
            assertThat(refused.getDetail()).doesNotContain("xxx");
        }
        assertThat(pipeline.conversationStore().get(link.getChain()).getSequence())
                .isEqualTo(1);
    }

    @Test
    void aRequestWithoutAValidCodeIsMalformedAndRedactsNothing() {
        start();
        AuditRecord link = pipeline.auditOf(pipeline.send(InputRecord.slipRequest(1, 1)));
        InputRecord request = InputRecord.bytes(pipeline.written(AuditRecords.redaction(link)))
                .to(TopicNames.DEFAULT.redaction())
                .key(link.getChain());

        // As MacConsumerInterceptor marks it.
        AuditRecord refused =
                pipeline.auditOf(pipeline.send(request.header(RecordMac.HEADER, UnreadableValues.refused())));

        assertThat(refused.getCode()).isEqualTo("REDACTION_MALFORMED");
        assertThat(refused.getDetail()).contains("audit.internal.key.files");
        assertThat(pipeline.deadLetters(Stage.DECODE)).hasSize(1);
        assertThat(pipeline.conversationStore().get(link.getChain()).getSequence())
                .isEqualTo(1);
    }

    @Test
    void requestsWithoutEffectDoNotGrowAChainWithoutBound() {
        start(Map.of("audit.redactions.limit", 3));
        AuditRecord link = pipeline.auditOf(pipeline.send(InputRecord.slipRequest(1, 1)));
        for (int i = 0; i < 10; i++) {
            Redaction wrong = AuditRecords.redaction(link);
            wrong.setRecordHash(ByteBuffer.wrap(new byte[32]).put(0, (byte) i));
            pipeline.redact(wrong);
        }
        assertThat(pipeline.conversationStore().get(link.getChain()).getSequence())
                .isEqualTo(4);
        assertThat(pipeline.audit())
                .filteredOn(record -> "REDACTION_REFUSED".equals(record.getCode()))
                .hasSize(7);
    }

    @Test
    void laterRecordDoesNotQuoteAnEarlierDefinition() {
        start();
        pipeline.send(InputRecord.text("{def:x=\"zanzibar\"}?Uk/co").key("talk").header("parley-protocol", "lambda"));
        Source later = pipeline.send(
                InputRecord.text("{def:x=\"mauritius\"}?Uk/co").key("talk").header("parley-protocol", "lambda"));
        AuditRecord record = pipeline.auditOf(later);
        assertThat(record.getWarnings()).contains("LAMBDA_DEF_CHANGED");
        assertThat(record.toString()).doesNotContain("zanzibar");
        assertThat(record.getRule().getText()).contains("sequence 0");
    }
}
