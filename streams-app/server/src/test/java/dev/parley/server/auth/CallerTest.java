package dev.parley.server.auth;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CallerTest {

    @Test
    void aNameIsOneLogLineWhateverTheTokenContains() {
        assertThat(new Caller("a\r\n2026 INFO forged\u2028\u0000\u202Eb", Role.READER).name())
                .isEqualTo("a??2026 INFO forged???b");
        assertThat(new Caller("x".repeat(10_000), Role.READER).name()).hasSize(200);
        assertThat(new Caller("Żółć 李 🙂", Role.READER).name()).isEqualTo("Żółć 李 🙂");
    }

    @ParameterizedTest
    @CsvSource({
        "NONE, NONE, true", "NONE, READER, false", "READER, READER, true", "READER, AUDITOR, false",
        "PRODUCER, RECORDER, false", "RECORDER, PRODUCER, true", "RECORDER, READER, false", "READER, RECORDER, false",
        "AUDITOR, RECORDER, false", "OPERATOR, RECORDER, true", "READER, PRODUCER, false", "RECORDER, NONE, true",
        "AUDITOR, READER, true", "AUDITOR, OPERATOR, false", "OPERATOR, AUDITOR, true", "OPERATOR, OPERATOR, true"
    })
    void aRoleIncludesTheOnesBeforeIt(Role has, Role needs, boolean may) {
        assertThat(has.includes(needs)).isEqualTo(may);
    }

    @ParameterizedTest
    @CsvSource({"NONE, false", "READER, false", "AUDITOR, true", "OPERATOR, true"})
    void onlyAuditorsAndOperatorsSeePrivateMessages(Role role, boolean sees) {
        assertThat(role.seesPrivateMessages()).isEqualTo(sees);
    }
}
