package dev.parley.log;

import dev.parley.avro.AuditHead;
import dev.parley.codec.Decimal;
import dev.parley.log.tlog.NoteSignature;
import dev.parley.log.tlog.NoteSigner;
import dev.parley.log.tlog.SignedNote;
import dev.parley.log.tlog.TlogFormatException;
import dev.parley.log.tlog.TreeHead;
import dev.parley.log.tlog.VerifierKey;
import dev.parley.protocol.TopicNames;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.SortedMap;

/**
 * Writes the notes of the audit log (docs/audit.md): the head of the log of each partition, a tree head of C2SP
 * tlog-checkpoint, and the statement of all partitions. Thread-safe.
 */
public final class LogNotes {
    /** Second line of the statement of a chain begins so, then its name in base64. */
    static final String CHAIN = "chain ";

    /** Third line of the statement of a chain begins so, then sequence and hash of its last record. */
    static final String LAST = "last ";

    /** Fourth line of the statement of a chain begins so, then partition and size of the log. */
    static final String LOG = "log ";

    /** The extension line of a head, and the last line of the statement of a chain, begin so, then the time. */
    static final String TIME = "time ";

    /** Partition of notes that are of no log. */
    static final int NO_PARTITION = -1;

    private static final String CHAIN_ORIGIN = "/chain";

    private static final String DEFAULT_LOG = "/audit";

    private final String origin;
    private final List<NoteSigner> signers;

    /**
     * Creates a writer.
     *
     * @param origin identity of the deployment, see {@link #isOrigin}
     * @param signers keys that sign every note; without one, notes have no signature lines
     */
    public LogNotes(String origin, List<NoteSigner> signers) {
        this.origin = origin;
        this.signers = List.copyOf(signers);
    }

    /** Identity of the deployment. */
    public String origin() {
        return origin;
    }

    /** Whether a text can identify a deployment: a URL without scheme, of characters that need no encoding. */
    public static boolean isOrigin(String text) {
        return text.matches("[a-zA-Z0-9.\\-_~/:]{1,200}") && !text.contains("://");
    }

    /** Identity of a deployment that configures none: its default application ID and {@code /audit}. */
    public static String defaultOrigin(TopicNames names) {
        return names.applicationId() + DEFAULT_LOG;
    }

    /** Identity of the log of a partition. */
    public static String originOf(String deployment, int partition) {
        return deployment + '/' + partition;
    }

    /** The deployment in an identity that this class writes: the part before the last slash; empty without one. */
    static String deploymentOf(String origin) {
        return origin.substring(0, Math.max(0, origin.lastIndexOf('/')));
    }

    /** Identity of the statements of chains. */
    static String originOfChains(String deployment) {
        return deployment + CHAIN_ORIGIN;
    }

    /** Key by which the records of a log are partitioned. */
    public static String key(int partition) {
        return Integer.toString(partition);
    }

    /** Key by which the statements of the partitions are partitioned. */
    public static String statementKey() {
        return key(NO_PARTITION);
    }

    /**
     * Parses the text of a note, which has no signature lines if the deployment has no key.
     *
     * @throws TlogFormatException if it is no note
     * @throws IllegalArgumentException if it is no text of a note
     */
    public static SignedNote parse(String note) throws TlogFormatException {
        return note.contains("\n\n") ? SignedNote.parse(note.getBytes(StandardCharsets.UTF_8)) : SignedNote.of(note);
    }

    /** The keys that signed a note, name and ID, without verification; empty for an unsigned or malformed note. */
    public static List<String> signersOf(AuditHead note) {
        try {
            return parse(note.getNote()).signatures().stream()
                    .map(NoteSignature::key)
                    .toList();
        } catch (TlogFormatException | IllegalArgumentException e) {
            return List.of();
        }
    }

    /** Whether notes are signed. */
    public boolean areSigned() {
        return !signers.isEmpty();
    }

    /** Creates a reader that verifies the signatures of these keys. */
    LogNoteReader reader() {
        return new LogNoteReader(verifierKeys());
    }

    /** The verifier keys of the keys that sign. */
    public List<VerifierKey> verifierKeys() {
        return signers.stream().map(NoteSigner::verifierKey).toList();
    }

    /** The verifier keys that a statement of the partitions lists; empty for another note. */
    public static List<VerifierKey> keysOf(AuditHead note) {
        List<VerifierKey> keys = new ArrayList<>();
        for (String key :
                PartitionStatement.of(note).map(PartitionStatement::keys).orElse(List.of())) {
            try {
                keys.add(VerifierKey.parse(key));
            } catch (TlogFormatException e) {
                // A key of a type that this version does not know verifies nothing.
            }
        }
        return keys;
    }

    /**
     * Writes the head of a log.
     *
     * @param time time in whole milliseconds
     */
    public AuditHead head(int partition, long size, byte[] root, Instant time) {
        String logOrigin = originOf(origin, partition);
        String text = timed(logOrigin, size, root, time.toEpochMilli()).text();
        return new AuditHead(logOrigin, partition, size, time, signed(text));
    }

    /** A tree head with a time in milliseconds since the epoch. */
    public static TreeHead timed(String origin, long size, byte[] root, long time) {
        return new TreeHead(origin, size, root, List.of(TIME + time));
    }

    /** Time of a tree head in milliseconds since the epoch; -1 without one, or with other extension lines. */
    public static long timeOf(TreeHead head) {
        String line = head.extensions().size() == 1 ? head.extensions().get(0) : "";
        return line.startsWith(TIME) ? Decimal.parse(line, TIME.length(), line.length(), Long.MAX_VALUE) : -1;
    }

    /**
     * Writes the statement of the partitions, which names the keys that sign it.
     *
     * @param heads newest head of each log, by partition, with the time up to which the log is complete
     * @param time time in whole milliseconds
     */
    public AuditHead statement(int partitions, SortedMap<Integer, TreeHead> heads, Instant time) {
        List<String> keys = verifierKeys().stream().map(VerifierKey::toString).toList();
        PartitionStatement statement = new PartitionStatement(origin, partitions, time.toEpochMilli(), heads, keys);
        return new AuditHead(origin, NO_PARTITION, (long) partitions, time, signed(statement.text()));
    }

    /**
     * Writes the statement that a record is the last one of its chain.
     *
     * @param partition partition of the log of the record
     * @param size number of records of that log
     * @param time time in whole milliseconds
     */
    public AuditHead chainEnd(String chain, long sequence, byte[] hash, int partition, long size, Instant time) {
        String chainOrigin = originOfChains(origin);
        String text = chainOrigin + '\n' + chainText(chain, sequence, hash, partition, size, time.toEpochMilli());
        return new AuditHead(chainOrigin, NO_PARTITION, sequence + 1, time, signed(text));
    }

    /** The lines of the statement of a chain after its origin. A chain may contain any character, so it is encoded. */
    static String chainText(String chain, long sequence, byte[] hash, int partition, long size, long time) {
        Base64.Encoder base64 = Base64.getEncoder();
        return CHAIN + base64.encodeToString(chain.getBytes(StandardCharsets.UTF_8)) + "\n"
                + LAST + sequence + " " + base64.encodeToString(hash) + "\n"
                + LOG + partition + " " + size + "\n"
                + TIME + time + "\n";
    }

    private String signed(String text) {
        if (signers.isEmpty()) {
            return text;
        }
        SignedNote note = SignedNote.of(text);
        for (NoteSigner signer : signers) {
            note = note.with(signer.sign(text));
        }
        return note.toString();
    }
}
