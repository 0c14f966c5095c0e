package dev.parley.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.parley.avro.Profile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DecodeOptionsTest {
    @Test
    void onlyTheStrictProfileIsStrict() {
        assertThat(DecodeOptions.LENIENT.strict()).isFalse();
        assertThat(DecodeOptions.STRICT.strict()).isTrue();
    }

    @Test
    void aProfileMustBeOneOfTheTwo() {
        for (Profile profile : Profile.values()) {
            if (profile == Profile.LENIENT || profile == Profile.STRICT) {
                assertThat(new DecodeOptions(profile, Limits.DEFAULT).profile()).isEqualTo(profile);
            } else {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> new DecodeOptions(profile, Limits.DEFAULT))
                        .withMessageContaining(profile.name());
            }
        }
        assertThatNullPointerException().isThrownBy(() -> new DecodeOptions(Profile.LENIENT, null));
    }

    @ParameterizedTest
    @CsvSource({"0, 1, 1, 1", "1, 0, 1, 1", "1, 1, 0, 1", "1, 1, 1, 0", "-1, 1, 1, 1"})
    void limitsArePositive(int bytes, int depth, int fields, int operations) {
        assertThatIllegalArgumentException().isThrownBy(() -> new Limits(bytes, depth, fields, operations));
    }

    @Test
    void aLimitOfOneIsAllowed() {
        assertThat(new Limits(1, 1, 1, 1).depth()).isEqualTo(1);
    }
}
