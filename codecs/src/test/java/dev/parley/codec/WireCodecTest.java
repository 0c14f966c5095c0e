package dev.parley.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.parley.avro.LambdaMessage;
import dev.parley.avro.Profile;
import dev.parley.codec.lambda.LambdaCodec;
import org.junit.jupiter.api.Test;

/** Tests {@link WireCodec#verify} with constructed records. */
class WireCodecTest {
    private final WireCodec<LambdaMessage> codec = new LambdaCodec();

    @Test
    void aVerifiedRecordIsReturnedAsAnEqualOne() {
        LambdaMessage message = message("!Ik/co");
        assertThat(codec.verify(message, DecodeOptions.STRICT))
                .isEqualTo(message)
                .isNotSameAs(message);
    }

    @Test
    void aRecordThatCannotBeDecodedIsRefusedWithTheError() {
        DecodeOptions narrow = new DecodeOptions(Profile.LENIENT, new Limits(3, 1, 1, 1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> codec.verify(message("!Ik/co"), narrow))
                .withMessageStartingWith("MESSAGE_TOO_LARGE: ");
    }

    @Test
    void aRecordWithAViolationIsRefusedWithIt() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> codec.verify(message("!Ik/co[n12]"), DecodeOptions.LENIENT))
                .withMessage("LAMBDA_CHECKSUM: " + Code.LAMBDA_CHECKSUM.meaning());
    }

    @Test
    void aRecordThatDecodesDifferentlyIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> codec.verify(message("A: !Ik"), DecodeOptions.LENIENT))
                .withMessageStartingWith("The record decodes to a different message: ");
    }

    private LambdaMessage message(String wire) {
        return ((DecodeResult.Decoded<LambdaMessage>) codec.decode(wire.getBytes(UTF_8), DecodeOptions.LENIENT))
                .message();
    }
}
