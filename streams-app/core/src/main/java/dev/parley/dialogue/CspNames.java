package dev.parley.dialogue;

import dev.parley.avro.CspOperation;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

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
        return anyMember(list, (from, to) -> to - from == name.length() && list.startsWith(name, from));
    }

    /** Tests a member of a list by its indexes, without white space around it. */
    @FunctionalInterface
    public interface MemberTest {
        boolean test(int from, int to);
    }

    /** Whether any member of a comma-separated list passes a test. Tests them in order, up to the first that passes. */
    public static boolean anyMember(String list, MemberTest test) {
        int start = 0;
        while (start <= list.length()) {
            int comma = list.indexOf(',', start);
            int end = comma < 0 ? list.length() : comma;
            int from = skipSpaces(list, start, end);
            if (test.test(from, dropSpaces(list, from, end))) {
                return true;
            }
            start = end + 1;
        }
        return false;
    }

    /** Other forms of a checkpoint ID: in another case, and with or without punctuation around it. */
    public static List<String> similar(String id) {
        int from = 0;
        int to = id.length();
        while (from < to && !Character.isLetterOrDigit(id.charAt(from))) {
            from++;
        }
        while (from < to && !Character.isLetterOrDigit(id.charAt(to - 1))) {
            to--;
        }
        String name = id.substring(from, to);
        Stream<String> cases = Stream.of(name, name.toUpperCase(Locale.ROOT), name.toLowerCase(Locale.ROOT));
        Stream<String> marked = Stream.of("%s;", "%s.", "%s,", "%s:", "`%s`", "\"%s\"", "'%s'", "**%s**", "[%s]")
                .map(form -> form.replace("%s", name));
        return Stream.concat(cases, marked)
                .filter(form -> !form.equals(id))
                .distinct()
                .toList();
    }

    /** The first name that two operations have; null if there is none. */
    public static String repeatedName(List<CspOperation> operations) {
        if (operations.size() < 2) {
            return null;
        }
        Set<String> names = new HashSet<>(operations.size() * 2);
        for (CspOperation operation : operations) {
            if (!names.add(operation.getName())) {
                return operation.getName();
            }
        }
        return null;
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
    private static int skipSpaces(String text, int from, int end) {
        int at = from;
        while (at < end && isSpace(text.charAt(at))) {
            at++;
        }
        return at;
    }

    /** Index after the last character before the end that is not white space. */
    private static int dropSpaces(String text, int from, int end) {
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
