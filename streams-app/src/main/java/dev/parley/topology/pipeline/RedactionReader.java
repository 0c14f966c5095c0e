package dev.parley.topology.pipeline;

import dev.parley.audit.RedactionFields;
import dev.parley.avro.Protocol;
import dev.parley.avro.Redaction;
import dev.parley.codec.Code;
import dev.parley.codec.Excerpt;
import dev.parley.decode.RecordDecodeResult;
import dev.parley.topology.setup.OutageClassifier;
import dev.parley.topology.setup.Topic;
import java.util.Optional;
import java.util.function.Function;
import org.apache.kafka.common.errors.SerializationException;

/** Reads requests for redaction from the bytes of their records. */
final class RedactionReader {
    /** Maximum length of what a deserializer reports about a record, in characters. */
    private static final int MAX_DETAIL = 500;

    private final Topic<String, Redaction> topic;

    RedactionReader(Topic<String, Redaction> topic) {
        this.topic = topic;
    }

    /**
     * Reads one record.
     *
     * @param key record key; null without one
     * @param value record value; null without one
     * @param request takes the request
     * @param malformed takes the fault of a record that is not a request
     * @return what the function that was called returned
     * @throws SerializationException while the registry is unavailable
     */
    <R> R read(
            byte[] key,
            byte[] value,
            Function<Redaction, R> request,
            Function<RecordDecodeResult.Undecodable, R> malformed) {
        if (value == null) {
            return malformed.apply(malformed("it has no value"));
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
                ? request.apply(redaction)
                : malformed.apply(malformed("its key is not the chain that it names"));
    }

    /** The fault of a record that is not a request. */
    static RecordDecodeResult.Undecodable malformed(String problem) {
        return new RecordDecodeResult.Undecodable(
                Protocol.UNKNOWN, "", Code.REDACTION_MALFORMED, 0, "the record is no redaction: " + problem);
    }
}
