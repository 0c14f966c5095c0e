package dev.parley.server.feature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.server.http.Route;
import org.junit.jupiter.api.Test;

class ContributionsTest {

    @Test
    void aRouteCannotReplaceAnotherWithOtherRights() {
        Contributions contributions = new Contributions().route(Route.get("/v1/status", request -> "status"));

        assertThatThrownBy(() -> contributions.route(Route.open("/v1/status", request -> "open")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("duplicate contribution GET /v1/status");
        assertThat(contributions.routes()).hasSize(1);
    }

    @Test
    void aStatusLineHasOneContributor() {
        Contributions contributions = new Contributions().statusLine("witnesses", () -> 1);

        assertThatThrownBy(() -> contributions.statusLine("witnesses", () -> 2))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("duplicate contribution witnesses");
    }
}
