package dev.parley.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.codec.Code;
import dev.parley.server.auth.RateLimiter;
import dev.parley.server.http.HttpSecurity;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The files of the web console, as a browser and as an attacker ask for them. All other paths need a token. */
class ConsoleTest extends HttpTest {

    private static final int BURST = 150;
    private static final String[] BROWSER = {"Accept", "text/html,application/xhtml+xml,*/*;q=0.8"};

    @Override
    protected HttpSecurity security() {
        return Tokens.security(new RateLimiter(1, BURST, 10, () -> 0), HttpLimits.DEFAULT);
    }

    @Test
    void aBrowserGetsThePageWithoutAToken() {
        HttpResponse<String> answer = send("GET", "/", BROWSER);

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type").orElseThrow()).startsWith("text/html");
        assertThat(answer.body()).contains("assets/app.js");
    }

    @Test
    void anyOtherClientGetsTheIndexOfTheApiAtTheSamePath() {
        assertThat(send("GET", "/").statusCode()).isEqualTo(401);
        assertThat(send("GET", "/", "Accept", "application/json").statusCode()).isEqualTo(401);
        HttpResponse<String> index = send("GET", "/", "Authorization", "Bearer reader");
        assertThat(parse(index.body()).path("name").asText()).isEqualTo("Parley");
        assertThat(send("GET", "/", BROWSER).headers().allValues("Vary")).containsExactly("Accept");
    }

    @Test
    void theIndexOfTheConsoleNamesExactlyItsFiles() throws IOException, URISyntaxException {
        Set<String> named = new TreeSet<>(List.of(resource("files.txt").split("\n")));

        URL index = ConsoleTest.class.getResource("/dev/parley/console/index.html");
        Set<String> present = new TreeSet<>();
        if (index.getProtocol().equals("file")) {
            Path root = Path.of(index.toURI()).getParent();
            try (Stream<Path> files = Files.walk(root)) {
                files.filter(Files::isRegularFile)
                        .map(file -> root.relativize(file).toString())
                        .forEach(present::add);
            }
        } else {
            String jar = index.toString().replaceFirst("!.*", "!/").replaceFirst("^jar:", "");
            try (java.util.jar.JarFile opened = new java.util.jar.JarFile(
                    Path.of(URI.create(jar.substring(0, jar.length() - 2))).toFile())) {
                opened.stream()
                        .filter(entry -> !entry.isDirectory() && entry.getName().startsWith("dev/parley/console/"))
                        .map(entry -> entry.getName().substring("dev/parley/console/".length()))
                        .forEach(present::add);
            }
        }
        present.remove("files.txt");
        assertThat(named).isEqualTo(present);
    }

    @Test
    void everyFileIsServedWithTheHeadersThatConfineIt() {
        for (String name : resource("files.txt").split("\n")) {
            HttpResponse<String> answer = send("GET", name.equals("index.html") ? "/" : "/" + name, BROWSER);

            assertThat(answer.statusCode()).as(name).isEqualTo(200);
            assertThat(answer.headers().firstValue("Content-Security-Policy").orElseThrow())
                    .as(name)
                    .startsWith("default-src 'none'; script-src 'self'; style-src 'self';")
                    .contains("frame-ancestors 'none'", "base-uri 'none'", "trusted-types 'none'")
                    .doesNotContain("unsafe", "http", "*");
            assertThat(answer.headers().firstValue("X-Frame-Options")).as(name).contains("DENY");
            assertThat(answer.headers().firstValue("X-Content-Type-Options"))
                    .as(name)
                    .contains("nosniff");
            assertThat(answer.headers().firstValue("Referrer-Policy")).as(name).contains("no-referrer");
        }
    }

    @Test
    void aBrowserThatHasAFileIsToldThatItHasNotChanged() {
        String etag = send("GET", "/assets/app.js").headers().firstValue("ETag").orElseThrow();

        HttpResponse<String> again = send("GET", "/assets/app.js", "If-None-Match", etag);

        assertThat(again.statusCode()).isEqualTo(304);
        assertThat(again.body()).isEmpty();
        assertThat(send("GET", "/assets/app.js", "If-None-Match", "\"other\"").statusCode())
                .isEqualTo(200);
    }

    @Test
    void filesCanOnlyBeRead() {
        for (String method : List.of("POST", "PUT", "DELETE", "PATCH", "OPTIONS")) {
            HttpResponse<String> answer = send(method, "/assets/app.js");
            assertThat(answer.statusCode()).as(method).isEqualTo(405);
            assertThat(answer.headers().firstValue("Allow")).as(method).contains("GET, HEAD");
        }
        HttpResponse<String> head = send("HEAD", "/assets/app.js");
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/assets/../index.html",
                "/assets/../files.txt",
                "/files.txt",
                "/index.html",
                "/assets/",
                "/assets",
                "/assets//app.js",
                "/assets/./app.js",
                "/assets/%2e%2e/files.txt",
                "/assets/..%2ffiles.txt",
                "/assets/%252e%252e/files.txt",
                "/assets/..\\files.txt",
                "/assets/..;/files.txt",
                "/assets/app.js/",
                "/assets/app.js;x=1",
                "/assets/app.js%00.css",
                "/assets/APP.JS",
                "/assets/../../../../../../etc/passwd",
                "/assets/%c0%ae%c0%ae/files.txt",
                "//etc/passwd",
                "/dev/parley/console/files.txt",
                "/META-INF/MANIFEST.MF",
                "/logback.xml",
                "/assets/vendor/../../../../../logback.xml"
            })
    void aPathThatIsNotInTheIndexLeadsNowhere(String path) throws IOException {
        String answer = raw("GET " + path + " HTTP/1.1\r\nHost: x\r\nAccept: text/html\r\nConnection: close\r\n\r\n");

        String status = answer.substring(9, 12);
        assertThat(status).as(answer).isIn("400", "401", "404", "414");
        assertThat(answer).doesNotContain("Content-Security-Policy");
    }

    @Test
    void requestsForFilesCountAgainstTheRateLimitOfTheirAddress() {
        int refused = 0;
        for (int i = 0; i < BURST + 20; i++) {
            refused += send("GET", "/assets/icon.svg").statusCode() == 429 ? 1 : 0;
        }
        assertThat(refused).isPositive();
    }

    @Test
    void everyCodeHasItsMeaningAndRemedy() {
        JsonNode items = parse(send("GET", "/v1/codes", "Authorization", "Bearer reader")
                        .body())
                .path("items");

        assertThat(items.findValuesAsText("code"))
                .isEqualTo(Stream.of(Code.values()).map(Code::name).collect(Collectors.toList()));
        for (JsonNode item : items) {
            assertThat(item.path("meaning").asText()).isNotBlank();
            assertThat(item.path("remedy").asText()).isNotBlank();
            assertThat(item.path("section").asText()).isNotBlank();
        }
    }

    private static String resource(String name) {
        try (InputStream in = ConsoleTest.class.getResourceAsStream("/dev/parley/console/" + name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Sends bytes that a client library would normalize. */
    private String raw(String request) throws IOException {
        try (Socket socket = new Socket(Loopback.HOST, server().port())) {
            OutputStream out = socket.getOutputStream();
            out.write(request.getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }
}
