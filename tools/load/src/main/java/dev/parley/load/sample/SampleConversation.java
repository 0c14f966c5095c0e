package dev.parley.load.sample;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.avro.AgentMessage;
import dev.parley.avro.InboundHeader;
import dev.parley.avro.Protocol;
import dev.parley.avro.Source;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.WireCodec;
import dev.parley.decode.MessageDecoder;
import dev.parley.decode.RecordDecodeResult;
import dev.parley.decode.RecordHeaders;
import dev.parley.decode.WireProtocols;
import dev.parley.decode.WireRecord;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;

/**
 * Sample traffic of one protocol: a conversation of 30 to 65 accepted messages. One benchmark operation is the whole
 * conversation, message by message. So every ratio weights the kinds of messages as the conversation does, and no
 * branch sees the same message twice in a row.
 */
public final class SampleConversation {
    /** The protocols that have a sample conversation. */
    public static final List<Protocol> PROTOCOLS =
            List.of(Protocol.SLIP, Protocol.SUBIT, Protocol.CSP, Protocol.LAMBDA);

    private static final ObjectMapper JSON = new ObjectMapper();

    private final List<WireRecord> records = new ArrayList<>();
    private final List<List<InboundHeader>> headers = new ArrayList<>();
    private final List<RecordDecodeResult.Message> messages = new ArrayList<>();

    private SampleConversation() {}

    /** The sample conversation of a protocol. */
    public static SampleConversation of(Protocol protocol) {
        String file = switch (protocol) {
            case SLIP -> "slip-release.jsonl";
            case SUBIT -> "subit-cycles.jsonl";
            case CSP -> "csp-refactoring.jsonl";
            case LAMBDA -> "lambda-negotiation.jsonl";
            case UNKNOWN, EXTENSION ->
                throw new IllegalArgumentException("no other protocol has a sample conversation");
        };
        SampleConversation sample = new SampleConversation();
        MessageDecoder decoder = new MessageDecoder(DecodeOptions.LENIENT, Map.of());
        try (InputStream in = SampleConversation.class.getResourceAsStream("/samples/" + file);
                BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                sample.add(JSON.readTree(line), decoder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return sample;
    }

    /** The codec of a protocol under the common record type; benchmarks pass it only records that it created. */
    @SuppressWarnings("unchecked")
    public static WireCodec<SpecificRecord> codec(Protocol protocol) {
        return (WireCodec<SpecificRecord>)
                WireProtocols.STANDARD.inKeys(protocol.name()).codec();
    }

    /** The protocol's record in an envelope. */
    public static SpecificRecord content(AgentMessage message) {
        return WireProtocols.STANDARD.of(message).message(message);
    }

    /** The input records in order; the offset of a record is its index. */
    public List<WireRecord> records() {
        return records;
    }

    /** The headers of each record. */
    public List<List<InboundHeader>> headers() {
        return headers;
    }

    public List<RecordDecodeResult.Message> messages() {
        return messages;
    }

    public byte[][] wires() {
        return records.stream().map(WireRecord::value).toArray(byte[][]::new);
    }

    public SpecificRecord[] contents() {
        return messages.stream().map(decoded -> content(decoded.message())).toArray(SpecificRecord[]::new);
    }

    private void add(JsonNode line, MessageDecoder decoder) {
        Map<String, byte[]> named = new HashMap<>();
        List<InboundHeader> list = new ArrayList<>();
        for (Map.Entry<String, JsonNode> header : line.path("headers").properties()) {
            byte[] value = bytes(header.getValue());
            named.put(header.getKey(), value);
            list.add(new InboundHeader(header.getKey(), ByteBuffer.wrap(value)));
        }
        Source source = new Source(
                "parley.wire",
                0,
                (long) records.size(),
                Instant.parse(line.path("timestamp").textValue()),
                null);
        byte[] key = line.path("key").isTextual() ? bytes(line.path("key")) : null;
        WireRecord record = new WireRecord(source, key, bytes(line.path("wire")), (RecordHeaders) named::get);
        if (!(decoder.decode(record) instanceof RecordDecodeResult.Message message)) {
            throw new IllegalStateException("no message: " + line);
        }
        records.add(record);
        headers.add(list);
        messages.add(message);
    }

    private static byte[] bytes(JsonNode text) {
        return text.textValue().getBytes(StandardCharsets.UTF_8);
    }
}
