package dev.parley.dialogue;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;

/**
 * A text of a message, to be compared with what dialogue state keeps of earlier messages. The rules never need such a
 * text but for comparison, so the state of a conversation in which something was redacted keeps hashes instead of
 * texts, and every later verdict is the same. A text that looks like such a hash is kept as its own hash, so that no
 * agent can pass for another.
 */
public final class KeptText {
    private static final String MARK = "\0sha256:";

    private final String text;
    private String sealed;

    /**
     * A text of the message at hand.
     *
     * @param text the text; null matches null alone
     */
    public KeptText(String text) {
        this.text = text;
    }

    /** The text as state keeps it. */
    public static String keep(String text) {
        return isSealed(text) ? hash(text) : text;
    }

    /** A comma-separated list as state keeps it. */
    public static String keepList(String list) {
        return isSealed(list) ? hashEach(list) : list;
    }

    /** Whether state keeps this text. */
    public boolean matches(String kept) {
        if (!isSealed(kept)) {
            return text == null ? kept == null : text.equals(kept);
        }
        return text != null && kept.equals(sealed());
    }

    /** Whether a comma-separated list that state keeps has this text as a member. */
    public boolean isIn(String keptList) {
        return CspNames.lists(keptList, isSealed(keptList) ? sealed() : text);
    }

    /** Whether a comma-separated list of the message at hand has a member that state keeps. */
    public static boolean lists(String list, String kept) {
        return CspNames.lists(isSealed(kept) ? hashEach(list) : list, kept);
    }

    /** The text's hash, in the form in which state keeps it. */
    private String sealed() {
        if (sealed == null) {
            sealed = hash(text);
        }
        return sealed;
    }

    /** The key of this text in a map by kept texts: as a hash where only the hash is there. */
    public String keyIn(Map<String, ?> byKept, boolean anySealed) {
        String plain = keep(text);
        return anySealed && !byKept.containsKey(plain) && byKept.containsKey(sealed()) ? sealed() : plain;
    }

    public static boolean isSealed(String kept) {
        return kept != null && kept.startsWith(MARK);
    }

    /** A text that state keeps as its hash; null and what is a hash already as it is. */
    public static String seal(String kept) {
        return kept == null || isSealed(kept) ? kept : hash(kept);
    }

    /** The same for each member of a comma-separated list. */
    public static String sealList(String kept) {
        return isSealed(kept) ? kept : hashEach(kept);
    }

    /** Each member of a comma-separated list as its hash, without the blanks around it. */
    private static String hashEach(String list) {
        StringBuilder hashes = new StringBuilder();
        int start = 0;
        while (start <= list.length()) {
            int end = CspNames.endOfMember(list, start);
            int from = CspNames.skipBlanks(list, start, end);
            int to = CspNames.dropBlanks(list, from, end);
            hashes.append(start == 0 ? "" : ",").append(hash(list.substring(from, to)));
            start = end + 1;
        }
        return hashes.toString();
    }

    private static String hash(String text) {
        try {
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            return MARK + HexFormat.of().formatHex(sha256.digest(text.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
