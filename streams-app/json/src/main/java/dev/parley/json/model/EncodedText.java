package dev.parley.json.model;

import dev.parley.encoding.ByteBuffers;
import dev.parley.state.Nullable;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/**
 * Bytes as text.
 *
 * @param text the bytes if they are UTF-8, otherwise in base64; null for no bytes
 * @param encoding utf-8 or base64; null for no bytes, and in requests for UTF-8
 */
public record EncodedText(@Nullable String text, @Nullable String encoding) {

    /** No bytes. */
    public static final EncodedText NONE = new EncodedText(null, null);

    private static final String UTF_8 = "utf-8";
    private static final String BASE64 = "base64";

    /** Encodes bytes; null is {@link #NONE}. */
    public static EncodedText of(byte[] bytes) {
        return bytes == null ? NONE : of(ByteBuffer.wrap(bytes));
    }

    /** Encodes bytes. */
    public static EncodedText of(ByteBuffer bytes) {
        try {
            CharBuffer text = StandardCharsets.UTF_8.newDecoder().decode(bytes.duplicate());
            return new EncodedText(text.toString(), UTF_8);
        } catch (CharacterCodingException e) {
            return new EncodedText(Base64.getEncoder().encodeToString(ByteBuffers.of(bytes)), BASE64);
        }
    }

    /**
     * Decodes the bytes of a text that is not null; empty if the encoding is unknown, or the text has no bytes in it,
     * such as an unpaired surrogate in UTF-8.
     */
    public Optional<byte[]> decoded() {
        try {
            if (encoding == null || encoding.equals(UTF_8)) {
                return Optional.of(
                        ByteBuffers.of(StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text))));
            }
            return encoding.equals(BASE64) ? Optional.of(Base64.getDecoder().decode(text)) : Optional.empty();
        } catch (CharacterCodingException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
