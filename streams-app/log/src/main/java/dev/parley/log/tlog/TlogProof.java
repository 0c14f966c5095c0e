package dev.parley.log.tlog;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * Proof that a log contains an entry, for verification offline (C2SP tlog-proof, "Format").
 *
 * @param extra data of the application, which nothing authenticates
 * @param index index of the entry, from 0
 * @param hashes inclusion proof, from the sibling of the leaf upward
 * @param note signed tree head, whose signatures are not verified
 * @param treeHead text of the note
 */
public record TlogProof(Optional<byte[]> extra, long index, List<byte[]> hashes, SignedNote note, TreeHead treeHead) {
    static final String VERSION = "c2sp.org/tlog-proof@v1";
    private static final String EXTRA = "extra ";
    private static final String INDEX = "index ";

    /**
     * Creates a proof.
     *
     * @param note signed tree head of the proof's tree
     * @throws TlogFormatException if the note is not a tree head
     */
    public static TlogProof of(Optional<byte[]> extra, InclusionProof proof, SignedNote note)
            throws TlogFormatException {
        return new TlogProof(extra, proof.index(), proof.hashes(), note, TreeHead.parse(note));
    }

    /**
     * Parses a proof.
     *
     * @throws TlogFormatException if the bytes are more than {@link SignedNote#MAX_BYTES}, or not a proof
     */
    public static TlogProof parse(byte[] bytes) throws TlogFormatException {
        Lines lines = new Lines(Lines.decode(bytes), 1);
        if (!lines.next(VERSION).equals(VERSION)) {
            throw lines.error("the line must be " + VERSION);
        }
        String line = lines.next("the index");
        Optional<byte[]> extra = Optional.empty();
        if (line.startsWith(EXTRA)) {
            byte[] data = Lines.base64(line.substring(EXTRA.length()));
            if (data == null || data.length == 0) {
                throw lines.error("the extra data must be base64 and not empty, but was " + Lines.quoted(line));
            }
            extra = Optional.of(data);
            line = lines.next("the index");
        }
        long index = line.startsWith(INDEX) ? Lines.number(line.substring(INDEX.length()), MerkleHasher.MAX_SIZE) : -1;
        if (index < 0) {
            throw lines.error("the line must be 'index' and a decimal number from 0 to 2^62 without leading zeros,"
                    + " but was " + Lines.quoted(line));
        }
        List<byte[]> hashes = lines.hashes();
        SignedNote note = SignedNote.parse(lines.rest(), lines.line() + 1);
        return new TlogProof(extra, index, hashes, note, TreeHead.parse(new Lines(note.text(), lines.line() + 1)));
    }

    /** Whether the tree of the tree head contains a leaf at the index. Does not verify the tree head's signatures. */
    public boolean includes(byte[] leaf) {
        return new InclusionProof(index, treeHead.size(), hashes).verify(leaf, treeHead.root());
    }

    /** The bytes that {@link #parse} reads. */
    public byte[] toBytes() {
        StringBuilder proof = new StringBuilder(VERSION).append('\n');
        extra.ifPresent(data -> proof.append(EXTRA).append(Lines.base64(data)).append('\n'));
        proof.append(INDEX).append(index).append('\n');
        hashes.forEach(hash -> proof.append(Lines.base64(hash)).append('\n'));
        return proof.append('\n').append(note).toString().getBytes(StandardCharsets.UTF_8);
    }
}
