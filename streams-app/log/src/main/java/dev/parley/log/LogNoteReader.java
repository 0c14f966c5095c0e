package dev.parley.log;

import dev.parley.avro.AuditHead;
import dev.parley.codec.Decimal;
import dev.parley.log.tlog.MerkleHasher;
import dev.parley.log.tlog.NoteSignature;
import dev.parley.log.tlog.NoteVerification;
import dev.parley.log.tlog.SignedNote;
import dev.parley.log.tlog.TlogFormatException;
import dev.parley.log.tlog.TreeHead;
import dev.parley.log.tlog.VerifierKey;
import dev.parley.log.tlog.WitnessPolicy;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Reads notes of the audit log, and verifies their signatures with the given keys. A note that none of them signed is
 * not forged: it proves nothing, and its keys are remembered. Not thread-safe.
 */
public final class LogNoteReader {
    private static final int MAX_KEYS = 20;

    private final List<VerifierKey> keys;
    private final WitnessPolicy policy;
    private final List<VerifierKey> known;
    private final TreeSet<String> others = new TreeSet<>();
    private boolean unsigned;
    private String deployment;

    /**
     * Creates a reader.
     *
     * @param keys verifier keys of the log; empty: signatures are not verified, and every note counts
     */
    public LogNoteReader(Collection<VerifierKey> keys) {
        this(keys, WitnessPolicy.NONE);
    }

    /**
     * Creates a reader to which a head proves something only if it has the quorum of the witnesses, too.
     *
     * @param keys as for {@link #LogNoteReader(Collection)}
     */
    public LogNoteReader(Collection<VerifierKey> keys, WitnessPolicy policy) {
        this.keys = List.copyOf(keys);
        this.policy = policy;
        this.known =
                Stream.concat(this.keys.stream(), policy.witnesses().stream()).toList();
        if (!this.keys.isEmpty()) {
            deployment = this.keys.get(0).name();
        }
    }

    /** A note of this log. */
    sealed interface Note permits LogHead, Statement, ChainEnd {}

    /**
     * The head of a log.
     *
     * @param text the note; empty for a head that is kept without it
     * @param proven whether a given key signed it, and the quorum of the witnesses cosigned it; true without keys and
     *     witnesses
     * @param stated whether a statement lists it; it covers no records then
     */
    record LogHead(
            int partition, long size, byte[] root, String text, boolean proven, boolean stated, RecordLocation location)
            implements Note {
        /** The head without its note, which is read again if it is evidence. */
        LogHead withoutText() {
            return new LogHead(partition, size, root, "", proven, stated, location);
        }

        @Override
        public String toString() {
            return (stated ? "the stated head" : "the head") + " of partition " + partition + " at size " + size;
        }
    }

    /**
     * The statement of the partitions.
     *
     * @param text the note
     * @param proven whether a given key signed it; true without keys
     */
    record Statement(PartitionStatement content, String text, boolean proven, RecordLocation location) implements Note {
        /** The heads that it lists. */
        List<LogHead> heads() {
            return content.heads().entrySet().stream()
                    .map(head -> new LogHead(
                            head.getKey(),
                            head.getValue().size(),
                            head.getValue().root(),
                            text,
                            false,
                            true,
                            location))
                    .toList();
        }
    }

    /**
     * The statement of the last record of a chain.
     *
     * @param partition partition of the log of the record
     * @param logSize number of records of that log
     * @param proven whether a given key signed it; true without keys
     */
    record ChainEnd(
            String chain,
            long sequence,
            byte[] hash,
            int partition,
            long logSize,
            boolean proven,
            RecordLocation location)
            implements Note {}

    /** Whether only signed notes prove something. */
    public boolean requiresSignatures() {
        return !keys.isEmpty();
    }

    /** The keys that were not given, for the end of a sentence; empty if there are none. */
    String otherKeys() {
        String signed = others.isEmpty()
                ? ""
                : "; other keys signed: " + String.join(", ", others) + ", so give --key for them if you trust them";
        return unsigned ? signed + "; some notes are not signed" : signed;
    }

    /** What a head must have to prove something, after its noun; empty if every head does. */
    String requirement() {
        return (keys.isEmpty() ? "" : " that a given key signed")
                + (policy.quorum() == 0 ? "" : " with cosignatures of at least " + policy);
    }

    /** Whether a note claims to be the head of a log of this deployment, or the deployment is not known yet. */
    boolean concerns(AuditHead note) {
        return deployment == null || note.getOrigin().equals(LogNotes.originOf(deployment, note.getPartition()));
    }

    /** Reads a note; null after adding a fault. */
    Note read(AuditHead note, RecordLocation location, List<AuditFault> faults) {
        try {
            SignedNote signed = LogNotes.parse(note.getNote());
            NoteVerification verification = signed.verify(known);
            if (verification.outcome() == NoteVerification.Outcome.FORGED) {
                faults.add(AuditFault.withoutChain(
                        FaultCode.HEAD_FORGED,
                        location,
                        "the signature of key " + verification.forged().get(0).key() + " on the note of "
                                + note.getOrigin() + " is invalid"));
                return null;
            }
            boolean proven =
                    keys.isEmpty() || verification.valid().stream().anyMatch(valid -> keys.contains(valid.key()));
            if (!proven) {
                remember(signed);
            }
            if (note.getPartition() >= 0) {
                boolean hasQuorum = policy.cosigners(verification).size() >= policy.quorum();
                return head(note, signed, proven && hasQuorum, location, faults);
            }
            List<String> lines = signed.text().lines().toList();
            return lines.size() > 1 && lines.get(1).startsWith(LogNotes.CHAIN)
                    ? chainEnd(note, signed.text(), lines, proven, location, faults)
                    : statement(note, signed.text(), proven, location, faults);
        } catch (TlogFormatException | IllegalArgumentException e) {
            return malformed(note, e.getMessage(), location, faults);
        }
    }

    private void remember(SignedNote signed) {
        unsigned |= signed.signatures().isEmpty();
        for (NoteSignature signature : signed.signatures()) {
            if (others.size() < MAX_KEYS) {
                others.add(signature.key());
            }
        }
    }

    private Note head(
            AuditHead note, SignedNote signed, boolean proven, RecordLocation location, List<AuditFault> faults)
            throws TlogFormatException {
        TreeHead treeHead = TreeHead.parse(signed);
        String ofDeployment = LogNotes.deploymentOf(treeHead.origin());
        if (!treeHead.origin().equals(note.getOrigin())
                || !treeHead.origin().equals(LogNotes.originOf(ofDeployment, note.getPartition()))
                || treeHead.size() != note.getSize()
                || !isDeployment(ofDeployment)) {
            return notOfDeployment(
                    note,
                    ofDeployment,
                    "the note has origin " + treeHead.origin() + " and size " + treeHead.size(),
                    location,
                    faults);
        }
        return new LogHead(
                note.getPartition(), treeHead.size(), treeHead.root(), note.getNote(), proven, false, location);
    }

    private Note statement(
            AuditHead note, String text, boolean proven, RecordLocation location, List<AuditFault> faults) {
        Optional<PartitionStatement> read = PartitionStatement.parse(text)
                .filter(statement -> note.getPartition() == LogNotes.NO_PARTITION
                        && statement.origin().equals(note.getOrigin())
                        && statement.partitions() == note.getSize()
                        && statement.time() == note.getTime().toEpochMilli());
        return read.isPresent() && isDeployment(read.get().origin())
                ? new Statement(read.get(), note.getNote(), proven, location)
                : notOfDeployment(
                        note,
                        text.substring(0, text.indexOf('\n')),
                        "a statement must have the origin of the deployment, number of partitions, time, heads and keys",
                        location,
                        faults);
    }

    /** Reads the statement of a chain, which has one form only. */
    private Note chainEnd(
            AuditHead note,
            String text,
            List<String> lines,
            boolean proven,
            RecordLocation location,
            List<AuditFault> faults) {
        String origin = lines.get(0);
        String ofDeployment = LogNotes.deploymentOf(origin);
        ChainEnd read = lines.size() == 4 ? chainEnd(lines, proven, location) : null;
        boolean exact = read != null
                && note.getPartition() == LogNotes.NO_PARTITION
                && origin.equals(note.getOrigin())
                && origin.equals(LogNotes.originOfChains(ofDeployment))
                && note.getSize() == read.sequence() + 1
                && text.equals(origin
                        + '\n'
                        + LogNotes.chainText(
                                read.chain(), read.sequence(), read.hash(), read.partition(), read.logSize()));
        return exact && isDeployment(ofDeployment)
                ? read
                : notOfDeployment(
                        note,
                        ofDeployment,
                        "the statement of a chain must have its name, last record and log",
                        location,
                        faults);
    }

    /** The statement in four lines; null if a line has another form. */
    private static ChainEnd chainEnd(List<String> lines, boolean proven, RecordLocation location) {
        String last = after(LogNotes.LAST, lines.get(2));
        String log = after(LogNotes.LOG, lines.get(3));
        int lastSpace = last.indexOf(' ');
        int logSpace = log.indexOf(' ');
        if (lastSpace < 0 || logSpace < 0) {
            return null;
        }
        long sequence = Decimal.parse(last.substring(0, lastSpace), Long.MAX_VALUE - 1);
        long partition = Decimal.parse(log.substring(0, logSpace), Integer.MAX_VALUE);
        long size = Decimal.parse(log.substring(logSpace + 1), MerkleHasher.MAX_SIZE);
        if (sequence < 0 || partition < 0 || size < 0) {
            return null;
        }
        Base64.Decoder base64 = Base64.getDecoder();
        return new ChainEnd(
                new String(base64.decode(after(LogNotes.CHAIN, lines.get(1))), StandardCharsets.UTF_8),
                sequence,
                base64.decode(last.substring(lastSpace + 1)),
                (int) partition,
                size,
                proven,
                location);
    }

    private static String after(String prefix, String line) {
        return line.startsWith(prefix) ? line.substring(prefix.length()) : "";
    }

    /** Whether an origin is the deployment that the keys or the first note name. */
    private boolean isDeployment(String origin) {
        if (deployment == null) {
            deployment = origin;
        }
        return deployment.equals(origin);
    }

    /** @param origin deployment that the note claims */
    private Note notOfDeployment(
            AuditHead note, String origin, String why, RecordLocation location, List<AuditFault> faults) {
        if (deployment == null || deployment.equals(origin) || origin.isEmpty()) {
            return malformed(note, why, location, faults);
        }
        String expected = keys.isEmpty() ? "an earlier note" : "the given key";
        return malformed(
                note,
                "it is of the deployment " + origin + ", but " + expected + " is of " + deployment,
                location,
                faults);
    }

    /** Adds a fault, and returns null. */
    private static Note malformed(AuditHead note, String why, RecordLocation location, List<AuditFault> faults) {
        faults.add(AuditFault.withoutChain(
                FaultCode.HEAD_MALFORMED, location, "the note of " + note.getOrigin() + ": " + why));
        return null;
    }
}
