package dev.parley.log;

import dev.parley.audit.AuditChain;
import dev.parley.audit.Links;
import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.LogPosition;
import dev.parley.avro.OmittedRecords;
import dev.parley.encoding.ByteBuffers;
import dev.parley.log.tlog.Frontier;
import dev.parley.log.tlog.MerkleHasher;
import dev.parley.log.tlog.NoteSigner;
import dev.parley.log.tlog.SignedNote;
import dev.parley.log.tlog.TlogFormatException;
import dev.parley.log.tlog.TreeHead;
import dev.parley.log.tlog.VerifierKey;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * An audit trail for tests: chains whose records alternate in logs, and the notes over them. Tests change it as an
 * attacker would, with or without the key.
 */
public final class Trail {
    /** Origin of all notes, and name of the keys. */
    public static final String ORIGIN = "example.com/audit";

    /** Time of all statements, in milliseconds since the epoch. */
    public static final long TIME = 1_100;

    private static final MerkleHasher HASHER = new MerkleHasher();

    /** The records in the order of writing. */
    public final List<AuditRecord> records = new ArrayList<>();

    /** Time of all heads, in milliseconds since the epoch; -1 for a time after their records. */
    public long headTime = -1;

    private final NoteSigner signer;
    private final Map<Integer, Integer> sizes = new HashMap<>();

    private Trail(NoteSigner signer) {
        this.signer = signer;
    }

    /** A new key of the deployment. */
    public static NoteSigner key() {
        return NoteSigner.of(ORIGIN, KeyFiles.newPair());
    }

    /**
     * Creates a trail.
     *
     * @param signer key of the deployment
     * @param chains the log of each chain, by name
     * @param length number of records of each chain
     */
    public static Trail of(NoteSigner signer, Map<String, Integer> chains, int length) {
        Trail trail = new Trail(signer);
        List<String> names = chains.keySet().stream().sorted().toList();
        Map<String, List<AuditRecord>> messages = new HashMap<>();
        names.forEach(name -> messages.put(name, Links.messages(name, length)));
        for (int i = 0; i < length; i++) {
            for (String name : names) {
                AuditRecord link = messages.get(name).get(i);
                link.getSource().setTopic("parley.wire");
                link.getSource().setPartition(names.indexOf(name));
                link.getSource().setOffset((long) i);
                trail.append(chains.get(name), link);
            }
        }
        trail.reseal();
        return trail;
    }

    /** Appends a record to a log, as the next one of its chain. */
    public void append(int partition, AuditRecord link) {
        int index = sizes.merge(partition, 1, Integer::sum) - 1;
        link.setLog(new LogPosition(partition, (long) index));
        records.add(link);
    }

    /** Computes all hashes again, as an attacker can who changed a record. */
    public void reseal() {
        Map<String, ByteBuffer> last = new HashMap<>();
        for (AuditRecord link : records) {
            link.setPreviousHash(last.getOrDefault(link.getChain(), AuditChain.genesis()));
            last.put(link.getChain(), Links.sealed(link).getHash());
        }
    }

    /** Changes a record of log 0, and all hashes after it. */
    public void startAnotherHistory() {
        log(0).get(3).setDetail("another");
        reseal();
    }

    /** The records of one log in order. */
    public List<AuditRecord> log(int partition) {
        return records.stream()
                .filter(link -> link.getLog().getPartition() == partition)
                .toList();
    }

    /** The records of one chain in order. */
    public List<AuditRecord> chain(String name) {
        return records.stream().filter(link -> link.getChain().equals(name)).toList();
    }

    /** A signed head of a log at a size, over its records as they are now. */
    public AuditHead head(int partition, int size) {
        return head(signer, partition, size);
    }

    /** A head, signed with any key. */
    public AuditHead head(NoteSigner by, int partition, int size) {
        long last = log(partition).stream()
                .limit(size)
                .mapToLong(link -> link.getSource().getTimestamp().toEpochMilli())
                .max()
                .orElse(0);
        Instant time = Instant.ofEpochMilli(headTime >= 0 ? headTime : Math.max(last, 1_000L + size));
        return notes(by).head(partition, size, root(partition, size), time);
    }

    /** A signed head with cosignatures of witnesses. */
    public static AuditHead cosigned(AuditHead head, NoteSigner... witnesses) {
        try {
            SignedNote note = LogNotes.parse(head.getNote());
            for (NoteSigner witness : witnesses) {
                note = note.with(witness.cosign(note.text(), 1_700_000_000));
            }
            return AuditHead.newBuilder(head).setNote(note.toString()).build();
        } catch (TlogFormatException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** The signed head of the whole log. */
    public AuditHead head(int partition) {
        return head(partition, sizes.getOrDefault(partition, 0));
    }

    /** The signed statement of the partitions, which lists the whole logs. */
    public AuditHead statement(int partitions) {
        return statement(signer, partitions, sizes);
    }

    /** A statement, signed with any key, which lists logs at some sizes. */
    public AuditHead statement(NoteSigner by, int partitions, Map<Integer, Integer> listed) {
        return statement(by, partitions, listed, TIME);
    }

    /**
     * A statement, signed with any key.
     *
     * @param complete time up to which the logs are complete, in milliseconds since the epoch
     */
    public AuditHead statement(NoteSigner by, int partitions, Map<Integer, Integer> listed, long complete) {
        SortedMap<Integer, TreeHead> heads = new TreeMap<>();
        listed.forEach((partition, size) -> heads.put(
                partition,
                LogNotes.timed(LogNotes.originOf(ORIGIN, partition), size, root(partition, size), complete)));
        return notes(by).statement(partitions, heads, Instant.ofEpochMilli(TIME));
    }

    /** The signed statement of the end of a chain. */
    public AuditHead chainEnd(String chain) {
        List<AuditRecord> links = chain(chain);
        AuditRecord last = links.get(links.size() - 1);
        return chainEnd(last, sizes.get(last.getLog().getPartition()));
    }

    /** The signed statement that a record was the last one of its chain when its log had a size. */
    public AuditHead chainEnd(AuditRecord last, int size) {
        return notes(signer)
                .chainEnd(
                        last.getChain(),
                        last.getSequence(),
                        ByteBuffers.of(last.getHash()),
                        last.getLog().getPartition(),
                        size,
                        Instant.EPOCH);
    }

    /** Statement and last heads. */
    public List<AuditHead> notes() {
        List<AuditHead> notes = new ArrayList<>();
        notes.add(statement(sizes.size()));
        sizes.keySet().stream().sorted().forEach(partition -> notes.add(head(partition)));
        return notes;
    }

    private static LogNotes notes(NoteSigner by) {
        return new LogNotes(ORIGIN, by == null ? List.of() : List.of(by));
    }

    private byte[] root(int partition, int size) {
        Frontier tree = new Frontier();
        log(partition).subList(0, size).forEach(link -> tree.append(leaf(link)));
        return tree.root();
    }

    private static byte[] leaf(AuditRecord link) {
        return HASHER.leaf(ByteBuffers.of(link.getHash()));
    }

    /** Hashes that stand for a range of records of a log. */
    public List<OmittedRecords> omitted(int partition, int from, int to) {
        List<OmittedRecords> omitted = new ArrayList<>();
        List<AuditRecord> log = log(partition);
        for (int at = from; at < to; ) {
            int level = Frontier.levelAt(at, to);
            Frontier subtree = new Frontier();
            log.subList(at, at + (1 << level)).forEach(link -> subtree.append(leaf(link)));
            omitted.add(new OmittedRecords(partition, (long) at, level, ByteBuffer.wrap(subtree.root())));
            at += 1 << level;
        }
        return omitted;
    }

    /** The key that verifies the notes. */
    public VerifierKey verifierKey() {
        return signer.verifierKey();
    }
}
