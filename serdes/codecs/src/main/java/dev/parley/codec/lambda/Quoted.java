package dev.parley.codec.lambda;

/** Strings {@code "..."} with the escapes {@code \\ \" \: \{ \}} (docs/protocols.md L13). */
final class Quoted {

    private Quoted() {}

    /**
     * The content of a value: without quotes and escapes if it is one string, else unchanged. Its strings are valid.
     */
    static String plain(String value) {
        int last = value.length() - 1;
        if (last < 1 || value.charAt(0) != '"' || closingQuote(value) != last) {
            return value;
        }
        if (value.indexOf('\\') < 0) {
            return value.substring(1, last);
        }
        StringBuilder plain = new StringBuilder(last);
        for (int at = 1; at < last; at++) {
            if (value.charAt(at) == '\\') {
                at++;
            }
            plain.append(value.charAt(at));
        }
        return plain.toString();
    }

    static String quote(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    private static int closingQuote(String value) {
        int at = 1;
        while (at < value.length() && value.charAt(at) != '"') {
            at += value.charAt(at) == '\\' ? 2 : 1;
        }
        return at;
    }
}
