package dev.parley.benchmarks;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import dev.parley.avro.Protocol;
import dev.parley.avro.SlipMessage;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.mcp.McpCodec;
import java.io.IOException;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.infra.Blackhole;

/** Jackson reads JSON next to the codecs. */
public class JacksonBenchmark extends ConversationBenchmark {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final byte[][] slip = Stream.of(Codecs.records(Protocol.SLIP))
            .map(record -> SlipJson.of((SlipMessage) record).bytes())
            .toArray(byte[][]::new);
    private final byte[][] subit = Codecs.wires(Protocol.SUBIT);
    private final byte[][] mcp = Codecs.wires(Protocol.MCP);
    private final byte[][] kilobytes = Codecs.kilobytes();
    private final byte[][] csp = sameSize(Protocol.CSP);
    private final byte[][] lambda = sameSize(Protocol.LAMBDA);
    private final McpCodec codec = new McpCodec();
    private final ObjectReader reader = JSON.readerFor(SlipJson.class);

    private static byte[][] sameSize(Protocol protocol) {
        return Stream.of(Codecs.wires(protocol)).map(SameSizeJson::of).toArray(byte[][]::new);
    }

    /** The content of nSLIP messages as compact JSON, to a plain object. */
    @Benchmark
    public void bindSlip(Blackhole hole) throws IOException {
        for (byte[] document : slip) {
            hole.consume((Object) reader.readValue(document));
        }
    }

    /** JSON of exactly as many bytes as each CSP message, to a tree. */
    @Benchmark
    public void readTreeLikeCsp(Blackhole hole) throws IOException {
        readTrees(csp, hole);
    }

    /** JSON of exactly as many bytes as each Λ message, to a tree. */
    @Benchmark
    public void readTreeLikeLambda(Blackhole hole) throws IOException {
        readTrees(lambda, hole);
    }

    private static void readTrees(byte[][] documents, Blackhole hole) throws IOException {
        for (byte[] document : documents) {
            hole.consume(JSON.readTree(document));
        }
    }

    /** The bytes of SUBIT packets: every token, the name of each key, the text of each string, each number. */
    @Benchmark
    public void streamSubit(Blackhole hole) throws IOException {
        stream(subit, hole);
    }

    /** The bytes of MCP messages in the same way. */
    @Benchmark
    public void streamMcp(Blackhole hole) throws IOException {
        stream(mcp, hole);
    }

    /** The bytes of MCP messages of one kilobyte in the same way. */
    @Benchmark
    public void streamKilobytes(Blackhole hole) throws IOException {
        stream(kilobytes, hole);
    }

    /** The same bytes to records. */
    @Benchmark
    public void decodeKilobytes(Blackhole hole) {
        for (byte[] wire : kilobytes) {
            hole.consume(codec.decode(wire, DecodeOptions.LENIENT));
        }
    }

    private static void stream(byte[][] wires, Blackhole hole) throws IOException {
        for (byte[] wire : wires) {
            try (JsonParser json = JSON.createParser(wire)) {
                for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
                    switch (token) {
                        case FIELD_NAME -> hole.consume(json.currentName());
                        case VALUE_STRING -> hole.consume(json.getText());
                        case VALUE_NUMBER_INT -> hole.consume(json.getLongValue());
                        case VALUE_NUMBER_FLOAT -> hole.consume(json.getDoubleValue());
                        default -> hole.consume(token);
                    }
                }
            }
        }
    }
}
