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
        if (to == 0 || isWord(value.charAt(0))) {
            return false;
        }
        while (from < to && "<{$".indexOf(value.charAt(from)) >= 0) {
            from++;
        }
        while (from > 0 && from < to && ">}".indexOf(value.charAt(to - 1)) >= 0) {
            to--;
        }
        String inner =
                from > 0 && to < value.length() ? value.substring(from, to).strip() : "";
        String others = value.startsWith("<") ? "_ -./|," : "_ -.";
        return !inner.isEmpty()
                && isWord(inner.charAt(0))
                && isWord(inner.charAt(inner.length() - 1))
                && inner.chars().allMatch(c -> Character.isLetterOrDigit(c) || others.indexOf(c) >= 0);
    }

    private static boolean isWord(char c) {
        return c >= 'A' && c <= 'Z' || Character.isLetterOrDigit(c) || c == '_';
    }
}
