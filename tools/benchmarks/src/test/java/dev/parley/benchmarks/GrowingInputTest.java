package dev.parley.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.parley.codec.Code;
import dev.parley.codec.DecodeResult;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GrowingInputTest {

    /** Codes whose offset is the start of the problem, although it shows only at the end of the input. */
    private static final Set<Code> POINTING_BACK =
            Set.of(Code.SLIP_BAD_STRING, Code.LAMBDA_BAD_STRING, Code.CSP_HEREDOC);

    @ParameterizedTest
    @EnumSource(names = ".*REGULAR.*", mode = EnumSource.Mode.MATCH_ANY)
    void aRegularInputDecodes(GrowingInput input) {
        for (int size : new int[] {200, 1_000, 10_000, 100_007}) {
            assertThat(Codecs.of(input.protocol()).decode(input.of(size), SizeBenchmark.OPTIONS))
                    .isInstanceOf(DecodeResult.Decoded.class);
        }
    }

    @ParameterizedTest
    @EnumSource(GrowingInput.class)
    void anInputHasItsSizeAndIsReadToItsEnd(GrowingInput input) {
        byte[] wire = input.of(10_000);
        assertThat(wire.length).isCloseTo(10_000, within(100));
        DecodeResult<?> result = Codecs.of(input.protocol()).decode(wire, SizeBenchmark.OPTIONS);
        if (result instanceof DecodeResult.Malformed<?> malformed) {
            if (input.name().endsWith("TOO_DEEP")) {
                assertThat(malformed.code()).isEqualTo(Code.TOO_DEEP);
            } else if (!POINTING_BACK.contains(malformed.code())) {
                assertThat(malformed.offset()).as(malformed.toString()).isGreaterThan(9_000);
            }
        }
    }
}
