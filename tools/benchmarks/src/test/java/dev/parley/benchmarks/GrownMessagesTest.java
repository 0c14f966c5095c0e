package dev.parley.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.parley.codec.Code;
import dev.parley.codec.DecodeResult;
import dev.parley.load.sample.SampleConversation;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GrownMessagesTest {
    /** Codes whose offset is the start of the problem, although it shows only at the end of the input. */
    private static final Set<Code> POINTING_BACK =
            Set.of(Code.SLIP_BAD_STRING, Code.LAMBDA_BAD_STRING, Code.CSP_HEREDOC);

    @ParameterizedTest
    @EnumSource(Shape.class)
    void aShapeHasAnyExactSizeAndDecodes(Shape shape) {
        for (int size : new int[] {100, 101, 1_000, 10_000, 100_007}) {
            byte[] wire = shape.message(size);

            assertThat(wire).hasSize(size);
            assertThat(SampleConversation.codec(shape.protocol()).decode(wire, GrowthBenchmark.OPTIONS))
                    .isInstanceOf(DecodeResult.Decoded.class);
        }
    }

    @ParameterizedTest
    @EnumSource(Adversary.class)
    void anAdversaryHasItsSizeAndIsReadToItsEnd(Adversary adversary) {
        byte[] wire = adversary.input(10_000);

        assertThat(wire.length).isCloseTo(10_000, within(100));
        DecodeResult<?> result = SampleConversation.codec(adversary.protocol()).decode(wire, GrowthBenchmark.OPTIONS);
        if (result instanceof DecodeResult.Malformed<?> malformed) {
            if (adversary.name().endsWith("TOO_DEEP")) {
                assertThat(malformed.code()).isEqualTo(Code.TOO_DEEP);
            } else if (!POINTING_BACK.contains(malformed.code())) {
                assertThat(malformed.offset()).as(malformed.toString()).isGreaterThan(9_000);
            }
        }
    }
}
