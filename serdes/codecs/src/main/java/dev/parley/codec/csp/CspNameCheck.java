package dev.parley.codec.csp;

import dev.parley.avro.CspMessage;
import dev.parley.codec.Ascii;
import dev.parley.codec.Code;
import dev.parley.codec.Diagnostics;
import dev.parley.codec.Excerpt;
import dev.parley.codec.Placeholder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Recognizes names that are placeholders, or probably more than a name. */
final class CspNameCheck {
    private static final String QUOTES = "\"'`*“”„‘’«»";
    private static final String OPENING = "[({<";
    private static final String CLOSING = "])}>";
    private static final String BEFORE = QUOTES + OPENING + "$%:=";
    private static final List<String> INSIDE = List.of(",", ";", ": ", " and ", "\\", "<", "{{", "${");
    private static final String AFTER = QUOTES + ".,;:!?…。，；：！？";

    /** The complaint about a doubtful name. */
    static final String COMPLAINT = "must be one name, without quotes or punctuation around it";

    /** Cause and repair of a doubtful name. */
    static final String DETAIL = "This " + COMPLAINT + '.';

    /** For each character of ASCII, whether it may be anywhere in a name. A table has no branches to predict. */
    private static final boolean[] PLAIN = new boolean[128];

    static {
        for (char c = 0; c < PLAIN.length; c++) {
            PLAIN[c] = Ascii.isAlphanumeric(c) || c == '_' || c == '-';
        }
    }

    private CspNameCheck() {}

    /** Returns a name, and adds an error if it is a placeholder, or a warning if it is doubtful. */
    static String checkedName(String name, int offset, Diagnostics findings) {
        if (isDoubtful(name)) {
            boolean isUnfilled = Placeholder.is(name);
            findings.value(
                    isUnfilled ? Code.CSP_TEMPLATE : Code.CSP_NAME, offset, isUnfilled ? Placeholder.DETAIL : DETAIL);
        }
        return name;
    }

    /**
     * Whether a name is blank, has quotes, emphasis, brackets or punctuation at an end, lists several, has a
     * remark, an escape or a placeholder, or spells a missing value. A bracket at its end may close one inside it.
     */
    static boolean isDoubtful(String name) {
        return isDoubtful(name, false);
    }

    /** Whether a name is {@link #isDoubtful(String) doubtful}, or has a space if it must be one word. */
    static boolean isDoubtful(String name, boolean isWord) {
        int plain = 0;
        while (plain < name.length() && isPlain(name.charAt(plain))) {
            plain++;
        }
        char first = plain == 0 ? ' ' : name.charAt(0);
        if (plain == name.length()) {
            // Most names differ from a missing value in the first letter.
            return (first == 'n' || first == 'N' || first == 'u') && Placeholder.isMissing(name);
        }
        char last = name.charAt(name.length() - 1);
        int bracket = CLOSING.indexOf(last);
        boolean isMore = isWord && name.indexOf(' ') >= 0 || hasRemark(name);
        for (String inside : INSIDE) {
            isMore |= name.contains(inside);
        }
        return isMore
                || name.isBlank()
                || BEFORE.indexOf(name.charAt(0)) >= 0
                || AFTER.indexOf(last) >= 0
                || bracket >= 0 && name.indexOf(OPENING.charAt(bracket)) < 0;
    }

    /** Whether a mark follows white space, as in {@code MAIN (planner)}, {@code C1 -> C2} and {@code A / B}. */
    private static boolean hasRemark(String name) {
        boolean found = false;
        for (int i = 1; i < name.length() && !found; i++) {
            char c = name.charAt(i);
            found = name.charAt(i - 1) == ' ' && c != ' ' && c != '_' && !Character.isLetterOrDigit(c);
        }
        return found;
    }

    /** Whether a character may be anywhere in a name. */
    static boolean isPlain(char c) {
        return c < PLAIN.length && PLAIN[c];
    }

    /** The names in the header, the ID and the operations of a decoded message for which it has CSP_NAME. */
    static List<String> outsideKeys(CspMessage message) {
        List<String> names = new ArrayList<>(CspTraits.agents(message.getRecipient()));
        Collections.addAll(names, message.getSender(), message.getCtx(), message.getId());
        message.getOperations().forEach(operation -> names.add(operation.getName()));
        names.removeIf(name -> name == null || !isDoubtful(name));
        names.replaceAll(Excerpt::of);
        return names;
    }
}
