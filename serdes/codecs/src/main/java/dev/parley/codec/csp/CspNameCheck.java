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
    private static final String BEFORE = QUOTES + OPENING + "$%";
    private static final List<String> BETWEEN = List.of(",", ";", " and ", " & ", " + ", " | ");
    private static final String AFTER = QUOTES + ".,;:!?…。，；：！？";

    /** Cause and repair of a doubtful name. */
    static final String DETAIL = "This must be one name, without quotes or punctuation around it.";

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
     * Whether a name has quotes, emphasis, brackets or punctuation at an end, lists several, or spells a missing value.
     * A bracket at its end may close one inside it.
     */
    static boolean isDoubtful(String name) {
        boolean isWord = true;
        for (int i = 0; i < name.length() && isWord; i++) {
            isWord = isWord(name.charAt(i));
        }
        if (isWord) {
            return isMissing(name);
        }
        char last = name.charAt(name.length() - 1);
        int bracket = CLOSING.indexOf(last);
        return BEFORE.indexOf(name.charAt(0)) >= 0
                || AFTER.indexOf(last) >= 0
                || bracket >= 0 && name.indexOf(OPENING.charAt(bracket)) < 0
                || BETWEEN.stream().anyMatch(name::contains);
    }

    private static boolean isMissing(String name) {
        return switch (name.length()) {
            case 3 -> name.equals("NaN");
            case 4 -> name.equals("null") || name.equals("NULL") || name.equals("None");
            case 9 -> name.equals("undefined");
            default -> false;
        };
    }

    private static boolean isWord(char c) {
        return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_' || c == '-';
    }

    /** The names of a decoded message for which it has CSP_NAME. */
    static List<String> doubtfulNames(CspMessage message) {
        List<String> names = new ArrayList<>(CspTraits.agents(message.getRecipient()));
        names.addAll(Arrays.asList(message.getSender(), message.getCtx(), message.getId()));
        message.getOperations().stream().map(CspOperation::getName).forEach(names::add);
        names.removeIf(name -> name == null || !isDoubtful(name));
        CspBlock block = CspBlock.of(message.getIntent());
        for (int i = 0; i < block.keyCount(); i++) {
            String value = block.key(i).get(message);
            if (value != null && block.key(i).invalid(value) == Code.CSP_NAME) {
                names.add(value);
            }
        }
        return names.stream().map(Excerpt::of).toList();
    }
}
