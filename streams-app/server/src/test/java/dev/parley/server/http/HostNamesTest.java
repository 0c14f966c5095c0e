package dev.parley.server.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.server.HttpSecurityFactory;
import dev.parley.server.ServerConfig;
import dev.parley.server.api.HttpTest;
import dev.parley.server.api.Loopback;
import dev.parley.server.api.QueryServer;
import dev.parley.server.api.Tokens;
import dev.parley.server.cluster.PeerHeaders;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Without tokens, a web page reads nothing by a name that its DNS server resolves to this machine. */
class HostNamesTest extends HttpTest {

    @Override
    protected HttpSecurity security() {
        return of(Map.of(
                HttpKeys.HOST_NAMES, "parley, Audit.example.com", "http.advertised", "parley-1.example.com:8080"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/v1/conversations",
                "/v1/tail",
                "/metrics",
                "/openapi.yaml",
                "/health/live",
                "/app.js",
                "/no/such/path",
                PeerHeaders.PATH
            })
    void anotherNameIsRefusedOnEveryPath(String path) throws IOException {
        for (String host :
                new String[] {"rebound.attacker.example", "localhost.attacker.example:8080", "x", "1.example"}) {
            assertThat(get(server().port(), path, host))
                    .as(host)
                    .startsWith("HTTP/1.1 421 ")
                    .contains("HOST_NOT_ALLOWED", HttpKeys.HOST_NAMES, "Connection: close");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "127.0.0.1:8080",
                "192.0.2.1",
                "[::1]:8080",
                "LOCALHOST:1",
                "parley:8080",
                "audit.example.com",
                "parley-1.example.com"
            })
    void addressesAndNamesOfTheInstanceAreServed(String host) throws IOException {
        assertThat(get(server().port(), "/health/live", host)).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void withTokensTheNameDoesNotMatter() throws IOException {
        try (QueryServer other = QueryServer.start(Loopback.bind(), api(), Tokens.security())) {
            assertThat(get(other.port(), "/health/live", "rebound.attacker.example"))
                    .startsWith("HTTP/1.1 200 ");
        }
    }

    private static HttpSecurity of(Map<String, String> settings) {
        return HttpSecurityFactory.of(ServerConfig.of(settings), warning -> {});
    }

    /** The raw response to a GET request with a Host header. */
    static String get(int port, String path, String host) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream()
                    .write(("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n")
                            .getBytes(ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
        }
    }
}
