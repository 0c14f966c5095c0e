package dev.parley.log.tlog;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * A text with signatures (C2SP signed-note, "Format"). Immutable. Ignore the text until {@link #verify} finds a
 * signature of a trusted key.
 */
public final class SignedNote {
    /** Maximum length of a note, in bytes. */
    public static final int MAX_BYTES = Lines.MAX_BYTES;

    private final String text;
    private final List<NoteSignature> signatures;

    private SignedNote(String text, List<NoteSignature> signatures) {
        this.text = text;
        this.signatures = signatures;
    }

    /**
     * Creates a note without signatures, which becomes a note of the format with the first signature.
     *
     * @param text text, which must end in a newline
     * @throws IllegalArgumentException if the text contains another control character, or does not end in a newline
     */
    public static SignedNote of(String text) {
        if (!text.endsWith("\n") || Lines.control(text) >= 0) {
            throw new IllegalArgumentException(
                    "the text of a note must end in a newline, and contain no other control character");
        }
        return new SignedNote(text, List.of());
    }

    /**
     * Parses a note.
     *
     * @throws TlogFormatException if the bytes are more than {@link #MAX_BYTES}, or not a note
     */
    public static SignedNote parse(byte[] bytes) throws TlogFormatException {
        return parse(Lines.decode(bytes), 1);
    }

    /** Parses a decoded note. */
    static SignedNote parse(String note, int firstLine) throws TlogFormatException {
        int separator = note.lastIndexOf("\n\n");
        if (separator < 0) {
            throw new TlogFormatException(firstLine, "a note must have an empty line between text and signatures");
        }
        String text = note.substring(0, separator + 1);
        int signatureLine = firstLine + Lines.lineAt(note, separator) + 1;
        return new SignedNote(text, NoteSignature.parse(new Lines(note.substring(separator + 2), signatureLine)));
    }

    /** The text, with its final newline. */
    public String text() {
        return text;
    }

    /** The signatures in the order of the note, none of which is verified. */
    public List<NoteSignature> signatures() {
        return signatures;
    }

    /**
     * Returns the note with one more signature.
     *
     * @throws IllegalArgumentException if the note has {@link NoteSignature#MAX_COUNT} signatures
     */
    public SignedNote with(NoteSignature signature) {
        if (signatures.size() == NoteSignature.MAX_COUNT) {
            throw new IllegalArgumentException("a note has at most " + NoteSignature.MAX_COUNT + " signatures");
        }
        List<NoteSignature> more = new ArrayList<>(signatures);
        more.add(signature);
        return new SignedNote(text, List.copyOf(more));
    }

    /** Verifies the signatures of trusted keys. Those of other keys and unknown types do not count. */
    public NoteVerification verify(Collection<VerifierKey> keys) {
        List<NoteVerification.Signed> valid = new ArrayList<>();
        List<NoteSignature> forged = new ArrayList<>();
        for (NoteSignature signature : signatures) {
            VerifierKey known = null;
            for (VerifierKey key : keys) {
                if (key.canVerify() && key.matches(signature)) {
                    known = key;
                }
            }
            if (known != null && known.verifies(text, signature)) {
                valid.add(new NoteVerification.Signed(known, signature));
            } else if (known != null) {
                forged.add(signature);
            }
        }
        return new NoteVerification(List.copyOf(valid), List.copyOf(forged));
    }

    /** The bytes that {@link #parse} reads. */
    public byte[] toBytes() {
        return toString().getBytes(StandardCharsets.UTF_8);
    }

    /** The note as text. */
    @Override
    public String toString() {
        StringBuilder note = new StringBuilder(text).append('\n');
        signatures.forEach(signature -> note.append(signature.line()));
        return note.toString();
    }
}
