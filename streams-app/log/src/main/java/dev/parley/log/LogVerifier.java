package dev.parley.log;

import dev.parley.avro.AuditHead;
import dev.parley.avro.LogPosition;
import dev.parley.avro.OmittedRecords;
import dev.parley.encoding.ByteBuffers;
import dev.parley.log.LogNoteReader.LogHead;
import dev.parley.log.tlog.Frontier;
import dev.parley.log.tlog.MerkleHasher;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Verifies the log of every partition: recomputes its tree from audit records and from the hashes of omitted ones, and
 * compares the root with the heads. Takes notes and omitted records before the records. Keeps about 250 bytes per
 * size of a head, notes in at most an eighth of the heap, and the hashes of at most {@value #MAX_HELD} records that
 * arrive before their predecessors, because a log's records are in several partitions of the audit topic. Of more than
 * {@value #MAX_SIZES} sizes, it drops every other one, but never the last one of a log: heads are published for ever,
 * and each one implies all earlier ones. Not thread-safe.
 */
public final class LogVerifier {
    /** Number of sizes of heads from which on some are dropped. */
    static final int MAX_SIZES = 100_000;

    /** Maximum number of records held until their predecessors arrive. */
    static final int MAX_HELD = 500_000;

    /** Time by which a record of a log may be older than an earlier one without a notice. */
    private static final long MAX_BACK_MS = Duration.ofDays(30).toMillis();

    /** Maximum number of faults of one kind reported for one log, or for missing logs. */
    private static final int MAX_REPORTED = 20;

    private final LogNoteReader notes;
    private final Map<Integer, Progress> logs = new TreeMap<>();
    private final MerkleHasher hasher = new MerkleHasher();
    private int partitions = -1;
    private Optional<Instant> completeTo = Optional.empty();
    private int missing;
    private int held;
    private long notesLeft;
    private final long maxSizes;
    private long added;
    private String lastNote = "";

    LogVerifier(LogNoteReader notes) {
        this(notes, Runtime.getRuntime().maxMemory() / 8, MAX_SIZES);
    }

    /**
     * Creates a verifier.
     *
     * @param maxNotes maximum characters of the notes that are kept as evidence
     * @param maxSizes number of sizes of heads from which on some are dropped
     */
    LogVerifier(LogNoteReader notes, long maxNotes, long maxSizes) {
        this.notes = notes;
        this.maxSizes = maxSizes;
        this.notesLeft = maxNotes;
    }

    /**
     * State of one log after the verification.
     *
     * @param partition partition of the log
     * @param size number of its records, from the records and the last head
     * @param verified number of its records that were read
     * @param omitted number of its records that only a hash stands for
     * @param covered number of its records, from the first on, that a head covers: with keys, a signed one
     * @param stated number of its records in the last statement; 0 if it lists none
     * @param isCovered whether there is a covering head
     */
    public record Coverage(
            int partition, long size, long verified, long omitted, long covered, long stated, boolean isCovered) {}

    /** Number of partitions in the statement; -1 without one. */
    public int partitions() {
        return partitions;
    }

    /** The time up to which a statement says that all logs are complete; empty if unknown. */
    public Optional<Instant> completeTo() {
        return completeTo;
    }

    /**
     * The earliest time that the logs reach, in milliseconds since the epoch. A log reaches the time of its last head,
     * and that up to which a statement says that it is complete.
     */
    public long reachedTo() {
        return logs.values().stream()
                .filter(log -> log.published != null)
                .mapToLong(log -> Math.max(log.published.time(), log.statedTime))
                .min()
                .orElse(0);
    }

    /** The first counted partition of whose log no head covers records; -1 if there is none. */
    public int missingLog() {
        int next = 0;
        while (logs.containsKey(next) && logs.get(next).proven >= 0) {
            next++;
        }
        return next < partitions ? next : -1;
    }

    /** The logs in the order of their partitions. */
    public List<Coverage> coverage() {
        return logs.values().stream().map(Progress::coverage).toList();
    }

    /** Number of sizes of heads that are kept. */
    long sizes() {
        return logs.values().stream().mapToLong(log -> log.heads.size()).sum();
    }

    /** Number of records of a log, from the records and the last head. */
    long size(int partition) {
        return logs.containsKey(partition) ? logs.get(partition).size() : 0;
    }

    /** Adds a note that is no statement of a chain; before all records, in the order of publication in its log. */
    void note(LogNoteReader.Note read, List<AuditFault> faults) {
        if (read instanceof LogNoteReader.Statement statement) {
            partitions = Math.max(partitions, statement.content().partitions());
            completeTo = Stream.of(completeTo, statement.content().completeTo())
                    .flatMap(Optional::stream)
                    .max(Instant::compareTo);
            statement.heads().forEach(head -> log(head.partition()).state(head, faults));
        } else if (read instanceof LogHead head) {
            log(head.partition()).publish(head, faults);
        }
    }

    /** Adds a cosigned copy of a head, in any order; before the notes. It counts only with the quorum. */
    public List<AuditFault> cosigned(AuditHead note, RecordLocation location) {
        List<AuditFault> faults = new ArrayList<>(0);
        // Heads of an earlier origin, as before a reset, stay in the topic.
        if (notes.concerns(note) && notes.read(note, location, faults) instanceof LogHead head && head.proven()) {
            log(head.partition()).note(head, Seen.COSIGNED, faults);
        }
        return faults;
    }

    /** Adds a head stored elsewhere, which the log must continue; before all records. */
    public List<AuditFault> stored(AuditHead note, RecordLocation location) {
        List<AuditFault> faults = new ArrayList<>(0);
        LogNoteReader.Note read = notes.readStored(note, location, faults);
        if (read instanceof LogHead head) {
            log(head.partition()).store(head, faults);
        } else if (read instanceof LogNoteReader.Statement statement) {
            statement.heads().forEach(head -> log(head.partition()).store(head, faults));
        }
        return faults;
    }

    /**
     * Accepts that records before a head have expired, so that their hashes may stand for them; before all omitted
     * records.
     */
    public List<AuditFault> accept(AuditHead note, RecordLocation location) {
        List<AuditFault> faults = stored(note, location);
        if (faults.isEmpty() && note.getPartition() >= 0) {
            Progress log = log(note.getPartition());
            log.expired = Math.max(log.expired, note.getSize());
        }
        return faults;
    }

    /** Limits the records that can have expired to those before an index, whatever was accepted. */
    public void limitExpired(int partition, long index) {
        log(partition).unexpired = index;
    }

    /** Adds omitted records; before all records. */
    public List<AuditFault> omitted(OmittedRecords omitted, RecordLocation location) {
        return log(omitted.getPartition()).omit(omitted, location);
    }

    /** Adds the next record. */
    List<AuditFault> record(CheckedRecord checked, RecordLocation location) {
        LogPosition position = checked.log();
        Leaf leaf = new Leaf(hasher.leaf(checked.hash()), checked.time(), location);
        return log(position.getPartition()).record(position.getIndex(), leaf);
    }

    /** Whether records of a log between two indexes, both exclusive, are omitted. */
    boolean omitsBetween(int partition, long after, long before) {
        return log(partition).omitsBetween(after, before);
    }

    /** Whether records between two indexes, both exclusive, are omitted that are not accepted as expired. */
    public boolean leavesOut(int partition, long after, long before) {
        Progress log = logs.get(partition);
        return log != null && log.omitsBetween(Math.max(after, log.expired - 1), before);
    }

    /**
     * Verifies the ends of the logs after all records.
     *
     * @param required whether omitted records are a fault unless they are accepted as expired
     * @param uncoveredAllowed number of the last records of a log, by partition, that need no head yet
     */
    List<AuditFault> finish(boolean required, Map<Integer, Long> uncoveredAllowed) {
        List<AuditFault> faults = new ArrayList<>();
        List<String> uncovered = new ArrayList<>();
        logs.values()
                .forEach(log ->
                        log.finish(required, uncoveredAllowed.getOrDefault(log.partition, 0L), faults, uncovered));
        reportUncovered(uncovered, faults);
        return faults;
    }

    /** Reports what no head covers, and a missing statement: in one fault if one key may be missing. */
    private void reportUncovered(List<String> uncovered, List<AuditFault> faults) {
        String otherKeys = notes.otherKeys();
        boolean unsigned = partitions < 0 && !otherKeys.isEmpty();
        String statement = "no statement is signed by a given key";
        if (partitions < 0 && (!unsigned || uncovered.isEmpty())) {
            String missing = unsigned ? statement + otherKeys : FaultCode.STATEMENT_MISSING.meaning();
            faults.add(FaultCode.STATEMENT_MISSING.fault(missing));
        }
        if (!uncovered.isEmpty()) {
            int more = uncovered.size() - MAX_REPORTED;
            faults.add(FaultCode.NOT_COVERED.fault("no head" + notes.requirement() + " covers "
                    + String.join(", ", uncovered.subList(0, Math.min(MAX_REPORTED, uncovered.size())))
                    + (more > 0 ? ", nor records of " + more + " more partitions" : "")
                    + (unsigned ? "; " + statement : "") + otherKeys));
        }
    }

    private Progress log(int partition) {
        return logs.computeIfAbsent(partition, Progress::new);
    }

    /** Keeps the note of a head while there is room: an export chooses their number and sizes. */
    private LogHead kept(LogHead head) {
        if (!head.text().equals(lastNote)) {
            notesLeft -= head.text().length();
            lastNote = notesLeft < 0 ? "" : head.text();
        }
        return notesLeft < 0 ? head.withoutText() : head;
    }

    /** Where a head was read, from the weakest to the strongest claim. */
    private enum Seen {
        STATED,
        COSIGNED,
        PUBLISHED
    }

    /** The heads of one size: the strongest one, and the stored one. */
    private static final class AtSize {
        private LogHead head;
        private Seen seen;
        private LogHead stored;

        /** Root of the last head that differed, whose repetitions are no further fault. */
        private byte[] otherRoot;
    }

    /** A record that was read, with the time of its input. */
    private record Leaf(byte[] hash, long time, RecordLocation location) {}

    /** A subtree of omitted records, from the index {@code first} on. */
    private record Subtree(long first, int level, byte[] root) {
        /** Index after its last record. */
        long end() {
            return first + (1L << level);
        }
    }

    /** One log: its tree so far, and its heads. */
    private final class Progress {
        private final int partition;
        private final Frontier tree = new Frontier();
        private final TreeMap<Long, Leaf> early = new TreeMap<>();
        private final TreeMap<Long, Subtree> omitted = new TreeMap<>();
        private final TreeMap<Long, AtSize> heads = new TreeMap<>();
        private LogHead published;
        private AtSize newest;
        private long newestSize;
        private long provenSize = -1;
        private long latestTime;
        private final Map<FaultCode, Integer> times = new EnumMap<>(FaultCode.class);
        private long statedSize;
        private long statedTime;
        private boolean hasHead;
        private long expired;
        private long unexpired = Long.MAX_VALUE;
        private long verified;
        private long omittedRecords;
        private long end;
        private boolean comparable = true;
        private boolean mismatch;

        /** Size of the last head that proves the records; -1 if there is none. */
        private long proven = -1;

        Progress(int partition) {
            this.partition = partition;
        }

        long size() {
            return Math.max(end, newestSize);
        }

        Coverage coverage() {
            return new Coverage(
                    partition, size(), verified, omittedRecords, Math.max(0, proven), statedSize, proven >= 0);
        }

        /** Adds a stored head. */
        void store(LogHead head, List<AuditFault> faults) {
            AtSize at = heads.computeIfAbsent(head.size(), size -> new AtSize());
            if (at.stored == null) {
                at.stored = head;
            } else {
                isSame(head, at.stored, at, faults);
            }
        }

        /** Adds the next published head. */
        void publish(LogHead head, List<AuditFault> faults) {
            if (published != null && head.size() < published.size()) {
                AtSize at = heads.get(head.size());
                if (at == null || isSame(head, at.head == null ? at.stored : at.head, at, faults)) {
                    faults.add(FaultCode.HEAD_REPLAYED.at(
                            head.location(),
                            head + " was published after " + published + ", at " + published.location()));
                }
                return;
            }
            // A head that was written again makes the log no older.
            if (published == null || head.size() > published.size() || head.time() > published.time()) {
                published = head.withoutText();
            }
            note(head, Seen.PUBLISHED, faults);
        }

        /** Adds a head that a statement lists. No root implies that of a smaller size. */
        void state(LogHead head, List<AuditFault> faults) {
            statedSize = Math.max(statedSize, head.size());
            statedTime = Math.max(statedTime, head.time());
            note(head, Seen.STATED, faults);
        }

        /** Adds a head. The strongest one of a size replaces a stored split view, and is compared with the records. */
        void note(LogHead head, Seen seen, List<AuditFault> faults) {
            AtSize at = heads.computeIfAbsent(head.size(), size -> new AtSize());
            if (at.stored != null && !isSame(head, at.stored, at, faults)) {
                at.stored = null;
            }
            LogHead before = at.head;
            boolean stronger = before == null || seen.compareTo(at.seen) > 0;
            boolean replaces = stronger;
            if (before != null && !isSame(head, before, at, faults)) {
                at.otherRoot = stronger ? before.root() : head.root();
            } else if (before != null && head.proven() != before.proven()) {
                replaces = head.proven();
            }
            if (replaces) {
                at.head = kept(head);
            }
            at.seen = stronger ? seen : at.seen;
            hasHead |= seen != Seen.STATED;
            if (newest == null || head.size() > newestSize) {
                newest = at;
                newestSize = head.size();
            }
            provenSize = at.head.proven() ? Math.max(provenSize, head.size()) : provenSize;
            if (++added % maxSizes == 0 && sizes() > maxSizes) {
                logs.values().forEach(Progress::thin);
            }
        }

        /** Drops every other head except stored ones, the last one, and the last one that proves records. */
        void thin() {
            boolean[] drop = {false};
            heads.values()
                    .removeIf(at ->
                            at.stored == null && at != newest && at.head.size() != provenSize && (drop[0] = !drop[0]));
        }

        /** Compares two heads of one size. */
        private boolean isSame(LogHead head, LogHead before, AtSize at, List<AuditFault> faults) {
            if (Arrays.equals(head.root(), before.root())) {
                return true;
            }
            if (Arrays.equals(head.root(), at.otherRoot)) {
                return false;
            }
            at.otherRoot = head.root();
            faults.add(FaultCode.HEAD_SPLIT.at(
                    head.location(),
                    head + " and " + before + " at " + before.location()
                            + " have different roots: keep both notes as evidence of a split view:\n" + head.text()
                            + (before.text().isEmpty()
                                    ? "(root of the other: "
                                            + Base64.getEncoder().encodeToString(before.root()) + ")\n"
                                    : before.text())));
            return false;
        }

        List<AuditFault> omit(OmittedRecords records, RecordLocation location) {
            long first = records.getIndex();
            int level = records.getLevel();
            byte[] root = ByteBuffers.of(records.getHash());
            boolean aligned = level >= 0
                    && level < Long.SIZE - 2
                    && first >= 0
                    && (first & (1L << level) - 1) == 0
                    && first <= MerkleHasher.MAX_SIZE - (1L << level)
                    && root.length == MerkleHasher.BYTES;
            Subtree subtree = new Subtree(first, level, root);
            Map.Entry<Long, Subtree> before = omitted.floorEntry(first);
            Long after = omitted.ceilingKey(first);
            if (!aligned
                    || first < statedSize && statedSize < subtree.end()
                    || before != null && before.getValue().end() > first
                    || after != null && after < subtree.end()) {
                return List.of(FaultCode.UNREADABLE.at(
                        location,
                        "the omitted records from index " + first + " on, level " + level
                                + ", must be a subtree that no other one overlaps, and must not span the size in the"
                                + " statement"));
            }
            omitted.put(first, subtree);
            omittedRecords += 1L << level;
            return List.of();
        }

        boolean omitsBetween(long after, long before) {
            Map.Entry<Long, Subtree> lower = omitted.isEmpty() ? null : omitted.lowerEntry(before);
            return lower != null && lower.getValue().end() - 1 > after;
        }

        List<AuditFault> record(long index, Leaf leaf) {
            List<AuditFault> faults = new ArrayList<>(0);
            catchUp(faults);
            verified++;
            if (index >= MerkleHasher.MAX_SIZE) {
                faults.add(FaultCode.UNREADABLE.at(
                        leaf.location, "the index in the log must be possible, but was " + index));
                return faults;
            }
            end = Math.max(end, index + 1);
            if (index < tree.size() || early.containsKey(index) || omitsBetween(index - 1, index + 1)) {
                faults.add(FaultCode.LOG_REPEATED.at(
                        leaf.location, "index " + index + " of the log of partition " + partition + " occurs twice"));
            } else if (index == tree.size()) {
                append(leaf, faults);
                catchUp(faults);
            } else if (comparable) {
                early.put(index, leaf);
                if (++held > MAX_HELD) {
                    giveUp(faults);
                }
            }
            return faults;
        }

        /** Compares the heads of the tree, and appends omitted and held records that follow it. */
        private void catchUp(List<AuditFault> faults) {
            compare(faults);
            while (!omitted.isEmpty() || !early.isEmpty()) {
                Subtree subtree = omitted.get(tree.size());
                Leaf leaf = subtree == null ? early.remove(tree.size()) : null;
                if (leaf != null) {
                    held--;
                    append(leaf, faults);
                } else if (subtree != null && tree.canAppend(subtree.level)) {
                    end = Math.max(end, subtree.end());
                    tree.append(subtree.level, subtree.root);
                    compare(faults);
                } else {
                    return;
                }
            }
        }

        /** Appends a record, and compares its time with those of the log and of the last head that covers it. */
        private void append(Leaf leaf, List<AuditFault> faults) {
            boolean covered = published != null && tree.size() < published.size();
            if (!TrustedKey.isPossible(leaf.time, covered ? published.time() : Long.MAX_VALUE)) {
                reportTime(FaultCode.TIME_IMPOSSIBLE, leaf, faults);
            } else if (leaf.time < latestTime - MAX_BACK_MS) {
                reportTime(FaultCode.TIME_REVERSED, leaf, faults);
            } else {
                latestTime = Math.max(latestTime, leaf.time);
            }
            tree.append(leaf.hash);
            compare(faults);
        }

        private void reportTime(FaultCode code, Leaf leaf, List<AuditFault> faults) {
            if (times.merge(code, 1, Integer::sum) <= MAX_REPORTED) {
                faults.add(code.at(
                        leaf.location,
                        "index " + tree.size() + " of the log of partition " + partition + " is of "
                                + Instant.ofEpochMilli(leaf.time) + ": " + code.meaning()));
            }
        }

        /** Compares the heads of the size of the tree. */
        private void compare(List<AuditFault> faults) {
            while (!heads.isEmpty() && heads.firstKey() <= tree.size()) {
                AtSize at = heads.pollFirstEntry().getValue();
                if (at.head != null && at.head.size() == tree.size()) {
                    compareNoted(at.head, faults);
                }
                if (at.stored != null) {
                    compareStored(at.stored, faults);
                }
            }
        }

        private void compareNoted(LogHead head, List<AuditFault> faults) {
            if (Arrays.equals(tree.root(), head.root())) {
                proven = head.proven() ? head.size() : proven;
            } else if (!mismatch) {
                mismatch = true;
                faults.add(FaultCode.HEAD_MISMATCH.at(
                        head.location(),
                        head + ": the records of partition " + partition + " from index " + Math.max(0, proven) + " to "
                                + (head.size() - 1)
                                + " give another root, so at least one was changed, added or replaced"));
            }
        }

        private void compareStored(LogHead head, List<AuditFault> faults) {
            boolean reached = head.size() == tree.size();
            if (reached ? !Arrays.equals(tree.root(), head.root()) : head.size() > expired) {
                faults.add(FaultCode.NOT_CONTINUED.at(
                        head.location(),
                        head
                                + (reached
                                        ? ": the log has another root at that size"
                                        : ": one hash stands for records on both sides of that size, so they do not"
                                                + " show that the log continues it")));
            }
        }

        private void giveUp(List<AuditFault> faults) {
            reportGaps(faults);
            comparable = false;
            held -= early.size();
            early.clear();
        }

        /** Reports the missing indexes between the tree, held records and omitted ones. */
        private void reportGaps(List<AuditFault> faults) {
            long next = tree.size();
            int gaps = 0;
            TreeMap<Long, Long> ends = new TreeMap<>();
            early.keySet().forEach(index -> ends.put(index, index + 1));
            omitted.tailMap(next).forEach((index, subtree) -> ends.put(index, subtree.end()));
            for (Map.Entry<Long, Long> part : ends.entrySet()) {
                if (part.getKey() > next && gaps++ < MAX_REPORTED) {
                    faults.add(FaultCode.LOG_GAP.fault("index " + next + " to " + (part.getKey() - 1)
                            + " of the log of partition " + partition + " are missing"));
                }
                next = Math.max(next, part.getValue());
            }
        }

        /** Reports the runs of omitted records that are not accepted as expired. */
        private void reportOmitted(List<AuditFault> faults) {
            long accepted = Math.min(expired, unexpired);
            TreeMap<Long, Long> runs = new TreeMap<>();
            for (Subtree subtree : omitted.values()) {
                if (!runs.isEmpty() && runs.lastEntry().getValue() == subtree.first) {
                    runs.put(runs.lastKey(), subtree.end());
                } else if (subtree.end() > accepted) {
                    runs.put(Math.max(accepted, subtree.first), subtree.end());
                }
            }
            runs.entrySet().stream()
                    .limit(MAX_REPORTED)
                    .forEach(run -> faults.add(FaultCode.LOG_OMITTED.fault(
                            "only hashes stand for index " + run.getKey() + " to " + (run.getValue() - 1)
                                    + " of the log of partition " + partition
                                    + (run.getKey() < unexpired
                                            ? ". If these records have expired, give --accept-expired-before a head of"
                                                    + " that time"
                                            : ". They have not expired: each partition of the audit topic has an older"
                                                    + " record of this log, or has all its records"))));
        }

        void finish(boolean required, long uncoveredAllowed, List<AuditFault> faults, List<String> uncovered) {
            catchUp(faults);
            boolean gap = !comparable || !early.isEmpty() || omitted.ceilingKey(tree.size()) != null;
            if (comparable) {
                reportGaps(faults);
            }
            if (required) {
                reportOmitted(faults);
            }
            LogHead head = newest == null ? null : newest.head;
            boolean cut = hasHead && !gap && (newestSize > tree.size() || newest.seen == Seen.STATED);
            if (head != null && !hasHead) {
                if (missing++ < MAX_REPORTED) {
                    faults.add(FaultCode.LOG_MISSING.at(
                            head.location(),
                            "the log of partition " + partition + " has " + tree.size() + " records and no head, but "
                                    + head + ": the head was removed"));
                }
            } else if (cut) {
                faults.add(FaultCode.LOG_CUT.at(
                        head.location(),
                        "the log of partition " + partition + " ends with " + tree.size() + " records"
                                + (newest.seen == Seen.STATED ? " and an older head" : "") + ", but " + head
                                + ": later records were removed"));
            }
            heads.values().stream()
                    .filter(at -> at.stored != null)
                    .forEach(at -> faults.add(FaultCode.NOT_CONTINUED.at(
                            at.stored.location(), at.stored + ": the log ends with " + tree.size() + " records")));
            long last = tree.size() - Math.max(0, proven);
            if (last > uncoveredAllowed && !gap && !cut && !mismatch) {
                uncovered.add("the last " + last + " of " + tree.size() + " records of partition " + partition);
            }
        }
    }
}
