package dev.parley.codec.lambda;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.avro.LambdaMessage;
import dev.parley.codec.Ascii;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeResult.Malformed;
import java.util.Arrays;

/**
 * Finds the cause in a text that is nearly a message. Each cause is a small deviation, without which the rest would be
 * a message with a symbol that joins words, so that prose and code have none. Reads each byte a constant number of
 * times.
 */
final class LambdaNearMiss {
    /** The detail of a trust prefix in another form: the message would not be masked. */
    static final String TRUST = "A trust prefix must be pub:, prv: or sig:, in lower case.";

    /** The detail of agents in another form: the message would have no recipient. */
    static final String AGENT = "Agents must be written @A1: or @A1,A2: or A1>A2:, with upper-case letters.";

    private static final String JOINTS = "/{[=^$";
    private static final String[] TYPES = {"?", "!", ".", "~", ">", "<", "<+", "<-", "<->", "<?", "<!", "#", "@"};
    private static final String[] ERROR_CODES = {"pa", "un", "cx", "to", "ov"};

    private final byte[] wire;
    private final int from;
    private final int end;

    private LambdaNearMiss(byte[] wire, int from) {
        this.wire = wire;
        this.from = from;
        this.end = Ascii.trimEnd(wire, from, wire.length);
    }

    /**
     * Finds the cause of a text that is no message, or of the text after its header.
     *
     * @param from index of its first byte that is not white space
     * @return the error; null if the text does not resemble a message
     */
    static Malformed<LambdaMessage> find(byte[] wire, int from) {
        int start = Alphabet.skipSpaces(wire, LambdaDetection.headerEnd(wire, from), wire.length);
        return start < wire.length ? new LambdaNearMiss(wire, start).find() : null;
    }

    /** Whether a range is "pub", "prv" or "sig" in any case. */
    static boolean isTrust(byte[] wire, int from, int to) {
        return to - from == 3
                && (Ascii.startsWithLetters(wire, from, "prv")
                        || Ascii.startsWithLetters(wire, from, "pub")
                        || Ascii.startsWithLetters(wire, from, "sig"));
    }

    private Malformed<LambdaMessage> find() {
        Malformed<LambdaMessage> found = wire[from] == '{' ? object() : header();
        found = found == null ? trust() : found;
        found = found == null ? agents() : found;
        found = found == null ? error() : found;
        found = found == null ? statement() : found;
        return found == null ? typographic() : found;
    }

    private static Malformed<LambdaMessage> malformed(int at, String detail) {
        return new Malformed<>(Code.LAMBDA_MALFORMED, at, detail);
    }

    /** Whether a message with a symbol that joins words starts at an index, or at white space there. */
    private boolean isMessage(int index) {
        int at = Alphabet.skipSpaces(wire, index, end);
        return at < end && isMessage(wire, at);
    }

    private static boolean isMessage(byte[] text, int at) {
        for (int i = at + 1; i < text.length; i++) {
            if (JOINTS.indexOf(text[i]) >= 0) {
                return LambdaDetection.isMessage(text, at);
            }
        }
        return false;
    }

    /** A message in JSON, or a context with keys in quotes before a statement. */
    private Malformed<LambdaMessage> object() {
        int close = -1;
        int depth = 0;
        boolean typed = false;
        int at = from;
        while (at < end && close < 0) {
            byte b = wire[at];
            if (b == '"') {
                int after = Ascii.afterString(wire, at, end);
                typed |= depth == 1 && isKey(at, after) && isType(after);
                at = after;
                continue;
            }
            depth += b == '{' || b == '[' ? 1 : b == '}' || b == ']' ? -1 : 0;
            close = depth == 0 ? at : -1;
            at++;
        }
        int key = Alphabet.skipSpaces(wire, from + 1, end);
        if (typed) {
            return malformed(
                    from,
                    "This is a JSON object. A message must be one text: header, context, type and body, such as"
                            + " @v0.6 {ns:code}!Ik/co.");
        }
        if (byteAt(key) == '"' && close >= 0 && isMessage(close + 1)) {
            return malformed(key, "The keys of a context must not be in quotes.");
        }
        boolean definition = Ascii.startsWith(wire, from, "{def:");
        return definition && close >= 0 ? unquoted(from + 5, close) : null;
    }

    private boolean isKey(int quote, int after) {
        return after - quote == 3 && wire[quote + 1] == 't' || Ascii.startsWith(wire, quote, "\"type\"");
    }

    /** Whether a colon and a type of Λ in quotes follow a key. */
    private boolean isType(int afterKey) {
        int colon = Alphabet.skipSpaces(wire, afterKey, end);
        int quote = Alphabet.skipSpaces(wire, colon + 1, end);
        if (byteAt(colon) != ':' || byteAt(quote) != '"') {
            return false;
        }
        for (String type : TYPES) {
            if (Ascii.startsWith(wire, quote + 1, type) && byteAt(quote + 1 + type.length()) == '"') {
                return true;
            }
        }
        return false;
    }

    /** A definition whose text has white space, but no quotes. */
    private Malformed<LambdaMessage> unquoted(int name, int close) {
        int equals = name;
        while (equals < close && Alphabet.isWord(wire[equals])) {
            equals++;
        }
        if (equals == name || wire[equals] != '=') {
            return null;
        }
        for (int at = equals + 1; at < close && wire[at] > 0 && wire[at] != '"' && wire[at] != ','; at++) {
            if (Alphabet.isSpace(wire[at])) {
                return new Malformed<>(
                        Code.LAMBDA_BAD_STRING, equals + 1, "A text with white space must be in double quotes (\").");
            }
        }
        return null;
    }

    /** A header in another form, such as "@V0.6", "@ v0.6", "@0.6" or "v0.6", or the name of the protocol. */
    private Malformed<LambdaMessage> header() {
        boolean named = startsWith("Λ") || startsWith("λ");
        int at = named ? from + 2 : from;
        boolean marked = byteAt(at) == '@';
        at = Alphabet.skipSpaces(wire, marked ? at + 1 : at, end);
        boolean letter = (byteAt(at) | 0x20) == 'v';
        int version = Alphabet.versionEnd(wire, letter ? at + 1 : at, end);
        if (version < 0 && marked && letter) {
            int major = Alphabet.digitsEnd(wire, at + 1, end);
            version = major > at + 1 && isSpace(major) ? major : -1;
        }
        if (version > 0 && (named || marked || letter)) {
            boolean complete = version == end || wire[version] == '#' || isMessage(version);
            return complete ? malformed(from, "The header must be @v0.6.") : null;
        }
        int colon = byteAt(at) == ':' ? at + 1 : at;
        return named && isMessage(colon) ? malformed(from, "A message must not start with the protocol's name.") : null;
    }

    private boolean isSpace(int at) {
        return at == end || Alphabet.isSpace(wire[at]);
    }

    private boolean startsWith(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        return end - from >= bytes.length && Arrays.equals(wire, from, from + bytes.length, bytes, 0, bytes.length);
    }

    /** A trust prefix in another form, such as "PRV:!", "prv !", "prv : !" or "private: !". */
    private Malformed<LambdaMessage> trust() {
        int to = from;
        while (to < end && Alphabet.isLetter(wire[to])) {
            to++;
        }
        boolean word =
                isTrust(wire, from, to) || is(from, to, "private") || is(from, to, "public") || is(from, to, "signed");
        if (!word) {
            return null;
        }
        int at = Alphabet.skipSpaces(wire, to, end);
        return isMessage(byteAt(at) == ':' ? at + 1 : at) ? malformed(from, TRUST) : null;
    }

    private boolean is(int start, int to, String word) {
        return to - start == word.length() && Ascii.startsWithLetters(wire, start, word);
    }

    /** An address or relay with lower-case agents, white space or an arrow; after its colon, a message. */
    private Malformed<LambdaMessage> agents() {
        boolean address = wire[from] == '@';
        int wrong = -1;
        int at = address ? from + 1 : from;
        boolean relay = false;
        boolean more = true;
        while (more) {
            int agent = Alphabet.skipSpaces(wire, at, end);
            wrong = wrong < 0 && agent > at ? at : wrong;
            at = agent;
            wrong = wrong < 0 && Alphabet.isLower(byteAt(at)) ? at : wrong;
            while (at < end && (Ascii.isAlphanumeric(wire[at]) || wire[at] == '_' || wire[at] == '*')) {
                at++;
            }
            if (at == agent) {
                return null;
            }
            int separator = Alphabet.skipSpaces(wire, at, end);
            boolean arrow = byteAt(separator) == '-' && byteAt(separator + 1) == '>';
            more = arrow || byteAt(separator) == '>' || byteAt(separator) == ',';
            wrong = wrong < 0 && (separator > at || arrow) ? at : wrong;
            relay |= more;
            at = separator + (arrow ? 2 : more ? 1 : 0);
        }
        boolean evident = (address || relay) && wrong >= 0 && byteAt(at) == ':' && isMessage(at + 1);
        return evident ? malformed(wrong, AGENT) : null;
    }

    /** An error whose word is longer, such as "!err:pa" or "!error:pa". */
    private Malformed<LambdaMessage> error() {
        int word = from + 1;
        int to = word;
        while (to < end && Alphabet.isLetter(wire[to])) {
            to++;
        }
        if (wire[from] != '!' || !(is(word, to, "err") || is(word, to, "error")) || byteAt(to) != ':') {
            return null;
        }
        for (String code : ERROR_CODES) {
            int after = to + 1 + code.length();
            if (Ascii.startsWith(wire, to + 1, code) && (after >= end || !Alphabet.isWord(wire[after]))) {
                return malformed(word, "An error must start with !er: and its code.");
            }
        }
        return null;
    }

    /** A statement without its type, or with white space after it. */
    private Malformed<LambdaMessage> statement() {
        int at = LambdaDetection.prefixEnd(wire, from);
        if (at < 0 || at == end) {
            return null;
        }
        byte type = wire[at];
        int body = Alphabet.skipSpaces(wire, at + 1, end);
        if ("?!.~>".indexOf(type) >= 0 && body > at + 1 && isEntity(body)) {
            byte[] joined = Arrays.copyOfRange(wire, body - 1, end);
            joined[0] = type;
            return isMessage(joined, 0)
                    ? malformed(at + 1, "White space follows a type. The body must follow it directly.")
                    : null;
        }
        if (Alphabet.isUpper(type) && isEntity(at)) {
            byte[] typed = new byte[end - at + 1];
            typed[0] = '!';
            System.arraycopy(wire, at, typed, 1, end - at);
            return isMessage(typed, 0)
                    ? new Malformed<>(
                            Code.LAMBDA_NO_TYPE, at, "A statement must start with its type, such as ! or ?: !Ik/co.")
                    : null;
        }
        return null;
    }

    /** Whether an entity, a verb of one letter and a slash start here, such as "Ik/" or "I*d/". */
    private boolean isEntity(int at) {
        int verb = byteAt(at + 1) == '*' ? at + 2 : at + 1;
        return Alphabet.isLetter(byteAt(at))
                && Alphabet.isLower(byteAt(verb))
                && byteAt(verb + 1) == '/'
                && isNameByte(byteAt(verb + 2));
    }

    private static boolean isNameByte(byte b) {
        return Alphabet.isLetter(b) || b == '^' || b == '$';
    }

    /** A text that would be a message if typographic characters were those of ASCII that they replace. */
    private Malformed<LambdaMessage> typographic() {
        int first = from;
        while (first < end && wire[first] >= 0) {
            first++;
        }
        if (first == end) {
            return null;
        }
        byte[] ascii = ascii(new String(wire, from, end - from, UTF_8)).getBytes(UTF_8);
        int replaced = Arrays.mismatch(wire, from, end, ascii, 0, ascii.length);
        int at = Alphabet.skipSpaces(ascii, 0, ascii.length);
        return replaced >= 0 && at < ascii.length && isMessage(ascii, at)
                ? malformed(
                        from + replaced, "A typographic character is here. Symbols and quotes must be those of ASCII.")
                : null;
    }

    private static String ascii(String text) {
        StringBuilder ascii = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '\u00AB' -> ascii.append("<<");
                case '\u00BB' -> ascii.append(">>");
                case '\u2014' -> ascii.append("--");
                case '\u2013', '\u2010', '\u2011', '\u2212' -> ascii.append('-');
                case '\u201C', '\u201D', '\u201E' -> ascii.append('"');
                case '\u2192' -> ascii.append("->");
                case '\u2044', '\u2215' -> ascii.append('/');
                case '\u223C' -> ascii.append('~');
                case '\u00A0' -> ascii.append(' ');
                default -> ascii.append(c >= '\uFF01' && c <= '\uFF5E' ? (char) (c - 0xFEE0) : c);
            }
        }
        return ascii.toString();
    }

    private byte byteAt(int at) {
        return at >= 0 && at < end ? wire[at] : 0;
    }
}
