package dev.parley.load.sample;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.avro.InboundHeader;
import dev.parley.avro.Protocol;
import dev.parley.avro.Source;
import dev.parley.cli.transcript.Transcript;
import dev.parley.decode.WireRecord;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Sample traffic of one protocol: a conversation of 30 to 65 accepted messages.
 *
 * @param records the input records in order; the offset of a record is its index
 * @param headers the headers of each record
 */
public record SampleConversation(List<WireRecord> records, List<List<InboundHeader>> headers) {
    /** The protocols that have a sample conversation. */
    public static final List<Protocol> PROTOCOLS =
            List.of(Protocol.SLIP, Protocol.SUBIT, Protocol.CSP, Protocol.LAMBDA);

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
        SampleConversation sample = new SampleConversation(new ArrayList<>(), new ArrayList<>());
        try (InputStream in = SampleConversation.class.getResourceAsStream("/samples/" + file)) {
            for (String line : new String(in.readAllBytes(), UTF_8).split("\n", -1)) {
                if (!line.isEmpty()) {
                    sample.add(Transcript.parse(line.getBytes(UTF_8)));
                }
            }
        } catch (IOException | Transcript.BadLine e) {
            throw new IllegalStateException("cannot read " + file, e);
        }
        return sample;
    }

    private void add(Transcript.Line line) {
        Source source =
                new Source("parley.wire", 0, (long) records.size(), Instant.ofEpochMilli(line.timestamp()), null);
        records.add(new WireRecord(source, line.key(), line.wire(), line::header));
        headers.add(line.headers().entrySet().stream()
                .map(header -> new InboundHeader(
                        header.getKey(), ByteBuffer.wrap(header.getValue().getBytes(UTF_8))))
                .toList());
    }
}
