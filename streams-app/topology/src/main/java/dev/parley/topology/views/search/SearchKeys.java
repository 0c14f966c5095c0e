package dev.parley.topology.views.search;

import dev.parley.avro.AuditRecord;
import dev.parley.topology.views.store.ViewStores;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;

/**
 * Keys of the search index in {@link ViewStores#AUDIT}. A document is the name of a record in the index: its record
 * time and its index in the log, latest first, and the partition of the log, so that documents of all partitions have
 * one order. A granule is a range of documents, named by the last document that may be in it. The index contains hashes
 * of terms, not the terms. Different terms may have one hash, so a search reads each record that it finds and compares
 * it.
 */
public final class SearchKeys {

    /** Bytes of a document. */
    public static final int DOCUMENT_BYTES = 2 * Long.BYTES + Integer.BYTES;

    private static final Bytes SEARCHABLE = Bytes.wrap(new byte[] {11});
    private static final byte DOCUMENT = 12;
    private static final byte GRANULE = 13;
    private static final long FNV_BASIS = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;
    private static final char MAX_ASCII = 0x7F;
    private static final long BEGINNING = 0xFFFFFFFE_00000000L;
    private static final long WORD = 1L << Integer.SIZE;
    private static final long REST = WORD - 1;
    private static final Bytes DOCUMENTS = Bytes.wrap(new byte[] {DOCUMENT});
    private static final Bytes GRANULES = Bytes.wrap(new byte[] {GRANULE});
    private static final Bytes OPEN_GRANULES = Bytes.wrap(new byte[] {19});

    /** Key of the granule of the oldest documents, which always exists after the first document. */
    public static final Bytes LAST_GRANULE = granule(lastDocument());

    private SearchKeys() {}

    /** The document of a record, which stays the same when the record is redacted. */
    public static byte[] document(AuditRecord record) {
        return ByteBuffer.allocate(DOCUMENT_BYTES)
                .putLong(descending(record.getSource().getTimestamp().toEpochMilli()))
                .putLong(descending(record.getLog().getIndex()))
                .putInt(record.getLog().getPartition())
                .array();
    }

    /** The smallest document of a time, in milliseconds since the epoch. */
    public static byte[] firstDocument(long time) {
        return ByteBuffer.allocate(DOCUMENT_BYTES).putLong(descending(time)).array();
    }

    /** The time of a document, in milliseconds since the epoch. */
    public static long time(byte[] document) {
        return Long.MAX_VALUE - ByteBuffer.wrap(document).getLong();
    }

    /** Key of a document. Its value is a {@link SearchDocument}. */
    public static Bytes document(byte[] document) {
        return key(DOCUMENT, document);
    }

    /** Key prefix of all documents. */
    public static Bytes documents() {
        return DOCUMENTS;
    }

    /** Key of a granule. Its value is a {@link TermFilter}, or empty while it is open. */
    public static Bytes granule(byte[] lastDocument) {
        return key(GRANULE, lastDocument);
    }

    /** Key of the granule of all documents before one; empty if there can be none. */
    static Optional<Bytes> granuleBefore(byte[] document) {
        // Documents are numbers: the one before the first is the last.
        Bytes granule = granule(before(document));
        return granule.equals(LAST_GRANULE) ? Optional.empty() : Optional.of(granule);
    }

    /** The document before another: documents are numbers of a fixed length. */
    public static byte[] before(byte[] document) {
        byte[] before = document.clone();
        int i = before.length - 1;
        while (i >= 0 && before[i]-- == 0) {
            i--;
        }
        return before;
    }

    /** The document after another. */
    public static byte[] after(byte[] document) {
        byte[] after = document.clone();
        int i = after.length - 1;
        while (i >= 0 && ++after[i] == 0) {
            i--;
        }
        return after;
    }

    /** Key that is present if the index has all messages. Its value is a version. */
    static Bytes searchable() {
        return SEARCHABLE;
    }

    /** Key prefix of all granules. */
    public static Bytes granules() {
        return GRANULES;
    }

    /** Key of the names of the open granules. */
    static Bytes openGranules() {
        return OPEN_GRANULES;
    }

    private static Bytes key(byte kind, byte[] document) {
        byte[] key = new byte[1 + DOCUMENT_BYTES];
        key[0] = kind;
        System.arraycopy(document, 0, key, 1, DOCUMENT_BYTES);
        return Bytes.wrap(key);
    }

    private static byte[] lastDocument() {
        byte[] last = new byte[DOCUMENT_BYTES];
        Arrays.fill(last, (byte) -1);
        return last;
    }

    /**
     * The document of the key of a document or granule. A key that Parley did not write is cut or filled with zeros.
     */
    public static byte[] documentOf(Bytes entry) {
        return Arrays.copyOfRange(entry.get(), 1, 1 + DOCUMENT_BYTES);
    }

    private static long descending(long value) {
        return Long.MAX_VALUE - Math.max(0, value);
    }

    /**
     * FNV-1a with a final mix. It need not resist collisions: they cost a search one read, as a frequent word does.
     */
    public static long hash(String term) {
        return fnv("", term) & ~WORD;
    }

    /**
     * The hash of a term of a {@link FoldedText}. Its high half is that of its beginning: of the first character in a
     * script without spaces, else of the first {@link SearchTerms#MIN_PREFIX}.
     *
     * @param kind prefix of the terms of this kind
     */
    static long word(String kind, String term) {
        int start = FoldedText.isUnspaced(term.codePointAt(0)) ? 1 : SearchTerms.MIN_PREFIX;
        int end = term.codePointCount(0, term.length()) > start ? term.offsetByCodePoints(0, start) : term.length();
        return fnv(kind, term.substring(0, end)) & BEGINNING | WORD | fnv(kind, term) & REST;
    }

    /** Whether a hash is that of {@link #word}. */
    static boolean isWord(long hash) {
        return (hash & WORD) != 0;
    }

    /** Whether a term begins as a word does, by their hashes. */
    static boolean hasPrefix(long term, long word) {
        return ((term ^ word) & (BEGINNING | WORD)) == 0;
    }

    /** The hash of the beginning of a word, by its own hash. */
    static long prefix(long word) {
        return mixed((word & BEGINNING) + 1);
    }

    /** Hash of a term that consists of a prefix and a word, without their concatenation. */
    static long fnv(String prefix, String word) {
        return mixed(continued(continued(FNV_BASIS, prefix), word));
    }

    private static long mixed(long hash) {
        long mixed = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
        return mixed ^ (mixed >>> 33);
    }

    /** Continues a hash with the bytes of a text in UTF-8. */
    private static long continued(long start, String text) {
        long hash = start;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c > MAX_ASCII) {
                for (byte b : text.substring(i).getBytes(StandardCharsets.UTF_8)) {
                    hash = (hash ^ (b & 0xFF)) * FNV_PRIME;
                }
                return hash;
            }
            hash = (hash ^ c) * FNV_PRIME;
        }
        return hash;
    }
}
