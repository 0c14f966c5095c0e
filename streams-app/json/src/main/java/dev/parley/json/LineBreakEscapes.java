package dev.parley.json;

import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.io.SerializedString;

/**
 * Escapes in JSON strings the characters that JSON allows there, and at which Unicode ends a line: U+0085, U+2028 and
 * U+2029. A client that splits JSON lines or server-sent events at them reads each one whole.
 */
public final class LineBreakEscapes extends CharacterEscapes {
    private static final long serialVersionUID = 1L;
    private static final SerializableString NEXT_LINE = new SerializedString("\\u0085");
    private static final SerializableString LINE_SEPARATOR = new SerializedString("\\u2028");
    private static final SerializableString PARAGRAPH_SEPARATOR = new SerializedString("\\u2029");

    private LineBreakEscapes() {}

    /** A builder of factories that escape these characters. */
    public static JsonFactoryBuilder factory() {
        return new JsonFactoryBuilder().characterEscapes(new LineBreakEscapes());
    }

    /** Whether a character is escaped. */
    static boolean isEscaped(int character) {
        return escape(character) != null;
    }

    private static SerializableString escape(int character) {
        return switch (character) {
            case 0x85 -> NEXT_LINE;
            case 0x2028 -> LINE_SEPARATOR;
            case 0x2029 -> PARAGRAPH_SEPARATOR;
            default -> null;
        };
    }

    @Override
    public int[] getEscapeCodesForAscii() {
        return standardAsciiEscapesForJSON();
    }

    @Override
    public SerializableString getEscapeSequence(int character) {
        return escape(character);
    }
}
