package dev.parley.audit;

import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditRecord;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** What a verifier knows of one chain: where it stands, the gaps that it has, and the published head that it has not met yet. */
public final class Chain {
    /** Beyond so many gaps, a record that comes late counts as repeated: memory is bounded by that. */
    private static final int MOST_GAPS = 1_000;

    private final String name;
    private long first;
    private long next;
    private long expected;
    private ByteBuffer hash = AuditChain.genesis();
    private Place place = Place.NONE;
    private List<long[]> gaps = List.of();
    private AuditHead head;
    private Place headPlace = Place.NONE;
    private boolean started;
    private boolean journaled;
    private long mustHaveHead = -1;
    private long lastOutside = -1;
    private long provenHead = -1;

    Chain(String name) {
        this.name = name;
    }

    /** Its name. */
    public String name() {
        return name;
    }

    /** Whether a record of it has come. */
    public boolean started() {
        return started;
    }

    /** Sequence of its first record. */
    public long first() {
        return first;
    }

    /** Sequence of its last record so far; -1 before the first. */
    public long last() {
        return next - 1;
    }

    /** Hash of its last record so far. */
    public ByteBuffer hash() {
        return hash.asReadOnlyBuffer();
    }

    /** Where its last record was read. */
    public Place place() {
        return place;
    }

    /** Begins with a record of which nothing before is known. */
    void beginAt(AuditRecord link) {
        first = link.getSequence();
        next = first;
        hash = link.getPreviousHash();
    }

    /** What the last record should have been. */
    long expected() {
        return expected;
    }

    /** Takes the next record; null when it is tied to the one before. */
    FaultCode next(AuditRecord link, Place at) {
        long sequence = link.getSequence();
        expected = next;
        started = true;
        if (sequence < next) {
            return fills(sequence) ? FaultCode.RECORD_MOVED : FaultCode.RECORD_REPEATED;
        }
        FaultCode order = null;
        if (sequence > next) {
            leave(next, sequence);
            order = FaultCode.RECORD_MISSING;
        } else if (!link.getPreviousHash().equals(hash)) {
            order = FaultCode.LINK_BROKEN;
        }
        next = sequence + 1;
        hash = link.getHash();
        place = at;
        return order;
    }

    private void leave(long from, long to) {
        if (gaps.isEmpty()) {
            gaps = new ArrayList<>(1);
        }
        if (gaps.size() < MOST_GAPS) {
            gaps.add(new long[] {from, to});
        }
    }

    /** Whether a record that comes late belongs into a gap, which is filled by it. */
    private boolean fills(long sequence) {
        if (sequence < first) {
            first = sequence;
            return true;
        }
        for (int i = 0; i < gaps.size(); i++) {
            long[] gap = gaps.get(i);
            if (sequence >= gap[0] && sequence < gap[1]) {
                gaps.remove(i);
                if (gap[0] < sequence) {
                    leave(gap[0], sequence);
                }
                if (sequence + 1 < gap[1]) {
                    leave(sequence + 1, gap[1]);
                }
                return true;
            }
        }
        return false;
    }

    /** Notes whether a record is in a journal, and whether a published head must cover it. */
    void journal(long sequence, boolean inJournal, boolean covered) {
        if (inJournal) {
            journaled = true;
            if (covered) {
                mustHaveHead = Math.max(mustHaveHead, sequence);
            }
        } else {
            lastOutside = Math.max(lastOutside, sequence);
        }
    }

    /** Whether a record of it was in a journal. */
    boolean journaled() {
        return journaled;
    }

    /** Notes a head whose signature is right. */
    void proven(AuditHead published) {
        provenHead = Math.max(provenHead, published.getSequence());
    }

    /**
     * Whether a record that must be covered by a proven head is not.
     *
     * @param manifests whether the trail has manifests, so that records outside of journals are old
     */
    boolean lacksHead(boolean manifests) {
        long outside = lastOutside < 0 ? -1 : manifests ? lastOutside : 0;
        return started && provenHead < Math.max(mustHaveHead, outside);
    }

    /** Sequence of the proven head; -1 without one. */
    long provenHead() {
        return provenHead;
    }

    void expect(AuditHead published, Place at) {
        head = published;
        headPlace = at;
    }

    boolean awaitsHead() {
        return head != null;
    }

    boolean isAtHead() {
        return started && head != null && last() == head.getSequence();
    }

    boolean meetsHead() {
        return hash.equals(head.getHash());
    }

    void passHead() {
        head = null;
    }

    long headSequence() {
        return head.getSequence();
    }

    Place headPlace() {
        return headPlace;
    }
}
