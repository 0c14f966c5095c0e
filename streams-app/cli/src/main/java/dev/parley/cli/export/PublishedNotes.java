package dev.parley.cli.export;

import dev.parley.avro.AuditHead;
import dev.parley.avro.LogPosition;
import dev.parley.log.LogNoteReader;
import dev.parley.log.LogNotes;
import dev.parley.log.PartitionStatement;
import dev.parley.log.tlog.TlogFormatException;
import dev.parley.log.tlog.TreeHead;
import dev.parley.log.tlog.VerifierKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The last head of each log, and the last statement whose heads they reach, among the notes that count. Cosigned heads
 * come before the published notes.
 */
final class PublishedNotes {
    /** Orders heads of a log by size and time: an insider may write an older one again, after the newer ones. */
    private static final Comparator<AuditHead> ORDER =
            Comparator.comparing(AuditHead::getSize).thenComparing(AuditHead::getTime);

    private final Map<String, AuditHead> byOrigin = new HashMap<>();
    private final Map<Integer, AuditHead> heads = new TreeMap<>();
    private final boolean all;
    private final LogNoteReader reader;
    private Optional<AuditHead> statement = Optional.empty();

    /**
     * Creates a set of notes without any.
     *
     * @param all whether it covers all records nevertheless
     * @param reader reader of the notes that count, with the witnesses that must have cosigned a head
     */
    PublishedNotes(boolean all, LogNoteReader reader) {
        this.all = all;
        this.reader = reader;
    }

    /** Adds the next note. Of two heads of one size and time, the next one may have more signatures. */
    void add(AuditHead note) {
        if (!reader.accepts(note)) {
            return;
        }
        if (note.getPartition() < 0) {
            // Without a quorum, the heads of the last statement were published before it.
            if (PartitionStatement.of(note).isPresent()
                    && statement
                            .filter(last -> last.getTime().isAfter(note.getTime()))
                            .isEmpty()
                    && (reader.policy().quorum() == 0 || isReached(note))) {
                statement = Optional.of(note);
            }
        } else if (isAccepted(note)) {
            byOrigin.merge(note.getOrigin(), note, (one, next) -> ORDER.compare(one, next) > 0 ? one : next);
        }
    }

    private boolean isReached(AuditHead note) {
        return stated(note).values().stream()
                .allMatch(head -> byOrigin.containsKey(head.origin())
                        && byOrigin.get(head.origin()).getSize() >= head.size());
    }

    private static Map<Integer, TreeHead> stated(AuditHead note) {
        return PartitionStatement.of(note)
                .<Map<Integer, TreeHead>>map(PartitionStatement::heads)
                .orElse(Map.of());
    }

    /** Whether a head has the quorum. */
    private boolean isAccepted(AuditHead head) {
        try {
            return reader.policy().quorum() == 0 || reader.policy().accepts(LogNotes.parse(head.getNote()));
        } catch (TlogFormatException | IllegalArgumentException e) {
            return false;
        }
    }

    /** Ends the notes. Heads of an earlier origin than that of the statement do not count. */
    void complete() {
        byOrigin.values().stream()
                .filter(head -> statement
                        .map(note -> LogNotes.originOf(note.getOrigin(), head.getPartition()))
                        .filter(origin -> !origin.equals(head.getOrigin()))
                        .isEmpty())
                .forEach(head -> heads.put(head.getPartition(), head));
    }

    /**
     * Checks that a signer signs for the deployment of the statement, with keys that the statement lists.
     *
     * @throws IllegalArgumentException if it has another origin or key; the message has the remedy
     */
    void requireSigner(LogNotes signer) {
        statement.ifPresent(note -> {
            if (!note.getOrigin().equals(signer.origin())) {
                throw new IllegalArgumentException("the audit log has the origin " + note.getOrigin()
                        + ", but the key signs for " + signer.origin() + "; set audit.origin=" + note.getOrigin());
            }
            List<String> keys =
                    LogNotes.keysOf(note).stream().map(VerifierKey::toString).toList();
            if (keys.isEmpty()) {
                throw new IllegalArgumentException(
                        "the statement of the audit log lists no key; omit --sign, or set audit.heads.key.files of the"
                                + " pipeline");
            }
            for (VerifierKey key : signer.verifierKeys()) {
                if (!keys.contains(key.toString())) {
                    throw new IllegalArgumentException("the audit log is signed by " + String.join(", ", keys)
                            + ", not by " + key + "; sign with a file of audit.heads.key.files of the deployment");
                }
            }
        });
    }

    /** Number of records that the last head of a log covers; 0 without a head. */
    long size(int partition) {
        if (all) {
            return Long.MAX_VALUE;
        }
        return heads.containsKey(partition) ? heads.get(partition).getSize() : 0;
    }

    /** Whether the last head of a log covers a record. */
    boolean covers(LogPosition position) {
        return position.getIndex() < size(position.getPartition());
    }

    /** Number of records of each log that the statement lists, and that the last head covers. */
    Map<Integer, SortedSet<Long>> sizes() {
        Map<Integer, SortedSet<Long>> sizes = new TreeMap<>();
        heads.forEach((partition, head) -> sizes.put(partition, new TreeSet<>(List.of(head.getSize()))));
        statement.ifPresent(note -> stated(note).forEach((partition, head) -> {
            if (head.size() < size(partition)) {
                sizes.get(partition).add(head.size());
            }
        }));
        return sizes;
    }

    /** The time up to which the statement says that every log is complete; empty unless it lists all logs. */
    Optional<Instant> completeTo() {
        return statement.flatMap(PartitionStatement::of).flatMap(PartitionStatement::completeTo);
    }

    /** The statement, and the last head of each log. */
    List<AuditHead> list() {
        List<AuditHead> list = new ArrayList<>();
        statement.ifPresent(list::add);
        list.addAll(heads.values());
        return list;
    }
}
