package dev.parley.server.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.parley.avro.Protocol;
import dev.parley.log.KeyFiles;
import dev.parley.log.LogNotes;
import dev.parley.log.tlog.NoteSigner;
import dev.parley.server.api.view.Paths;
import dev.parley.server.http.HttpSecurity;
import dev.parley.server.http.ProblemException.Code;
import java.io.IOException;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The API below a path of a reverse proxy, also of one that decodes paths. */
class PathPrefixTest extends HttpTest {

    private HttpServer proxy;

    @Override
    protected HttpSecurity security() {
        HttpSecurity open = Loopback.OPEN;
        return new HttpSecurity(
                open.tls(),
                open.authentication(),
                open.rate(),
                open.limits(),
                open.peers(),
                "/team/parley",
                open.hosts());
    }

    @BeforeEach
    void startProxy() throws IOException {
        proxy = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        proxy.createContext("/", this::forward);
        proxy.start();
    }

    @AfterEach
    void stopProxy() {
        proxy.stop(0);
    }

    /** As proxies do that compare decoded and normalized paths, and pass them on. */
    private void forward(HttpExchange exchange) throws IOException {
        URI asked = exchange.getRequestURI();
        String path = URI.create("http://x" + asked.getRawPath().replace("%2F", "/"))
                .normalize()
                .getRawPath();
        String query = asked.getRawQuery() == null ? "" : "?" + asked.getRawQuery();
        HttpURLConnection upstream = (HttpURLConnection)
                URI.create(server().uri() + path + query).toURL().openConnection();
        int status = upstream.getResponseCode();
        byte[] body = (status < 400 ? upstream.getInputStream() : upstream.getErrorStream()).readAllBytes();
        exchange.getResponseHeaders().set("Content-Type", upstream.getContentType());
        exchange.sendResponseHeaders(status, body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
        }
    }

    private HttpResponse<String> throughProxy(String path) {
        return send(HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + proxy.getAddress().getPort() + path))
                .build());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"7", "a/b", "//", "..", ".", "100%", "%2F", "a%252Fb", "~x", "~", "a\\b", "a;b=c", "Λ→λ", "a b"})
    void theLinksOfEveryNameLeadThroughAProxyThatDecodesPaths(String name) {
        views.conversations.add(Samples.conversation("default", Protocol.SLIP, name, 1));

        JsonNode page = parse(throughProxy("/team/parley/v1/conversations").body());
        String link = page.at("/items/0/links/self").asText();

        assertThat(link).startsWith("/team/parley/v1/conversations/default/SLIP/");
        HttpResponse<String> response = throughProxy(link);
        assertThat(response.statusCode()).as(link + response.body()).isEqualTo(200);
        assertThat(parse(response.body()).path("conversation").asText()).isEqualTo(name);
        assertThat(get(link.substring("/team/parley".length())).statusCode())
                .as("without the prefix")
                .isEqualTo(200);
    }

    @Test
    void everythingIsServedBelowThePrefix() {
        assertThat(parse(get("/team/parley/").body()).path("links").get(0).asText())
                .startsWith("/team/parley/v1/");
        assertThat(get("/team/parley").statusCode()).isEqualTo(200);
        assertThat(get("/team/parley/health/live").statusCode()).isEqualTo(200);
        assertThat(get("/team/parley/openapi.yaml").body()).contains("\nservers:\n  - url: /team/parley\npaths:\n");
        assertThat(send("GET", "/team/parley/", "Accept", "text/html").body()).contains("src=\"assets/app.js\"");
        assertThat(get("/team/parley/assets/app.js").statusCode()).isEqualTo(200);
        assertThat(get("/health/live").statusCode()).isEqualTo(200);
        problem(get("/team/parleys/v1/status"), Code.UNKNOWN_PATH);
        assertThat(get("/team/parley/team/parley/v1/status").statusCode()).isEqualTo(404);
    }

    @Test
    void theProofOfAMessageIsBelowThePrefix() throws Exception {
        views.conversations.add(Samples.conversation("default", Protocol.SLIP, "7", 1));
        views.messages.add(Samples.slip("7", 0));
        views.heads.add(new LogNotes("parley/audit", List.of(NoteSigner.of("parley/audit", KeyFiles.newPair())))
                .head(0, 1, new byte[32], Instant.now()));

        assertThat(parse(get("/team/parley/v1/conversations/default/slip/7/messages/0")
                                .body())
                        .at("/integrity/links/proof")
                        .asText())
                .isEqualTo("/team/parley/v1/conversations/default/SLIP/7/messages/0/proof");
    }

    @Test
    void aProblemHasThePathThatTheClientRequested() {
        HttpResponse<String> unknown = get("/team/parley/v1/nope");
        problem(unknown, Code.UNKNOWN_PATH);
        assertThat(unknown.body()).contains("Nothing at /team/parley/v1/nope; GET /team/parley/ lists the paths.");
        HttpResponse<String> notAllowed = send("DELETE", "/team/parley/v1/status");
        problem(notAllowed, Code.METHOD_NOT_ALLOWED);
        assertThat(notAllowed.body()).contains("/team/parley/v1/status supports GET");
        problem(get("/v1/nope"), Code.UNKNOWN_PATH);
    }

    /** Such a path is refused as all paths with dot segments are, not with a failure in the log. */
    @ParameterizedTest
    @CsvSource({
        "/team/parley/../../v1/codes, UNKNOWN_PATH",
        "/team/parley/%2e%2e/%2E./v1/codes, UNKNOWN_PATH",
        "/team/parley/v1/../../../v1/codes, UNKNOWN_PATH",
        "/team/parley/..;a=b/../v1/codes, INVALID_REQUEST"
    })
    void aPathThatLeadsOutOfThePrefixIsRefused(String path, Code code) {
        assertThat(parse(get(path).body()).path("code").asText()).isEqualTo(code.name());
    }

    @ParameterizedTest
    @ValueSource(strings = {"~!", "~_w", "~YQ=x"})
    void aNameThatIsNotItsBase64IsRefused(String segment) {
        assertThat(get("/v1/conversations/default/slip/" + segment).body()).contains("INVALID_REQUEST", "Base64");
    }

    @Test
    void aNameIsReadFromItsSegment() {
        assertThat(Paths.name("a/b")).isEqualTo("~YS9i");
        assertThat(Paths.names(Map.of("conversation", "~YS9i", "protocol", "slip")))
                .isEqualTo(Map.of("conversation", "a/b", "protocol", "slip"));
        assertThat(Paths.name("größe")).isEqualTo("gr%C3%B6%C3%9Fe");
        assertThat(Paths.names(Map.of("agent", "~" + "4oaS")).get("agent").getBytes(UTF_8))
                .hasSize(3);
    }
}
