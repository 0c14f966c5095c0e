package dev.parley.log.tlog;

import java.util.ArrayList;
import java.util.List;

/**
 * Size and root of the tree of a log. C2SP calls it a checkpoint (tlog-checkpoint, "Note text").
 *
 * @param origin identity of the log, one line
 * @param size number of leaves, at most {@link MerkleHasher#MAX_SIZE}
 * @param root root of the tree, 32 bytes
 * @param extensions further lines, opaque and not empty
 */
public record TreeHead(String origin, long size, byte[] root, List<String> extensions) {
    /**
     * Creates a tree head.
     *
     * @throws IllegalArgumentException if a line is empty or contains a control character, the size is out of range, or
     *     the root does not have 32 bytes
     */
    public TreeHead {
        extensions = List.copyOf(extensions);
        boolean linesAreValid = isLine(origin) && extensions.stream().allMatch(TreeHead::isLine);
        if (!linesAreValid || size < 0 || size > MerkleHasher.MAX_SIZE || root.length != MerkleHasher.BYTES) {
            throw new IllegalArgumentException("origin " + Lines.quoted(origin) + ", size " + size + " and a root of "
                    + root.length + " bytes must be a tree head");
        }
    }

    /** Creates a tree head without extension lines. */
    public TreeHead(String origin, long size, byte[] root) {
        this(origin, size, root, List.of());
    }

    /**
     * Parses the text of a note.
     *
     * @throws TlogFormatException if the text is not a tree head
     */
    public static TreeHead parse(SignedNote note) throws TlogFormatException {
        return parse(new Lines(note.text(), 1));
    }

    static TreeHead parse(Lines lines) throws TlogFormatException {
        String origin = notEmpty("the origin", lines);
        String sizeLine = lines.next("the tree size");
        long size = Lines.number(sizeLine, MerkleHasher.MAX_SIZE);
        if (size < 0) {
            throw lines.error("the tree size must be a decimal number from 0 to 2^62 without leading zeros, but was "
                    + Lines.quoted(sizeLine));
        }
        byte[] root = lines.hash(lines.next("the root hash"));
        List<String> extensions = new ArrayList<>();
        while (lines.hasNext()) {
            extensions.add(notEmpty("an extension line", lines));
        }
        return new TreeHead(origin, size, root, extensions);
    }

    private static String notEmpty(String what, Lines lines) throws TlogFormatException {
        String line = lines.next(what);
        if (line.isEmpty()) {
            throw lines.error(what + " must not be empty");
        }
        return line;
    }

    private static boolean isLine(String text) {
        return !text.isEmpty() && text.indexOf('\n') < 0 && Lines.control(text) < 0;
    }

    /** The text to sign. */
    public String text() {
        List<String> lines = new ArrayList<>(List.of(origin, Long.toString(size), Lines.base64(root)));
        lines.addAll(extensions);
        return String.join("\n", lines) + "\n";
    }
}
