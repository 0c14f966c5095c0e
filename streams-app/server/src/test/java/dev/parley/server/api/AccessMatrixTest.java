package dev.parley.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import dev.parley.protocol.TopicNames;
import dev.parley.server.api.view.CursorSeal;
import dev.parley.server.api.view.ViewApi;
import dev.parley.server.auth.Authenticator;
import dev.parley.server.auth.OidcTokens;
import dev.parley.server.auth.Provider;
import dev.parley.server.auth.RateLimiter;
import dev.parley.server.auth.Role;
import dev.parley.server.auth.StoredToken;
import dev.parley.server.auth.TokenFile;
import dev.parley.server.cluster.Routing;
import dev.parley.server.http.HostNames;
import dev.parley.server.http.HttpSecurity;
import dev.parley.server.http.ProblemException;
import dev.parley.server.http.Route;
import dev.parley.server.ingest.IngestFeature;
import dev.parley.server.ingest.IngestLimits;
import dev.parley.server.metrics.Metrics;
import dev.parley.server.redaction.RedactionFeature;
import dev.parley.server.redrive.FakeRedriver;
import dev.parley.server.redrive.RedriveFeature;
import dev.parley.server.tail.FakeTailSource;
import dev.parley.server.tail.TailFeature;
import dev.parley.server.tail.TailReader;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.pipeline.PipelineSettings;
import dev.parley.topology.topics.PublicContent;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** The table of roles in docs/security.md, whose rows list requests, matches the API, cell by cell. */
class AccessMatrixTest {
    private static final Path PAGE = Path.of("docs", "security.md");
    private static final SecureRandom RANDOM = new SecureRandom();

    @TempDir
    private static Path directory;

    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final Map<String, List<Credential>> COLUMNS = new LinkedHashMap<>();
    private static QueryServer.Components parts;
    private static Provider provider;
    private static QueryServer server;

    /**
     * Credentials of a request.
     *
     * @param header value of Authorization; empty for none
     */
    private record Credential(String name, Optional<String> header) {
        static Credential bearer(String name, String token) {
            return new Credential(name, Optional.of("Bearer " + token));
        }
    }

    @BeforeAll
    static void start() throws IOException, JOSEException {
        provider = new Provider();
        Map<Role, String> tokens = new LinkedHashMap<>();
        List<String> lines = new ArrayList<>();
        for (Role role : Role.GIVEN) {
            tokens.put(role, StoredToken.newToken(RANDOM));
            lines.add(StoredToken.of(tokens.get(role), "caller", role, Optional.empty(), Optional.empty())
                    .line());
        }
        String old = StoredToken.newToken(RANDOM);
        lines.add(StoredToken.of(
                        old,
                        "caller",
                        Role.OPERATOR,
                        Optional.empty(),
                        Optional.of(Instant.now().minusSeconds(1)))
                .line());
        Path file = Files.write(directory.resolve("tokens.jsonl"), lines);

        COLUMNS.put(
                "no good token",
                List.of(
                        new Credential("nothing", Optional.empty()),
                        new Credential("an empty header", Optional.of("")),
                        new Credential("a scheme without a token", Optional.of("Bearer ")),
                        new Credential("another scheme", Optional.of("Basic " + tokens.get(Role.OPERATOR))),
                        new Credential("a token without a scheme", Optional.of(tokens.get(Role.OPERATOR))),
                        Credential.bearer("an unknown token", StoredToken.newToken(RANDOM)),
                        Credential.bearer(
                                "a token in lower case",
                                tokens.get(Role.OPERATOR).toLowerCase(Locale.ROOT)),
                        Credential.bearer("no token at all", "operator"),
                        Credential.bearer("an expired token", old),
                        Credential.bearer(
                                "the hash of a token",
                                StoredToken.of(
                                                tokens.get(Role.OPERATOR),
                                                "x",
                                                Role.READER,
                                                Optional.empty(),
                                                Optional.empty())
                                        .hash()),
                        Credential.bearer(
                                "an expired JWT",
                                provider.token(Provider.claims("parley-operator")
                                        .expirationTime(Date.from(Instant.now().minus(Duration.ofHours(1))))
                                        .build())),
                        Credential.bearer(
                                "a JWT for another audience",
                                provider.token(Provider.claims("parley-operator")
                                        .audience("mail")
                                        .build())),
                        Credential.bearer(
                                "a JWT of another issuer",
                                provider.token(Provider.claims("parley-operator")
                                        .issuer("https://evil.example.com")
                                        .build())),
                        Credential.bearer(
                                "a JWT of an unknown key",
                                provider.token(
                                        Provider.claims("parley-operator").build(), header -> header.keyID("unknown"))),
                        Credential.bearer(
                                "a JWT by another algorithm",
                                provider.token(
                                        Provider.claims("parley-operator").build(),
                                        header -> new JWSHeader.Builder(JWSAlgorithm.RS384).keyID("one")))));
        COLUMNS.put(
                "no role",
                List.of(
                        Credential.bearer("a JWT without a role", provider.token()),
                        Credential.bearer("a JWT with others' roles", provider.token("operator", "admin"))));
        for (Role role : Role.GIVEN) {
            COLUMNS.put(
                    role.text(),
                    List.of(
                            Credential.bearer("a token", tokens.get(role)),
                            new Credential("a token, scheme in lower case", Optional.of("bearer " + tokens.get(role))),
                            Credential.bearer("a JWT", provider.token("parley-" + role.text()))));
        }

        FakeViews views = new FakeViews();
        Metrics metrics = new Metrics(Optional.empty(), false);
        Standalone.meters(metrics, views.views());
        parts = Loopback.components(
                Optional.of(Standalone.distributed(views.views())),
                List::of,
                metrics,
                List.of(
                        new RedriveFeature.Running(new FakeRedriver(), PipelineSettings.of(new ParleyConfig(Map.of()))),
                        new IngestFeature.Running(
                                (caller, messages) -> List.of(), new IngestLimits(1 << 20, 1 << 20, 100, 1 << 20)),
                        new RedactionFeature.Running(
                                redaction -> {
                                    throw ProblemException.Code.BROKERS_UNAVAILABLE.problem("There are no brokers.");
                                },
                                () -> {}),
                        new TailFeature.Running(
                                new FakeTailSource(),
                                100,
                                100,
                                new TailReader.Limits(Duration.ofMillis(1), Duration.ofSeconds(10)))));
        server = QueryServer.start(
                Loopback.bind(),
                parts,
                new HttpSecurity(
                        Optional.empty(),
                        Optional.of(new Authenticator(
                                List.of(TokenFile.open(file, Clock.systemUTC()), new OidcTokens(provider.settings())))),
                        RateLimiter.NONE,
                        HttpLimits.DEFAULT,
                        Optional.empty(),
                        "",
                        HostNames.ANY));
    }

    @AfterAll
    static void stop() {
        server.close();
        parts.metrics().close();
        provider.close();
    }

    private static List<Route> routes() {
        return Routes.of(
                        parts,
                        parts.views()
                                .map(all -> new ViewApi(
                                        new Routing(all),
                                        null,
                                        TopicNames.DEFAULT,
                                        PublicContent.WITHOUT_RULES,
                                        CursorSeal.of(List.of()))),
                        Tokens.security())
                .routes();
    }

    @Test
    void everyRouteHasARowAndEveryRowARoute() throws IOException {
        assertThat(table().rows().keySet())
                .containsExactlyInAnyOrderElementsOf(routes().stream()
                        .map(route -> route.method().name() + " " + route.path())
                        .toList());
        assertThat(table().columns()).containsExactlyElementsOf(COLUMNS.keySet());
    }

    @Test
    void theAccessLogHasAllRoutesExceptThoseWithoutMessagesOfOthers() {
        assertThat(routes().stream().filter(route -> !route.isLogged()).map(Route::path))
                .containsExactlyInAnyOrder(
                        "/",
                        "/health/live",
                        "/health/ready",
                        "/mcp",
                        "/metrics",
                        "/openapi.yaml",
                        "/v1/accounting",
                        "/v1/log",
                        "/v1/log/{partition}/checkpoint",
                        "/v1/log/{partition}/tile/{path}",
                        "/v1/status",
                        "/v1/whoami",
                        "/v1/wire");
    }

    @TestFactory
    Stream<DynamicContainer> everyCellMatchesTheApi() throws IOException {
        Table table = table();
        return table.rows().entrySet().stream()
                .map(row -> DynamicContainer.dynamicContainer(
                        row.getKey(),
                        table.columns().stream()
                                .flatMap(column -> COLUMNS.get(column).stream()
                                        .map(credential -> DynamicTest.dynamicTest(
                                                column + ": " + credential.name(),
                                                () -> check(
                                                        row.getKey(),
                                                        credential,
                                                        row.getValue()
                                                                .get(table.columns()
                                                                        .indexOf(column))))))));
    }

    @TestFactory
    Stream<DynamicTest> unknownPathsNeedAuthenticationToo() {
        return COLUMNS.get("no good token").stream()
                .map(credential -> DynamicTest.dynamicTest(credential.name(), () -> {
                    check("GET /nowhere", credential, "401");
                    check("GET /health/live/", credential, "401");
                    check("GET //health/live", credential, "401");
                    check("PUT /v1/accounting", credential, "401");
                    check("HEAD /v1/accounting", credential, "401");
                    check("OPTIONS /v1/accounting", credential, "401");
                }));
    }

    @Test
    void noTokenIsLogged() throws Exception {
        Logger log = (Logger) LoggerFactory.getLogger("dev.parley");
        ListAppender<ILoggingEvent> said = new ListAppender<>();
        said.start();
        log.setLevel(Level.ALL);
        log.addAppender(said);
        try {
            for (List<Credential> credentials : COLUMNS.values()) {
                for (Credential credential : credentials) {
                    ask("GET /v1/accounting", credential);
                    ask("POST /v1/dead-letters:redrive", credential);
                }
            }
        } finally {
            log.detachAppender(said);
            log.setLevel(null);
        }
        String lines = said.list.stream()
                .map(event -> event.getFormattedMessage() + event.getThrowableProxy())
                .collect(Collectors.joining("\n"));
        assertThat(lines).contains("Refused a token", "EXPIRED", "SIGNATURE");
        for (List<Credential> credentials : COLUMNS.values()) {
            for (Credential credential : credentials) {
                String header = credential.header().orElse("");
                for (String part : header.substring(header.indexOf(' ') + 1).split("\\.", -1)) {
                    if (part.length() > "operator".length()) {
                        assertThat(lines).as(credential.name()).doesNotContain(part);
                    }
                }
            }
        }
    }

    private static void check(String request, Credential credential, String expected) throws Exception {
        HttpResponse<String> answer = ask(request, credential);

        String challenge = answer.headers().firstValue("WWW-Authenticate").orElse("");
        String body = answer.body();
        switch (expected) {
            case "401" -> {
                assertThat(answer.statusCode()).as(body).isEqualTo(401);
                assertThat(challenge).startsWith("Bearer realm=\"parley\"");
                assertThat(body)
                        .doesNotContain(
                                credential.header().filter(h -> h.length() > 7).orElse("\n"));
            }
            case "403" -> {
                assertThat(answer.statusCode()).as(body).isEqualTo(403);
                assertThat(challenge).contains("insufficient_scope");
                assertThat(body).contains("ROLE_MISSING", "Requires role");
            }
            case "yes" -> {
                assertThat(answer.statusCode()).as(body).isNotIn(401, 403).isLessThan(500);
                assertThat(challenge).isEmpty();
            }
            default -> throw new AssertionError("no such cell: " + expected);
        }
        assertThat(answer.headers().firstValue("Cache-Control")).hasValue("no-store");
    }

    private static HttpResponse<String> ask(String request, Credential credential)
            throws IOException, InterruptedException {
        int blank = request.indexOf(' ');
        String path = request.substring(blank + 1)
                .replace("{protocol}", "SLIP")
                .replace("{topic}", "parley.dlq.apply.v1")
                .replace("{partition}", "0")
                .replace("{offset}", "1")
                .replaceAll("[{}]", "");
        HttpRequest.Builder builder = HttpRequest.newBuilder(URI.create(server.uri() + path))
                .method(request.substring(0, blank), HttpRequest.BodyPublishers.noBody());
        credential.header().ifPresent(header -> builder.header("Authorization", header));
        return CLIENT.send(builder.build(), BodyHandlers.ofString());
    }

    /**
     * The table.
     *
     * @param columns credentials
     * @param rows expected results by request
     */
    private record Table(List<String> columns, Map<String, List<String>> rows) {}

    private static Table table() throws IOException {
        List<List<String>> lines = Files.readAllLines(PAGE).stream()
                .dropWhile(line -> !line.startsWith("| Request |"))
                .takeWhile(line -> line.startsWith("|"))
                .map(line -> Arrays.stream(
                                line.substring(1, line.lastIndexOf('|')).split("\\|", -1))
                        .map(cell -> cell.strip().replace("`", ""))
                        .toList())
                .toList();
        assertThat(lines).as("the table in docs/security.md").hasSizeGreaterThan(2);
        Map<String, List<String>> rows = new LinkedHashMap<>();
        for (List<String> line : lines.subList(2, lines.size())) {
            for (String request : line.get(0).split(", ")) {
                assertThat(rows.put(request, line.subList(1, line.size())))
                        .as(request)
                        .isNull();
            }
        }
        return new Table(lines.get(0).subList(1, lines.get(0).size()), rows);
    }
}
