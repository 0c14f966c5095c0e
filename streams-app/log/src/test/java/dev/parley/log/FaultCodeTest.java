package dev.parley.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FaultCodeTest {

    @Test
    void onlyAnUnfoundedRedactionIsANotice() {
        assertThat(FaultCode.values()).filteredOn(FaultCode::isNotice).containsExactly(FaultCode.REDACTION_UNFOUNDED);
    }
}
