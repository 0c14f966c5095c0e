package dev.parley.codec.subit;

import dev.parley.codec.Code;
import dev.parley.codec.json.JsonStrings;
import java.util.Arrays;
import java.util.List;

/** Reads the forms of a payload: groups of six bits, most significant first. */
final class SubitPayload {

    private SubitPayload() {}

    /**
     * Reads the forms in a valid JSON string.
     *
     * @param from index of the string's first byte, after its quote
     * @param to index of its closing quote
     * @return null after an error
     */
    static List<Integer> forms(byte[] wire, int from, int to, SubitReader reader) {
        List<Integer> forms = plainForms(wire, from, to);
        return forms != null ? forms : unusualForms(wire, from, to, reader);
    }

    /** The forms of bits in canonical form; null for any other form. */
    private static List<Integer> plainForms(byte[] wire, int from, int to) {
        int bits = to - from;
        if (bits == 0 || bits % SubitForms.BITS != 0) {
            return null;
        }
        Integer[] forms = new Integer[bits / SubitForms.BITS];
        for (int i = 0; i < forms.length; i++) {
            int form = form(wire, from + i * SubitForms.BITS);
            if (form < 0) {
                return null;
            }
            forms[i] = form;
        }
        return Arrays.asList(forms);
    }

    /** The form of six bits; -1 if they are not bits. */
    private static int form(byte[] wire, int from) {
        int form = 0;
        int all = 0;
        for (int i = 0; i < SubitForms.BITS; i++) {
            int bit = wire[from + i] ^ '0';
            all |= bit;
            form = form << 1 | bit;
        }
        return all >>> 1 == 0 ? form : -1;
    }

    /** The forms of a payload with spaces or escapes; null after an error. */
    private static List<Integer> unusualForms(byte[] wire, int from, int to, SubitReader reader) {
        byte[] bits = new byte[to - from];
        int count = 0;
        int firstSpace = -1;
        int lastSpace = -1;
        boolean afterSpace = true;
        int at = from;
        while (at < to) {
            boolean escape = wire[at] == '\\';
            int character = escape ? JsonStrings.codePoint(wire, at) : wire[at];
            if (character == '0' || character == '1') {
                bits[count++] = (byte) character;
                afterSpace = false;
            } else if (character == ' ' && !afterSpace && count % SubitForms.BITS == 0) {
                firstSpace = firstSpace < 0 ? at : firstSpace;
                lastSpace = at;
                afterSpace = true;
            } else {
                return failOnCharacter(at, reader);
            }
            at += escape ? JsonStrings.escapeLength(wire, at, character) : 1;
        }
        if (afterSpace && lastSpace >= 0) {
            return failOnCharacter(lastSpace, reader);
        }
        if (firstSpace >= 0) {
            reader.departure(Code.SUBIT_PAYLOAD_SPACED, firstSpace, "Write the forms without spaces between them.");
        }
        List<Integer> forms = plainForms(bits, 0, count);
        if (forms == null) {
            String detail = "The payload has " + count + " bits, but must have a multiple of six.";
            reader.noteError(Code.SUBIT_PAYLOAD_LENGTH, from - 1, detail);
        }
        return forms;
    }

    private static List<Integer> failOnCharacter(int at, SubitReader reader) {
        reader.noteError(
                Code.SUBIT_PAYLOAD_CHARACTER,
                at,
                "A payload must consist of 0, 1 and single spaces between groups of six.");
        return null;
    }
}
