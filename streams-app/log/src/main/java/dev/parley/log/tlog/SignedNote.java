package dev.parley.log.tlog;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * A text with signatures (C2SP signed-note, "Format"). Ignore the text until {@link #verify} finds a signature of a
 * trusted key.
 *
 * @param text text, with its final newline
 * @param signatures signatures in the order of the note, none of which is verified
 */
public record SignedNote(String text, List<NoteSignature> signatures) {
    /** Maximum length of a note, in bytes. */
    public static final int MAX_BYTES = Lines.MAX_BYTES;

    /**
     * Creates a note.
     *
     * @throws IllegalArgumentException if the text contains another control character, or does not end in a newline
     */
    public SignedNote {
        signatures = List.copyOf(signatures);
        if (!text.endsWith("\n") || Lines.control(text) >= 0) {
            throw new IllegalArgumentException(
                    "the text of a note must end in a newline, and contain no other control character");
        }
    }

    /**
     * Creates a note without signatures, which becomes a note of the format with the first signature.
     *
     * @throws IllegalArgumentException as the constructor
     */
    public static SignedNote of(String text) {
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
        return new SignedNote(text, more);
    }

    /** Verifies the signatures of trusted keys. Those of other keys and unknown types do not count. */
    public NoteVerification verify(Collection<VerifierKey> keys) {
        List<NoteVerification.Signed> valid = new ArrayList<>();
        List<NoteSignature> forged = new ArrayList<>();
        for (NoteSignature signature : signatures) {
            keys.stream()
                    .filter(key -> key.canVerify() && key.matches(signature))
                    .reduce((first, last) -> last)
                    .ifPresent(key -> {
                        if (key.verifies(text, signature)) {
                            valid.add(new NoteVerification.Signed(key, signature));
                        } else {
                            forged.add(signature);
                        }
                    });
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
