package dev.parley.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.parley.avro.Protocol;
import dev.parley.server.cluster.DistributedViews;
import dev.parley.server.cluster.HttpPeers;
import dev.parley.server.cluster.PartitionMetadata;
import dev.parley.server.cluster.PeerHeaders;
import dev.parley.server.cluster.PeerKeys;
import dev.parley.server.http.HttpSecurity;
import dev.parley.server.http.ProblemException;
import dev.parley.server.metrics.Metrics;
import dev.parley.topology.views.Views;
import dev.parley.topology.views.store.ViewsUnavailableException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.streams.state.HostInfo;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A member of the views' consumer group without the secret receives no token, secret or query, and its responses are
 * rejected.
 */
class RogueInstanceTest {
    private static final String SECRET_NAME = "secret-namespace";
    private static final int RESPONSE_BYTES = 4 << 20;
    private static final List<String> PATHS = List.of(
            "/v1/conversations?namespace=" + SECRET_NAME,
            "/v1/conversations/" + SECRET_NAME + "/slip/7",
            "/v1/positions/parley.wire/3/15",
            "/v1/conversations/" + SECRET_NAME + "/slip/7?at-least=parley.wire-0@42&stale=ok");

    private final HttpClient client = HttpClient.newHttpClient();
    private final List<String> seen = new CopyOnWriteArrayList<>();
    private final FakeViews views = new FakeViews();
    private final FakeViews nothing = new FakeViews();
    private HttpServer rogue;
    private QueryServer honest;
    private QueryServer other;
    /** The address that the other honest instance advertises. */
    private volatile HostInfo advertised;

    @BeforeEach
    void start() throws IOException {
        rogue = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        rogue.start();
        HostInfo address = new HostInfo("127.0.0.1", rogue.getAddress().getPort());
        nothing.failure = new ViewsUnavailableException("There is nothing here.", null);
        views.conversations.add(Samples.conversation(SECRET_NAME, Protocol.SLIP, "7", 1));
        honest = serve(Clusters.of(() -> new HostInfo("127.0.0.1", honest.port()), () -> address), nothing.views());
        other = serve(Clusters.at(() -> advertised), views.views());
        advertised = new HostInfo("127.0.0.1", other.port());
    }

    @AfterEach
    void stop() {
        honest.close();
        other.close();
        rogue.stop(0);
    }

    @Test
    void aRogueOwnerReceivesNoRequestAndItsResponsesAreRejected() {
        rogue.createContext("/", exchange -> {
            record(exchange);
            respond(exchange, 200, "{\"items\":[],\"next\":null}".getBytes(StandardCharsets.UTF_8));
        });
        refusedEverywhere();
        assertNothingSeen();
    }

    @Test
    void aRogueThatRelaysTheProofIsRejected() {
        rogue.createContext("/", exchange -> relay(exchange, Alteration.NONE));
        refusedEverywhere();
        assertNothingSeen();
    }

    @Test
    void aRogueOwnerIsKnownWithoutARead() {
        rogue.createContext("/", exchange -> {
            record(exchange);
            respond(exchange, 200, new byte[0]);
        });
        HostInfo address = new HostInfo("127.0.0.1", rogue.getAddress().getPort());
        HttpPeers peers = peers(Optional.of(PeerKeys.of(new Password(Tokens.PEERS), Optional.empty())));

        await().untilAsserted(
                        () -> assertThat(peers.problem(address).orElse("")).contains("did not authenticate"));
        assertNothingSeen();
        assertThat(peers(Optional.empty()).problem(address).orElseThrow()).contains("http.peers.secret");
    }

    private static HttpPeers peers(Optional<PeerKeys> keys) {
        return new HttpPeers(Optional.empty(), keys, Duration.ofSeconds(5), RESPONSE_BYTES, Clock.systemUTC());
    }

    /** The changes by an attacker between two honest instances. */
    private enum Alteration {
        NONE,
        REQUEST,
        BODY,
        STATUS,
        PARTITIONS,
        NO_MAC
    }

    @ParameterizedTest
    @EnumSource(Alteration.class)
    void messagesAlteredInTransitAreRejected(Alteration alteration) {
        advertised = new HostInfo("127.0.0.1", rogue.getAddress().getPort());
        rogue.createContext("/", exchange -> relay(exchange, alteration));
        HttpResponse<String> answer = get(PATHS.get(0));
        if (alteration == Alteration.NONE) {
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            assertThat(answer.body()).contains(SECRET_NAME);
        } else {
            HttpTest.problem(answer, ProblemException.Code.VIEWS_UNAVAILABLE);
        }
        assertThat(seen).noneMatch(line -> line.contains("auditor-token") || line.contains(Tokens.PEERS));
    }

    private void refusedEverywhere() {
        for (String path : PATHS) {
            HttpTest.problem(get(path), ProblemException.Code.VIEWS_UNAVAILABLE);
        }
    }

    private void assertNothingSeen() {
        assertThat(seen)
                .isNotEmpty()
                .noneMatch(line -> line.contains("auditor")
                        || line.contains(Tokens.PEERS)
                        || line.contains(SECRET_NAME)
                        || line.startsWith("POST")
                        || line.contains("/v1/")
                        || line.contains("15") && line.contains("parley.wire"));
    }

    private byte[] record(HttpExchange exchange) throws IOException {
        StringBuilder line = new StringBuilder(
                exchange.getRequestMethod() + ' ' + exchange.getRequestURI().toString());
        exchange.getRequestHeaders()
                .forEach((name, values) ->
                        line.append('\n').append(name).append(": ").append(values));
        byte[] body = exchange.getRequestBody().readAllBytes();
        seen.add(line.append('\n')
                .append(new String(body, StandardCharsets.ISO_8859_1))
                .toString());
        return body;
    }

    /** Relays everything to the other instance. */
    private void relay(HttpExchange exchange, Alteration alteration) throws IOException {
        byte[] received = record(exchange);
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + other.port() + exchange.getRequestURI()))
                .method(exchange.getRequestMethod(), BodyPublishers.ofByteArray(altered(received, alteration)));
        exchange.getRequestHeaders().forEach((name, values) -> {
            if (name.toLowerCase(java.util.Locale.ROOT).startsWith("parley-")) {
                request.header(name, values.get(0));
            }
        });
        HttpResponse<byte[]> answer;
        try {
            answer = HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofByteArray());
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        answer.headers().map().forEach((name, values) -> {
            if (name.startsWith("parley-") || name.equals("content-type")) {
                exchange.getResponseHeaders().set(name, values.get(0));
            }
        });
        byte[] body = answer.body();
        int status = answer.statusCode();
        if (exchange.getRequestMethod().equals("POST")) {
            switch (alteration) {
                case BODY ->
                    body = new String(body, StandardCharsets.ISO_8859_1)
                            .replace(SECRET_NAME, "forged-namespace")
                            .getBytes(StandardCharsets.ISO_8859_1);
                case STATUS -> status = 404;
                case PARTITIONS -> body[body.length - 1] ^= 1;
                case NO_MAC -> exchange.getResponseHeaders().remove(PeerHeaders.RESPONSE);
                case REQUEST, NONE -> {}
            }
        }
        respond(exchange, status, body);
    }

    private static byte[] altered(byte[] request, Alteration alteration) {
        return alteration == Alteration.REQUEST
                ? new String(request, StandardCharsets.ISO_8859_1)
                        .replace(SECRET_NAME, "forged-namespace")
                        .getBytes(StandardCharsets.ISO_8859_1)
                : request;
    }

    private static void respond(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private HttpResponse<String> get(String path) {
        try {
            return client.send(
                    HttpRequest.newBuilder(URI.create(honest.uri() + path))
                            .header("Authorization", "Bearer auditor")
                            .build(),
                    BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private QueryServer serve(PartitionMetadata metadata, Views local) {
        HttpSecurity tokens = Tokens.security();
        Optional<PeerKeys> keys = Optional.of(PeerKeys.of(new Password(Tokens.PEERS), Optional.empty()));
        return QueryServer.start(
                Loopback.bind(),
                Loopback.components(
                        Optional.of(new DistributedViews(local, metadata, peers(keys), Duration.ZERO)),
                        List::of,
                        new Metrics(Optional.empty(), false),
                        List.of()),
                new HttpSecurity(
                        tokens.tls(),
                        tokens.authentication(),
                        tokens.rate(),
                        tokens.limits(),
                        keys,
                        "",
                        tokens.hosts()));
    }
}
