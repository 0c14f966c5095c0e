package dev.parley.benchmarks;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import dev.parley.avro.Protocol;
import dev.parley.benchmarks.json.JsonForms;
import dev.parley.load.sample.SampleConversation;
import java.io.IOException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.infra.Blackhole;

/** Jackson reads the content of a conversation as compact JSON, into plain objects and into trees. */
public class JacksonBenchmark extends ConversationBenchmark {
    @Param({"SLIP", "SUBIT", "CSP", "LAMBDA"})
    Protocol protocol;

    private byte[][] documents;
    private final ObjectMapper mapper = new ObjectMapper();
    private ObjectReader reader;

    /** Writes the conversation as JSON. */
    @Setup
    public void setUp() {
        documents = SampleConversation.of(protocol).messages().stream()
                .map(decoded -> JsonForms.sameContent(decoded.message()))
                .toArray(byte[][]::new);
        reader = mapper.readerFor(JsonForms.type(protocol));
    }

    /** Databind: bytes to a plain object. */
    @Benchmark
    public void bind(Blackhole hole) throws IOException {
        for (byte[] document : documents) {
            hole.consume((Object) reader.readValue(document));
        }
    }

    /** Bytes to a tree. */
    @Benchmark
    public void readTree(Blackhole hole) throws IOException {
        for (byte[] document : documents) {
            hole.consume(mapper.readTree(document));
        }
    }
}
