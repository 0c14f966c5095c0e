package dev.parley.dialogue;

/**
 * Parses names in CSP values: checkpoint IDs, lists of agents, and definitions. Each method makes one pass and copies
 * nothing but its result.
 */
public final class CspNames {
    private CspNames() {}

    /** Whether the text is a checkpoint ID: C and decimal digits. */
    public static boolean isCheckpoint(String text) {
        if (text.length() < 2 || text.charAt(0) != 'C') {
            return false;
        }
        for (int i = 1; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }

    /**
     * Whether the number of the target is that of the base plus one. Both must be checkpoint IDs; their numbers have
     * any length.
     */
    public static boolean isNext(String base, String target) {
        int carry = 1;
        for (int b = base.length() - 1, t = target.length() - 1; b > 0 || t > 0; b--, t--) {
            int sum = digit(base, b) + carry;
            if (digit(target, t) != sum % 10) {
                return false;
            }
            carry = sum / 10;
        }
        return carry == 0;
    }

    /** The digit at an index; 0 at and before the letter. */
    private static int digit(String checkpoint, int index) {
        return index > 0 ? checkpoint.charAt(index) - '0' : 0;
    }

    /** Whether a comma-separated list contains a name. White space around members does not count. */
    public static boolean lists(String list, String name) {
        int start = 0;
        while (start <= list.length()) {
            int end = endOfMember(list, start);
            int from = skipSpaces(list, start, end);
            int to = dropSpaces(list, from, end);
            if (to - from == name.length() && list.startsWith(name, from)) {
                return true;
            }
            start = end + 1;
        }
        return false;
    }

    /** Index after the list member that starts here: the next comma or the end of the list. */
    public static int endOfMember(String list, int start) {
        int comma = list.indexOf(',', start);
        return comma < 0 ? list.length() : comma;
    }

    /**
     * Whether the characters form a definition name: an upper-case letter, then upper-case letters, digits, and
     * underscores.
     */
    public static boolean isDefinitionName(String text, int from, int to) {
        if (from >= to || text.charAt(from) < 'A' || text.charAt(from) > 'Z') {
            return false;
        }
        for (int i = from + 1; i < to; i++) {
            char c = text.charAt(i);
            if (!((c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_')) {
                return false;
            }
        }
        return true;
    }

    /** First index from here on without white space, at most the end. */
    public static int skipSpaces(String text, int from, int end) {
        int at = from;
        while (at < end && isSpace(text.charAt(at))) {
            at++;
        }
        return at;
    }

    /** Index after the last character before the end that is not white space. */
    public static int dropSpaces(String text, int from, int end) {
        int at = end;
        while (at > from && isSpace(text.charAt(at - 1))) {
            at--;
        }
        return at;
    }

    private static boolean isSpace(char c) {
        return c == ' ' || c == '\t' || c == '\n' || c == '\r';
    }
}
