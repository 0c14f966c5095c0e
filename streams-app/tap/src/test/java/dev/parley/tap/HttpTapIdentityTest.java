package dev.parley.tap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS on both sides of the proxy, and whom the records name. */
class HttpTapIdentityTest {
    private static final String REQUEST = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
    private static final String RESULT = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}";

    @TempDir
    private static Path directory;

    private static Certificates ofServer;
    private static Certificates ofTap;
    private static Certificates ofClient;

    @TempDir
    private Path state;

    private final ListReceiver receiver = new ListReceiver();
    private final List<Map<String, List<String>>> seen = new CopyOnWriteArrayList<>();
    private Outbox outbox;
    private HttpServer server;
    private HttpTap tap;

    @BeforeAll
    static void make() throws Exception {
        ofServer = Certificates.of(directory, "CN=server", "ip:127.0.0.1");
        ofTap = Certificates.of(directory, "CN=tap", "ip:127.0.0.1");
        ofClient = Certificates.of(directory, "CN=agent-7, O=Example", "");
    }

    @BeforeEach
    void start() throws Exception {
        outbox = receiver.outbox(state);
    }

    @AfterEach
    void stop() throws Exception {
        tap.close();
        outbox.close(Duration.ofSeconds(60));
        server.stop(0);
    }

    /** Starts a server, and the tap before it; the server has TLS with a key, if any. */
    private void start(Certificates key, Callers callers, String... options) throws Exception {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        if (key == null) {
            server = HttpServer.create(address, 0);
        } else {
            HttpsServer secured = HttpsServer.create(address, 0);
            secured.setHttpsConfigurator(new HttpsConfigurator(key.context(null)));
            server = secured;
        }
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", exchange -> {
            seen.add(exchange.getRequestHeaders());
            exchange.getRequestBody().readAllBytes();
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, RESULT.length());
            exchange.getResponseBody().write(RESULT.getBytes(UTF_8));
            exchange.close();
        });
        server.start();
        TapOptions parsed = new TapOptions(List.of(options), 0, TapOptions.HTTP);
        tap = HttpTap.start(
                address,
                URI.create((key == null ? "http" : "https") + "://127.0.0.1:"
                        + server.getAddress().getPort()),
                outbox,
                new HttpTap.Security(Tls.server(parsed), Tls.client(parsed), callers));
    }

    private HttpResponse<String> post(SSLContext tls, String... headers) throws Exception {
        HttpClient.Builder client = HttpClient.newBuilder();
        if (tls != null) {
            client.sslContext(tls);
        }
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create((tls == null ? "http" : "https") + "://127.0.0.1:" + tap.port() + "/mcp"))
                .POST(BodyPublishers.ofString(REQUEST));
        return client.build()
                .send((headers.length == 0 ? request : request.headers(headers)).build(), BodyHandlers.ofString());
    }

    private Map<String, String> recorded() {
        await().until(() -> receiver.records.size() == 2);
        assertThat(receiver.lines()).containsExactly("> " + REQUEST, "< " + RESULT);
        assertThat(receiver.records.get(1).headers())
                .doesNotContainKeys("parley-caller", "parley-caller-proof", "parley-delegation");
        return receiver.records.get(0).headers();
    }

    private static String[] tls(String... more) throws Exception {
        List<String> options =
                new ArrayList<>(List.of("--tls-certificate", ofTap.certificateFile(), "--tls-key", ofTap.keyFile()));
        options.addAll(List.of(more));
        return options.toArray(String[]::new);
    }

    @Test
    void trafficPassesOverTlsOnBothSides() throws Exception {
        start(ofServer, new Callers(null), tls("--ca", ofServer.certificateFile()));

        HttpResponse<String> response = post(Certificates.trusting(ofTap));

        assertThat(response.body()).isEqualTo(RESULT);
        assertThat(response.version()).isEqualTo(HttpClient.Version.HTTP_1_1);
        assertThat(recorded()).doesNotContainKey("parley-caller");
    }

    @Test
    void aServerWithAnUnknownCertificateGetsNothing() throws Exception {
        start(ofServer, new Callers(null), "--ca", ofTap.certificateFile());

        assertThat(post(null).statusCode()).isEqualTo(502);
        assertThat(seen).isEmpty();
    }

    @Test
    void aServerWithACertificateOfAnotherNameGetsNothing() throws Exception {
        Certificates other = Certificates.of(directory, "CN=127.0.0.1", "dns:other.example");
        start(other, new Callers(null), "--ca", other.certificateFile());

        assertThat(post(null).statusCode()).isEqualTo(502);
        assertThat(seen).isEmpty();
    }

    @Test
    void theCertificateOfTheClientNamesTheCaller() throws Exception {
        start(null, new Callers(null), tls("--tls-client-ca", ofClient.certificateFile()));

        assertThat(post(ofClient.context(ofTap)).statusCode()).isEqualTo(200);

        assertThat(recorded())
                .containsEntry("parley-caller", "CN=agent-7,O=Example")
                .containsEntry("parley-caller-proof", "mtls");
    }

    @Test
    void aClientWithoutATrustedCertificateDoesNotReachTheServer() throws Exception {
        start(null, new Callers(null), tls("--tls-client-ca", ofClient.certificateFile()));

        assertThatThrownBy(() -> post(Certificates.trusting(ofTap))).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> post(ofServer.context(ofTap))).isInstanceOf(IOException.class);
        assertThat(seen).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"CN=a\\0Ab", "CN="})
    void aHostileNameInACertificateStopsNoTraffic(String subject) throws Exception {
        String name = subject.equals("CN=") ? subject + "n".repeat(10_000) : subject;
        Certificates hostile = Certificates.of(directory, name, "");
        start(null, new Callers(null), tls("--tls-client-ca", hostile.certificateFile()));

        assertThat(post(hostile.context(ofTap)).body()).isEqualTo(RESULT);
        assertThat(recorded()).doesNotContainKeys("parley-caller", "parley-caller-proof");
    }

    @Test
    void aCertificateBeyondTheLimitOfTlsStopsItsConnectionOnly() throws Exception {
        Certificates hostile = Certificates.of(directory, "CN=" + "n".repeat(64 << 10), "");
        Path both = Path.of(hostile.certificateFile());
        Files.writeString(both, Files.readString(both) + Files.readString(Path.of(ofClient.certificateFile())));
        start(null, new Callers(null), tls("--tls-client-ca", both.toString()));

        assertThatThrownBy(() -> post(hostile.context(ofTap))).isInstanceOf(IOException.class);
        assertThat(post(ofClient.context(ofTap)).body()).isEqualTo(RESULT);
        assertThat(recorded()).containsEntry("parley-caller", "CN=agent-7,O=Example");
    }

    @Test
    void aTokenPassesUnchangedAndOnlyItsNamesAreRecorded() throws Exception {
        try (Issuer issuer = new Issuer()) {
            start(null, issuer.callers(Duration.ofHours(1)));
            String token = issuer.token("alice", ",\"act\":{\"sub\":\"planner\"},\"email\":\"a@example.com\"");

            assertThat(post(null, "Authorization", "Bearer " + token).body()).isEqualTo(RESULT);

            assertThat(seen.get(0)).containsEntry("Authorization", List.of("Bearer " + token));
            assertThat(recorded())
                    .containsEntry("parley-caller", "alice")
                    .containsEntry("parley-caller-proof", "token")
                    .containsEntry("parley-delegation", "[\"planner\"]");
            assertThat(receiver.records.toString())
                    .doesNotContain(token.split("\\."))
                    .doesNotContain("a@example");
        }
    }

    @Test
    void aTokenThatIsNotValidPassesAndNamesNobody() throws Exception {
        try (Issuer issuer = new Issuer()) {
            start(null, issuer.callers(Duration.ofHours(1)));
            String token = issuer.token("alice", "").replaceFirst("\\.[^.]*$", ".AAAA");

            assertThat(post(null, "Authorization", "Bearer " + token).body()).isEqualTo(RESULT);

            assertThat(seen.get(0)).containsEntry("Authorization", List.of("Bearer " + token));
            assertThat(recorded()).doesNotContainKeys("parley-caller", "parley-caller-proof", "parley-delegation");
        }
    }

    @Test
    void aHugeTokenPassesAndNamesNobody() throws Exception {
        try (Issuer issuer = new Issuer()) {
            start(null, issuer.callers(Duration.ofHours(1)));
            String depth = ",\"act\":" + "{\"act\":".repeat(10_000) + "{}" + "}".repeat(10_000);

            assertThat(post(null, "Authorization", "Bearer " + issuer.token("alice", depth))
                            .body())
                    .isEqualTo(RESULT);

            assertThat(recorded()).doesNotContainKey("parley-caller");
        }
    }

    @Test
    void headersByWhichAClientNamesACallerPassAndAreNotRecorded() throws Exception {
        start(null, new Callers(null));

        post(
                null,
                "Parley-Caller",
                "admin",
                "parley-caller-proof",
                "mtls",
                "parley-delegation",
                "[\"x\"]",
                "parley-sender",
                "x",
                "parley-namespace",
                "x",
                "parley-capture",
                "gap",
                "parley-loss",
                "records=9");

        assertThat(seen.get(0)).containsEntry("Parley-caller", List.of("admin"));
        assertThat(recorded().keySet())
                .containsExactlyInAnyOrder(
                        "parley-protocol",
                        "parley-direction",
                        "parley-exchange",
                        "parley-http-method",
                        "parley-http-path");
    }
}
