package dev.parley.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.parley.json.ApiJson;
import dev.parley.json.model.TailEvent;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TailCommandTest {
    private static final String EVENT = "{\"chain\":\"default|SLIP|1\",\"namespace\":\"default\",\"protocol\":\"SLIP\","
            + "\"conversation\":\"1\",\"sequence\":9,\"time\":\"2026-01-31T12:00:00Z\",\"sender\":\"0\",\"to\":[\"1\"],"
            + "\"performative\":\"REQUEST\",\"verdict\":\"REJECTED\",\"code\":\"SLIP_TURN_REUSED\",\"position\":null,"
            + "\"detail\":\"The next free turn is 5.\\n\\u001b[31m\",\"meaning\":\"M\",\"remedy\":\"R\",\"allowed\":[\"a4\"],\"warnings\":["
            + "{\"code\":\"SLIP_TURN_GAP\",\"meaning\":\"m\",\"remedy\":\"r\"},"
            + "{\"code\":\"SLIP_\\u001b[31m\",\"meaning\":null,\"remedy\":null}],"
            + "\"rule\":{\"section\":\"1.3\",\"provenance\":\"S\",\"text\":\"t\"},\"inner\":[],\"bytes\":30,\"gloss\":\"Hi.\"}";

    private static TailEvent event() throws IOException {
        return ApiJson.read(EVENT.getBytes(UTF_8), ApiJson.type(TailEvent.class));
    }

    @Test
    void aLineEndsWithItsWarningsAndTheRuleIsBelow() throws IOException {
        assertThat(TailCommand.line(event(), false))
                .isEqualTo(
                        "2026-01-31T12:00:00Z  REJECTED SLIP_TURN_REUSED  default|SLIP|1#9  0 → 1  Hi."
                                + "  W SLIP_TURN_GAP  W SLIP_\\u001b[31m\n  1.3: t\n  The next free turn is 5.\\u000a\\u001b[31m");
    }

    @Test
    void anApiThatWasNeverReachedEndsTheCommand() {
        CommandRun run = CommandRun.of("tail", "--count", "1", "--url", "http://127.0.0.1:1");

        assertThat(run.exit()).isOne();
        assertThat(run.err().lines()).singleElement().asString().contains("unavailable: connection refused");
    }

    @Test
    void aFailureThatRepeatsIsReportedOncePerOutage() throws IOException {
        List<Integer> statuses = List.of(503, 503, 200, 503, 403);
        AtomicInteger requests = new AtomicInteger();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            int status = statuses.get(requests.getAndIncrement());
            byte[] body = (status == 200
                            ? "event: end\ndata: {\"reason\":\"RECONNECT\",\"detail\":\"x\"}\n\n"
                            : "{\"detail\":\"Not now.\"}")
                    .getBytes(UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        CommandRun run;
        try {
            run = CommandRun.of(
                    "tail", "--url", "http://127.0.0.1:" + server.getAddress().getPort());
        } finally {
            server.stop(0);
        }
        assertThat(requests).hasValue(statuses.size());
        assertThat(run.exit()).isOne();
        assertThat(run.err().lines())
                .containsExactly(
                        "parley tail: /v1/tail returned 503: Not now; reconnecting",
                        "parley tail: /v1/tail returned 503: Not now; reconnecting",
                        "parley tail: Not now.");
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 404})
    void somethingElseThatListensIsNamedOnce(int status) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] body = "<html>\n<body>other</body>\n</html>".getBytes(UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/html");
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        try {
            CommandRun run = CommandRun.of(
                    "tail", "--url", "http://127.0.0.1:" + server.getAddress().getPort());

            assertThat(run.exit()).isOne();
            assertThat(run.err().lines())
                    .containsExactly("parley tail: /v1/tail returned " + status
                            + " without a body of Parley. Check that the URL is that of Parley's HTTP API.");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void anEventKeepsEveryMember() throws IOException {
        assertThat(ApiJson.text(event())).isEqualToIgnoringCase(EVENT);
    }
}
