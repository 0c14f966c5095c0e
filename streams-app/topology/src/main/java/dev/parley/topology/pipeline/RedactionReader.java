package dev.parley.topology.pipeline;

import dev.parley.audit.RedactionFields;
import dev.parley.avro.Redaction;
import dev.parley.codec.Code;
import dev.parley.codec.Excerpt;
import dev.parley.decode.RecordDecodeResult;
import dev.parley.topology.kafka.OutageClassifier;
import dev.parley.topology.topics.Topic;
import java.util.Optional;
import java.util.function.Function;
import org.apache.kafka.common.errors.SerializationException;

/** Reads redaction requests from records of the redaction topic. */
record RedactionReader(Topic<String, Redaction> topic) {
    /** Maximum length of a deserializer's error message, in characters. */
    private static final int MAX_DETAIL = 500;

    /**
     * Reads one record.
     *
     * @param key record key; may be null
     * @param value record value; may be null
     * @param valid called with a valid request
     * @param malformed called with the decode error of an invalid request
     * @return the result of the called function
     * @throws SerializationException if the registry is unavailable
     */
    <R> R read(
            byte[] key,
            byte[] value,
            Function<Redaction, R> valid,
            Function<RecordDecodeResult.Undecodable, R> malformed) {
        if (value == null) {
            return malformed.apply(malformed("its value is null"));
        }
        Redaction redaction;
        try {
            redaction = topic.read(value);
        } catch (SerializationException e) {
            if (OutageClassifier.isOutage(e)) {
                throw e;
            }
            return malformed.apply(malformed(Excerpt.of(String.valueOf(e.getMessage()), MAX_DETAIL)));
        }
        Optional<String> bad = RedactionFields.check(redaction);
        if (bad.isPresent()) {
            return malformed.apply(malformed(bad.get()));
        }
        return RedactionFields.isKeyed(key, redaction)
                ? valid.apply(redaction)
                : malformed.apply(malformed("its key must be the chain in its value"));
    }

    /** Creates the decode error of an invalid request. */
    static RecordDecodeResult.Undecodable malformed(String problem) {
        return new RecordDecodeResult.Undecodable(
                null, Code.REDACTION_MALFORMED, 0, "invalid redaction request: " + problem);
    }
}
