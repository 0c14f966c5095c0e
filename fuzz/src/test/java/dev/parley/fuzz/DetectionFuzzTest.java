package dev.parley.fuzz;

import static dev.parley.fuzz.Promise.require;
import static dev.parley.fuzz.Promise.requireEqual;
import static dev.parley.fuzz.Promise.requireSentence;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Named.named;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.parley.avro.AgentMessage;
import dev.parley.avro.Profile;
import dev.parley.avro.Protocol;
import dev.parley.avro.Source;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.Limits;
import dev.parley.decode.ConversationKey;
import dev.parley.decode.Decoding;
import dev.parley.decode.MessageDecoder;
import dev.parley.decode.RecordHeaders;
import dev.parley.decode.WireProtocol;
import dev.parley.decode.WireProtocols;
import dev.parley.decode.WireRecord;
import dev.parley.pipeline.Judging;
import dev.parley.topology.Topics;
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

/** From any record, with any topic, headers, key and value, to its protocol and its envelope. */
class DetectionFuzzTest {
    private static final List<String> HEADERS =
            List.of(RecordHeaders.NAMESPACE, RecordHeaders.PROTOCOL, RecordHeaders.CONVERSATION, RecordHeaders.SENDER);
    private static final DecodeOptions STRICT_AND_SMALL =
            new DecodeOptions(Profile.STRICT, new Limits(200, 10, 1_000, 10_000));
    private static final int KEY_BIT = 0x10;
    private static final int VALUE_BIT = 0x20;
    private static final int LENIENT_BIT = 0x40;
    private static final AvroForm<AgentMessage> ENVELOPE = new AvroForm<>(AgentMessage.class);

    /** Each sample as a record: one byte of what it has, one of its topic, its pieces with their lengths, the value. */
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
        String topic = Topics.INPUTS.get(input.next() % Topics.INPUTS.size());
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
        MessageDecoder decoder = new MessageDecoder(options, Topics.WIRE_PROTOCOLS);
        Decoding decoding = decoder.decode(record);
        require(Arrays.equals(value, before), "decoding changes the value");
        requireEqual(decoder.decode(record), decoding, "a decoder says the same twice");
        requireEqual(
                new MessageDecoder(options, Topics.WIRE_PROTOCOLS).decode(record),
                decoding,
                "every decoder says the same");
        if (decoding instanceof Decoding.Undecodable fault) {
            requireFault(fault, record, options);
        } else {
            requireEnvelope((Decoding.Message) decoding, record);
        }
        ConversationKey chain = Judging.keyOf(decoding, source);
        requireEqual(ConversationKey.parse(chain.toString()), chain, "a chain's key can be read");
    }

    private static void requireFault(Decoding.Undecodable fault, WireRecord record, DecodeOptions options) {
        int length = record.value() == null ? 0 : record.value().length;
        Code code = fault.code();
        require(fault.position() >= 0 && fault.position() <= length, "%s lies at %d", code, fault.position());
        require(
                code.kind() == Code.Kind.MALFORMED || (options.strict() && code.kind() == Code.Kind.FORM_WARNING),
                "%s is no fault",
                code);
        require(
                code.protocol() == Protocol.UNKNOWN || code.protocol() == fault.protocol(),
                "%s in a message of %s",
                code,
                fault.protocol());
        requireSentence(fault.detail());
    }

    private static <M extends SpecificRecord> byte[] canonical(WireProtocol<M> protocol, AgentMessage message) {
        return protocol.codec().encode(protocol.message(message));
    }

    private static void requireEnvelope(Decoding.Message decoded, WireRecord record) {
        AgentMessage message = decoded.message();
        Protocol protocol = message.getProtocol();
        WireProtocol<?> read = WireProtocols.STANDARD.of(message);
        WireProtocol<?> detected = WireProtocols.STANDARD.detect(record.value());
        WireProtocol<?> own = Topics.WIRE_PROTOCOLS.get(record.source().getTopic());
        String named = header(record, RecordHeaders.PROTOCOL);
        requireEqual(
                read,
                named != null ? WireProtocols.STANDARD.named(named) : own != null ? own : detected,
                "header, else topic, else first bytes tell the protocol");
        String namespace = header(record, RecordHeaders.NAMESPACE);
        requireEqual(
                message.getNamespace(), namespace == null ? "default" : namespace, "the namespace is the header's");
        requireEqual(message.getRaw(), ByteBuffer.wrap(record.value()), "the original bytes stay");
        requireEqual(message.getSha256(), sha256(record.value()), "the hash is that of the original bytes");
        require(!message.getConversation().isEmpty() || protocol == Protocol.SUBIT, "a conversation has a name");
        require(
                message.getConversation().getBytes(UTF_8).length <= MessageDecoder.MAX_IDENTIFIER_BYTES,
                "a conversation is bounded");
        ENVELOPE.requireLossless(message);
        // Λ has no mark of its own: "@ a3|x" is Λ, and canonically "@a3|x", which looks like SLIP.
        if (detected == read && protocol != Protocol.LAMBDA) {
            requireEqual(
                    WireProtocols.STANDARD.detect(canonical(read, message)),
                    read,
                    "the canonical form is of the protocol by its first bytes too");
        }
    }

    /** The text of a header; null when it is absent or empty. */
    private static String header(WireRecord record, String name) {
        byte[] value = record.headers().last(name);
        return value == null || value.length == 0 ? null : new String(value, UTF_8);
    }

    private static ByteBuffer sha256(byte[] bytes) {
        try {
            return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
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
