package dev.parley.benchmarks;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.avro.Protocol;
import dev.parley.benchmarks.json.JsonForms;
import dev.parley.load.sample.SampleConversation;
import java.io.IOException;
import java.util.Arrays;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Jackson parses trees of JSON of the same size: for each message of a conversation, a document of exactly as many
 * bytes.
 */
public class SameSizeBenchmark extends ConversationBenchmark {
    @Param({"CSP", "LAMBDA"})
    Protocol protocol;

    private byte[][] documents;
    private final ObjectMapper mapper = new ObjectMapper();

    /** Creates the documents. */
    @Setup
    public void setUp() {
        documents = Arrays.stream(SampleConversation.of(protocol).wires())
                .map(JsonForms::sameSize)
                .toArray(byte[][]::new);
    }

    /** Bytes to a tree. */
    @Benchmark
    public void readTree(Blackhole hole) throws IOException {
        for (byte[] document : documents) {
            hole.consume(mapper.readTree(document));
        }
    }
}
