package dev.parley.log;

import dev.parley.avro.AuditHead;
import dev.parley.codec.Decimal;
import dev.parley.log.tlog.MerkleHasher;
import dev.parley.log.tlog.TlogFormatException;
import dev.parley.log.tlog.TreeHead;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The statement of the partitions of the audit log (docs/audit.md).
 *
 * @param origin identity of the deployment
 * @param partitions number of partitions
 * @param time time of the statement in milliseconds since the epoch
 * @param heads by partition, the newest head that the deployment has signed of each log, with the time up to which the
 *     log is complete
 * @param keys verifier keys that sign the statement
 */
public record PartitionStatement(
        String origin, int partitions, long time, SortedMap<Integer, TreeHead> heads, List<String> keys) {
    private static final String PARTITIONS = "partitions ";
    private static final String HEAD = "head ";
    private static final String KEY = "key ";

    /** Number of lines before the heads. */
    private static final int FIRST_HEAD = 3;

    public PartitionStatement {
        heads = Collections.unmodifiableSortedMap(new TreeMap<>(heads));
        keys = List.copyOf(keys);
    }

    /** Reads a note without verification; empty if it is not a statement of the partitions. */
    public static Optional<PartitionStatement> of(AuditHead note) {
        try {
            return note.getPartition() == LogNotes.NO_PARTITION
                    ? parse(LogNotes.parse(note.getNote()).text())
                    : Optional.empty();
        } catch (TlogFormatException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /**
     * Parses the text of a note; empty if a line has another form, because a statement has one form only.
     *
     * @throws IllegalArgumentException if a root is not 32 bytes in base64
     */
    static Optional<PartitionStatement> parse(String text) {
        List<String> lines = text.lines().toList();
        if (lines.size() < FIRST_HEAD) {
            return Optional.empty();
        }
        long partitions =
                Decimal.parse(lines.get(1), PARTITIONS.length(), lines.get(1).length(), Integer.MAX_VALUE);
        long time =
                Decimal.parse(lines.get(2), LogNotes.TIME.length(), lines.get(2).length(), Long.MAX_VALUE);
        if (partitions < 1 || time < 0) {
            return Optional.empty();
        }
        List<String> headLines = lines.stream()
                .skip(FIRST_HEAD)
                .takeWhile(line -> line.startsWith(HEAD))
                .toList();
        SortedMap<Integer, TreeHead> heads = new TreeMap<>();
        for (String line : headLines) {
            int partitionEnd = Math.max(0, line.indexOf(' ', HEAD.length()));
            int sizeEnd = Math.max(0, line.indexOf(' ', partitionEnd + 1));
            long partition = Decimal.parse(line, HEAD.length(), partitionEnd, partitions - 1);
            long size = Decimal.parse(line, partitionEnd + 1, sizeEnd, MerkleHasher.MAX_SIZE);
            int rootEnd = Math.max(sizeEnd + 1, line.lastIndexOf(' '));
            long complete = Decimal.parse(line, rootEnd + 1, line.length(), Long.MAX_VALUE);
            if (partition < 0 || size < 0 || complete < 0) {
                return Optional.empty();
            }
            byte[] root = Base64.getDecoder().decode(line.substring(sizeEnd + 1, rootEnd));
            String ofLog = LogNotes.originOf(lines.get(0), (int) partition);
            heads.put((int) partition, LogNotes.timed(ofLog, size, root, complete));
        }
        List<String> keys = lines.stream()
                .skip(FIRST_HEAD + headLines.size())
                .map(line -> line.startsWith(KEY) ? line.substring(KEY.length()) : "")
                .toList();
        PartitionStatement read = new PartitionStatement(lines.get(0), (int) partitions, time, heads, keys);
        return read.text().equals(text) ? Optional.of(read) : Optional.empty();
    }

    /** The time up to which every log is complete; empty if that of a log is unknown, or it is not listed. */
    public Optional<Instant> completeTo() {
        return heads.values().stream()
                .map(LogNotes::timeOf)
                .min(Long::compare)
                .filter(time -> time > 0 && heads.size() == partitions)
                .map(Instant::ofEpochMilli);
    }

    /** The text of the note. */
    String text() {
        List<String> lines = new ArrayList<>(List.of(origin, PARTITIONS + partitions, LogNotes.TIME + time));
        heads.forEach((partition, head) -> {
            String root = Base64.getEncoder().encodeToString(head.root());
            lines.add(HEAD + partition + " " + head.size() + " " + root + " " + LogNotes.timeOf(head));
        });
        keys.forEach(key -> lines.add(KEY + key));
        return String.join("\n", lines) + "\n";
    }
}
