package dev.parley.server.redrive;

import dev.parley.avro.InnerMessage;
import dev.parley.codec.Code;
import dev.parley.diagnosis.InnerMessages;
import dev.parley.encoding.Sha256;
import dev.parley.json.AvroJson;
import dev.parley.json.model.EncodedText;
import dev.parley.json.model.write.RedriveResults;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Sends the only complete message inside the value of a dead letter instead of the value.
 *
 * @param confirmed SHA-256 in hexadecimal of the messages that a dry run has shown; empty for a dry run
 */
record Unwrapping(Optional<Set<String>> confirmed) {

    /** Maximum bytes of a message that a dry run shows. */
    private static final int MAX_SHOWN = 1_000;

    /**
     * The message to send.
     *
     * @param inner its range in the value of the dead letter
     * @param bytes its bytes, without the escapes or Base64 of the text around it
     */
    record Message(InnerMessage inner, byte[] bytes) {

        /** Its form in a result. */
        RedriveResults.Unwrapped shown() {
            int end = Math.min(bytes.length, MAX_SHOWN);
            while (end > 0 && end < bytes.length && (bytes[end] & 0xC0) == 0x80) {
                end--;
            }
            EncodedText text = EncodedText.of(ByteBuffer.wrap(bytes, 0, end));
            return new RedriveResults.Unwrapped(
                    inner.getProtocol(),
                    inner.getStart(),
                    inner.getEnd(),
                    hash(),
                    bytes.length,
                    text.text(),
                    text.encoding());
        }

        private String hash() {
            return AvroJson.hex(ByteBuffer.wrap(Sha256.of(bytes)));
        }
    }

    /** Why a dead letter is not unwrapped; empty if it is. */
    Optional<String> refusal(DeadLetterRecord letter, boolean redacted) {
        if (redacted) {
            return Optional.of("The message was redacted. Redrive it with an edited value.");
        }
        List<InnerMessage> inner = letter.inner();
        if (inner.size() != 1) {
            return Optional.of(
                    inner.isEmpty()
                            ? "The value contains no complete message. Redrive it with an edited value."
                            : "The value contains several messages: "
                                    + inner.stream().map(Unwrapping::range).collect(Collectors.joining(", "))
                                    + ". Send each in a record of its own, or redrive one as an edited value.");
        }
        if (letter.hasCode(Code.SEVERAL_MESSAGES)) {
            return Optional.of("The value was not searched to its end, and may contain more messages than "
                    + range(inner.get(0)) + ". Redrive it with an edited value.");
        }
        return confirmed
                .filter(hashes -> !hashes.contains(message(letter).hash()))
                .map(unknown -> "The SHA-256 of the inner message is not confirmed; a dry run shows it.");
    }

    /** The message of a dead letter without a refusal. */
    Message message(DeadLetterRecord letter) {
        InnerMessage inner = letter.inner().get(0);
        return new Message(inner, InnerMessages.bytes(letter.value(), inner));
    }

    private static String range(InnerMessage inner) {
        return inner.getProtocol() + " at bytes " + inner.getStart() + " to " + (inner.getEnd() - 1);
    }
}
