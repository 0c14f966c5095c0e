package dev.parley.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AuditHead;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Tests which published head of each chain counts, and what is a fault in the order of heads. */
class PublishedHeadsTest {
    private static final String CHAIN = "default|SLIP|1";

    private final PublishedHeads keyed = new PublishedHeads(true);
    private final PublishedHeads keyless = new PublishedHeads(false);
    private long offset;

    private static AuditHead head(String chain, long sequence, int hash, boolean signed) {
        return new AuditHead(
                chain,
                sequence,
                ByteBuffer.wrap(new byte[] {(byte) hash}),
                Instant.EPOCH,
                signed ? "key" : null,
                signed ? ByteBuffer.wrap(new byte[] {9}) : null);
    }

    private static AuditHead signed(long sequence) {
        return head(CHAIN, sequence, (int) sequence, true);
    }

    private static AuditHead unsigned(long sequence) {
        return head(CHAIN, sequence, (int) sequence, false);
    }

    private List<String> take(PublishedHeads heads, AuditHead head) {
        return heads.take(head.getChain(), head, RecordLocation.of("heads-0", offset++)).stream()
                .map(AuditFault::toString)
                .toList();
    }

    private static Map<String, String> selected(PublishedHeads heads) {
        Map<String, String> selected = new TreeMap<>();
        heads.forEach((head, location) -> selected.put(head.getChain(), head.getSequence() + " at " + location));
        return selected;
    }

    @Test
    void theNewestHeadOfEachChainIsSelected() {
        assertThat(take(keyed, signed(3))).isEmpty();
        assertThat(take(keyed, head("other", 1, 1, true))).isEmpty();
        assertThat(take(keyed, signed(5))).isEmpty();
        assertThat(selected(keyed)).isEqualTo(Map.of(CHAIN, "5 at heads-0@2", "other", "1 at heads-0@1"));
    }

    @Test
    void anOlderHeadAfterANewerOneIsAFaultAndNotSelected() {
        take(keyed, signed(5));
        assertThat(take(keyed, signed(4)))
                .containsExactly("HEAD_REPLAYED at heads-0@1, chain default|SLIP|1, sequence 4: "
                        + "the head at sequence 5 was published earlier, at heads-0@0");
        assertThat(selected(keyed)).isEqualTo(Map.of(CHAIN, "5 at heads-0@0"));
    }

    @Test
    void theSameHeadMayBePublishedAgain() {
        take(keyed, signed(5));
        assertThat(take(keyed, signed(5))).isEmpty();
        assertThat(selected(keyed)).isEqualTo(Map.of(CHAIN, "5 at heads-0@1"));
    }

    @Test
    void anotherHashAtTheSameSequenceIsAFaultAndNotSelected() {
        take(keyed, signed(5));
        assertThat(take(keyed, head(CHAIN, 5, 77, true)))
                .containsExactly("HEAD_MISMATCH at heads-0@1, chain default|SLIP|1, sequence 5: "
                        + "the head with the same sequence at heads-0@0 has another hash");
        assertThat(selected(keyed)).isEqualTo(Map.of(CHAIN, "5 at heads-0@0"));
    }

    @Test
    void withAKeyAHeadWithoutASignatureAfterASignedOneIsAFaultAndNotSelected() {
        take(keyed, signed(5));
        assertThat(take(keyed, unsigned(6)))
                .containsExactly("HEAD_UNSIGNED at heads-0@1, chain default|SLIP|1, sequence 6: "
                        + "the head is not signed, but the previous one at heads-0@0 is");
        assertThat(selected(keyed)).isEqualTo(Map.of(CHAIN, "5 at heads-0@0"));
    }

    @Test
    void headsBeforeTheFirstSignatureNeedNone() {
        assertThat(take(keyed, unsigned(4))).isEmpty();
        assertThat(take(keyed, unsigned(5))).isEmpty();
        assertThat(take(keyed, signed(5))).isEmpty();
        assertThat(take(keyed, signed(6))).isEmpty();
        assertThat(selected(keyed)).isEqualTo(Map.of(CHAIN, "6 at heads-0@3"));
    }

    @Test
    void withoutAKeySignaturesDoNotCount() {
        take(keyless, signed(5));
        assertThat(take(keyless, unsigned(6))).isEmpty();
        assertThat(selected(keyless)).isEqualTo(Map.of(CHAIN, "6 at heads-0@1"));
    }

    @Test
    void aHeadUnderAnotherKeyIsAFaultAndStillSelected() {
        assertThat(keyed.take("other", signed(5), RecordLocation.of("heads-0", 8)))
                .extracting(AuditFault::toString)
                .containsExactly("KEY_CHANGED at heads-0@8, chain default|SLIP|1, sequence 5: "
                        + "the record's key is not its chain");
        assertThat(selected(keyed)).isEqualTo(Map.of(CHAIN, "5 at heads-0@8"));
    }

    @Test
    void aRecordWithoutAValueIsAFault() {
        assertThat(keyed.removed(CHAIN, RecordLocation.of("heads-0", 8)))
                .hasToString("HEAD_REMOVED at heads-0@8, chain default|SLIP|1: the published head was deleted");
    }
}
