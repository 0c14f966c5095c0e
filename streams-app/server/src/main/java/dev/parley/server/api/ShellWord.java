package dev.parley.server.api;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Text as one word of a POSIX shell. */
final class ShellWord {
    private ShellWord() {}

    /**
     * Quotes a text, so that the shell neither expands nor splits it. The word is printable ASCII: all other bytes of
     * its UTF-8 are octal escapes in {@code $'…'}.
     */
    static String of(String text) {
        if (text.chars().allMatch(c -> c >= ' ' && c <= '~')) {
            return "'" + text.replace("'", "'\\''") + "'";
        }
        StringBuilder word = new StringBuilder("$'");
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            if (b >= ' ' && b <= '~' && b != '\'' && b != '\\') {
                word.append((char) b);
            } else {
                word.append(String.format(Locale.ROOT, "\\%03o", b & 0xff));
            }
        }
        return word.append('\'').toString();
    }
}
