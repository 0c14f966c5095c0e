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
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads notes of the audit log, and verifies their signatures with the given keys. Any writer of the topic of heads can
 * write a note that none of them signed. Such a note is ignored, counted and reported as a notice. Not thread-safe.
 */
public final class LogNoteReader {
    private static final int MAX_KEYS = 20;

    /** Text of the statement of a chain: {@link LogNotes#chainText} after the origin. */
    private static final Pattern CHAIN_END = Pattern.compile("(?d).*\n" + LogNotes.CHAIN + "(.*)\n" + LogNotes.LAST
            + "(\\d+) (.*)\n" + LogNotes.LOG + "(\\d+) (\\d+)\n" + LogNotes.TIME + "(\\d+)\n");

    private final List<TrustedKey> keys;
    private final WitnessPolicy policy;
    private final List<VerifierKey> known;
    private final TreeSet<String> others = new TreeSet<>();
    private boolean unsigned;
    private long ignored;
    private RecordLocation firstIgnored = RecordLocation.NONE;
    private String deployment;

    /**
     * Creates a reader.
     *
     * @param keys verifier keys of the log; empty: signatures are not verified, and every note counts
     */
    public LogNoteReader(Collection<VerifierKey> keys) {
        this(WitnessPolicy.NONE, TrustedKey.present(List.copyOf(keys)));
    }

    /**
     * Creates a reader with keys that may be retired.
     *
     * @param policy witnesses whose quorum must have cosigned a head that proves something
     * @param keys as for {@link #LogNoteReader(Collection)}
     */
    public LogNoteReader(WitnessPolicy policy, List<TrustedKey> keys) {
        this.keys = List.copyOf(keys);
        this.policy = policy;
        this.known = Stream.concat(keys.stream().map(TrustedKey::key), policy.witnesses().stream())
                .toList();
        deployment = keys.isEmpty() ? null : keys.get(0).key().name();
    }

    /** Creates a reader without keys, to which every note counts. */
    public static LogNoteReader ofAll() {
        return new LogNoteReader(List.of());
    }

    /** A note of this log. */
    sealed interface Note permits LogHead, Statement, ChainEnd {}

    /**
     * The head of a log.
     *
     * @param text the note; empty for a head that is kept without it
     * @param proven whether the quorum of the witnesses cosigned it; true without witnesses
     * @param stated whether a statement lists it; it covers no records then
     * @param time its time in milliseconds since the epoch; for a stated one, the time up to which the log is complete
     */
    record LogHead(
            int partition,
            long size,
            byte[] root,
            String text,
            boolean proven,
            boolean stated,
            long time,
            RecordLocation location)
            implements Note {
        /** The head without its note. */
        LogHead withoutText() {
            return new LogHead(partition, size, root, "", proven, stated, time, location);
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
     */
    record Statement(PartitionStatement content, String text, RecordLocation location) implements Note {
        /** The heads that it lists. */
        List<LogHead> heads() {
            List<LogHead> heads = new ArrayList<>();
            content.heads()
                    .forEach((partition, head) -> heads.add(new LogHead(
                            partition, head.size(), head.root(), text, false, true, LogNotes.timeOf(head), location)));
            return heads;
        }
    }

    /**
     * The statement of the last record of a chain.
     *
     * @param partition partition of the log of the record
     * @param logSize number of records of that log
     * @param time time of the statement in milliseconds since the epoch
     */
    record ChainEnd(
            String chain, long sequence, byte[] hash, int partition, long logSize, long time, RecordLocation location)
            implements Note {
        String text() {
            return LogNotes.chainText(chain, sequence, hash, partition, logSize, time);
        }
    }

    /** The witnesses that must have cosigned a head. */
    public WitnessPolicy policy() {
        return policy;
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

    /** The notice that notes were ignored; empty if none was. */
    Optional<AuditFault> ignored() {
        return ignored == 0
                ? Optional.empty()
                : Optional.of(FaultCode.NOTE_IGNORED.at(
                        firstIgnored,
                        "no given key signed this note" + (ignored == 1 ? "" : " and " + (ignored - 1) + " more")
                                + ", so they count for nothing" + otherKeys()));
    }

    /** Whether a given key signed a note that has its form; true without keys. */
    public boolean accepts(AuditHead note) {
        return keys.isEmpty() || read(note, RecordLocation.NONE, new ArrayList<>(1)) != null;
    }

    /** Reads a note; null for one that no given key signed, and after adding a fault. */
    Note read(AuditHead note, RecordLocation location, List<AuditFault> faults) {
        return atMostPresent(note, read(note, false, location, faults), location, faults);
    }

    /** Reads a note that a reader stored out of reach, which counts whoever signed it; null after adding a fault. */
    Note readStored(AuditHead note, RecordLocation location, List<AuditFault> faults) {
        return atMostPresent(note, read(note, true, location, faults), location, faults);
    }

    /** Reads a note, also one of the future, as of a clock that was ahead; null if it does not count. */
    Note readOfAnyTime(AuditHead note) {
        return read(note, false, RecordLocation.NONE, new ArrayList<>(1));
    }

    private static Note atMostPresent(AuditHead note, Note read, RecordLocation location, List<AuditFault> faults) {
        if (read == null || TrustedKey.isPossible(note.getTime().toEpochMilli(), Long.MAX_VALUE)) {
            return read;
        }
        faults.add(FaultCode.TIME_IMPOSSIBLE.at(
                location, "the note of " + note.getOrigin() + " is of " + note.getTime() + ", in the future"));
        return null;
    }

    private Note read(AuditHead note, boolean stored, RecordLocation location, List<AuditFault> faults) {
        boolean counts = stored || keys.isEmpty();
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
            if (TrustedKey.signed(keys, verification, note.getTime())) {
                counts = true;
            } else if (!keys.isEmpty()) {
                remember(signed);
            }
            if (counts) {
                boolean hasQuorum = policy.cosigners(verification).size() >= policy.quorum();
                return read(note, signed, hasQuorum, location);
            }
        } catch (TlogFormatException | IllegalArgumentException e) {
            if (counts) {
                faults.add(FaultCode.HEAD_MALFORMED.at(
                        location, "the note of " + note.getOrigin() + ": " + e.getMessage()));
                return null;
            }
        }
        firstIgnored = ignored++ == 0 ? location : firstIgnored;
        return null;
    }

    private Note read(AuditHead note, SignedNote signed, boolean hasQuorum, RecordLocation location)
            throws TlogFormatException {
        if (note.getPartition() >= 0) {
            return head(note, TreeHead.parse(signed), hasQuorum, location);
        }
        return signed.text().startsWith(LogNotes.CHAIN, signed.text().indexOf('\n') + 1)
                ? chainEnd(note, signed.text(), location)
                : statement(note, signed.text(), location);
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
        long time = LogNotes.timeOf(treeHead);
        require(
                treeHead.origin().equals(note.getOrigin())
                        && treeHead.origin().equals(LogNotes.originOf(ofDeployment, note.getPartition()))
                        && treeHead.size() == note.getSize()
                        && time >= 0
                        && time == note.getTime().toEpochMilli(),
                ofDeployment,
                "the note has origin " + treeHead.origin() + ", size " + treeHead.size()
                        + (time < 0 ? " and no time" : " and time " + time));
        return new LogHead(
                note.getPartition(), treeHead.size(), treeHead.root(), note.getNote(), proven, false, time, location);
    }

    private Note statement(AuditHead note, String text, RecordLocation location) {
        Optional<PartitionStatement> read = PartitionStatement.parse(text)
                .filter(statement -> note.getPartition() == LogNotes.NO_PARTITION
                        && statement.origin().equals(note.getOrigin())
                        && statement.partitions() == note.getSize()
                        && statement.time() == note.getTime().toEpochMilli()
                        // Otherwise, a retired key could say what happened after its end.
                        && statement.heads().values().stream()
                                .allMatch(head -> TrustedKey.isPossible(LogNotes.timeOf(head), statement.time())));
        require(
                read.isPresent(),
                text.substring(0, text.indexOf('\n')),
                "a statement must have the origin of the deployment, number of partitions, time, heads and keys, and no"
                        + " log may be complete after that time");
        return new Statement(read.get(), note.getNote(), location);
    }

    /** Reads the statement of a chain, which has one form only. */
    private Note chainEnd(AuditHead note, String text, RecordLocation location) {
        String origin = text.substring(0, text.indexOf('\n'));
        String ofDeployment = LogNotes.deploymentOf(origin);
        Matcher parts = CHAIN_END.matcher(text);
        ChainEnd read = parts.matches() ? chainEnd(parts, location) : null;
        require(
                read != null
                        && note.getPartition() == LogNotes.NO_PARTITION
                        && origin.equals(note.getOrigin())
                        && origin.equals(LogNotes.originOfChains(ofDeployment))
                        && note.getSize() == read.sequence() + 1
                        && note.getTime().toEpochMilli() == read.time()
                        && text.equals(origin + "\n" + read.text()),
                ofDeployment,
                "the statement of a chain must have its name, last record, log and time");
        return read;
    }

    /** A number that is out of bounds becomes negative, which no text has. */
    private static ChainEnd chainEnd(Matcher parts, RecordLocation location) {
        Base64.Decoder base64 = Base64.getDecoder();
        return new ChainEnd(
                new String(base64.decode(parts.group(1)), StandardCharsets.UTF_8),
                Decimal.parse(parts.group(2), Long.MAX_VALUE - 1),
                base64.decode(parts.group(3)),
                (int) Decimal.parse(parts.group(4), Integer.MAX_VALUE),
                Decimal.parse(parts.group(5), MerkleHasher.MAX_SIZE),
                Decimal.parse(parts.group(6), Long.MAX_VALUE),
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
