package dev.parley.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.parley.avro.Protocol;
import dev.parley.avro.SlipMessage;
import dev.parley.codec.slip.SlipCodec;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.provider.MethodSource;

/** Fuzzes the decoder of nSLIP. */
class SlipFuzzTest {
    private static final DecoderPromises<SlipMessage> PROMISES =
            new DecoderPromises<>(new SlipCodec(), SlipMessage.class);

    static Stream<Named<byte[]>> samples() {
        return Seeds.wires(Protocol.SLIP);
    }

    @MethodSource("samples")
    @FuzzTest
    void decoderKeepsItsPromises(byte[] wire) {
        PROMISES.check(wire);
    }
}
