package dev.parley.diagnosis;

import static dev.parley.codec.Code.SUBIT_MISSING_FIELD;
import static dev.parley.codec.Code.SUBIT_NOT_JSON;
import static dev.parley.codec.Code.SUBIT_PAYLOAD_CHARACTER;
import static dev.parley.codec.Code.SUBIT_UNKNOWN_TYPE;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.codec.Ascii;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeResult.Malformed;
import dev.parley.codec.Placeholder;
import dev.parley.decode.ClaimedNames;
import dev.parley.decode.WireProtocols;
import java.util.List;
import java.util.function.ToIntFunction;

/** Near misses of SUBIT. */
final class SubitNearMisses implements NearMisses {
    private static final List<NearMiss<Text>> ROWS = List.of(
            new NearMiss<>("{“type”:“STATE”,“payload”:“000110”}", Text::foreignSpelling),
            notJson(
                    "\"type\":\"STATE\",\"payload\":\"000110\"",
                    "The braces around the object are missing.",
                    text -> text.isObject || !SubitAttempt.lacksBraces(text.wire, text.start) ? -1 : text.start),
            notJson(
                    "STATE: 000110",
                    "This is the plain form TYPE: bits, or a pattern. Send a JSON object with type and payload.",
                    text -> text.isObject || !SubitAttempt.resembles(text.wire, text.start) ? -1 : text.start),
            notJson(
                    "{'type':'STATE','payload':'000110'}",
                    "JSON strings must be in double quotes (\"), but this one is in single quotes.",
                    text -> text.wrongAt("'")),
            notJson(
                    "{`type`:`STATE`,`payload`:`000110`}",
                    "JSON strings must be in double quotes (\"), but this one is in backticks.",
                    text -> text.wrongAt("`")),
            notJson(
                    "{\\\"type\\\":\\\"STATE\\\",\\\"payload\\\":\\\"000110\\\"}",
                    "A backslash is outside of a string. Remove the backslashes before quotes.",
                    text -> text.wrongAt("\\\"")),
            notJson(
                    "{\"type\":\"STATE\",\"payload\":\"000110\",}",
                    "A comma must not precede a closing bracket.",
                    Text::afterComma),
            notJson(
                    "{\"type\":\"STATE\", // now\n\"payload\":\"000110\"}",
                    "JSON has no comments. Remove this one.",
                    text -> text.first == '#' || text.first == '/' ? text.wrong : -1),
            literal("None", "null"),
            literal("True", "true"),
            literal("False", "false"),
            literal("undefined", "null"),
            literal("NaN", "null"),
            new NearMiss<>("{\"Type\":\"STATE\",\"payload\":\"000110\"}", Text::inOtherCase),
            new NearMiss<>("{\"type\":\"<MESSAGE_TYPE>\",\"payload\":\"<SUBIT_SEQUENCE>\"}", Text::placeholder));

    private static final List<String> REQUIRED_KEYS = List.of("\"type\"", "\"payload\"");

    private static NearMiss<Text> notJson(String example, String detail, ToIntFunction<Text> place) {
        return NearMiss.of(
                example, SUBIT_NOT_JSON, detail, text -> text.code == SUBIT_NOT_JSON ? place.applyAsInt(text) : -1);
    }

    /** A literal of another language. */
    private static NearMiss<Text> literal(String foreign, String json) {
        return notJson(
                "{\"type\":\"STATE\",\"payload\":\"000110\",\"meta\":" + foreign + "}",
                "JSON has no " + foreign + ". Write " + json + ".",
                text -> text.wrongAt(foreign));
    }

    @Override
    public List<String> examples() {
        return NearMiss.examples(ROWS);
    }

    @Override
    public boolean resembles(byte[] wire, int from) {
        return SubitAttempt.resembles(wire, from);
    }

    @Override
    public Malformed<?> cause(byte[] wire, Malformed<?> error) {
        Malformed<?> found = NearMiss.first(ROWS, new Text(wire, error));
        return found == null ? ForeignSpelling.cause(wire, error, WireProtocols.SUBIT) : found;
    }

    @Override
    public ClaimedNames claimedNames(byte[] wire) {
        return SubitClaims.of(wire);
    }

    /** A text with its decode error. */
    private static final class Text {
        final byte[] wire;
        final Code code;
        final int start;
        final int wrong;
        final boolean isObject;
        /** The wrong byte of an object; 0 if it is cut off. */
        final byte first;

        Text(byte[] wire, Malformed<?> error) {
            this.wire = wire;
            this.code = error.code();
            this.start = WireProtocols.start(wire);
            this.wrong = error.offset();
            this.isObject = start == wire.length || wire[start] == '{';
            this.first = isObject && wrong < wire.length ? wire[wrong] : 0;
        }

        int wrongAt(String text) {
            return first == text.charAt(0) && Ascii.startsWith(wire, wrong, text) ? wrong : -1;
        }

        Malformed<?> foreignSpelling() {
            boolean mayBe = code == SUBIT_NOT_JSON && wrong < wire.length;
            return mayBe && ForeignSpelling.at(wire, wrong) != null ? ForeignSpelling.error(code, wire, wrong) : null;
        }

        Malformed<?> placeholder() {
            boolean isString = code == SUBIT_UNKNOWN_TYPE || code == SUBIT_PAYLOAD_CHARACTER;
            int from = first == '"' ? wrong + 1 : wrong;
            int to = isString ? Ascii.skip(wire, from, wire.length, b -> b != '"') : from;
            return Placeholder.is(new String(wire, from, to - from, UTF_8))
                    ? new Malformed<>(code, wrong, Placeholder.DETAIL)
                    : null;
        }

        int afterComma() {
            if (first != '}' && first != ']') {
                return -1;
            }
            return wire[Ascii.trimEnd(wire, 1, wrong) - 1] == ',' ? wrong : -1;
        }

        /** A key "Type" or "PAYLOAD", for example, in place of a missing one in valid JSON. */
        Malformed<?> inOtherCase() {
            for (int at = 0; code == SUBIT_MISSING_FIELD && at < wire.length; at++) {
                for (String key : REQUIRED_KEYS) {
                    if (Ascii.startsWithLetters(wire, at, key)
                            && !Ascii.startsWith(wire, at, key)
                            && wire[Ascii.skipSpaces(wire, at + key.length())] == ':') {
                        return new Malformed<>(
                                code, at, "The key must be in lower case: " + key.substring(1, key.length() - 1) + ".");
                    }
                }
            }
            return null;
        }
    }
}
