package dev.parley.dialogue;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.codec.Excerpt;
import dev.parley.encoding.Sha256;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;

/**
 * Compares a text of a message with texts in dialogue state. Rules only compare such texts, so the state of a
 * conversation with a redaction stores hashes instead, and later verdicts stay the same. A text that looks like a
 * stored hash is itself stored as a hash, so that no agent can impersonate another.
 */
public final class StoredText {
    private static final String MARK = "\0sha256:";
    private static final int HASH_LENGTH = MARK.length() + 64;
    private static final Base64.Encoder KEY = Base64.getUrlEncoder().withoutPadding();
    private static final int KEY_BYTES = 12;

    /** Maximum bytes of a text of a state that the rules only compare; a longer one is stored as a hash. */
    private static final int MAX_TEXT = 256;

    private final String text;
    private String hash;

    /**
     * Creates a comparison for a text of the current message.
     *
     * @param text the text; null matches only null
     */
    public StoredText(String text) {
        this.text = text;
    }

    /** Returns the form in which state stores a text. */
    public static String encode(String text) {
        return isHash(text) ? sha256(text) : text;
    }

    /** Returns the form in which a state stores a text of which only comparisons matter. */
    public static String bounded(String text) {
        return StateBytes.of(text) > MAX_TEXT ? sha256(text) : encode(text);
    }

    /** Returns the form in which state stores a comma-separated list. */
    public static String encodeList(String list) {
        return isHash(list) ? hashEach(list) : list;
    }

    public boolean matches(String stored) {
        if (!isHash(stored)) {
            return text == null ? stored == null : text.equals(stored);
        }
        return text != null && stored.equals(hash());
    }

    /** Whether a stored comma-separated list contains this text. */
    public boolean isIn(String storedList) {
        return CspNames.lists(storedList, isHash(storedList) ? hash() : text);
    }

    /** Whether a comma-separated list of the current message contains a stored text. */
    public static boolean lists(String list, String stored) {
        return CspNames.lists(isHash(stored) ? hashEach(list) : list, stored);
    }

    /** The hash of the text in its stored form; computed once. */
    private String hash() {
        if (hash == null) {
            hash = sha256(text);
        }
        return hash;
    }

    public static boolean isHash(String stored) {
        return stored != null && stored.startsWith(MARK);
    }

    /** Replaces a stored text by its hash; null and hashes stay unchanged. */
    public static String hash(String stored) {
        return stored == null || isHash(stored) ? stored : sha256(stored);
    }

    /** Replaces each member of a stored list by its hash; a list of hashes stays unchanged. */
    public static String hashList(String stored) {
        return isHash(stored) ? stored : hashEach(stored);
    }

    /** Returns the hashes of the members of a comma-separated list, without white space around them. */
    private static String hashEach(String list) {
        StringBuilder hashes = new StringBuilder();
        CspNames.anyMember(list, (from, to) -> {
            hashes.append(hashes.isEmpty() ? "" : ",").append(sha256(list.substring(from, to)));
            return false;
        });
        return hashes.toString();
    }

    /** Returns a stored text for a sentence: an excerpt in quotes, or that it is unknown or stored as a hash. */
    public static String shown(String stored) {
        return stored == null ? "(unknown)" : isHash(stored) ? "(redacted or long)" : "'" + Excerpt.of(stored) + "'";
    }

    /** Returns a key for a text of a message: the first 96 bits of its SHA-256, in 16 characters. */
    public static String key(String text) {
        return KEY.encodeToString(Arrays.copyOf(Sha256.of(text.getBytes(UTF_8)), KEY_BYTES));
    }

    /** Returns the {@link #key} of a stored text, which is the text itself or its hash. */
    public static String keyOfStored(String stored) {
        if (!isHash(stored) || stored.length() != HASH_LENGTH) {
            return key(stored);
        }
        byte[] bytes = new byte[KEY_BYTES];
        for (int i = 0; i < KEY_BYTES; i++) {
            int digit = MARK.length() + 2 * i;
            // Another client may have stored other characters; the digit is then -1.
            bytes[i] = (byte)
                    (Character.digit(stored.charAt(digit), 16) * 16 + Character.digit(stored.charAt(digit + 1), 16));
        }
        return KEY.encodeToString(bytes);
    }

    private static String sha256(String text) {
        return MARK + HexFormat.of().formatHex(Sha256.of(text.getBytes(UTF_8)));
    }
}
