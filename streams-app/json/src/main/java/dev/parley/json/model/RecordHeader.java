package dev.parley.json.model;

import dev.parley.state.Nullable;

/**
 * A record header. Names may repeat.
 *
 * @param text its value, see {@link EncodedText}; null if it has none
 * @param encoding utf-8 or base64
 */
public record RecordHeader(
        String name, @Nullable String text, @Nullable String encoding) {

    /** Encodes a header, whose value may be null. */
    public static RecordHeader of(String name, byte[] value) {
        EncodedText encoded = EncodedText.of(value);
        return new RecordHeader(name, encoded.text(), encoded.encoding());
    }

    /** Its value as text. */
    public EncodedText value() {
        return new EncodedText(text, encoding);
    }
}
