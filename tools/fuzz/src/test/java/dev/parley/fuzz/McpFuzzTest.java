package dev.parley.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.parley.avro.McpMessage;
import dev.parley.avro.Protocol;
import dev.parley.codec.mcp.McpCodec;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.provider.MethodSource;

/** Fuzzes the decoder of MCP. */
class McpFuzzTest {
    private static final DecoderPromises<McpMessage> PROMISES = new DecoderPromises<>(new McpCodec(), McpMessage.class);

    static Stream<Named<byte[]>> samples() {
        return Seeds.wires(Protocol.MCP);
    }

    @MethodSource("samples")
    @FuzzTest
    void decoderKeepsItsPromises(byte[] wire) {
        PROMISES.check(wire);
    }
}
