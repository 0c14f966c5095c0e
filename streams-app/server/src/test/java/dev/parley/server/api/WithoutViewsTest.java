package dev.parley.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.server.http.ProblemException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An instance without views has only routes about itself. */
class WithoutViewsTest extends HttpTest {

    @Override
    public QueryServer.Components api() {
        return Loopback.components(Optional.empty(), () -> List.copyOf(parts), metrics, List.of());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/health/live", "/health/ready", "/metrics", "/openapi.yaml", "/"})
    void healthAndMetricsAreAvailable(String path) {
        assertThat(get(path).statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/conversations", "/v1/dead-letters", "/v1/accounting"})
    void queriesAreReferredToInstancesWithViews(String path) {
        assertThat(problem(path, ProblemException.Code.UNKNOWN_PATH)
                        .path("detail")
                        .asText())
                .contains("roles=views");
    }

    @Test
    void theIndexListsTheAvailablePaths() {
        assertThat(json("/").path("links"))
                .extracting(link -> link.asText())
                .containsExactly("/health/live", "/health/ready", "/metrics", "/openapi.yaml", "/");
    }
}
