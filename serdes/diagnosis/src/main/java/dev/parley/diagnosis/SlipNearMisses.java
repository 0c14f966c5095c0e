package dev.parley.diagnosis;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.avro.Protocol;
import dev.parley.avro.SlipAct;
import dev.parley.codec.Ascii;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeResult.Malformed;
import dev.parley.codec.Placeholder;
import dev.parley.codec.slip.SlipCodec;
import dev.parley.codec.slip.SlipField;
import dev.parley.decode.ClaimedNames;
import dev.parley.decode.WireProtocols;
import java.util.List;

/** Near misses of nSLIP. Reads the fields outside quotes once. */
final class SlipNearMisses implements NearMisses {
    private static final List<NearMiss<Field>> ROWS = List.of(
            NearMiss.of(
                    "{\"act\":3,\"frame\":0}",
                    Code.SLIP_NO_START,
                    "This is an object. An nSLIP message has fields: @a3|f0|c1|S0|d1|T1#.",
                    field -> field.isText() && field.wire[field.from] == '{' ? field.from : -1),
            NearMiss.of(
                    "a3|f0|c1|S0|d1|T1#",
                    Code.SLIP_NO_START,
                    "The '@' before the act is missing.",
                    field -> field.isText() && SlipAttempt.resembles(field.wire, field.from) ? field.from : -1),
            NearMiss.of(
                    "@@a3|f0|c1|S0|d1|T1#",
                    Code.SLIP_MISSING_HEADER,
                    "Other characters precede the prefix of this field. Remove them.",
                    Field::decorated),
            new NearMiss<>("@a<ACT>|f<FRAME>|c<CONV>|S<SRC>|d<DST>|T<TURN>#", Field::placeholder),
            new NearMiss<>("@REQUEST|f0|c1|S0|d1|T1#", Field::named),
            new NearMiss<>("@act:3|frame:0|conv:1#", Field::assigned),
            new NearMiss<>("@a3&f0&c1&S0&d1&T1#", Field::separated),
            new NearMiss<>("@a3\\|f0\\|c1\\|S0\\|d1\\|T1#", Field::escaped),
            NearMiss.of(
                    "@a3|f0|c1|S0|d1|T1|t'x y'#",
                    Code.SLIP_SLOT_TYPE,
                    "A string must be in straight double quotes (\").",
                    Field::otherQuote));

    @Override
    public List<String> examples() {
        return NearMiss.examples(
                ROWS, "@a=3|f=0|c=1|S=0|d=1|T=1#", "@a3|f0|c1|S0|d1|T1＃", "@a3|f0|c1|S0|d1|T1|t&quot;fix&quot;#");
    }

    @Override
    public boolean resembles(byte[] wire, int from) {
        return SlipAttempt.resembles(wire, from);
    }

    /** A limit, and the format warning that a profile refuses, are causes themselves. */
    @Override
    public Malformed<?> cause(byte[] wire, Malformed<?> error) {
        Code code = error.code();
        if (code.protocol() != Protocol.SLIP || code.kind() != Code.Kind.MALFORMED || code == Code.SLIP_BAD_UTF8) {
            return null;
        }
        int start = Ascii.skipSpaces(wire, 0);
        Malformed<?> found = null;
        if (code == Code.SLIP_NO_START && error.offset() < wire.length) {
            found = NearMiss.first(ROWS, new Field(wire, error.offset(), wire.length, false, error));
        }
        int at = start < wire.length && wire[start] == '@' ? start + 1 : wire.length;
        while (at < wire.length && wire[at] != '#' && found == null) {
            int end = next(wire, at);
            found = NearMiss.first(ROWS, new Field(wire, at, end, at == start + 1, error));
            at = end;
        }
        return found == null ? ForeignSpelling.cause(wire, error, WireProtocols.SLIP) : found;
    }

    @Override
    public int embeddedEnd(byte[] text, int from) {
        return SlipAttempt.embeddedEnd(text, from);
    }

    @Override
    public ClaimedNames claimedNames(byte[] wire) {
        return SlipClaims.of(wire);
    }

    /** Index after a separator, or after a field that may lack the '|' or '#' after it. */
    private static int next(byte[] wire, int from) {
        if (wire[from] == '|') {
            return from + 1;
        }
        int at = Ascii.skip(wire, from + 1, wire.length, b -> (b & 0xC0) == 0x80);
        if (at < wire.length && wire[at] == '"') {
            at = Ascii.afterString(wire, at, wire.length);
        }
        return Ascii.skip(wire, at, wire.length, b -> b != '|' && b != '#');
    }

    /** Whether an equals sign or a colon is at an index before the end. */
    static boolean isAssignment(byte[] wire, int at, int to) {
        return at < to && (wire[at] == '=' || wire[at] == ':');
    }

    /**
     * A field, a separator, or a text without a start mark.
     *
     * @param isFirst whether it is the first field
     * @param error the error of the message
     */
    private record Field(byte[] wire, int from, int to, boolean isFirst, Malformed<?> error) {
        boolean hasCode(Code code) {
            return error.code() == code;
        }

        boolean isText() {
            return hasCode(Code.SLIP_NO_START);
        }

        /** Whether fields are not separated, or have no value, as v0.1 requires. */
        private boolean isSyntax() {
            return hasCode(Code.SLIP_BAD_INT) || hasCode(Code.SLIP_UNTERMINATED) || hasCode(Code.SLIP_WHITESPACE);
        }

        private int wordEnd() {
            return Ascii.wordEnd(wire, from, to);
        }

        /** Index of characters without a meaning before the prefix of a field of the header; -1 without them. */
        int decorated() {
            int prefix = Ascii.skip(wire, from, to, b -> b != '"' && !Ascii.isAlphanumeric(b));
            boolean isHeader = prefix > from && prefix < to && "afcSdT".indexOf(wire[prefix]) >= 0;
            return isHeader && wire[from] != '|' && hasCode(Code.SLIP_MISSING_HEADER) ? from : -1;
        }

        /** A placeholder of a template in place of a value. */
        Malformed<?> placeholder() {
            boolean isWrong = !isText() && from <= error.offset() && to > from + 1;
            return isWrong && Placeholder.is(new String(wire, from + 1, to - from - 1, UTF_8))
                    ? new Malformed<>(error.code(), from + 1, Placeholder.DETAIL)
                    : null;
        }

        /** An act that is written as its name, with or without its prefix. */
        Malformed<?> named() {
            // The schema has UNKNOWN before the acts.
            for (int number = 0; isFirst && number < SlipAct.values().length - 1; number++) {
                String act = SlipAct.values()[number + 1].name();
                int prefix = to - from - act.length();
                if ((prefix == 0 || prefix == 1 && wire[from] == 'a')
                        && Ascii.startsWithLetters(wire, from + prefix, act)) {
                    return new Malformed<>(
                            Code.SLIP_UNKNOWN_ACT,
                            from,
                            "Acts are numbers: write a" + SlipCodec.digits(number) + " for " + act + ".");
                }
            }
            return null;
        }

        /** A symbol after the prefix of a field, or after a name in its place. */
        Malformed<?> assigned() {
            int at = wordEnd();
            boolean isPrefix = at == from + 1;
            boolean isField = isPrefix
                    ? isSyntax() && SlipField.of(wire[from] | 0x20) != null
                    : at > from && isFirst && (hasCode(Code.SLIP_MISSING_HEADER) || isSyntax());
            String repair = isPrefix
                    ? "' follows the prefix. The value must follow it directly."
                    : "' follows a name, as in a dialect with names of fields. A field must be one letter and its value:"
                            + " a (act), f (frame), c (conversation), S (source), d (destination), T (turn), k (task).";
            return isField && isAssignment(wire, at, to)
                    ? new Malformed<>(Code.SLIP_BAD_INT, at, "A '" + (char) wire[at] + repair)
                    : null;
        }

        /** A field whose value another one follows after another separator. */
        Malformed<?> separated() {
            int at = wordEnd();
            int separator = SlipAttempt.afterSeparator(wire, at);
            int next = Ascii.skipSpaces(wire, separator);
            if (!isSyntax() || at <= from + 1 || separator == at || next >= to || SlipField.of(wire[next]) == null) {
                return null;
            }
            String character = wire[at] < 0 ? "A character that is not ASCII" : "A '" + (char) wire[at] + '\'';
            return new Malformed<>(Code.SLIP_BAD_INT, at, character + " follows the value. Separate fields with '|'.");
        }

        /** A backslash of Markdown, a shell or JSON before a character of the syntax. */
        Malformed<?> escaped() {
            SlipField field = SlipField.of(wire[from]);
            int at = wordEnd();
            int after = Ascii.skip(wire, at, to, b -> b == '\\');
            boolean isEscaped = after > at && after < wire.length && "|#\"".indexOf(wire[after]) >= 0;
            return !isText() && field != null && from <= error.offset() && isEscaped
                    ? new Malformed<>(
                            field.isString() ? Code.SLIP_SLOT_TYPE : Code.SLIP_BAD_INT,
                            at,
                            "Remove the backslash before '" + (char) wire[after] + "'.")
                    : null;
        }

        /** Index of a single quote, or a quote that is not ASCII, before a string. */
        int otherQuote() {
            SlipField field = SlipField.of(wire[from]);
            boolean isWrong = !isText() && from <= error.offset() && error.offset() < to;
            return isWrong
                            && field != null
                            && field.isString()
                            && from + 1 < to
                            && (wire[from + 1] == '\'' || wire[from + 1] < 0)
                    ? from + 1
                    : -1;
        }
    }
}
