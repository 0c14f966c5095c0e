package dev.parley.diagnosis;

import dev.parley.avro.CspMessage;
import dev.parley.codec.Ascii;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeResult.Decoded;
import dev.parley.codec.lambda.Alphabet;
import dev.parley.codec.lambda.LambdaDetection;
import dev.parley.decode.WireProtocol;
import dev.parley.decode.WireProtocols;
import java.util.Arrays;

/**
 * Finds the line at which a message of another protocol starts, inside a message without an end mark. An indented line,
 * and a structure of Λ alone, belong to the first message.
 */
final class ForeignLines {
    /** Maximum number of objects that are read, because one that is not closed extends to the end. */
    private static final int MAX_OBJECTS = 8;

    /** First bytes of messages that are neither objects nor those of usual lines, such as words and list marks. */
    static final String STARTS = "@!?~.";

    private static final String JOINTS = "/{[:=^$|";

    private ForeignLines() {}

    /**
     * Finds the first such line in a decoded message. Costs nothing unless it has a value of several lines.
     *
     * @return index of the first byte of the line; -1 if there is none
     */
    static int inDecoded(byte[] text, WireProtocol<?> own, Decoded<?> decoded, WireProtocols protocols) {
        return continues(decoded) || decoded.message() instanceof CspMessage csp && isLong(csp.getData())
                ? first(text, own, protocols)
                : -1;
    }

    private static boolean isLong(String data) {
        return data != null && data.indexOf('\n') >= 0;
    }

    /** Whether a value other than DATA continues on further lines. */
    static boolean continues(Decoded<?> decoded) {
        return decoded.warnings().contains(Code.CSP_CONTINUATION);
    }

    /**
     * Finds the first such line. Reads each byte a constant number of times.
     *
     * @param text a message, and perhaps others after it; its first line is its own
     * @param own its protocol
     * @return index of the first byte of the line; -1 if there is none
     */
    static int first(byte[] text, WireProtocol<?> own, WireProtocols protocols) {
        int objects = 0;
        int at = Ascii.afterLine(text, 0);
        while (at < text.length) {
            int end = Ascii.afterLine(text, at);
            boolean isObject = text[at] == '{';
            boolean mayStart =
                    isObject ? objects++ < MAX_OBJECTS : STARTS.indexOf(text[at]) >= 0 && isCertain(text, at, end);
            WireProtocol<?> found = mayStart ? starting(text, at, protocols) : null;
            if (found != null && found != own && !(isObject && found == WireProtocols.LAMBDA)) {
                return at;
            }
            at = end;
        }
        return -1;
    }

    /** The protocol whose message starts with a line: an object, or the line alone; null if none does. */
    static WireProtocol<?> starting(byte[] text, int line, WireProtocols protocols) {
        return text[line] == '{'
                ? protocols.evidentAt(text, line)
                : protocols.evident(Arrays.copyOfRange(text, line, Ascii.afterLine(text, line)));
    }

    /**
     * Whether a text has a symbol that joins words, and is thus more than a word after a punctuation mark. That of a
     * label, a relative path, a query or a scoped name is none.
     */
    static boolean isCertain(byte[] text, int from, int to) {
        if (to - from > 1 && text[from] == '.' && !Alphabet.isUpper(text[from + 1])) {
            return false;
        }
        for (int at = from + 1; at < to; at++) {
            if (JOINTS.indexOf(text[at]) >= 0 && !isOrdinary(text, from, at, to)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a symbol has a place in a text that starts like this, although it is no message. */
    private static boolean isOrdinary(byte[] text, int from, int at, int to) {
        return switch (text[at]) {
            case '=' -> text[from] == '?' && !Alphabet.isUpper(text[from + 1]);
            case '/' ->
                text[from] == '@' && !Alphabet.isUpper(text[from + 1]) && LambdaDetection.headerEnd(text, from) == from;
            case ':' -> Ascii.isAlphanumeric(text[from]) && at + 1 < to && Ascii.isSpace(text[at + 1]);
            default -> false;
        };
    }
}
