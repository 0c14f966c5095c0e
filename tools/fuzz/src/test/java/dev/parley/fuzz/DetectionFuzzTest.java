package dev.parley.fuzz;

import static dev.parley.fuzz.Promise.require;
import static dev.parley.fuzz.Promise.requireEqual;
import static dev.parley.fuzz.Promise.requireSentence;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Named.named;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.parley.avro.AgentMessage;
import dev.parley.avro.InnerMessage;
import dev.parley.avro.Profile;
import dev.parley.avro.Protocol;
import dev.parley.avro.Source;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.Limits;
import dev.parley.codec.RecordHeaders;
import dev.parley.codec.Symbols;
import dev.parley.decode.ConversationKey;
import dev.parley.decode.MessageDecoder;
import dev.parley.decode.RecordDecodeResult;
import dev.parley.decode.WireProtocol;
import dev.parley.decode.WireProtocols;
import dev.parley.decode.WireRecord;
import dev.parley.diagnosis.InnerMessages;
import dev.parley.diagnosis.ValueDiagnosis;
import dev.parley.protocol.Protocols;
import dev.parley.protocol.TopicNames;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.provider.MethodSource;

/** Fuzzes detection and the envelope with any topic, headers, key and value. */
class DetectionFuzzTest {
    private static final List<String> HEADERS =
            List.of(RecordHeaders.NAMESPACE, RecordHeaders.PROTOCOL, RecordHeaders.CONVERSATION, RecordHeaders.SENDER);
    private static final DecodeOptions STRICT_AND_SMALL =
            new DecodeOptions(Profile.STRICT, new Limits(200, 10, 1_000, 10_000));
    private static final int KEY_BIT = 0x10;
    private static final int VALUE_BIT = 0x20;
    private static final int LENIENT_BIT = 0x40;
    private static final AvroForm<AgentMessage> ENVELOPE = new AvroForm<>(AgentMessage.class);

    /**
     * Each sample as a record: a byte that selects its parts, a byte for its topic, the parts with their lengths, and
     * the value.
     */
    static Stream<Named<byte[]>> samples() {
        return Seeds.records()
                .filter(sample -> sample.wire() != null)
                .map(sample -> named(sample.place(), asInput(sample)));
    }

    @MethodSource("samples")
    @FuzzTest
    void everyRecordIsAMessageOrAFault(byte[] data) {
        Input input = new Input(data);
        int has = input.next();
        String topic = TopicNames.DEFAULT
                .inputs(Protocols.STANDARD)
                .get(input.next()
                        % TopicNames.DEFAULT.inputs(Protocols.STANDARD).size());
        Map<String, byte[]> headers = new HashMap<>();
        for (int i = 0; i < HEADERS.size(); i++) {
            if ((has & 1 << i) != 0) {
                headers.put(HEADERS.get(i), input.piece(input.next()));
            }
        }
        byte[] key = (has & KEY_BIT) != 0 ? input.piece(input.next()) : null;
        byte[] value = (has & VALUE_BIT) != 0 ? input.rest() : null;
        Source source = new Source(topic, 3, 42L, Instant.ofEpochMilli(1_700_000_000_000L), null);
        WireRecord record = new WireRecord(source, key, value, RecordHeaders.of(headers));
        DecodeOptions options = (has & LENIENT_BIT) != 0 ? DecodeOptions.LENIENT : STRICT_AND_SMALL;

        byte[] before = value == null ? null : value.clone();
        MessageDecoder decoder = ValueDiagnosis.decoder(options, TopicNames.DEFAULT.byInputTopic(Protocols.STANDARD));
        RecordDecodeResult recordDecodeResult = decoder.decode(record);
        require(Arrays.equals(value, before), "decoding must not change the value");
        requireEqual(
                content(decoder.decode(record)),
                content(recordDecodeResult),
                "a decoder must return the same result twice");
        requireEqual(
                content(ValueDiagnosis.decoder(options, TopicNames.DEFAULT.byInputTopic(Protocols.STANDARD))
                        .decode(record)),
                content(recordDecodeResult),
                "every decoder must return the same result");
        if (recordDecodeResult instanceof RecordDecodeResult.Undecodable fault) {
            requireFault(fault, record, options);
        } else {
            requireEnvelope((RecordDecodeResult.Message) recordDecodeResult, record);
        }
        ConversationKey chain = recordDecodeResult.map(
                RecordDecodeResult.Message::conversation, fault -> ConversationKey.ofPartition(topic, 3));
        requireEqual(ConversationKey.parse(chain.toString()), chain, "a chain's key must be parseable");
    }

    private static Object content(RecordDecodeResult result) {
        return result.map(
                decoded -> List.<Object>of(decoded.message(), decoded.warnings(), decoded.violations()),
                fault -> List.<Object>of(fault));
    }

    private static void requireFault(RecordDecodeResult.Undecodable fault, WireRecord record, DecodeOptions options) {
        int length = record.value() == null ? 0 : record.value().length;
        Code code = fault.code();
        require(fault.position() >= 0 && fault.position() <= length, "%s has offset %d", code, fault.position());
        require(
                code.kind() == Code.Kind.MALFORMED || (options.strict() && code.kind() == Code.Kind.FORM_WARNING),
                "%s is not a decode error",
                code);
        require(
                code.protocol() == Protocol.UNKNOWN || code.protocol() == fault.protocol(),
                "%s in a message of %s",
                code,
                fault.protocol());
        requireSentence(fault.detail());
        requireInner(fault, record.value(), options);
    }

    /** The bytes of each inner message are a message of its protocol, in ranges that do not overlap. */
    private static void requireInner(RecordDecodeResult.Undecodable fault, byte[] value, DecodeOptions options) {
        int count = fault.inner().size();
        require(
                fault.code() == Code.WRAPPED_MESSAGE ? count == 1 : fault.code() == Code.SEVERAL_MESSAGES || count == 0,
                "%s with %d inner messages",
                fault.code(),
                count);
        int end = 0;
        for (InnerMessage inner : fault.inner()) {
            require(inner.getStart() >= end && inner.getEnd() > inner.getStart(), "%s overlaps", inner);
            end = inner.getEnd();
            byte[] message = InnerMessages.bytes(value, inner);
            WireProtocol<?> protocol = WireProtocols.STANDARD.evident(message);
            require(protocol != null, "%s has the bytes of no message", inner);
            requireEqual(protocol.name(), inner.getProtocol(), "an inner message must have its protocol");
            require(
                    protocol.codec().decode(message, options) instanceof DecodeResult.Decoded<?>,
                    "%s is undecodable",
                    inner);
        }
    }

    private static <M extends SpecificRecord> byte[] canonical(WireProtocol<M> protocol, AgentMessage message) {
        return protocol.codec().encode(protocol.message(message));
    }

    private static void requireEnvelope(RecordDecodeResult.Message decoded, WireRecord record) {
        AgentMessage message = decoded.message();
        Protocol protocol = Symbols.PROTOCOL.of(message.getProtocol());
        WireProtocol<?> read = WireProtocols.STANDARD.of(message);
        WireProtocol<?> detected = ValueDiagnosis.detect(record.value(), WireProtocols.STANDARD);
        WireProtocol<?> own = TopicNames.DEFAULT
                .byInputTopic(Protocols.STANDARD)
                .get(record.source().getTopic());
        String named = header(record, RecordHeaders.PROTOCOL);
        requireEqual(
                read,
                named != null ? WireProtocols.STANDARD.named(named) : own != null ? own : detected,
                "header, else topic, else the bytes must determine the protocol");
        String namespace = header(record, RecordHeaders.NAMESPACE);
        requireEqual(
                message.getNamespace(), namespace == null ? "default" : namespace, "the namespace is the header's");
        requireEqual(message.getRaw(), ByteBuffer.wrap(record.value()), "the original bytes must be kept");
        requireEqual(message.getSha256(), sha256(record.value()), "the hash must be that of the original bytes");
        require(!message.getConversation().isEmpty() || protocol == Protocol.SUBIT, "a conversation must have an ID");
        require(
                message.getConversation().getBytes(UTF_8).length <= MessageDecoder.MAX_IDENTIFIER_BYTES,
                "the size of a conversation ID must be limited");
        ENVELOPE.requireLossless(message);
        // Λ has no distinctive mark: "@ a3|x" is Λ, and its canonical form "@a3|x" looks like SLIP.
        if (detected == read && protocol != Protocol.LAMBDA) {
            requireEqual(
                    ValueDiagnosis.detect(canonical(read, message), WireProtocols.STANDARD),
                    read,
                    "detection must find the same protocol in the canonical form");
        }
    }

    /** The text of a header; null if it is absent or empty. */
    private static String header(WireRecord record, String name) {
        byte[] value = record.headers().last(name);
        return value == null || value.length == 0 ? null : new String(value, UTF_8);
    }

    private static ByteBuffer sha256(byte[] bytes) {
        try {
            return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is missing from this Java runtime", e);
        }
    }

    private static byte[] asInput(Seeds.Sample sample) {
        int has = VALUE_BIT | LENIENT_BIT | (sample.key() == null ? 0 : KEY_BIT);
        ByteArrayOutputStream pieces = new ByteArrayOutputStream();
        for (int i = 0; i < HEADERS.size(); i++) {
            String header = sample.headers().path(HEADERS.get(i)).textValue();
            if (header != null && header.getBytes(UTF_8).length < 256) {
                has |= 1 << i;
                addPiece(pieces, header.getBytes(UTF_8));
            }
        }
        if (sample.key() != null) {
            addPiece(pieces, sample.key().getBytes(UTF_8));
        }
        ByteArrayOutputStream input = new ByteArrayOutputStream();
        input.write(has);
        input.write(0);
        input.writeBytes(pieces.toByteArray());
        input.writeBytes(sample.wire());
        return input.toByteArray();
    }

    private static void addPiece(ByteArrayOutputStream pieces, byte[] piece) {
        pieces.write(piece.length);
        pieces.writeBytes(piece);
    }
}
