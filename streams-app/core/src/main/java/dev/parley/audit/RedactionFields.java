package dev.parley.audit;

import dev.parley.avro.Redaction;
import dev.parley.avro.Source;
import dev.parley.codec.Utf8;
import dev.parley.encoding.CodePoints;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/** Limits of the fields of a redaction or approval, shared by commands, API, pipeline and views. */
public final class RedactionFields {
    /** Maximum length of a chain name in UTF-8 bytes: a redaction record contains it twice, as key and as field. */
    public static final int MAX_CHAIN_BYTES = 28_000;

    /** Maximum length of the reason, and of the name of the requester, in characters. */
    public static final int MAX_TEXT_CHARACTERS = 1_000;

    /** Maximum length of a Kafka topic name in characters. */
    private static final int MAX_TOPIC_CHARACTERS = 249;

    private RedactionFields() {}

    /**
     * Checks the fields of a redaction.
     *
     * @return the first invalid field with its allowed values, without its value; empty if all are valid
     */
    public static Optional<String> check(Redaction redaction) {
        Source source = redaction.getSource();
        if (isOutside(redaction.getChain(), MAX_CHAIN_BYTES)
                || redaction.getChain().getBytes(StandardCharsets.UTF_8).length > MAX_CHAIN_BYTES) {
            return Optional.of("chain must have 1 to " + MAX_CHAIN_BYTES + " bytes");
        }
        if (redaction.getSequence() < 0) {
            return Optional.of("sequence must be >= 0");
        }
        if (isOutside(source.getTopic(), MAX_TOPIC_CHARACTERS)
                || source.getPartition() < 0
                || source.getOffset() < 0
                || source.getOffset() >= InputPosition.MAX_OFFSETS) {
            return Optional.of("source must be an input position");
        }
        if (redaction.getRecordHash().remaining() != AuditChain.HASH_BYTES) {
            return Optional.of("recordHash must have " + AuditChain.HASH_BYTES + " bytes");
        }
        return checkText(redaction.getReason())
                .map(problem -> "reason " + problem)
                .or(() -> checkText(redaction.getBy()).map(problem -> "by " + problem));
    }

    /**
     * Checks the reason of a redaction or redrive, or the name of its requester.
     *
     * @return what the text must have, or must not; empty if it is valid
     */
    public static Optional<String> checkText(String text) {
        if (isOutside(text, MAX_TEXT_CHARACTERS)) {
            return Optional.of("must have 1 to " + MAX_TEXT_CHARACTERS + " characters");
        }
        if (!Utf8.canEncode(text)) {
            return Optional.of("must not have an unpaired surrogate");
        }
        return text.codePoints().anyMatch(CodePoints::isVisible)
                ? Optional.empty()
                : Optional.of("must have a visible character");
    }

    /**
     * Whether a record key is the chain that a redaction names, as it must be. Kafka Streams skips records without a
     * key when it restores a global store.
     */
    public static boolean isKeyed(byte[] key, Redaction redaction) {
        return Arrays.equals(key, redaction.getChain().getBytes(StandardCharsets.UTF_8));
    }

    private static boolean isOutside(String text, int max) {
        return text.isEmpty() || text.length() > max;
    }
}
