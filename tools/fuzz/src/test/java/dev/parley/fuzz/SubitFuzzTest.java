package dev.parley.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.parley.avro.Protocol;
import dev.parley.avro.SubitMessage;
import dev.parley.codec.subit.SubitCodec;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.provider.MethodSource;

/** Fuzzes the decoder of SUBIT-Agent. */
class SubitFuzzTest {
    private static final DecoderPromises<SubitMessage> PROMISES =
            new DecoderPromises<>(new SubitCodec(), SubitMessage.class);

    static Stream<Named<byte[]>> samples() {
        return Seeds.wires(Protocol.SUBIT);
    }

    @MethodSource("samples")
    @FuzzTest
    void decoderKeepsItsPromises(byte[] wire) {
        PROMISES.check(wire);
    }
}
