package dev.parley.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.parley.avro.CspMessage;
import dev.parley.avro.Protocol;
import dev.parley.codec.csp.CspCodec;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.provider.MethodSource;

/** Fuzzes the decoder of CSP/1. */
class CspFuzzTest {
    private static final DecoderPromises<CspMessage> PROMISES = new DecoderPromises<>(new CspCodec(), CspMessage.class);

    static Stream<Named<byte[]>> samples() {
        return Seeds.wires(Protocol.CSP);
    }

    @MethodSource("samples")
    @FuzzTest
    void decoderKeepsItsPromises(byte[] wire) {
        PROMISES.check(wire);
    }
}
