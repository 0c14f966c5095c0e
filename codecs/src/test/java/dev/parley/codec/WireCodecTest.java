package dev.parley.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.parley.avro.LambdaMessage;
import dev.parley.avro.Profile;
import dev.parley.codec.lambda.LambdaCodec;
import org.junit.jupiter.api.Test;

/** What {@link WireCodec#verify} proves of a record that was made. */
class WireCodecTest {
    private final WireCodec<LambdaMessage> codec = new LambdaCodec();

    @Test
    void aRecordThatReadsBackTheSameIsGivenBackAsAnEqualOne() {
        LambdaMessage message = message("!Ik/co");
        assertThat(codec.verify(message, DecodeOptions.STRICT))
                .isEqualTo(message)
                .isNotSameAs(message);
    }

    @Test
    void aRecordThatCannotBeReadIsRefusedWithTheFault() {
        DecodeOptions narrow = new DecodeOptions(Profile.LENIENT, new Limits(3, 1, 1, 1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> codec.verify(message("!Ik/co"), narrow))
                .withMessageStartingWith("MESSAGE_TOO_LARGE: ");
    }

    @Test
    void aRecordThatIsIllegalWhereverItStandsIsRefusedWithTheViolation() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> codec.verify(message("!Ik/co[n12]"), DecodeOptions.LENIENT))
                .withMessage("LAMBDA_CHECKSUM: " + Code.LAMBDA_CHECKSUM.meaning());
    }

    @Test
    void aRecordThatReadsBackAsAnotherIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> codec.verify(message("A: !Ik"), DecodeOptions.LENIENT))
                .withMessageStartingWith("The record reads back as another one: ");
    }

    private LambdaMessage message(String wire) {
        return ((DecodeResult.Decoded<LambdaMessage>) codec.decode(wire.getBytes(UTF_8), DecodeOptions.LENIENT))
                .message();
    }
}
