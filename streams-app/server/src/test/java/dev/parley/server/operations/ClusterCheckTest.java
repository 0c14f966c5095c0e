package dev.parley.server.operations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.topology.topics.Finding;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterCheckTest {

    /** The local clock reads 100.0 s before the response and 100.1 s after it. */
    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "100050, -",
                "95000, -",
                "105100, -",
                "94000, 6 s ahead of the cluster's",
                "160100, 60 s behind the cluster's"
            })
    void aClockIsWrongBeyondFiveSeconds(long theirs, String problem) {
        Optional<Finding> finding = ClusterCheck.skew(100_000, theirs, 100_100);
        assertThat(finding.map(Finding::problem).orElse(null))
                .isEqualTo(problem == null ? null : "This machine's clock is " + problem + ".");
    }
}
