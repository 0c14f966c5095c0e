package dev.parley.topology.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditRecord;
import dev.parley.encoding.ByteBuffers;
import dev.parley.log.tlog.Frontier;
import dev.parley.log.tlog.MerkleHasher;
import dev.parley.log.tlog.SignedNote;
import dev.parley.log.tlog.TlogFormatException;
import dev.parley.log.tlog.TreeHead;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Recomputes the trees of the audit logs from committed audit records. */
public final class LogTrees {
    private LogTrees() {}

    /** Every record has the next index of its log, and every head is the tree of the records before its size. */
    public static void verify(List<AuditRecord> audit, List<AuditHead> heads) {
        Map<Integer, List<AuditRecord>> logs = new HashMap<>();
        audit.forEach(record -> logs.computeIfAbsent(record.getLog().getPartition(), partition -> new ArrayList<>())
                .add(record));
        Map<Integer, Map<Long, byte[]>> roots = new HashMap<>();
        logs.forEach((partition, records) -> roots.put(partition, roots(records)));
        for (AuditHead head : heads) {
            if (head.getPartition() >= 0) {
                TreeHead treeHead = treeHead(head);
                assertThat(treeHead.size()).isEqualTo(head.getSize());
                assertThat(treeHead.origin()).isEqualTo(head.getOrigin());
                byte[] root = treeHead.size() == 0
                        ? MerkleHasher.emptyRoot()
                        : roots.getOrDefault(head.getPartition(), Map.of()).get(treeHead.size());
                assertThat(treeHead.root())
                        .as("head of partition %d at %d", head.getPartition(), head.getSize())
                        .isEqualTo(root);
            }
        }
    }

    /** The root after each record of a log. */
    private static Map<Long, byte[]> roots(List<AuditRecord> records) {
        MerkleHasher hasher = new MerkleHasher();
        Frontier tree = new Frontier();
        Map<Long, byte[]> roots = new HashMap<>();
        List<AuditRecord> sorted = records.stream()
                .sorted(Comparator.comparingLong(record -> record.getLog().getIndex()))
                .toList();
        for (AuditRecord record : sorted) {
            assertThat(record.getLog().getIndex()).isEqualTo(tree.size());
            tree.append(hasher.leaf(ByteBuffers.of(record.getHash())));
            roots.put(tree.size(), tree.root());
        }
        return roots;
    }

    /** The checkpoint in a head, whose signatures are not verified. */
    static TreeHead treeHead(AuditHead head) {
        try {
            String note = head.getNote();
            return TreeHead.parse(
                    note.contains("\n\n")
                            ? SignedNote.parse(note.getBytes(StandardCharsets.UTF_8))
                            : SignedNote.of(note));
        } catch (TlogFormatException e) {
            throw new AssertionError(head.getNote(), e);
        }
    }
}
