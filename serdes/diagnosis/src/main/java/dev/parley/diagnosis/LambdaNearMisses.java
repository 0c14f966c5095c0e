package dev.parley.diagnosis;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.avro.Protocol;
import dev.parley.codec.Ascii;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeResult.Malformed;
import dev.parley.codec.Placeholder;
import dev.parley.codec.lambda.Alphabet;
import dev.parley.codec.lambda.LambdaDetection;
import dev.parley.decode.ClaimedNames;
import dev.parley.decode.WireProtocols;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * Near misses of Λ. Each is a small deviation. Without it, the rest must be a message with a symbol that joins words,
 * so that prose and code have none. Reads each byte a constant number of times.
 */
final class LambdaNearMisses implements NearMisses {
    private static final List<NearMiss<Text>> ROWS = List.of(
            row(
                    "{\"t\":\"!\",\"body\":\"Ik/co\"}",
                    "This is a JSON object. A message must be one text: header, context, type and body, such as"
                            + " @v0.6 {ns:code}!Ik/co.",
                    text -> text.isTyped ? text.from : -1),
            row("{\"ns\":\"code\"}!Ik/co", "The keys of a context must not be in quotes.", Text::quotedKey),
            NearMiss.of(
                    "{def:x=two words}!Ik/co",
                    Code.LAMBDA_BAD_STRING,
                    "A text with white space must be in double quotes (\").",
                    Text::unquotedText),
            row("@V0.6 !Ik/co", "The header must be @v0.6.", Text::header),
            row("Λ:!Ik/co", "A message must not start with the protocol's name.", Text::protocolName),
            row("PRV:!Ik/co", LambdaDetection.TRUST, Text::trust),
            row("@a1:!Ik/co", LambdaDetection.AGENT, Text::agents),
            row("!err:pa", "An error must start with !er: and its code.", Text::error),
            row(
                    "c:!Ik/co",
                    "A letter and a colon name a domain in v1.1. In v0.6, a context names it: {ns:code}!Ik/co.",
                    Text::domain),
            row("!Ik/<object>", Placeholder.DETAIL, Text::placeholder),
            row("! Ik/co", "White space follows a type. The body must follow it directly.", Text::spaceAfterType),
            NearMiss.of(
                    "Ik/co",
                    Code.LAMBDA_NO_TYPE,
                    "A statement must start with its type, such as ! or ?: !Ik/co.",
                    Text::withoutType),
            new NearMiss<>("!Ik⁄co", Text::foreignSpelling));

    private static NearMiss<Text> row(String example, String detail, ToIntFunction<Text> place) {
        return NearMiss.of(example, Code.LAMBDA_MALFORMED, detail, place);
    }

    @Override
    public List<String> examples() {
        return NearMiss.examples(ROWS);
    }

    @Override
    public boolean resembles(byte[] wire, int from) {
        return nearMiss(wire, from) != null;
    }

    /** Reads the text, or that after its header. */
    @Override
    public Malformed<?> nearMiss(byte[] wire, int from) {
        int start = Ascii.skipSpaces(wire, LambdaDetection.headerEnd(wire, from), wire.length);
        return start < wire.length ? NearMiss.first(ROWS, new Text(wire, start)) : null;
    }

    /** A limit is a cause itself. */
    @Override
    public Malformed<?> cause(byte[] wire, Malformed<?> error) {
        int start = WireProtocols.start(wire);
        boolean isSyntax =
                error.code().protocol() == Protocol.LAMBDA && error.code().kind() == Code.Kind.MALFORMED;
        return isSyntax && !LambdaDetection.isMessage(wire, start) ? nearMiss(wire, start) : null;
    }

    /** Reads the sender of a malformed message: a transcript's label "A: " at its start that names an agent. */
    @Override
    public ClaimedNames claimedNames(byte[] wire) {
        int start = WireProtocols.start(wire);
        int colon = Alphabet.labelEnd(wire, start);
        boolean isLabel = colon >= 0 && colon < ClaimedNames.end(wire);
        String label = isLabel ? new String(wire, start, colon - start, UTF_8) : "";
        return Alphabet.isAgent(label) ? new ClaimedNames(null, null, label) : ClaimedNames.NONE;
    }

    /** A text that is no message, from its first byte that is not white space on. */
    private static final class Text {
        private static final String JOINTS = "/{[=^$";
        private static final List<String> ERROR_CODES = List.of("pa", "un", "cx", "to", "ov");
        private static final List<String> TYPES =
                List.of("?", "!", ".", "~", ">", "<", "<+", "<-", "<->", "<?", "<!", "#", "@");

        private final byte[] wire;
        private final int from;
        private final int end;
        private final boolean isObject;
        /** Index of the brace that closes an object; -1 without one. */
        private int close = -1;
        /** Whether an object is a message in JSON: a key has a type of Λ. */
        private boolean isTyped;
        /** Index after a header in another form, or its version; -1 without one. */
        private int version = -1;

        Text(byte[] wire, int from) {
            this.wire = wire;
            this.from = from;
            this.end = Ascii.trimEnd(wire, from, wire.length);
            this.isObject = wire[from] == '{';
            if (isObject) {
                readObject();
            } else {
                readHeader();
            }
        }

        /** Whether a message with a symbol that joins words starts at an index, or at white space there. */
        private boolean isMessage(int index) {
            int at = Ascii.skipSpaces(wire, index, end);
            return at < end && isMessage(wire, at);
        }

        private static boolean isMessage(byte[] text, int at) {
            return Ascii.skip(text, at + 1, text.length, b -> JOINTS.indexOf(b) < 0) < text.length
                    && LambdaDetection.isMessage(text, at);
        }

        private void readObject() {
            int depth = 0;
            int at = from;
            while (at < end && close < 0) {
                byte b = wire[at];
                if (b == '"') {
                    int after = Ascii.afterString(wire, at, end);
                    isTyped |= depth == 1 && isKey(at, after) && isType(after);
                    at = after;
                    continue;
                }
                depth += b == '{' || b == '[' ? 1 : b == '}' || b == ']' ? -1 : 0;
                close = depth == 0 ? at : -1;
                at++;
            }
        }

        private int quotedKey() {
            int key = Ascii.skipSpaces(wire, from + 1, end);
            return isObject && byteAt(key) == '"' && close >= 0 && isMessage(close + 1) ? key : -1;
        }

        private boolean isKey(int quote, int after) {
            return after - quote == 3 && wire[quote + 1] == 't' || Ascii.startsWith(wire, quote, "\"type\"");
        }

        /** Whether a colon and a type of Λ in quotes follow a key. */
        private boolean isType(int afterKey) {
            int colon = Ascii.skipSpaces(wire, afterKey, end);
            int quote = Ascii.skipSpaces(wire, colon + 1, end);
            int close = Ascii.skip(wire, quote + 1, end, b -> b != '"');
            return byteAt(colon) == ':'
                    && byteAt(quote) == '"'
                    && TYPES.contains(new String(wire, quote + 1, close - quote - 1, UTF_8));
        }

        /** A definition whose text has white space, but no quotes. */
        private int unquotedText() {
            boolean defines = isObject && close >= 0 && Ascii.startsWith(wire, from, "{def:");
            int name = from + "{def:".length();
            int equals = defines ? Ascii.skip(wire, name, close, Alphabet::isWord) : name;
            int text = Ascii.skip(wire, equals, close, b -> b > ' ' && b != '"' && b != ',');
            return equals > name && wire[equals] == '=' && Ascii.isSpace(wire[text]) ? equals + 1 : -1;
        }

        private boolean isNamed() {
            // Λ and λ in UTF-8.
            return Ascii.startsWith(wire, from, "\u00CE\u009B") || Ascii.startsWith(wire, from, "\u00CE\u00BB");
        }

        private void readHeader() {
            boolean named = isNamed();
            int at = named ? from + 2 : from;
            boolean marked = byteAt(at) == '@';
            at = Ascii.skipSpaces(wire, marked ? at + 1 : at, end);
            boolean letter = (byteAt(at) | 0x20) == 'v';
            version = Alphabet.versionEnd(wire, letter ? at + 1 : at, end);
            if (version < 0 && marked && letter) {
                int major = Alphabet.digitsEnd(wire, at + 1, end);
                version = major > at + 1 && isSpace(major) ? major : -1;
            }
            version = named || marked || letter ? version : -1;
        }

        /** A header in another form, such as "@V0.6", "@ v0.6", "@0.6" or "v0.6". */
        private int header() {
            return version > 0 && (version == end || wire[version] == '#' || isMessage(version)) ? from : -1;
        }

        private int protocolName() {
            int name = byteAt(from + 2) == '@' ? from + 3 : from + 2;
            return isNamed() && version <= 0 && isMessageAfterColon(name) ? from : -1;
        }

        /** Whether a message starts after white space and a colon, which may be missing. */
        private boolean isMessageAfterColon(int index) {
            int at = Ascii.skipSpaces(wire, index, end);
            return isMessage(byteAt(at) == ':' ? at + 1 : at);
        }

        private boolean isSpace(int at) {
            return at == end || Ascii.isSpace(wire[at]);
        }

        /** A trust prefix in another form, such as "PRV:!", "prv !", "[prv] !", "A: **prv:** !" or "private: !". */
        private int trust() {
            int label = Alphabet.headingEnd(wire, from) < 0 ? Alphabet.labelEnd(wire, from) : -1;
            int word = Ascii.skip(wire, Math.max(from, label + 1), end, b -> "[(*_`\"'- ".indexOf(b) >= 0);
            int to = Alphabet.lettersEnd(wire, word, end);
            return Alphabet.isTrustWord(wire, word, to)
                            && isMessage(Ascii.skip(wire, to, end, b -> ":;])*_`\"'- ".indexOf(b) >= 0))
                    ? from
                    : -1;
        }

        /** Any other text between an at sign and a colon before a message, which would have no recipient without it. */
        private int address() {
            int colon = Ascii.skip(wire, from, end, b -> b != ':' && b != '\n');
            return wire[from] == '@' && byteAt(colon) == ':' && isMessage(colon + 1) ? from : -1;
        }

        /** An address or relay with lower-case agents, white space or an arrow; after its colon, a message. */
        private int agents() {
            boolean address = wire[from] == '@';
            int wrong = -1;
            int at = address ? from + 1 : from;
            boolean relay = false;
            boolean more = true;
            while (more) {
                int agent = Ascii.skipSpaces(wire, at, end);
                wrong = wrong < 0 && agent > at ? at : wrong;
                at = agent;
                wrong = wrong < 0 && Alphabet.isLower(byteAt(at)) ? at : wrong;
                at = Ascii.skip(wire, at, end, b -> Ascii.isAlphanumeric(b) || b == '_' || b == '*');
                if (at == agent) {
                    return address();
                }
                int separator = Ascii.skipSpaces(wire, at, end);
                boolean arrow = byteAt(separator) == '-' && byteAt(separator + 1) == '>';
                more = arrow || byteAt(separator) == '>' || byteAt(separator) == ',';
                wrong = wrong < 0 && (separator > at || arrow) ? at : wrong;
                relay |= more;
                at = separator + (arrow ? 2 : more ? 1 : 0);
            }
            boolean evident = (address || relay) && wrong >= 0 && byteAt(at) == ':' && isMessage(at + 1);
            return evident ? wrong : address();
        }

        /** An error whose word is longer, such as "!err:pa" or "!error:pa". */
        private int error() {
            int word = from + 1;
            int to = Alphabet.lettersEnd(wire, word, end);
            boolean isLonger = Ascii.isWord(wire, word, to, "err") || Ascii.isWord(wire, word, to, "error");
            int after = Ascii.skip(wire, to + 1, end, Alphabet::isWord);
            return wire[from] == '!'
                            && isLonger
                            && byteAt(to) == ':'
                            && ERROR_CODES.contains(new String(wire, to + 1, after - to - 1, UTF_8))
                    ? word
                    : -1;
        }

        private int domain() {
            return Alphabet.isDomain(wire[from]) && byteAt(from + 1) == ':' && isMessage(from + 2) ? from : -1;
        }

        /** A placeholder of a template at the end, after the first joint of a statement. */
        private int placeholder() {
            int type = LambdaDetection.prefixEnd(wire, from);
            boolean isStatement = type >= 0 && "?!.~".indexOf(byteAt(type)) >= 0;
            int value = Ascii.skip(wire, type + 1, end, b -> b != '/' && b != ':') + 1;
            return isStatement && value < end && Placeholder.is(new String(wire, value, end - value, UTF_8))
                    ? value
                    : -1;
        }

        private int spaceAfterType() {
            int at = LambdaDetection.prefixEnd(wire, from);
            if (at < 0 || at == end || "?!.~>".indexOf(wire[at]) < 0) {
                return -1;
            }
            int body = Ascii.skipSpaces(wire, at + 1, end);
            if (body == at + 1 || !isEntity(body)) {
                return -1;
            }
            return isMessageOf(wire[at], body) ? at + 1 : -1;
        }

        private int withoutType() {
            int at = LambdaDetection.prefixEnd(wire, from);
            if (at < 0 || at == end || !Alphabet.isUpper(wire[at]) || !isEntity(at)) {
                return -1;
            }
            return isMessageOf((byte) '!', at) ? at : -1;
        }

        /** Whether a type and the text from an index on would be a message. */
        private boolean isMessageOf(byte type, int body) {
            byte[] text = new byte[end - body + 1];
            text[0] = type;
            System.arraycopy(wire, body, text, 1, end - body);
            return isMessage(text, 0);
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

        /** The first character that is not ASCII in a text that would be a message if it were. */
        private Malformed<?> foreignSpelling() {
            int at = ForeignSpelling.find(wire, from);
            if (at == wire.length) {
                return null;
            }
            byte[] ascii = ForeignSpelling.inAscii(wire, from);
            return isMessage(ascii, Ascii.skipSpaces(ascii, from))
                    ? ForeignSpelling.error(Code.LAMBDA_MALFORMED, wire, at)
                    : null;
        }

        private byte byteAt(int at) {
            return at >= 0 && at < end ? wire[at] : 0;
        }
    }
}
