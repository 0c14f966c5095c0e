package dev.parley.codec.csp;

import dev.parley.avro.CspMessage;
import dev.parley.avro.CspOperation;
import dev.parley.codec.Code;
import dev.parley.codec.Diagnostics;
import dev.parley.codec.Excerpt;
import dev.parley.codec.Placeholder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Recognizes names that are placeholders, or probably more than a name. */
final class CspNameCheck {
    private static final String QUOTES = "\"'`*“”„‘’«»";
    private static final String OPENING = "[({<";
    private static final String CLOSING = "])}>";
    private static final String BEFORE = QUOTES + OPENING;
    private static final String AFTER = QUOTES + ".,;:!?…。，；：！？";

    private CspNameCheck() {}

    /** Returns a name, and adds an error if it is a placeholder, or a warning if it is doubtful. */
    static String checkedName(String name, int offset, Diagnostics findings) {
        if (Placeholder.is(name)) {
            findings.value(Code.CSP_TEMPLATE, offset, Placeholder.DETAIL);
        } else if (isDoubtful(name)) {
            findings.value(Code.CSP_NAME, offset, "This must be one name, without quotes or punctuation around it.");
        }
        return name;
    }

    /**
     * Whether a name has quotes, emphasis, brackets or punctuation at an end, or lists several. A bracket at its end
     * may close one inside it.
     */
    static boolean isDoubtful(String name) {
        if (name.isEmpty() || isList(name)) {
            return !name.isEmpty();
        }
        char first = name.charAt(0);
        char last = name.charAt(name.length() - 1);
        int bracket = isWord(last) ? -1 : CLOSING.indexOf(last);
        return !isWord(first) && BEFORE.indexOf(first) >= 0
                || !isWord(last) && AFTER.indexOf(last) >= 0
                || bracket >= 0 && name.indexOf(OPENING.charAt(bracket)) < 0;
    }

    private static boolean isList(String name) {
        boolean found = false;
        for (int i = 0; i < name.length() && !found; i++) {
            char c = name.charAt(i);
            found = c == ','
                    || c == ';'
                    || c == ' '
                            && (name.startsWith("and ", i + 1)
                                    || name.startsWith("& ", i + 1)
                                    || name.startsWith("+ ", i + 1));
        }
        return found;
    }

    private static boolean isWord(char c) {
        return c >= 'a' && c <= 'z' || Character.isLetterOrDigit(c) || c == '_';
    }

    /** The names of a decoded message for which it has CSP_NAME. */
    static List<String> doubtfulNames(CspMessage message) {
        List<String> names = new ArrayList<>(CspTraits.agents(message.getRecipient()));
        names.addAll(Arrays.asList(
                message.getSender(),
                message.getCtx(),
                message.getId(),
                message.getOwner(),
                message.getErrorAt(),
                message.getBase(),
                message.getTarget()));
        message.getOperations().stream().map(CspOperation::getName).forEach(names::add);
        return names.stream()
                .filter(name -> name != null && isDoubtful(name))
                .map(Excerpt::of)
                .toList();
    }
}
