package dev.parley.log;

import static dev.parley.log.FaultCode.CONTENT_CHANGED;
import static dev.parley.log.FaultCode.LINK_BROKEN;
import static dev.parley.log.FaultCode.PAYLOAD_CHANGED;
import static dev.parley.log.FaultCode.PAYLOAD_MISSING;
import static dev.parley.log.FaultCode.RECORD_CHANGED;
import static dev.parley.log.FaultCode.RECORD_MISSING;
import static dev.parley.log.FaultCode.RECORD_MOVED;
import static dev.parley.log.FaultCode.RECORD_REPEATED;
import static dev.parley.log.FaultCode.REDACTION_UNPROVEN;
import static dev.parley.log.FaultCode.VERDICT_CHANGED;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.parley.audit.AuditChain;
import dev.parley.audit.Links;
import dev.parley.audit.Redactions;
import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Omitted;
import dev.parley.avro.Performative;
import dev.parley.avro.Profile;
import dev.parley.avro.Redaction;
import dev.parley.avro.Rule;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a verifier finds changes of chains. */
class ChainVerifierTest {
    private static final int LENGTH = 9;

    private final List<AuditRecord> links = Links.chain("default|SLIP|1", LENGTH);

    @Test
    void anIntactChainHasNoFaults() {
        assertThat(faults()).isEmpty();
    }

    @Test
    void chainsMayComeInterleaved() {
        List<AuditRecord> other = Links.chain("default|CSP|x", LENGTH);
        ChainVerifier verifier = new ChainVerifier();
        for (int i = 0; i < LENGTH; i++) {
            assertThat(verifier.check(links.get(i))).isEmpty();
            assertThat(verifier.check(other.get(i))).isEmpty();
        }
        assertThat(verifier.chains()).isEqualTo(2);
        assertThat(verifier.records()).isEqualTo(2 * LENGTH);
    }

    static Stream<Arguments> changes() {
        return Stream.of(
                change("the verdict", RECORD_CHANGED, link -> link.setVerdict(Verdict.FLAGGED.name())),
                change("the code", RECORD_CHANGED, link -> link.setCode("SLIP_TURN_GAP")),
                change("a warning", RECORD_CHANGED, link -> link.setWarnings(List.of("SLIP_FIELD_ORDER"))),
                change("an allowed act", RECORD_CHANGED, link -> link.setAllowed(List.of("ASK"))),
                change("a warning taken away", RECORD_CHANGED, link -> link.setWarnings(List.of())),
                change("the payload", PAYLOAD_CHANGED, link -> link.setRaw(bytes("other payload....."))),
                change("the payload taken away", PAYLOAD_MISSING, link -> link.setRaw(null)),
                change("payload and its hash", CONTENT_CHANGED, link -> {
                    link.setRaw(bytes("d".repeat(link.getRaw().remaining())));
                    link.setPayloadHash(new AuditChain().payloadHash(link.getRaw()));
                }),
                change("the topic", RECORD_CHANGED, link -> link.getSource().setTopic("elsewhere")),
                change("the partition", RECORD_CHANGED, link -> link.getSource().setPartition(77)),
                change("the offset", RECORD_CHANGED, link -> link.getSource().setOffset(77L)),
                change("the time", RECORD_CHANGED, link -> link.getSource().setTimestamp(Instant.EPOCH)),
                change("the detail", CONTENT_CHANGED, link -> link.setDetail("something else")),
                change(
                        "the rule",
                        CONTENT_CHANGED,
                        link -> link.setRule(new Rule("1.4", "I", "another", null, null, null))),
                change("the stage", RECORD_CHANGED, link -> link.setStage(Stage.APPLY.name())),
                change("the position", RECORD_CHANGED, link -> link.setPosition(3)),
                change("the profile", RECORD_CHANGED, link -> link.setProfile(Profile.STRICT.name())),
                change("the hash", RECORD_CHANGED, link -> link.setHash(bytes("x".repeat(32)))),
                change("the content hash", CONTENT_CHANGED, link -> link.setContentHash(bytes("x".repeat(32)))),
                change("the content hash emptied", CONTENT_CHANGED, link -> link.setContentHash(bytes(""))),
                change("the previous hash", LINK_BROKEN, link -> link.setPreviousHash(bytes("x".repeat(32)))),
                change("the deciding code made a warning", RECORD_CHANGED, link -> {
                    link.setWarnings(List.of(link.getCode(), link.getWarnings().get(0)));
                    link.setCode(null);
                }),
                change("the salt", CONTENT_CHANGED, link -> link.setSalt(bytes("x".repeat(16)))),
                change("the version of the rules", RECORD_CHANGED, link -> link.setRules("0")),
                change(
                        "the index in the log",
                        RECORD_CHANGED,
                        link -> link.getLog().setIndex(99L)),
                change("the sequence", RECORD_MISSING, link -> link.setSequence(5L)));
    }

    private static Arguments change(String what, FaultCode code, Consumer<AuditRecord> change) {
        return Arguments.of(what, code, change);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("changes")
    void aChangedRecordIsFoundAtItsLocation(String what, FaultCode code, Consumer<AuditRecord> change) {
        change.accept(links.get(4));
        AuditFault first = faults().get(0);
        assertThat(first.code()).isEqualTo(code);
        assertThat(first.chain()).isEqualTo("default|SLIP|1");
        assertThat(first.location()).hasToString("audit-0@4");
        assertThat(first.sequence()).isEqualTo(links.get(4).getSequence());
    }

    @Test
    void theDecodedContentCannotBeChangedEither() {
        for (Consumer<AgentMessage> change : List.<Consumer<AgentMessage>>of(
                message -> message.setSender("mallory"),
                message -> message.setRecipients(List.of("bob", "carol")),
                message -> message.setPerformative(Performative.REQUEST.name()),
                message -> message.getReferences().get(0).setId("8"),
                message -> message.setNamespace("other"))) {
            List<AuditRecord> messages = Links.messages("default|SLIP|1", LENGTH);
            change.accept(messages.get(4).getMessage());
            assertThat(faultsOf(messages))
                    .extracting(AuditFault::code, AuditFault::sequence)
                    .containsExactly(tuple(CONTENT_CHANGED, 4L));
        }
    }

    @Test
    void theNameOfAChainCannotBeChanged() {
        links.forEach(link -> link.setChain("default|SLIP|2"));
        assertThat(faults()).extracting(AuditFault::code).hasSize(LENGTH).containsOnly(RECORD_CHANGED);
    }

    /** Another writer of the topic, or a later version, may use symbols that this version does not know. */
    @Test
    void unknownSymbolsAreHashedAsTheyStand() {
        for (String text : List.of("POSTPONED", "", "ACCEPTED ", "\u0000|\n\u202e", "V".repeat(100_000))) {
            List<AuditRecord> messages = Links.messages("default|SLIP|1", LENGTH);
            ByteBuffer head = AuditChain.genesis();
            for (AuditRecord message : messages) {
                message.setVerdict(text);
                message.setStage(text);
                message.setProfile(text);
                message.setCode("POSTPONED");
                message.getMessage().setProtocol(text);
                message.getMessage().setPerformative(text);
                message.setPreviousHash(head);
                Links.sealed(message);
                head = message.getHash();
            }
            assertThat(faultsOf(messages)).isEmpty();

            messages.get(4).setVerdict(Verdict.UNSPECIFIED.name());
            assertThat(faultsOf(messages)).extracting(AuditFault::code).containsExactly(RECORD_CHANGED);
        }
    }

    @Test
    void aRehashedRecordIsFoundAtTheNext() {
        links.get(4).setCode("SLIP_TURN_GAP");
        Links.sealed(links.get(4));
        assertThat(faults()).singleElement().satisfies(auditFault -> {
            assertThat(auditFault.code()).isEqualTo(LINK_BROKEN);
            assertThat(auditFault.sequence()).isEqualTo(5);
            assertThat(auditFault.detail()).isEqualTo(LINK_BROKEN.meaning());
        });
    }

    @Test
    void aVerdictWithoutItsCodeIsFoundDespiteValidHashes() {
        AuditRecord accepted = links.get(LENGTH - 3);
        accepted.setCode(accepted.getWarnings().get(0));
        accepted.setWarnings(accepted.getWarnings().subList(1, 2));
        Links.sealed(accepted);
        links.subList(LENGTH - 2, LENGTH).clear();
        assertThat(faults())
                .extracting(AuditFault::code, AuditFault::sequence)
                .containsExactly(tuple(VERDICT_CHANGED, LENGTH - 3L));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 4, LENGTH - 2})
    void aRemovedRecordIsFoundAtTheNext(int at) {
        links.remove(at);
        assertThat(faults()).singleElement().satisfies(auditFault -> {
            assertThat(auditFault.code()).isEqualTo(RECORD_MISSING);
            assertThat(auditFault.sequence()).isEqualTo(at + 1);
            assertThat(auditFault.location()).hasToString("audit-0@" + at);
            assertThat(auditFault.detail()).contains("sequence " + at + " here", "1 are missing");
        });
    }

    @Test
    void aRemovedRecordIsFoundDespiteRenumbering() {
        links.remove(4);
        for (int i = 4; i < links.size(); i++) {
            links.get(i).setSequence((long) i);
        }
        assertThat(faults()).first().satisfies(auditFault -> {
            assertThat(auditFault.code()).isEqualTo(LINK_BROKEN);
            assertThat(auditFault.sequence()).isEqualTo(4);
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, LENGTH - 2})
    void bothSwappedRecordsAreFound(int at) {
        Collections.swap(links, at, at + 1);
        assertThat(faults())
                .extracting(AuditFault::code, AuditFault::sequence)
                .containsExactly(tuple(RECORD_MISSING, at + 1L), tuple(RECORD_MOVED, (long) at));
    }

    @Test
    void aGapIsFilledPieceByPiece() {
        AuditRecord fourth = links.remove(4);
        AuditRecord third = links.remove(3);
        AuditRecord second = links.remove(2);
        links.addAll(List.of(third, fourth, second, third));
        assertThat(faults())
                .extracting(AuditFault::code, AuditFault::sequence)
                .containsExactly(
                        tuple(RECORD_MISSING, 5L),
                        tuple(RECORD_MOVED, 3L),
                        tuple(RECORD_MOVED, 4L),
                        tuple(RECORD_MOVED, 2L),
                        tuple(RECORD_REPEATED, 3L));
    }

    @Test
    void aGapIsReportedFromItsFirstToItsLastRecord() {
        List<AuditRecord> gone = new ArrayList<>(links.subList(2, 6));
        links.subList(2, 6).clear();
        AuditRecord behind = links.get(2);
        AuditRecord before = links.get(1);
        links.addAll(List.of(
                before,
                behind,
                gone.get(0),
                gone.get(0),
                gone.get(3),
                gone.get(3),
                behind,
                gone.get(2),
                gone.get(1),
                gone.get(1),
                gone.get(2)));
        assertThat(faults())
                .extracting(AuditFault::code, AuditFault::sequence)
                .containsExactly(
                        tuple(RECORD_MISSING, 6L),
                        tuple(RECORD_REPEATED, 1L),
                        tuple(RECORD_REPEATED, 6L),
                        tuple(RECORD_MOVED, 2L),
                        tuple(RECORD_REPEATED, 2L),
                        tuple(RECORD_MOVED, 5L),
                        tuple(RECORD_REPEATED, 5L),
                        tuple(RECORD_REPEATED, 6L),
                        tuple(RECORD_MOVED, 4L),
                        tuple(RECORD_MOVED, 3L),
                        tuple(RECORD_REPEATED, 3L),
                        tuple(RECORD_REPEATED, 4L));
    }

    @Test
    void onlyTheFirstOfTooManyGapsAreKept() {
        List<AuditRecord> all = Links.chain("default|SLIP|1", 2_006);
        ChainVerifier verifier = new ChainVerifier();
        for (int i = 1; i < all.size(); i += 2) {
            verifier.check(all.get(i));
        }
        assertThat(verifier.check(all.get(1_998))).extracting(AuditFault::code).containsExactly(RECORD_MOVED);
        assertThat(verifier.check(all.get(2_000))).extracting(AuditFault::code).containsExactly(RECORD_REPEATED);
        assertThat(verifier.check(all.get(2_002))).extracting(AuditFault::code).containsExactly(RECORD_REPEATED);
    }

    @Test
    void aFilledGapMakesRoomForAnother() {
        List<AuditRecord> all = Links.chain("default|SLIP|1", 2_002);
        ChainVerifier verifier = new ChainVerifier();
        for (int i = 1; i < 2_000; i += 2) {
            verifier.check(all.get(i));
        }
        assertThat(verifier.check(all.get(4))).extracting(AuditFault::code).containsExactly(RECORD_MOVED);
        assertThat(verifier.check(all.get(2_001))).extracting(AuditFault::code).containsExactly(RECORD_MISSING);
        assertThat(verifier.check(all.get(2_000))).extracting(AuditFault::code).containsExactly(RECORD_MOVED);
    }

    @Test
    void aRedactionHidesNoOtherChange() {
        links.get(4).setRedacted(Links.redactionOf(links.get(4)));
        links.get(4).setDetail("something else");
        assertThat(faults()).extracting(AuditFault::code).contains(CONTENT_CHANGED);

        List<AuditRecord> messages = Links.messages("default|SLIP|1", LENGTH);
        messages.get(4).setRedacted(Links.redactionOf(messages.get(4)));
        messages.get(4).getMessage().setSender("mallory");
        assertThat(faultsOf(messages)).extracting(AuditFault::code).contains(CONTENT_CHANGED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"source", "chain", "hash"})
    void aRedactionNamesExactlyOneRecord(String what) {
        Redaction redaction = Links.redactionOf(links.get(4));
        assertThat(Redactions.concerns(redaction, links.get(4))).isTrue();
        switch (what) {
            case "source" -> redaction.setSource(links.get(5).getSource());
            case "chain" -> redaction.setChain("default|SLIP|2");
            default -> redaction.setRecordHash(bytes("x".repeat(32)));
        }
        assertThat(Redactions.concerns(redaction, links.get(4))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 4, LENGTH - 1})
    void aDuplicatedRecordIsFoundOnceAndTheRestVerifies(int at) {
        links.add(at + 1, links.get(at));
        assertThat(faults())
                .extracting(AuditFault::code, AuditFault::sequence)
                .containsExactly(tuple(RECORD_REPEATED, (long) at));
    }

    @Test
    void aChainMayHaveAGapOnlyWhereRecordsOfTheLogAreOmitted() {
        List<Long> asked = new ArrayList<>();
        ChainVerifier verifier = new ChainVerifier((partition, after, before) -> {
            asked.addAll(List.of(after, before));
            return before == 5;
        });
        verifier.check(links.get(0));
        assertThat(verifier.check(links.get(2))).extracting(AuditFault::code).containsExactly(RECORD_MISSING);
        assertThat(verifier.check(links.get(5))).isEmpty();
        assertThat(verifier.chain("default|SLIP|1").orElseThrow().skipped()).isEqualTo(1);
        assertThat(asked).containsExactly(0L, 2L, 2L, 5L);
        links.get(6).setPreviousHash(bytes("x".repeat(32)));
        assertThat(verifier.check(links.get(6))).extracting(AuditFault::code).contains(LINK_BROKEN);
    }

    @Test
    void aPartMayStartLate() {
        ChainVerifier verifier = part();
        links.subList(3, 6).forEach(link -> assertThat(verifier.check(link)).isEmpty());
        assertThat(verifier.finish()).isEmpty();
        assertThat(verifier.chain("default|SLIP|1")).hasValueSatisfying(chainState -> {
            assertThat(chainState.first()).isEqualTo(3);
            assertThat(chainState.last()).isEqualTo(5);
            assertThat(chainState.hash()).isEqualTo(links.get(5).getHash());
        });
        links.get(7).setPreviousHash(bytes("x".repeat(32)));
        verifier.check(links.get(6));
        assertThat(verifier.check(links.get(7))).extracting(AuditFault::code).contains(LINK_BROKEN);
    }

    @Test
    void hashesOfAnyLengthAreCompared() {
        ChainVerifier verifier = new ChainVerifier();
        for (int i = 0; i < 6; i++) {
            AuditRecord link = links.get(i);
            link.setPreviousHash(
                    i == 0 ? AuditChain.genesis() : links.get(i - 1).getHash());
            link.setHash(i % 3 == 2 ? bytes("x".repeat(32)) : bytes("short"));
            assertThat(verifier.check(link)).extracting(AuditFault::code).containsExactly(RECORD_CHANGED);
            assertThat(verifier.chain(link.getChain()).orElseThrow().hash()).isEqualTo(link.getHash());
        }
        links.get(6).setPreviousHash(bytes("shorts"));
        assertThat(verifier.check(links.get(6))).extracting(AuditFault::code).contains(LINK_BROKEN);
    }

    @Test
    void theStateOfAChainSharesNoMemoryWithItsRecords() {
        ChainVerifier verifier = new ChainVerifier();
        verifier.check(new RecordVerifier().check(links.get(0)), RecordLocation.inFile("export", 7), false);
        ChainState state = verifier.chain("default|SLIP|1").orElseThrow();
        ByteBuffer first = state.hash();
        verifier.check(new RecordVerifier().check(links.get(1)), RecordLocation.of("parley.audit.v1-0", 8), false);
        assertThat(first).isEqualTo(links.get(0).getHash());
    }

    @Test
    void aRecordBeforeTheFirstOfAPartIsOutOfOrder() {
        ChainVerifier verifier = part();
        verifier.check(links.get(3));
        assertThat(verifier.check(links.get(2))).extracting(AuditFault::code).containsExactly(RECORD_MOVED);
    }

    /** Omits all records that the verifier does not see. */
    private static ChainVerifier part() {
        return new ChainVerifier((partition, after, before) -> true);
    }

    @Test
    void aRedactedRecordVerifiesByItsHashOnceTheChainRecordsTheRedaction() {
        AuditRecord original = links.get(4);
        Redaction redaction = Links.redactionOf(original);
        AuditRecord event =
                Links.unhashed("default|SLIP|1", LENGTH, links.get(LENGTH - 1).getHash());
        event.setVerdict(Verdict.ACCEPTED.name());
        event.setCode(null);
        event.setRedaction(redaction);
        Links.sealed(event);
        links.set(4, Redactions.redact(links.get(4), redaction));
        assertThat(links.get(4).getRaw()).isNull();
        assertThat(links.get(4).getHash()).isNotNull();
        assertThat(faults())
                .extracting(AuditFault::code, AuditFault::sequence)
                .containsExactly(tuple(REDACTION_UNPROVEN, 4L));

        links.add(event);
        assertThat(faults()).isEmpty();
        Redaction other = Links.redactionOf(original);
        other.setReason("another");
        links.get(4).setRedacted(other);
        assertThat(faults()).extracting(AuditFault::code).containsExactly(REDACTION_UNPROVEN);
        assertThat(verified().redactions().events()).isEqualTo(1);
        assertThat(verified().redactions().redacted()).isEqualTo(1);
        links.get(4).setRedacted(redaction);
        links.set(5, Redactions.redact(links.get(5), redaction));
        assertThat(faults())
                .extracting(AuditFault::code, AuditFault::sequence)
                .containsExactly(tuple(REDACTION_UNPROVEN, 5L));
    }

    @Test
    void aRedactedCopyDoesNotProveItsOwnRedaction() {
        Redaction redaction = Links.redactionOf(links.get(4));
        AuditRecord forged = Redactions.redact(links.get(4), redaction);
        forged.setRedaction(redaction);
        links.set(4, forged);
        assertThat(faults()).extracting(AuditFault::code).contains(REDACTION_UNPROVEN);
    }

    @Test
    void aRecordWithChangedContentProvesNoRedaction() {
        Redaction redaction = Links.redactionOf(links.get(4));
        links.set(4, Redactions.redact(links.get(4), redaction));
        links.get(6).setRedaction(redaction);
        assertThat(faults()).extracting(AuditFault::code).contains(REDACTION_UNPROVEN);
    }

    @Test
    void aRedactionRecordedInAnotherChainProvesNothing() {
        Redaction redaction = Links.redactionOf(links.get(4));
        AuditRecord event = Links.unhashed("default|SLIP|2", 0, AuditChain.genesis());
        event.setVerdict(Verdict.ACCEPTED.name());
        event.setCode(null);
        event.setRedaction(redaction);
        links.set(4, Redactions.redact(links.get(4), redaction));
        links.add(Links.sealed(event));
        assertThat(faults()).extracting(AuditFault::code).contains(REDACTION_UNPROVEN);
    }

    @Test
    void aRedactedCopyMayContainNoOtherText() {
        List<AuditRecord> messages = Links.messages("default|SLIP|1", LENGTH);
        Redaction redaction = Links.redactionOf(messages.get(4));
        messages.set(4, Redactions.redact(messages.get(4), redaction));
        messages.add(Links.redacting(redaction, messages.get(LENGTH - 1)));
        assertThat(faultsOf(messages)).isEmpty();

        messages.get(4).setDetail("made up");
        assertThat(faultsOf(messages)).extracting(AuditFault::code).contains(CONTENT_CHANGED);
        messages.get(4).setDetail(null);
        messages.get(4).setRule(new Rule("1.4", "I", "made up", null, null, null));
        assertThat(faultsOf(messages)).extracting(AuditFault::code).contains(CONTENT_CHANGED);
    }

    @Test
    void aRedactedCopyNamesTheFirstRecordedRedaction() {
        Redaction first = Links.redactionOf(links.get(4));
        Redaction second = Links.redactionOf(links.get(4));
        second.setBy("mallory");
        AuditRecord original = links.get(4);
        links.set(4, Redactions.redact(original, second));
        links.add(Links.redacting(first, links.get(LENGTH - 1)));
        links.add(Links.redacting(second, links.get(LENGTH)));
        assertThat(faults()).extracting(AuditFault::code).containsExactly(REDACTION_UNPROVEN);
        links.set(4, Redactions.redact(original, first));
        assertThat(faults()).isEmpty();
    }

    @Test
    void redactionsAreCounted() {
        Redaction redaction = Links.redactionOf(links.get(4));
        links.set(4, Redactions.redact(links.get(4), redaction));
        ChainVerifier verifier = part();
        links.forEach(verifier::check);
        assertThat(verifier.redactions().redacted()).isEqualTo(1);
        assertThat(verifier.redactions().events()).isZero();
        assertThat(verifier.finish()).extracting(AuditFault::code).containsExactly(REDACTION_UNPROVEN);
    }

    @Test
    void aTooLargePayloadIsCountedAndAnyOtherIsRequired() {
        AuditRecord tooLarge = links.get(5);
        tooLarge.setRaw(null);
        links.subList(6, LENGTH).clear();
        Links.sealed(tooLarge);
        ChainVerifier verifier = new ChainVerifier();
        links.forEach(link -> assertThat(verifier.check(link)).isEmpty());
        assertThat(verifier.payloadsElsewhere()).isEqualTo(1);

        links.get(4).setRaw(null);
        Links.sealed(links.get(4));
        assertThat(faults()).extracting(AuditFault::code).contains(PAYLOAD_MISSING);
    }

    /** The summary of a too large record is part of its content, and its hash is the payload hash. */
    @Test
    void aChangedSummaryIsFound() {
        List<AuditRecord> chain = Links.chain("c", 1);
        AuditRecord link = chain.get(0);
        link.setRaw(null);
        link.setVerdict(Verdict.UNDECODABLE.name());
        link.setCode("MESSAGE_TOO_LARGE");
        link.setOmitted(new Omitted(link.getPayloadHash(), 40_000_000, null, 0, 0L, null));
        Links.sealed(link);
        assertThat(new ChainVerifier().check(link)).isEmpty();

        link.getOmitted().setValueBytes(39);
        assertThat(new ChainVerifier().check(link))
                .extracting(AuditFault::code)
                .containsExactly(FaultCode.CONTENT_CHANGED);

        link.getOmitted().setSha256(ByteBuffer.allocate(32));
        Links.sealed(link);
        assertThat(new ChainVerifier().check(link)).extracting(AuditFault::code).containsExactly(PAYLOAD_CHANGED);
    }

    @Test
    void aRecordWithoutAValueNeedsNoPayload() {
        AuditRecord link = links.get(LENGTH - 1);
        link.setRaw(null);
        link.setPayloadHash(new AuditChain().payloadHash(ByteBuffer.allocate(0)));
        Links.sealed(link);
        ChainVerifier verifier = new ChainVerifier();
        links.forEach(each -> assertThat(verifier.check(each)).isEmpty());
        assertThat(verifier.payloadsElsewhere()).isZero();
    }

    @Test
    void faultsReadAsSentences() {
        links.remove(4);
        assertThat(faults().get(0))
                .hasToString("RECORD_MISSING at audit-0@4, chain default|SLIP|1, sequence 5: "
                        + "expected sequence 4 here, so 1 are missing before it");
        assertThat(new AuditFault(FaultCode.UNREADABLE, RecordLocation.inFile("x.jsonl", 3), "", -1, "no"))
                .hasToString("UNREADABLE at x.jsonl:3: no");
        assertThat(new AuditFault(FaultCode.CHAIN_CUT, RecordLocation.NONE, "c", 0, "cut"))
                .hasToString("CHAIN_CUT, chain c, sequence 0: cut");
        assertThat(RecordLocation.of("audit-0", 0)).hasToString("audit-0@0");
    }

    private ChainVerifier verified() {
        ChainVerifier verifier = new ChainVerifier();
        links.forEach(verifier::check);
        return verifier;
    }

    private List<AuditFault> faults() {
        return faultsOf(links);
    }

    private static List<AuditFault> faultsOf(List<AuditRecord> links) {
        ChainVerifier verifier = new ChainVerifier();
        List<AuditFault> faults = new ArrayList<>();
        for (int i = 0; i < links.size(); i++) {
            faults.addAll(
                    verifier.check(new RecordVerifier().check(links.get(i)), RecordLocation.of("audit-0", i), false));
        }
        faults.addAll(verifier.finish());
        return faults;
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(UTF_8));
    }

    @Test
    void aChangedPayloadIsOneFault() {
        links.get(4).setRaw(bytes("another payload, of another length"));
        assertThat(faults())
                .extracting(AuditFault::code, AuditFault::sequence)
                .containsExactly(tuple(PAYLOAD_CHANGED, 4L));
    }

    @Test
    void aRecordWithAnotherHashProvesNoRedaction() {
        Redaction redaction = Links.redactionOf(links.get(4));
        links.set(4, Redactions.redact(links.get(4), redaction));
        AuditRecord event = Links.redacting(redaction, links.get(LENGTH - 1));
        links.add(event);
        assertThat(faults()).isEmpty();
        event.setHash(bytes("x".repeat(32)));
        assertThat(faults())
                .extracting(AuditFault::code, AuditFault::sequence)
                .containsExactly(tuple(RECORD_CHANGED, (long) LENGTH), tuple(REDACTION_UNPROVEN, 4L));
    }

    @Test
    void aRedactionOfNoRecordOfItsChainIsANoticeUnlessTheRecordMayHaveExpired() {
        Redaction expired = Links.redactionOf(links.get(2));
        Redaction wrong = Links.redactionOf(links.get(3));
        wrong.setRecordHash(ByteBuffer.allocate(32));
        Redaction right = Links.redactionOf(links.get(4));
        for (Redaction redaction : List.of(expired, wrong, right)) {
            links.add(Links.redacting(redaction, links.get(links.size() - 1)));
        }
        ChainVerifier verifier = part();
        for (AuditRecord link : links.subList(3, links.size())) {
            assertThat(verifier.check(
                            new RecordVerifier().check(link), RecordLocation.of("audit-0", link.getSequence()), false))
                    .isEmpty();
        }
        links.subList(3, links.size()).forEach(verifier.redactions()::locate);
        assertThat(verifier.unfounded())
                .containsExactly(new AuditFault(
                        FaultCode.REDACTION_UNFOUNDED,
                        RecordLocation.of("audit-0", LENGTH + 1),
                        "default|SLIP|1",
                        LENGTH + 1,
                        "the redaction or approval names no record that it can concern, and has no effect"));
    }
}
