package dev.parley.dialogue;

/**
 * Reads the names that stand in CSP values: checkpoint ids, lists of agents and definitions. One pass each, no copies
 * but the answer.
 */
public final class CspNames {
    private CspNames() {}

    /** Whether the text looks like a checkpoint: C and decimal digits. */
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
     * Whether the number of one checkpoint is that of the other plus one. Both look like checkpoints; their numbers
     * have any length.
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

    /** The digit at that index; 0 before the number, where the letter stands and further left. */
    private static int digit(String checkpoint, int index) {
        return index > 0 ? checkpoint.charAt(index) - '0' : 0;
    }

    /** Whether a comma-separated list has the name among its members; blanks around a member do not count. */
    public static boolean lists(String list, String name) {
        int start = 0;
        while (start <= list.length()) {
            int end = endOfMember(list, start);
            int from = skipBlanks(list, start, end);
            int to = dropBlanks(list, from, end);
            if (to - from == name.length() && list.startsWith(name, from)) {
                return true;
            }
            start = end + 1;
        }
        return false;
    }

    /** Where the member of a comma-separated list that starts here ends: at the next comma or the list's end. */
    public static int endOfMember(String list, int start) {
        int comma = list.indexOf(',', start);
        return comma < 0 ? list.length() : comma;
    }

    /**
     * Whether the characters are a name as definitions have them: an upper-case letter, then upper-case letters, digits
     * and underscores.
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

    /** The first position from here on that is no white space, at most the end. */
    public static int skipBlanks(String text, int from, int end) {
        int at = from;
        while (at < end && isBlank(text.charAt(at))) {
            at++;
        }
        return at;
    }

    /** The position after the last character before the end that is no white space. */
    public static int dropBlanks(String text, int from, int end) {
        int at = end;
        while (at > from && isBlank(text.charAt(at - 1))) {
            at--;
        }
        return at;
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t' || c == '\n' || c == '\r';
    }
}
