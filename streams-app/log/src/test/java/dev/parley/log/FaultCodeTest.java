package dev.parley.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FaultCodeTest {

    @Test
    void whatIsNoFaultOfTheTrailIsANotice() {
        assertThat(FaultCode.values())
                .filteredOn(FaultCode::isNotice)
                .containsExactly(
                        FaultCode.REDACTION_UNFOUNDED,
                        FaultCode.HEAD_FORGED,
                        FaultCode.STATES_COMPARED,
                        FaultCode.TIME_REVERSED,
                        FaultCode.NOTE_IGNORED);
    }
}
