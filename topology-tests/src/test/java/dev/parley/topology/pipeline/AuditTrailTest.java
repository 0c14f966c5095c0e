package dev.parley.topology.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.audit.AuditTrailVerifier;
import dev.parley.audit.ChainVerifier;
import dev.parley.audit.HeadSignatureVerifier;
import dev.parley.audit.KeyFiles;
import dev.parley.audit.RecordLocation;
import dev.parley.avro.Accounting;
import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.JournalPosition;
import dev.parley.avro.Redaction;
import dev.parley.avro.Source;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.protocol.TopicNames;
import dev.parley.topology.config.AuditKeys;
import dev.parley.topology.views.AuditRecords;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The heads that the pipeline publishes, and the redactions that it records. */
class AuditTrailTest extends AbstractPipelineTest {
    private static final Duration INTERVAL = Duration.ofSeconds(60);

    @Test
    void headsOfChangedChainsArePublishedByPunctuation() {
        start();
        pipeline.send(InputRecord.slipRequest(1, 1));
        pipeline.send(InputRecord.slipRequest(1, 2));
        pipeline.send(InputRecord.text("nothing"));
        assertThat(pipeline.heads()).isEmpty();
        pipeline.waitFor(INTERVAL);

        List<AuditRecord> audit = pipeline.audit();
        assertThat(pipeline.heads()).hasSize(2).allSatisfy(record -> {
            AuditHead head = record.value();
            AuditRecord last = audit.stream()
                    .filter(link -> link.getChain().equals(head.getChain()))
                    .reduce((first, second) -> second)
                    .orElseThrow();
            assertThat(record.key()).isEqualTo(head.getChain());
            assertThat(head.getSequence()).isEqualTo(last.getSequence());
            assertThat(head.getHash()).isEqualTo(last.getHash());
            assertThat(head.getKeyId()).isNull();
            assertThat(head.getSignature()).isNull();
        });

        pipeline.waitFor(INTERVAL);
        assertThat(pipeline.heads()).as("of chains that did not move").hasSize(2);
        pipeline.send(InputRecord.slipRequest(1, 3));
        pipeline.waitFor(INTERVAL);
        assertThat(pipeline.heads()).hasSize(3);
        assertThat(pipeline.heads().get(2).value().getSequence()).isEqualTo(2);
    }

    @Test
    void everyRecordIsInTheJournalAndManifestsAreLinked() {
        start();
        for (int turn = 1; turn <= 3; turn++) {
            pipeline.send(InputRecord.slipRequest(1, turn));
            pipeline.send(InputRecord.slipRequest(turn + 1, 1));
            pipeline.send(InputRecord.text("nothing"));
            pipeline.waitFor(INTERVAL);
        }
        pipeline.waitFor(INTERVAL);

        List<AuditRecord> audit = pipeline.audit();
        AuditTrailVerifier trail =
                new AuditTrailVerifier(ChainVerifier.Extent.WHOLE, HeadSignatureVerifier.of(List.of()));
        assertThat(pipeline.manifests())
                .as("none while nothing moved")
                .hasSize(3)
                .allSatisfy(record -> {
                    assertThat(record.key()).isEqualTo("0");
                    assertThat(trail.manifest(record.value(), RecordLocation.NONE))
                            .isEmpty();
                });
        assertThat(pipeline.manifests())
                .extracting(record -> record.value().getRecords())
                .containsExactly(3L, 6L, 9L);
        for (int i = 0; i < audit.size(); i++) {
            assertThat(audit.get(i).getJournal()).isEqualTo(new JournalPosition(0, i + 1L));
            assertThat(trail.record(audit.get(i), RecordLocation.NONE)).isEmpty();
        }
        assertThat(trail.finish()).isEmpty();
        assertThat(trail.journals().uncovered()).isZero();
        assertThat(pipeline.journalStore().get(PipelineStores.JOURNAL_NOW).getChains())
                .isEqualTo(5);
    }

    /** Ten thousand signatures at once would hold up the records of the task for a second. */
    @Test
    void headsOfManyChainsArePublishedInSlicesAndTheManifestAfterThem() {
        start();
        int chains = ChainHeadProcessor.SLICE * 2 + 10;
        for (int chain = 1; chain <= chains; chain++) {
            pipeline.send(InputRecord.slipRequest(chain, 1));
        }
        pipeline.waitFor(INTERVAL);
        assertThat(pipeline.heads()).hasSize(ChainHeadProcessor.SLICE);
        assertThat(pipeline.manifests()).isEmpty();
        // Moves while the round goes on: no manifest speaks of it before its head is out.
        pipeline.send(InputRecord.slipRequest(1, 2));
        pipeline.waitFor(Duration.ofMillis(100));
        pipeline.waitFor(Duration.ofMillis(100));

        assertThat(pipeline.manifests()).singleElement().satisfies(manifest -> {
            assertThat(manifest.value().getRecords()).isEqualTo(chains);
            assertThat(manifest.value().getChains()).isEqualTo(chains);
        });
        assertThat(pipeline.heads().stream().map(TestRecord::key).distinct()).hasSize(chains);
        pipeline.waitFor(INTERVAL);
        assertThat(pipeline.manifests()).hasSize(2);
        assertThat(pipeline.heads().get(pipeline.heads().size() - 1).value().getSequence())
                .isEqualTo(1);
    }

    @Test
    void damagedStateInTheChangelogDoesNotStopPublishing() {
        start();
        pipeline.send(InputRecord.slipRequest(1, 1));
        pipeline.send(InputRecord.slipRequest(2, 1));
        pipeline.conversationStore().delete("default|SLIP|1");
        pipeline.waitFor(INTERVAL);
        assertThat(pipeline.heads()).hasSize(1);
        pipeline.send(InputRecord.slipRequest(2, 2));
        pipeline.waitFor(INTERVAL);
        assertThat(pipeline.heads()).hasSize(2);
    }

    @Test
    void headsAreSignedWithAKey(@TempDir Path keys) throws Exception {
        KeyPair pair = KeyFiles.newPair();
        Path file = Files.writeString(keys.resolve("audit.key"), KeyFiles.privatePem(pair));
        start(Map.of(
                AuditKeys.HEADS_KEY_FILE,
                file.toString(),
                AuditKeys.HEADS_INTERVAL_MS,
                1_000L,
                AuditKeys.MANIFEST_INTERVAL_MS,
                1_000L));
        pipeline.send(InputRecord.slipRequest(1, 1));
        pipeline.waitFor(Duration.ofSeconds(1));

        AuditTrailVerifier trail =
                new AuditTrailVerifier(ChainVerifier.Extent.WHOLE, HeadSignatureVerifier.of(List.of(pair.getPublic())));
        pipeline.manifests()
                .forEach(manifest -> assertThat(trail.manifest(manifest.value(), RecordLocation.NONE))
                        .isEmpty());
        pipeline.heads()
                .forEach(head -> assertThat(trail.head(head.value(), RecordLocation.NONE))
                        .isEmpty());
        pipeline.audit()
                .forEach(link ->
                        assertThat(trail.record(link, RecordLocation.NONE)).isEmpty());
        assertThat(trail.finish()).isEmpty();
        assertThat(trail.signedHeads()).isEqualTo(1);
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
        assertThat(pipeline.deadLetters(Stage.DIALOGUE)).hasSize(3);
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
                request -> request.setPayloadHash(ByteBuffer.wrap(new byte[31])),
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
    void requestsWithoutEffectDoNotGrowAChainWithoutBound() {
        start(Map.of("audit.redactions.limit", 3));
        AuditRecord link = pipeline.auditOf(pipeline.send(InputRecord.slipRequest(1, 1)));
        for (int i = 0; i < 10; i++) {
            Redaction wrong = AuditRecords.redaction(link);
            wrong.setPayloadHash(ByteBuffer.wrap(new byte[32]).put(0, (byte) i));
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
