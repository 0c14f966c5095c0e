package dev.parley.codec;

/** Recognizes the placeholders of templates that were not filled in. */
public final class Placeholder {
    /** Cause and repair of a placeholder in place of a value. */
    public static final String DETAIL = "This is a placeholder of a template. Write its value.";

    private Placeholder() {}

    /** Whether a whole value is a placeholder, such as {@code <AGENT_ID>}, {@code {{ task }}} or {@code ${task}}. */
    public static boolean is(String value) {
        int from = 0;
        int to = value.length();
        while (from < to && isOpening(value.charAt(from))) {
            from++;
        }
        if (from == 0) {
            return false;
        }
        while (from < to && ">}".indexOf(value.charAt(to - 1)) >= 0) {
            to--;
        }
        String inner = to < value.length() ? value.substring(from, to).strip() : "";
        String others = value.startsWith("<") ? "_ -./|," : "_ -.";
        return !inner.isEmpty()
                && isWord(inner.charAt(0))
                && isWord(inner.charAt(inner.length() - 1))
                && inner.chars().allMatch(c -> Character.isLetterOrDigit(c) || others.indexOf(c) >= 0);
    }

    /** Whether a whole value is the text of a missing one in a programming language. */
    public static boolean isMissing(String value) {
        return switch (value.length()) {
            case 3 -> value.equals("NaN");
            case 4 -> value.equals("null") || value.equals("NULL") || value.equals("None");
            case 9 -> value.equals("undefined");
            case 15 -> value.equals("[object Object]");
            default -> false;
        };
    }

    private static boolean isOpening(char c) {
        return c == '<' || c == '{' || c == '$';
    }

    private static boolean isWord(char c) {
        return Character.isLetterOrDigit(c) || c == '_';
    }
}
