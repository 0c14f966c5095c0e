package dev.parley.load.sample;

import dev.parley.avro.InboundHeader;
import dev.parley.avro.Protocol;
import dev.parley.avro.Source;
import dev.parley.cli.transcript.Transcript;
import dev.parley.decode.WireRecord;
import dev.parley.demo.Samples;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * A record of a sample conversation: 19 to 65 messages of one protocol, of which one of MCP is rejected.
 *
 * @param wire the record; its offset is its index in the conversation
 * @param headers its headers in order
 */
public record SampleRecord(WireRecord wire, List<InboundHeader> headers) {
    /** The files of the sample conversations. */
    private static final Map<Protocol, String> FILES = new EnumMap<>(Map.of(
            Protocol.SLIP, "slip-release.jsonl",
            Protocol.SUBIT, "subit-cycles.jsonl",
            Protocol.CSP, "csp-refactoring.jsonl",
            Protocol.LAMBDA, "lambda-negotiation.jsonl",
            Protocol.MCP, "mcp-tickets.jsonl"));

    /** The protocols that have a sample conversation. */
    public static final List<Protocol> PROTOCOLS = List.copyOf(FILES.keySet());

    /** The sample conversation of a protocol, in order, without records that have no value. */
    public static List<SampleRecord> conversation(Protocol protocol) {
        List<SampleRecord> records = new ArrayList<>();
        for (Transcript.Line line : lines(protocol)) {
            if (line.wire() == null) {
                continue;
            }
            Source source =
                    new Source("parley.wire", 0, (long) records.size(), Instant.ofEpochMilli(line.timestamp()), null);
            WireRecord wire = new WireRecord(source, line.key(), line.wire(), line.recordHeaders());
            records.add(new SampleRecord(wire, line.inboundHeaders()));
        }
        return records;
    }

    /** The same as lines of a transcript. */
    static List<Transcript.Line> lines(Protocol protocol) {
        return Samples.read(FILES.get(protocol));
    }
}
