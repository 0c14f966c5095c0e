package dev.parley.diagnosis;

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
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A character of ASCII as editors, chats, HTML, JSON, Markdown or URLs spell it: one table for all protocols. An
 * escaped quote or backslash is none, because strings of the protocols have them.
 *
 * @param length number of its bytes
 * @param ascii what it is written for
 * @param kind what it is, in a sentence
 */
record ForeignSpelling(int length, String ascii, String kind) {
    /** Texts of ASCII, each with the characters that are written for it, and its entity of HTML if that has a name. */
    private static final String[][] SPELLINGS = {
        {"\"", "\u201C\u201D\u201E\u201F\u2033", "&quot;"},
        {"'", "\u2018\u2019\u201A\u2032", "&apos;"},
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
        {"|", "\u2223\u2502\u2503\u2758", "&verbar;"},
        {"#", "\uFE5F", "&num;"},
        {"@", "\uFE6B"},
        {" ", "\u00A0\u2002\u2003\u2007\u2009\u202F\u3000", "&nbsp;"},
        {"&", "", "&amp;"},
        {"<", "", "&lt;"},
        {">", "", "&gt;"}
    };

    /** Entities and escapes by the number of a character. */
    private static final List<String> NUMBERED =
            List.of("&#%d;", "&#%03d;", "&#x%x;", "&#x%X;", "\\u%04x", "\\u%04X", "%%%02x", "%%%02X");

    private static final int FULLWIDTH = '\uFF01' - '!';
    private static final int MAX_ENTITY_BYTES = 9;

    /** A text with more bytes has no spelling, so that no value is expensive. */
    private static final int MAX_BYTES = 64 << 10;

    /** Maximum number of spellings that may precede the wrong one. */
    private static final int MAX_TRIALS = 8;

    private static final Map<String, ForeignSpelling> BY_TEXT = new HashMap<>();

    static {
        for (String[] row : SPELLINGS) {
            row[1].codePoints().forEach(character -> add(Character.toString(character), row[0]));
            Stream.of(row).skip(2).forEach(entity -> add(entity, row[0]));
        }
        for (int character = '\n'; character <= '~'; character++) {
            if (character > ' ') {
                add(Character.toString(character + FULLWIDTH), Character.toString(character));
            }
            if (character == '\n' || character >= ' ' && !Ascii.isAlphanumeric(character)) {
                addEscapes(character);
            }
        }
    }

    private static void addEscapes(int character) {
        String ascii = Character.toString(character);
        NUMBERED.forEach(form -> add(String.format(form, character), ascii));
        if (character > ' ' && character != '"' && character != '\\') {
            add('\\' + ascii, ascii);
        }
    }

    private static void add(String text, String ascii) {
        String kind = switch (text.charAt(0)) {
            case '&' -> "an entity of HTML";
            case '%' -> "an escape of URLs";
            case '\\' -> text.startsWith("\\u") ? "an escape of JSON" : "an escape";
            default -> "a typographic character";
        };
        BY_TEXT.put(text, new ForeignSpelling(text.getBytes(UTF_8).length, ascii, kind));
    }

    /** The spelling that starts at an index of a text in UTF-8; null if none does. */
    static ForeignSpelling at(byte[] text, int at) {
        int length = switch (text[at]) {
            case '&' -> Ascii.skip(text, at, Math.min(at + MAX_ENTITY_BYTES, text.length), b -> b != ';') + 1 - at;
            case '%' -> 3;
            case '\\' -> Ascii.startsWith(text, at, "\\u") ? 6 : 2;
            default -> text[at] >= 0 ? 0 : (text[at] & 0xF0) == 0xE0 ? 3 : 2;
        };
        return length == 0 || at + length > text.length ? null : BY_TEXT.get(new String(text, at, length, UTF_8));
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
}
