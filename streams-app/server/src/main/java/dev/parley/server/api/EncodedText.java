package dev.parley.server.api;

import dev.parley.stage.ByteBuffers;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Bytes as text.
 *
 * @param text the bytes if they are UTF-8, otherwise in base64; null for no bytes
 * @param encoding utf-8 or base64; null for no bytes
 */
record EncodedText(String text, String encoding) {

    static final EncodedText NONE = new EncodedText(null, null);

    static EncodedText of(ByteBuffer bytes) {
        try {
            return new EncodedText(
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(bytes.duplicate())
                            .toString(),
                    "utf-8");
        } catch (CharacterCodingException e) {
            return new EncodedText(Base64.getEncoder().encodeToString(ByteBuffers.of(bytes)), "base64");
        }
    }
}
