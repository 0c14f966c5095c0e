package dev.parley.diagnosis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.codec.Ascii;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult.Decoded;
import dev.parley.codec.DecodeResult.Malformed;
import dev.parley.decode.WireProtocol;
import java.io.ByteArrayOutputStream;
import java.util.HashMap;
import java.util.Map;

/**
 * A character of ASCII as editors, chats, HTML, JSON, Markdown or URLs spell it: one table for all protocols. An
 * escaped quote or backslash is none, because strings of the protocols have them.
 *
 * @param length number of its bytes
 * @param ascii what it is written for
 * @param kind what it is, in a sentence
 */
record ForeignSpelling(int length, String ascii, String kind) {
    /** Texts of ASCII, each before the typographic characters that are written for it. */
    private static final String[][] TYPOGRAPHY = {
        {"\"", "\u201C\u201D\u201E\u201F\u2033"},
        {"'", "\u2018\u2019\u201A\u2032"},
        {"-", "\u2010\u2011\u2012\u2013\u2212"},
        {"--", "\u2014"},
        {"->", "\u2192\u27F6"},
        {"<-", "\u2190\u27F5"},
        {"<->", "\u2194"},
        {"=>", "\u21D2"},
        {":=", "\u2254"},
        {":", "\u2236"},
        {"<<", "\u00AB"},
        {">>", "\u00BB"},
        {"...", "\u2026"},
        {"/", "\u2044\u2215"},
        {"~", "\u223C\u02DC"},
        {"|", "\u2223\u2502\u2503\u2758"},
        {"#", "\uFE5F"},
        {"@", "\uFE6B"},
        {" ", "\u00A0\u2002\u2003\u2007\u2009\u202F\u3000"}
    };

    /** The same texts by character, with the fullwidth forms of all characters of ASCII. */
    private static final Map<Integer, String> TYPOGRAPHIC = typographic();

    private static final Map<String, Character> ENTITIES =
            Map.of("quot", '"', "apos", '\'', "amp", '&', "lt", '<', "gt", '>', "nbsp", ' ', "num", '#', "verbar", '|');

    private static final int FIRST_FULLWIDTH = 0xFF01;
    private static final int LAST_FULLWIDTH = 0xFF5E;
    private static final int FULLWIDTH = FIRST_FULLWIDTH - '!';
    /** Characters from here on have three bytes in UTF-8; the table has none with four. */
    private static final int FIRST_OF_THREE_BYTES = 0x800;

    private static final int MAX_CHARACTER_BYTES = 3;
    private static final int MAX_ENTITY_BYTES = 9;

    /** A text with more bytes has no spelling, so that no value is expensive. */
    private static final int MAX_BYTES = 64 << 10;

    /** Maximum number of spellings that may precede the wrong one. */
    private static final int MAX_TRIALS = 8;

    private static Map<Integer, String> typographic() {
        Map<Integer, String> table = new HashMap<>();
        for (String[] row : TYPOGRAPHY) {
            row[1].codePoints().forEach(character -> table.put(character, row[0]));
        }
        for (int character = FIRST_FULLWIDTH; character <= LAST_FULLWIDTH; character++) {
            table.put(character, Character.toString(character - FULLWIDTH));
        }
        return Map.copyOf(table);
    }

    /** The spelling that starts at an index of a text in UTF-8; null if none does. */
    static ForeignSpelling at(byte[] text, int at) {
        return switch (text[at]) {
            case '&' -> entity(text, at);
            case '%' -> escape(3, number(text, at + 1, at + 3, 16), "an escape of URLs");
            case '\\' -> backslash(text, at);
            default -> text[at] < 0 ? typographic(text, at) : null;
        };
    }

    /** Index of the first spelling at or after an index; the length if there is none. */
    static int find(byte[] text, int from) {
        int at = text.length > MAX_BYTES ? text.length : from;
        while (at < text.length && at(text, at) == null) {
            at += text[at] == '\\' ? 2 : 1;
        }
        return Math.min(at, text.length);
    }

    /** A text whose spellings from an index on are in ASCII. */
    static byte[] inAscii(byte[] text, int from) {
        ByteArrayOutputStream ascii = new ByteArrayOutputStream(text.length);
        int copied = 0;
        int at = find(text, from);
        while (at < text.length) {
            ForeignSpelling spelling = at(text, at);
            ascii.write(text, copied, at - copied);
            ascii.writeBytes(spelling.ascii.getBytes(US_ASCII));
            copied = at + spelling.length;
            at = find(text, copied);
        }
        ascii.write(text, copied, text.length - copied);
        return ascii.toByteArray();
    }

    /**
     * Finds the spelling because of which a codec refused a text: the last one from which on the text must be in ASCII
     * to be a message. Those before it are content.
     *
     * @return its error at its first byte; null if none of the first spellings is the cause
     */
    static Malformed<?> cause(byte[] text, Malformed<?> error, WireProtocol<?> protocol) {
        Malformed<?> cause = null;
        // A message with a format warning is one without the spelling, too.
        int at = error.code().kind() == Code.Kind.MALFORMED ? find(text, 0) : text.length;
        for (int trial = 0; trial < MAX_TRIALS && at < text.length; trial++) {
            if (isMessage(inAscii(text, at), protocol)) {
                cause = error(error.code(), text, at);
            }
            at = find(text, at + at(text, at).length);
        }
        return cause;
    }

    /** Whether the codec of a protocol accepts a text. */
    static boolean isMessage(byte[] text, WireProtocol<?> protocol) {
        return protocol.codec().decode(text, DecodeOptions.LENIENT) instanceof Decoded<?>;
    }

    /** The decode error of the spelling at an index. */
    static Malformed<?> error(Code code, byte[] text, int at) {
        ForeignSpelling spelling = at(text, at);
        String foreign = new String(text, at, spelling.length, UTF_8);
        String name = text[at] < 0 ? String.format("U+%04X", foreign.codePointAt(0)) : foreign;
        String ascii = spelling.ascii;
        String character = ascii.equals(" ") ? "a space" : ascii.equals("\n") ? "a line feed" : '\'' + ascii + '\'';
        return new Malformed<>(code, at, name + " is " + spelling.kind + ". Write " + character + '.');
    }

    private static ForeignSpelling typographic(byte[] text, int at) {
        if ((text[at] & 0xC0) == 0x80) {
            return null;
        }
        int length = Math.min(MAX_CHARACTER_BYTES, text.length - at);
        int character = new String(text, at, length, UTF_8).codePointAt(0);
        String ascii = TYPOGRAPHIC.get(character);
        return ascii == null
                ? null
                : new ForeignSpelling(character < FIRST_OF_THREE_BYTES ? 2 : 3, ascii, "a typographic character");
    }

    private static ForeignSpelling entity(byte[] text, int at) {
        int end = Ascii.skip(text, at + 1, Math.min(at + MAX_ENTITY_BYTES, text.length), b -> b != ';');
        if (end == text.length || text[end] != ';') {
            return null;
        }
        String name = new String(text, at + 1, end - at - 1, ISO_8859_1);
        int character = name.startsWith("#x")
                ? number(text, at + "&#x".length(), end, 16)
                : name.startsWith("#") ? number(text, at + "&#".length(), end, 10) : ENTITIES.getOrDefault(name, '\0');
        return escape(end + 1 - at, character, "an entity of HTML");
    }

    private static ForeignSpelling backslash(byte[] text, int at) {
        int next = at + 1 < text.length ? text[at + 1] : 0;
        if (next == 'u') {
            return escape(6, number(text, at + 2, at + 6, 16), "an escape of JSON");
        }
        boolean isText = next <= ' ' || next == '"' || next == '\\';
        return isText ? null : escape(2, next, "an escape");
    }

    /** The spelling of a symbol, space or line feed; null if it is another character. */
    private static ForeignSpelling escape(int length, int character, String kind) {
        boolean isSymbol =
                character == '\n' || character >= ' ' && character < Byte.MAX_VALUE && !Ascii.isAlphanumeric(character);
        return isSymbol ? new ForeignSpelling(length, Character.toString(character), kind) : null;
    }

    /** The number that a range of few digits is; -1 if it is none, or exceeds the text. */
    private static int number(byte[] text, int from, int to, int radix) {
        int number = from < to && to <= text.length ? 0 : -1;
        for (int at = from; at < to && number >= 0; at++) {
            int digit = Character.digit(text[at], radix);
            number = digit < 0 ? -1 : radix * number + digit;
        }
        return number;
    }
}
