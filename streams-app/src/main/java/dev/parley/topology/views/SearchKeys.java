package dev.parley.topology.views;

import dev.parley.avro.AuditRecord;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.kafka.common.utils.Bytes;

/**
 * Keys of the search index in {@link ViewStores#AUDIT}. A document is the name of a record in the index: its record
 * time, latest first, and the beginning of its hash, so that documents of all partitions have one order. A posting is
 * the hash of a term and a document, without a value; it does not contain the term. Different terms may have one hash,
 * so a search reads each record that it finds and compares it.
 */
public final class SearchKeys {

    /** Bytes of a document. */
    public static final int DOCUMENT_BYTES = 20;

    private static final byte DOCUMENT = 13;
    private static final byte POSTING = 14;
    private static final int HASH_BYTES = 12;
    private static final int POSTING_PREFIX_BYTES = 1 + Long.BYTES;

    private SearchKeys() {}

    /** The document of a record. Its hash is not chosen by agents, and stays the same when it is redacted. */
    static byte[] document(AuditRecord record) {
        byte[] document = new byte[DOCUMENT_BYTES];
        ByteBuffer hash = record.getHash().duplicate();
        ByteBuffer.wrap(document)
                .putLong(descending(record.getSource().getTimestamp().toEpochMilli()));
        hash.get(document, Long.BYTES, Math.min(HASH_BYTES, hash.remaining()));
        return document;
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
        return Bytes.wrap(ByteBuffer.allocate(1 + DOCUMENT_BYTES)
                .put(DOCUMENT)
                .put(document)
                .array());
    }

    /** Key prefix of all documents. */
    public static Bytes documents() {
        return Bytes.wrap(new byte[] {DOCUMENT});
    }

    /** Whether an entry of the store is a document. */
    static boolean isDocument(Bytes key) {
        return key.get().length == 1 + DOCUMENT_BYTES && key.get()[0] == DOCUMENT;
    }

    /** Key prefix of the postings of a term. */
    public static Bytes postings(String term) {
        return Bytes.wrap(ByteBuffer.allocate(POSTING_PREFIX_BYTES)
                .put(POSTING)
                .putLong(hash(term))
                .array());
    }

    /** Key of the posting of a term. */
    static Bytes posting(long hash, byte[] document) {
        return Bytes.wrap(ByteBuffer.allocate(POSTING_PREFIX_BYTES + DOCUMENT_BYTES)
                .put(POSTING)
                .putLong(hash)
                .put(document)
                .array());
    }

    /** Key prefix of all postings. */
    static Bytes postings() {
        return Bytes.wrap(new byte[] {POSTING});
    }

    /** The key of a document in a list of documents, which are all, or those of a term. */
    public static Bytes entry(Bytes list, byte[] document) {
        byte[] prefix = list.get();
        byte[] key = Arrays.copyOf(prefix, prefix.length + DOCUMENT_BYTES);
        System.arraycopy(document, 0, key, prefix.length, DOCUMENT_BYTES);
        return Bytes.wrap(key);
    }

    /** The document of a key in a list. */
    public static byte[] documentOf(Bytes entry) {
        byte[] key = entry.get();
        return Arrays.copyOfRange(key, key.length - DOCUMENT_BYTES, key.length);
    }

    private static long descending(long time) {
        return Long.MAX_VALUE - Math.max(0, time);
    }

    /** FNV-1a with a final mix. It need not resist collisions: they cost a search one read, as a frequent word does. */
    static long hash(String term) {
        long hash = 0xcbf29ce484222325L;
        for (byte b : term.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (b & 0xFF)) * 0x100000001b3L;
        }
        hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
        return hash ^ (hash >>> 33);
    }
}
