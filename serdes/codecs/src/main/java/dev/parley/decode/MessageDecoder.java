package dev.parley.decode;

import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.Excerpt;
import dev.parley.codec.Traits;
import dev.parley.decode.RecordDecodeResult.Undecodable;
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

    private final DecodeOptions options;
    private final WireProtocols protocols;
    private final Map<String, WireProtocol<?>> topicProtocols;
    private final MessageDigest sha256;

    /** A decoder of Parley's four protocols. */
    public MessageDecoder(DecodeOptions options, Map<String, WireProtocol<?>> topicProtocols) {
        this(options, WireProtocols.STANDARD, topicProtocols);
    }

    /**
     * Creates a decoder.
     *
     * @param options strictness and limits
     * @param protocols the protocols that it reads
     * @param topicProtocols protocols of the input topics that have one
     */
    public MessageDecoder(DecodeOptions options, WireProtocols protocols, Map<String, WireProtocol<?>> topicProtocols) {
        this.options = options;
        this.protocols = protocols;
        this.topicProtocols = Map.copyOf(topicProtocols);
        this.sha256 = Sha256.digest();
    }

    /**
     * Decodes one record; of a {@link CloudEvent}, its data. Neither hashes nor copies the message; {@link RecordDecodeResult.Message#message} does.
     *
     * @return the message with its conversation, or the decode error
     */
    public RecordDecodeResult decode(WireRecord record) {
        CloudEvent event = CloudEvent.of(record.value(), record.headers(), options.limits());
        if (event == null) {
            return decodeMessage(record);
        }
        if (event.error() != null) {
            return undecodable(record, null, Code.EVENT_MALFORMED, event.offset(), event.error());
        }
        return decodeMessage(
                new WireRecord(record.source(), record.key(), event.value(), event.over(record.headers())));
    }

    private RecordDecodeResult decodeMessage(WireRecord record) {
        RecordHeaders headers = record.headers();
        Undecodable exceeded = RecordBounds.error(record);
        if (exceeded != null) {
            return exceeded;
        }
        String badHeader = firstBadHeader(headers);
        byte[] value = record.value();
        if (value == null) {
            return undecodable(record, null, Code.NULL_VALUE, 0, "the record has no value; send a message");
        }
        if (badHeader != null) {
            return undecodable(
                    record,
                    null,
                    Code.BAD_HEADER,
                    0,
                    "header " + badHeader + " is not UTF-8 text of at most " + MAX_IDENTIFIER_BYTES + " bytes");
        }
        if (value.length > options.limits().messageBytes()) {
            return undecodable(
                    record,
                    null,
                    Code.MESSAGE_TOO_LARGE,
                    options.limits().messageBytes(),
                    value.length + " bytes; the limit is " + options.limits().messageBytes());
        }
        String named = text(headers, RecordHeaders.PROTOCOL);
        WireProtocol<?> protocol = protocol(record, named);
        if (protocol == null) {
            String detail = named != null
                    ? "header parley-protocol names '" + Excerpt.of(named) + "'; allowed are " + protocols.names()
                    : "cannot detect the protocol; set header parley-protocol or use the protocol's own topic";
            return undecodable(record, null, Code.UNKNOWN_PROTOCOL, 0, detail);
        }
        return decode(record, protocol);
    }

    private <M extends SpecificRecord> RecordDecodeResult decode(WireRecord record, WireProtocol<M> protocol) {
        DecodeResult<M> result = protocol.codec().decode(record.value(), options);
        if (result instanceof DecodeResult.Malformed<M> malformed) {
            return undecodable(record, protocol, malformed.code(), malformed.offset(), malformed.detail());
        }
        return inConversation(record, protocol, (DecodeResult.Decoded<M>) result);
    }

    private <M extends SpecificRecord> RecordDecodeResult inConversation(
            WireRecord record, WireProtocol<M> protocol, DecodeResult.Decoded<M> decoded) {
        Traits traits = protocol.codec().traits(decoded.message());
        Identifiers.TooLong tooLong =
                Identifiers.firstTooLong(record.value(), traits, protocol.codec(), decoded.message());
        if (tooLong != null) {
            return undecodable(record, protocol, Code.IDENTIFIER_TOO_LONG, tooLong.position(), tooLong.detail());
        }
        String conversation = traits.conversation();
        if (conversation == null) {
            conversation = text(record.headers(), RecordHeaders.CONVERSATION);
        }
        if (conversation == null && record.key() != null && record.key().length > 0) {
            if (isBad(record.key())) {
                return undecodable(
                        record,
                        protocol,
                        Code.NO_CONVERSATION,
                        record.value().length,
                        "the record key, which must name the conversation, is not UTF-8 text of at most "
                                + MAX_IDENTIFIER_BYTES + " bytes");
            }
            conversation = new String(record.key(), StandardCharsets.UTF_8);
        }
        if (conversation == null) {
            return undecodable(
                    record,
                    protocol,
                    Code.NO_CONVERSATION,
                    record.value().length,
                    "set the record key or header parley-conversation");
        }
        return new RecordDecodeResult.Message(
                record,
                new ConversationKey(namespace(record.headers()), protocol.name(), conversation),
                protocol,
                decoded,
                traits,
                text(record.headers(), RecordHeaders.SENDER),
                sha256);
    }

    private static Undecodable undecodable(
            WireRecord record, WireProtocol<?> protocol, Code code, int position, String detail) {
        return new Undecodable(ClaimsReader.claims(record, protocol), code, position, detail);
    }

    private WireProtocol<?> protocol(WireRecord record, String named) {
        if (named != null) {
            return protocols.named(named);
        }
        WireProtocol<?> own = topicProtocols.get(record.source().getTopic());
        return own != null ? own : protocols.detect(record.value());
    }

    private static String namespace(RecordHeaders headers) {
        String namespace = text(headers, RecordHeaders.NAMESPACE);
        return namespace == null ? RecordHeaders.DEFAULT_NAMESPACE : namespace;
    }

    private static String firstBadHeader(RecordHeaders headers) {
        if (isBad(headers.last(RecordHeaders.NAMESPACE))) {
            return RecordHeaders.NAMESPACE;
        }
        if (isBad(headers.last(RecordHeaders.PROTOCOL))) {
            return RecordHeaders.PROTOCOL;
        }
        if (isBad(headers.last(RecordHeaders.CONVERSATION))) {
            return RecordHeaders.CONVERSATION;
        }
        return isBad(headers.last(RecordHeaders.SENDER)) ? RecordHeaders.SENDER : null;
    }

    private static boolean isBad(byte[] value) {
        return value != null && ClaimsReader.isBad(value);
    }

    /** The text of a header; null if it is absent or empty. */
    private static String text(RecordHeaders headers, String name) {
        byte[] value = headers.last(name);
        return value == null || value.length == 0 ? null : new String(value, StandardCharsets.UTF_8);
    }
}
