package dev.parley.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which paths match which routes, and with which parameters. */
class RouteTableTest {
    private final RouteTable table = new RouteTable(
            Stream.of("/", "/v1/codes", "/v1/letters:redrive", "/v1/logs/{log}/tile/{path}", "/v1/agents/{a}/{b}/state")
                    .map(path -> Route.local(path, request -> null))
                    .toList());

    private List<String> paths(String path) {
        return table.matches(path).stream().map(match -> match.route().path()).toList();
    }

    @ParameterizedTest
    @CsvSource({
        "/, /",
        "/v1/codes, /v1/codes",
        "/v1/codes/, /v1/codes",
        "/v1/letters:redrive, /v1/letters:redrive",
        "/v1/logs/3/tile/0/x001/002, /v1/logs/{log}/tile/{path}",
        "/v1/agents/x/y/state, /v1/agents/{a}/{b}/state"
    })
    void aPathHasARoute(String path, String route) {
        assertThat(paths(path)).containsExactly(route);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "*",
                "/v1",
                "//v1/codes",
                "/v1//codes",
                "/v1/codes//",
                "/v1/Codes",
                "/v1/%63odes",
                "/v1/codes;x=1",
                "/v1/codes/x",
                "/v1/logs/3/tile",
                "/v1/logs//tile/0",
                "/v1/agents/x/y/z/state",
                "/v1/agents//y/state"
            })
    void anyOtherPathHasNone(String path) {
        assertThat(paths(path)).isEmpty();
    }

    @Test
    void eachParameterIsDecodedAlone() {
        assertThat(table.matches("/v1/agents/a%2Fb+c/%E2%82%AC/state").get(0).pathParams())
                .isEqualTo(Map.of("a", "a/b+c", "b", "€"));
        assertThat(table.matches("/v1/logs/3/tile/0/x%30/1.p/2").get(0).pathParams())
                .isEqualTo(Map.of("log", "3", "path", "0/x0/1.p/2"));
    }
}
