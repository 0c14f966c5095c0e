package dev.parley.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.fail;

import dev.parley.avro.LambdaMessage;
import dev.parley.avro.Performative;
import dev.parley.avro.Profile;
import dev.parley.avro.Protocol;
import dev.parley.avro.Reference;
import dev.parley.codec.lambda.LambdaCodec;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link WireCodec#verify} with constructed records, and the defaults of the interface. */
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

    @Test
    void aRecordWithoutARequiredFieldIsRefusedByName() {
        Echo echo = new Echo(new Reference("task", null));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> echo.encodeChecked(echo.message))
                .withMessage("id: must be of type string, but was null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> echo.verify(echo.message, DecodeOptions.STRICT))
                .withMessage("id: must be of type string, but was null");
    }

    @Test
    void aCompleteRecordIsEncodedWhenChecked() {
        Echo echo = new Echo(new Reference("task", "7"));
        assertThat(echo.encodeChecked(echo.message)).isEqualTo("7".getBytes(UTF_8));
    }

    @Test
    void aCodecDetectsNothingAndHidesNothingUnlessItSaysSo() {
        Echo echo = new Echo(new Reference("task", "7"));
        assertThat(echo.detects("7".getBytes(UTF_8), 0)).isFalse();
        assertThat(echo.isPrivate(echo.message)).isFalse();
        echo.identifiers(echo.message, (kind, identifier) -> fail("has the identifier " + identifier));
    }

    /** A codec with the defaults of the interface that encodes any record and decodes it from any bytes. */
    private record Echo(Reference message) implements WireCodec<Reference> {
        @Override
        public Protocol protocol() {
            return Protocol.EXTENSION;
        }

        @Override
        public DecodeResult<Reference> decode(byte[] wire, DecodeOptions options) {
            return new DecodeResult.Decoded<>(message, List.of(), List.of());
        }

        @Override
        public byte[] encode(Reference reference) {
            return String.valueOf(reference.getId()).getBytes(UTF_8);
        }

        @Override
        public Traits traits(Reference reference) {
            return new Traits(null, null, null, List.of(), Performative.ASSERT, null, List.of(reference));
        }
    }

    private LambdaMessage message(String wire) {
        return ((DecodeResult.Decoded<LambdaMessage>) codec.decode(wire.getBytes(UTF_8), DecodeOptions.LENIENT))
                .message();
    }
}
