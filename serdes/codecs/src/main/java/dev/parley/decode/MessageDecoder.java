package dev.parley.decode;

import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.Excerpt;
import dev.parley.codec.RecordHeaders;
import dev.parley.codec.Traits;
import dev.parley.codec.WireCodec;
import dev.parley.decode.RecordDecodeResult.Undecodable;
import dev.parley.encoding.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;

/**
 * Decodes records into messages in their envelope: detects the protocol, decodes, and completes the envelope from
 * headers and key. Returns a {@link RecordDecodeResult} for any record. Not thread-safe, because it reuses a digest.
 */
public final class MessageDecoder {
    /** Maximum size of an identifier in UTF-8 bytes, because identifiers are copied into keys, headers and details. */
    public static final int MAX_IDENTIFIER_BYTES = Identifiers.MAX_BYTES;

    /** The headers of names: a record's look-ups are most of the cost of its headers, so that each is read once. */
    private static final String[] NAMES = {
        RecordHeaders.NAMESPACE,
        RecordHeaders.PROTOCOL,
        RecordHeaders.CONVERSATION,
        RecordHeaders.SENDER,
        RecordHeaders.EXPECT
    };

    private static final int NAMESPACE = 0;
    private static final int PROTOCOL = 1;
    private static final int CONVERSATION = 2;
    private static final int SENDER = 3;
    private static final int EXPECT = 4;

    private final DecodeOptions options;
    private final WireProtocols protocols;
    private final Map<String, WireProtocol<?>> topicProtocols;
    private final Diagnosis diagnosis;
    private final MessageDigest sha256;

    /**
     * Creates a decoder.
     *
     * @param options strictness and limits
     * @param protocols the protocols that it reads
     * @param topicProtocols protocols of the input topics that have one
     * @param diagnosis explains its errors
     */
    public MessageDecoder(
            DecodeOptions options,
            WireProtocols protocols,
            Map<String, WireProtocol<?>> topicProtocols,
            Diagnosis diagnosis) {
        this.options = options;
        this.protocols = protocols;
        this.topicProtocols = Map.copyOf(topicProtocols);
        this.diagnosis = diagnosis;
        this.sha256 = Sha256.digest();
    }

    /**
     * Decodes one record; of a {@link CloudEvent}, its data. Neither hashes nor copies the message;
     * {@link RecordDecodeResult.Message#message} does.
     *
     * @return the message with its conversation, or the decode error
     */
    public RecordDecodeResult decode(WireRecord record) {
        CloudEvent event = CloudEvent.of(record.value(), record.headers(), options.limits());
        if (event == null) {
            return decodeMessage(record);
        }
        RecordHeaders headers = event.over(record.headers());
        return event.error() == null
                ? decodeMessage(new WireRecord(record.source(), record.key(), event.value(), headers))
                : undecodable(
                        new WireRecord(record.source(), record.key(), record.value(), headers),
                        null,
                        Code.EVENT_MALFORMED,
                        event.offset(),
                        event.error());
    }

    private static boolean isWithoutBody(WireProtocol<?> declared, RecordHeaders headers) {
        return declared != null && declared.codec().isMessageWithoutBody(headers);
    }

    private RecordDecodeResult decodeMessage(WireRecord record) {
        RecordHeaders headers = record.headers();
        Undecodable exceeded = RecordBounds.error(record);
        if (exceeded != null) {
            return exceeded;
        }
        byte[][] names = new byte[NAMES.length][];
        for (int i = 0; i < names.length; i++) {
            names[i] = headers.last(NAMES[i]);
        }
        String named = text(names[PROTOCOL]);
        WireProtocol<?> declared = declared(record, named);
        byte[] value = record.value();
        if (value == null && isWithoutBody(declared, headers)) {
            value = new byte[0];
            record = new WireRecord(record.source(), record.key(), value, headers);
        }
        if (value == null) {
            return undecodable(record, declared, Code.NULL_VALUE, 0, "the record has no value; send a message");
        }
        String badHeader = firstBadHeader(names);
        if (badHeader != null) {
            return undecodable(
                    record,
                    declared,
                    Code.BAD_HEADER,
                    0,
                    "header " + badHeader + " is not UTF-8 text of at most " + MAX_IDENTIFIER_BYTES
                            + " bytes without control characters");
        }
        if (Expectation.of(names[EXPECT]) == null) {
            return undecodable(
                    record,
                    declared,
                    Code.BAD_HEADER,
                    0,
                    "header " + RecordHeaders.EXPECT + " must be " + Expectation.FORMS);
        }
        if (value.length > options.limits().messageBytes()) {
            return undecodable(
                    record,
                    declared,
                    Code.MESSAGE_TOO_LARGE,
                    options.limits().messageBytes(),
                    value.length + " bytes; the limit is " + options.limits().messageBytes());
        }
        DecodeFailure blank = DecodeFailure.ofBlank(value);
        if (blank != null && !isWithoutBody(declared, headers)) {
            return undecodable(record, declared, blank.code(), blank.offset(), blank.detail());
        }
        if (declared != null) {
            return decode(record, declared, true, false, names);
        }
        WireProtocol<?> evident = protocols.evident(value);
        WireProtocol<?> attempted = evident == null ? diagnosis.attempted(value) : evident;
        if (named != null) {
            return undecodable(
                    record,
                    attempted,
                    Code.UNKNOWN_PROTOCOL,
                    0,
                    "header parley-protocol names '" + Excerpt.of(named) + "'; allowed are " + protocols.names());
        }
        return attempted == null
                ? undecodable(record, diagnosis.failure(value, null, false, false, null))
                : decode(record, attempted, false, evident != null, names);
    }

    private <M extends SpecificRecord> RecordDecodeResult decode(
            WireRecord record, WireProtocol<M> protocol, boolean named, boolean evident, byte[][] names) {
        WireCodec<M> codec = protocol.codec();
        DecodeResult<M> result = evident
                ? codec.decodeDetected(record.value(), record.headers(), options)
                : codec.decode(record.value(), record.headers(), options);
        DecodeFailure failure = diagnosis.failure(record.value(), protocol, named, text(names[SENDER]) != null, result);
        return failure == null
                ? inConversation(record, protocol, (DecodeResult.Decoded<M>) result, names)
                : undecodable(record, failure);
    }

    private <M extends SpecificRecord> RecordDecodeResult inConversation(
            WireRecord record, WireProtocol<M> protocol, DecodeResult.Decoded<M> decoded, byte[][] names) {
        Traits traits = protocol.codec().traits(decoded.message());
        Identifiers.Invalid invalid = Identifiers.firstInvalid(record.value(), traits, protocol.codec(), decoded);
        if (invalid != null) {
            return undecodable(record, protocol, invalid.code(), invalid.position(), invalid.detail());
        }
        String conversation = traits.conversation();
        if (conversation == null) {
            conversation = text(names[CONVERSATION]);
        }
        if (conversation == null && record.key() != null && record.key().length > 0) {
            if (!Identifiers.isAllowed(record.key())) {
                return undecodable(
                        record,
                        protocol,
                        Code.NO_CONVERSATION,
                        record.value().length,
                        "the record key, which must name the conversation, is not UTF-8 text of at most "
                                + MAX_IDENTIFIER_BYTES + " bytes without control characters");
            }
            conversation = new String(record.key(), StandardCharsets.UTF_8);
        }
        if (conversation == null) {
            return undecodable(
                    record,
                    protocol,
                    Code.NO_CONVERSATION,
                    record.value().length,
                    "set the record key, the header parley-conversation, or the attribute parleyconversation of a"
                            + " CloudEvent");
        }
        String namespace = text(names[NAMESPACE]);
        return new RecordDecodeResult.Message(
                record,
                new ConversationKey(
                        namespace == null ? RecordHeaders.DEFAULT_NAMESPACE : namespace, protocol.name(), conversation),
                protocol,
                decoded,
                traits,
                text(names[SENDER]),
                Expectation.of(names[EXPECT]),
                diagnosis,
                sha256);
    }

    private Undecodable undecodable(WireRecord record, DecodeFailure failure) {
        // The names in a message inside the value are claims, too.
        byte[] named = failure.named() == null ? record.value() : failure.named();
        return new Undecodable(
                ClaimsReader.claims(record, failure.protocol(), named, diagnosis),
                failure.code(),
                failure.offset(),
                failure.detail(),
                failure.inner());
    }

    private Undecodable undecodable(
            WireRecord record, WireProtocol<?> protocol, Code code, int position, String detail) {
        byte[] value = record.value();
        boolean isReadable = value != null && value.length <= options.limits().messageBytes();
        return new Undecodable(
                ClaimsReader.claims(record, protocol, isReadable ? value : null, diagnosis), code, position, detail);
    }

    /** The protocol that the header or else the topic names; null for none. */
    private WireProtocol<?> declared(WireRecord record, String named) {
        return named == null ? topicProtocols.get(record.source().getTopic()) : protocols.named(named);
    }

    /** The first header that must be a name, or the protocol, and is not; null without one. */
    private static String firstBadHeader(byte[][] names) {
        for (int i = 0; i < names.length; i++) {
            if (names[i] != null && !Identifiers.isAllowed(names[i])) {
                return NAMES[i];
            }
        }
        return null;
    }

    /** The text of a header; null if it is absent or empty. */
    private static String text(byte[] value) {
        return value == null || value.length == 0 ? null : new String(value, StandardCharsets.UTF_8);
    }
}
