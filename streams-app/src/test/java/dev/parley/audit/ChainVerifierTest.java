package dev.parley.audit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Verdict;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a verifier finds in chains that somebody touched. */
class ChainVerifierTest {
    private static final int LENGTH = 9;

    private final List<AuditRecord> links = Links.chain("default|SLIP|1", LENGTH);

    @Test
    void aSoundChainHasNoFaults() {
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
                change("the verdict", "its hash", link -> link.setVerdict(Verdict.FLAGGED)),
                change("the code", "its hash", link -> link.setCode("SLIP_TURN_GAP")),
                change("a warning", "its hash", link -> link.setWarnings(List.of("SLIP_FIELD_ORDER"))),
                change("a warning taken away", "its hash", link -> link.setWarnings(List.of())),
                change("the payload", "payload", link -> link.setRaw(ByteBuffer.wrap("other".getBytes(UTF_8)))),
                change("payload and its hash", "its hash", link -> {
                    link.setRaw(ByteBuffer.wrap("other".getBytes(UTF_8)));
                    link.setPayloadHash(new AuditChain().payloadHash(link.getRaw()));
                }),
                change("the topic", "its hash", link -> link.getSource().setTopic("elsewhere")),
                change("the partition", "its hash", link -> link.getSource().setPartition(77)),
                change("the offset", "its hash", link -> link.getSource().setOffset(77L)),
                change("the hash", "its hash", link -> link.setHash(ByteBuffer.wrap(new byte[32]))),
                change(
                        "the previous hash",
                        "previous hash",
                        link -> link.setPreviousHash(ByteBuffer.wrap(new byte[32]))),
                change("the deciding code made a warning", "verdict", link -> {
                    link.setWarnings(List.of(link.getCode(), link.getWarnings().get(0)));
                    link.setCode(null);
                }),
                change("the sequence", "expected sequence 4", link -> link.setSequence(5L)));
    }

    private static Arguments change(String what, String says, Consumer<AuditRecord> change) {
        return Arguments.of(what, says, change);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("changes")
    void aChangeOfOneRecordIsFoundAtItsPlace(String what, String says, Consumer<AuditRecord> change) {
        change.accept(links.get(4));
        assertThat(faults()).first().asString().contains("default|SLIP|1", "sequence", says);
    }

    @Test
    void aRecordThatWasChangedAndHashedAgainIsFoundAtTheNext() {
        links.get(4).setCode("SLIP_TURN_GAP");
        Links.sealed(links.get(4));
        assertThat(faults())
                .containsExactly(
                        "default|SLIP|1 at sequence 5: its previous hash is not the hash of the record before");
    }

    @Test
    void aWarningThatWasMadeTheDecidingCodeIsFound() {
        AuditRecord accepted = links.get(3);
        accepted.setCode(accepted.getWarnings().get(0));
        accepted.setWarnings(accepted.getWarnings().subList(1, 2));
        assertThat(faults()).singleElement().asString().contains("sequence 3", "verdict");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 4, LENGTH - 2})
    void aRemovedRecordIsFound(int at) {
        links.remove(at);
        assertThat(faults()).first().asString().contains("expected sequence " + at);
    }

    @Test
    void aRemovedRecordWhoseFollowersWereRenumberedIsFound() {
        links.remove(4);
        for (int i = 4; i < links.size(); i++) {
            links.get(i).setSequence((long) i);
        }
        assertThat(faults()).first().asString().contains("sequence 4", "previous hash");
    }

    @Test
    void swappedRecordsAreFound() {
        Collections.swap(links, 3, 4);
        assertThat(faults()).isNotEmpty();
        assertThat(faults().get(0)).contains("sequence 4", "expected sequence 3");
    }

    @Test
    void aDuplicatedRecordIsFoundOnceAndTheRestVerifies() {
        links.add(5, links.get(4));
        assertThat(faults()).containsExactly("default|SLIP|1 at sequence 4: expected sequence 5");
    }

    @Test
    void aPayloadThatWasTakenOutLeavesTheChainSound() {
        links.get(4).setRaw(null);
        assertThat(faults()).isEmpty();
    }

    @Test
    void thePayloadOfADecodedRecordIsItsMessages() {
        AuditRecord link = links.get(4);
        AgentMessage message = new AgentMessage();
        message.setRaw(link.getRaw());
        link.setRaw(null);
        link.setMessage(message);
        assertThat(faults()).isEmpty();
        message.setRaw(ByteBuffer.wrap("other".getBytes(UTF_8)));
        assertThat(faults()).singleElement().asString().contains("sequence 4", "payload");
    }

    private List<String> faults() {
        ChainVerifier verifier = new ChainVerifier();
        List<String> faults = new ArrayList<>();
        for (AuditRecord link : links) {
            Optional<String> fault = verifier.check(link);
            fault.ifPresent(faults::add);
        }
        return faults;
    }
}
