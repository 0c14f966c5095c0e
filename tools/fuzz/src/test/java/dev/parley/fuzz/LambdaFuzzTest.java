package dev.parley.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.parley.avro.LambdaMessage;
import dev.parley.avro.Protocol;
import dev.parley.codec.lambda.LambdaCodec;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.provider.MethodSource;

/** Fuzzes the decoder of Λ. */
class LambdaFuzzTest {
    private static final DecoderPromises<LambdaMessage> PROMISES =
            new DecoderPromises<>(new LambdaCodec(), LambdaMessage.class, LambdaFuzzTest::withoutLabel);

    static Stream<Named<byte[]>> samples() {
        return Seeds.wires(Protocol.LAMBDA);
    }

    @MethodSource("samples")
    @FuzzTest
    void decoderKeepsItsPromises(byte[] wire) {
        PROMISES.check(wire);
    }

    /** The message without a transcript's sender label, which is not part of the wire message. */
    private static LambdaMessage withoutLabel(LambdaMessage message) {
        if (message.getLabel() == null) {
            return message;
        }
        LambdaMessage bare = LambdaMessage.newBuilder(message).build();
        bare.setLabel(null);
        return bare;
    }
}
