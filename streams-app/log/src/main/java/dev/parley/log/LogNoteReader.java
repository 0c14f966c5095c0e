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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads notes of the audit log, and verifies their signatures with the given keys. A note that none of them signed is
 * not forged: it proves nothing, and its keys are remembered. Not thread-safe.
 */
public final class LogNoteReader {
    private static final int MAX_KEYS = 20;

    /** Text of the statement of a chain: {@link LogNotes#chainText} after the origin. */
    private static final Pattern CHAIN_END = Pattern.compile("(?d).*\n" + LogNotes.CHAIN + "(.*)\n" + LogNotes.LAST
            + "(\\d+) (.*)\n" + LogNotes.LOG + "(\\d+) (\\d+)\n");

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
        deployment = this.keys.isEmpty() ? null : this.keys.get(0).name();
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
        /** The head without its note. */
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
            implements Note {
        String text() {
            return LogNotes.chainText(chain, sequence, hash, partition, logSize);
        }
    }

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
            if (verification.isForged()) {
                faults.add(FaultCode.HEAD_FORGED.at(
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
                return head(note, TreeHead.parse(signed), proven && hasQuorum, location);
            }
            return signed.text().startsWith(LogNotes.CHAIN, signed.text().indexOf('\n') + 1)
                    ? chainEnd(note, signed.text(), proven, location)
                    : statement(note, signed.text(), proven, location);
        } catch (TlogFormatException | IllegalArgumentException e) {
            faults.add(
                    FaultCode.HEAD_MALFORMED.at(location, "the note of " + note.getOrigin() + ": " + e.getMessage()));
            return null;
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

    private Note head(AuditHead note, TreeHead treeHead, boolean proven, RecordLocation location) {
        String ofDeployment = LogNotes.deploymentOf(treeHead.origin());
        require(
                treeHead.origin().equals(note.getOrigin())
                        && treeHead.origin().equals(LogNotes.originOf(ofDeployment, note.getPartition()))
                        && treeHead.size() == note.getSize(),
                ofDeployment,
                "the note has origin " + treeHead.origin() + " and size " + treeHead.size());
        return new LogHead(
                note.getPartition(), treeHead.size(), treeHead.root(), note.getNote(), proven, false, location);
    }

    private Note statement(AuditHead note, String text, boolean proven, RecordLocation location) {
        Optional<PartitionStatement> read = PartitionStatement.parse(text)
                .filter(statement -> note.getPartition() == LogNotes.NO_PARTITION
                        && statement.origin().equals(note.getOrigin())
                        && statement.partitions() == note.getSize()
                        && statement.time() == note.getTime().toEpochMilli());
        require(
                read.isPresent(),
                text.substring(0, text.indexOf('\n')),
                "a statement must have the origin of the deployment, number of partitions, time, heads and keys");
        return new Statement(read.get(), note.getNote(), proven, location);
    }

    /** Reads the statement of a chain, which has one form only. */
    private Note chainEnd(AuditHead note, String text, boolean proven, RecordLocation location) {
        String origin = text.substring(0, text.indexOf('\n'));
        String ofDeployment = LogNotes.deploymentOf(origin);
        Matcher parts = CHAIN_END.matcher(text);
        ChainEnd read = parts.matches() ? chainEnd(parts, proven, location) : null;
        require(
                read != null
                        && note.getPartition() == LogNotes.NO_PARTITION
                        && origin.equals(note.getOrigin())
                        && origin.equals(LogNotes.originOfChains(ofDeployment))
                        && note.getSize() == read.sequence() + 1
                        && text.equals(origin + "\n" + read.text()),
                ofDeployment,
                "the statement of a chain must have its name, last record and log");
        return read;
    }

    /** A number that is out of bounds becomes negative, which no text has. */
    private static ChainEnd chainEnd(Matcher parts, boolean proven, RecordLocation location) {
        Base64.Decoder base64 = Base64.getDecoder();
        return new ChainEnd(
                new String(base64.decode(parts.group(1)), StandardCharsets.UTF_8),
                Decimal.parse(parts.group(2), Long.MAX_VALUE - 1),
                base64.decode(parts.group(3)),
                (int) Decimal.parse(parts.group(4), Integer.MAX_VALUE),
                Decimal.parse(parts.group(5), MerkleHasher.MAX_SIZE),
                proven,
                location);
    }

    /**
     * Requires that a note has its form, and is of the deployment that the keys or the first note name.
     *
     * @param exact whether it has its form
     * @param origin deployment that it claims
     * @param form the form
     */
    private void require(boolean exact, String origin, String form) {
        if (exact && deployment == null) {
            deployment = origin;
        }
        if (deployment != null && !deployment.equals(origin) && !origin.isEmpty()) {
            throw new IllegalArgumentException("it is of the deployment " + origin + ", but "
                    + (keys.isEmpty() ? "an earlier note" : "the given key") + " is of " + deployment);
        }
        if (!exact || !origin.equals(deployment)) {
            throw new IllegalArgumentException(form);
        }
    }
}
