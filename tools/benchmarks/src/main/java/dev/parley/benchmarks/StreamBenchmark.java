package dev.parley.benchmarks;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.parley.avro.Protocol;
import dev.parley.load.sample.SampleConversation;
import java.io.IOException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.infra.Blackhole;

/** Jackson's streaming pass over the bytes of the SUBIT conversation. */
public class StreamBenchmark extends ConversationBenchmark {
    private byte[][] wires;
    private final JsonFactory factory = new JsonFactory();

    /** Reads the conversation. */
    @Setup
    public void setUp() {
        wires = SampleConversation.of(Protocol.SUBIT).wires();
    }

    /** Reads the content: every token, the name of each key, the text of each string, and the value of each number. */
    @Benchmark
    public void read(Blackhole hole) throws IOException {
        for (byte[] wire : wires) {
            try (JsonParser json = factory.createParser(wire)) {
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

    /** Reads only the tokens; Jackson skips strings where it can. */
    @Benchmark
    public void tokens(Blackhole hole) throws IOException {
        for (byte[] wire : wires) {
            try (JsonParser json = factory.createParser(wire)) {
                for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
                    hole.consume(token);
                }
            }
        }
    }
}
