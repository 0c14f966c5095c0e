package dev.parley.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.parley.avro.Protocol;
import dev.parley.json.model.Conversation;
import dev.parley.server.auth.Caller;
import dev.parley.server.auth.RateLimiter;
import dev.parley.server.auth.Role;
import dev.parley.server.cluster.DistributedViews;
import dev.parley.server.cluster.OtherBuild;
import dev.parley.server.cluster.PeerAssertion;
import dev.parley.server.cluster.PeerAssertion.Target;
import dev.parley.server.cluster.PeerAuthenticator;
import dev.parley.server.cluster.PeerEndpoint;
import dev.parley.server.cluster.PeerHeaders;
import dev.parley.server.cluster.PeerJson;
import dev.parley.server.cluster.PeerKeys;
import dev.parley.server.cluster.PeerProtocolException;
import dev.parley.server.cluster.PeerRequest;
import dev.parley.server.cluster.PeerResponse;
import dev.parley.server.cluster.ViewAnswer;
import dev.parley.server.http.HttpSecurity;
import dev.parley.server.http.ProblemException;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.streams.state.HostInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** A peer must authenticate, acts for one caller with one role, and is not rate-limited itself. */
class PeerAuthenticationTest extends HttpTest {
    private static final byte[] LIST = PeerJson.bytes(list(10));
    private static final byte[] ONE = PeerJson.bytes(PeerRequest.of(
            "conversation", Map.of("namespace", "default", "protocol", "slip", "conversation", "nobody")));
    private static final byte[] UNKNOWN = PeerJson.bytes(PeerRequest.of("nothing", Map.of()));
    private static final String OLD = "an older secret of the instances 9876543210";
    private static final PeerKeys KEYS = keys(Tokens.PEERS);
    private static final Caller READER = new Caller("token:alice", Role.READER);

    /** What an instance signs. */
    private record Claim(PeerAssertion assertion, Target target) {
        String sign(PeerKeys keys, int key) {
            return assertion.sign(keys, key, target);
        }
    }

    private final HttpClient client = HttpClient.newHttpClient();
    private final AtomicLong nanoTime = new AtomicLong();

    private static PeerRequest list(int limit) {
        return new PeerRequest(
                "conversations",
                Map.of(),
                Map.of(),
                Optional.empty(),
                limit,
                new TreeSet<>(),
                Set.of(),
                Optional.empty());
    }

    private static PeerKeys keys(String secret) {
        return PeerKeys.of(new Password(secret), Optional.empty());
    }

    @Override
    protected HttpSecurity security() {
        HttpSecurity tokens = Tokens.security(new RateLimiter(1, 20, 10, nanoTime::get), HttpLimits.DEFAULT);
        return new HttpSecurity(
                tokens.tls(),
                tokens.authentication(),
                tokens.rate(),
                tokens.limits(),
                Optional.of(PeerKeys.of(new Password(Tokens.PEERS), Optional.of(new Password(OLD)))),
                "",
                tokens.hosts());
    }

    @Override
    public QueryServer.Components api() {
        QueryServer.Components components = super.api();
        return Loopback.components(
                Optional.of(new DistributedViews(
                        views.views(),
                        Clusters.at(() -> new HostInfo("127.0.0.1", server().port())),
                        Standalone.noPeers(),
                        Duration.ZERO)),
                components.readiness(),
                components.metrics(),
                components.features());
    }

    @ParameterizedTest
    @ValueSource(strings = {"-", "x", "%", "AAAA", Tokens.PEERS})
    void anInvalidAssertionIsRejected(String value) {
        refused(ask(LIST, value), ProblemException.Code.PEER_REFUSED);
        problem(
                send("GET", "/v1/conversations", "Parley-Peer", value, "Authorization", "Bearer operator"),
                ProblemException.Code.PEER_REFUSED);
    }

    @Test
    void anAssertionIsAcceptedOnce() {
        Claim assertion = assertion(LIST);
        assertThat(ask(LIST, assertion.sign(KEYS, 0)).statusCode()).isEqualTo(200);
        refused(ask(LIST, assertion.sign(KEYS, 0)), ProblemException.Code.PEER_REFUSED);
    }

    @Test
    void anAssertionExpires() {
        long late = PeerAuthenticator.LIFETIME
                .plus(PeerAuthenticator.MAX_CLOCK_SKEW)
                .plusSeconds(2)
                .toMillis();
        for (long shift : new long[] {-late, PeerAuthenticator.MAX_CLOCK_SKEW.toMillis() + 5_000}) {
            Claim assertion = changed(LIST, a -> issuedAt(a, a.assertion().issuedAt() + shift));
            refused(ask(LIST, assertion.sign(KEYS, 0)), ProblemException.Code.PEER_REFUSED);
        }
    }

    @Test
    void anAssertionCoversOneInstanceMethodTargetAndBody() {
        refused(
                ask(LIST, changed(LIST, a -> audience(a, "127.0.0.1:1")).sign(KEYS, 0)),
                ProblemException.Code.PEER_REFUSED);
        refused(ask(LIST, assertion(ONE).sign(KEYS, 0)), ProblemException.Code.PEER_REFUSED);
        refused(ask(new byte[0], assertion(LIST).sign(KEYS, 0)), ProblemException.Code.PEER_REFUSED);
        refused(
                exchange(request(
                        "POST", PeerHeaders.PATH + "?x=1", LIST, assertion(LIST).sign(KEYS, 0))),
                ProblemException.Code.PEER_REFUSED);
        for (String method : List.of("GET", "PUT")) {
            Claim other = changed(LIST, a -> target(a, method, PeerHeaders.PATH));
            refused(
                    exchange(request(method, PeerHeaders.PATH, LIST, other.sign(KEYS, 0))),
                    ProblemException.Code.PEER_REFUSED);
        }
    }

    @Test
    void noRouteOfTheApiAcceptsAnAssertion() {
        String redrive = "/v1/dead-letters:redrive";
        Claim list = changed(new byte[0], a -> target(a, "GET", "/v1/conversations"));
        problem(
                send("GET", "/v1/conversations", "Parley-Peer", list.sign(KEYS, 0)),
                ProblemException.Code.PEER_REFUSED);
        Claim post = changed(new byte[0], a -> target(a, "POST", redrive));
        problem(send("POST", redrive, "Parley-Peer", post.sign(KEYS, 0)), ProblemException.Code.PEER_REFUSED);
        problem(send("GET", PeerHeaders.PATH, "Authorization", "Bearer operator"), ProblemException.Code.UNKNOWN_PATH);
    }

    @Test
    void anAlteredAssertionIsRejected() {
        byte[] good = java.util.Base64.getUrlDecoder().decode(assertion(LIST).sign(KEYS, 0));
        for (int i = 0; i < good.length; i += 9) {
            byte[] altered = good.clone();
            altered[i] ^= 1;
            nanoTime.addAndGet(Duration.ofSeconds(1).toNanos());
            refused(
                    ask(LIST, java.util.Base64.getUrlEncoder().encodeToString(altered)),
                    ProblemException.Code.PEER_REFUSED);
        }
        refused(
                ask(LIST, assertion(LIST).sign(keys("another secret 0123456789 0123456789"), 0)),
                ProblemException.Code.PEER_REFUSED);
    }

    @Test
    void aPeerGrantsOnlyTheRoleOfTheCaller() throws Exception {
        views.conversations.add(Samples.conversation("default", Protocol.SLIP, "7", 1));
        Claim unprivileged = changed(LIST, a -> caller(a, new Caller("token:unprivileged", Role.NONE)));
        assertThat(response(ask(LIST, unprivileged.sign(KEYS, 0)).body()))
                .isInstanceOfSatisfying(
                        PeerResponse.Failure.class,
                        failure -> assertThat(failure.error()).isEqualTo(PeerResponse.Error.FORBIDDEN));
        assertThat(response(ask(LIST, assertion(LIST).sign(KEYS, 0)).body()))
                .isInstanceOfSatisfying(
                        PeerResponse.Success.class,
                        success -> assertThat(success.response().partitions()).containsExactly(0));
    }

    @Test
    void duringARotationTheOldSecretIsAcceptedToo() {
        PeerKeys old = keys(OLD);
        Claim assertion = assertion(LIST);
        HttpResponse<byte[]> answer = ask(LIST, assertion.sign(old, 0));
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(isAuthentic(old, assertion, answer)).isTrue();
        assertThat(isAuthentic(KEYS, assertion, answer)).isFalse();
    }

    @Test
    void everyResponseIsAuthenticated() {
        byte[] malformed = {0, 1, 2};
        byte[] otherVersion = {0, 2};
        for (byte[] body : List.of(LIST, ONE, UNKNOWN, malformed, otherVersion)) {
            Claim assertion = assertion(body);
            HttpResponse<byte[]> answer = ask(body, assertion.sign(KEYS, 0));
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(isAuthentic(KEYS, assertion, answer)).isTrue();
            assertThat(isAuthentic(KEYS, assertion(body), answer))
                    .as("of another request")
                    .isFalse();
        }
    }

    @Test
    void aRequestThatFailsHasAnErrorCode() throws Exception {
        assertThat(error(new byte[0])).isEqualTo(PeerResponse.Error.MALFORMED_REQUEST);
        assertThat(error(Arrays.copyOf(LIST, LIST.length - 1))).isEqualTo(PeerResponse.Error.MALFORMED_REQUEST);
        assertThat(error(Arrays.copyOf(LIST, LIST.length + 1))).isEqualTo(PeerResponse.Error.MALFORMED_REQUEST);
        assertThat(error(UNKNOWN)).isEqualTo(PeerResponse.Error.UNKNOWN_OPERATION);
        assertThat(error(PeerJson.bytes(list(0)))).isEqualTo(PeerResponse.Error.MALFORMED_REQUEST);
        assertThat(error(PeerJson.bytes(list(PeerRequest.MAX_LIMIT + 1))))
                .isEqualTo(PeerResponse.Error.MALFORMED_REQUEST);
    }

    @Test
    void theRequestOfABuildWithOtherFieldsIsAnswered() throws Exception {
        views.conversations.add(Samples.conversation("default", Protocol.SLIP, "7", 1));
        for (byte[] request : List.of(
                OtherBuild.withMoreFields(LIST),
                OtherBuild.without(LIST, "", "atLeast"),
                OtherBuild.without(LIST, "", "after"))) {
            assertThat(response(ask(request, assertion(request).sign(KEYS, 0)).body()))
                    .isInstanceOfSatisfying(
                            PeerResponse.Success.class,
                            success -> assertThat(success.response().answer())
                                    .isInstanceOfSatisfying(
                                            ViewAnswer.Page.class,
                                            page -> assertThat(page.items()).hasSize(1)));
        }
    }

    @Test
    void aRequestBeyondTheMaximumSizeIsRejectedUnread() throws IOException {
        try (Socket socket = new Socket("127.0.0.1", server().port())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream()
                    .write(("POST " + PeerHeaders.PATH + " HTTP/1.1\r\nHost: x\r\nParley-Peer: "
                                    + assertion(LIST).sign(KEYS, 0) + "\r\nContent-Length: "
                                    + (PeerEndpoint.MAX_REQUEST_BYTES + 1) + "\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(socket.getInputStream().readNBytes(12)).asString().isEqualTo("HTTP/1.1 403");
        }
    }

    private PeerResponse.Error error(byte[] body) throws PeerProtocolException {
        PeerResponse response =
                response(ask(body, assertion(body).sign(KEYS, 0)).body());
        return ((PeerResponse.Failure) response).error();
    }

    private static PeerResponse response(byte[] body) throws PeerProtocolException {
        return PeerJson.response(body, Conversation.class);
    }

    @Test
    void rateLimitsCountCallersNotPeers() {
        for (int time = 0; time < 30; time++) {
            assertThat(ask(LIST, assertion(LIST).sign(KEYS, 0)).statusCode()).isEqualTo(200);
        }
        for (int time = 0; time < 20; time++) {
            assertThat(send("GET", "/v1/conversations", "Authorization", "Bearer reader")
                            .statusCode())
                    .isEqualTo(200);
        }
        problem(send("GET", "/v1/conversations", "Authorization", "Bearer reader"), ProblemException.Code.RATE_LIMITED);
    }

    @Test
    void refusalsAreRateLimitedAndLoggedOnce() {
        Logger logger = (Logger) LoggerFactory.getLogger("dev.parley.server.http.PeerHandler");
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        logger.addAppender(log);
        try {
            for (int time = 0; time < 20; time++) {
                refused(ask(LIST, "x"), ProblemException.Code.PEER_REFUSED);
            }
            refused(ask(LIST, "x"), ProblemException.Code.RATE_LIMITED);
        } finally {
            logger.detachAppender(log);
        }
        assertThat(log.list).hasSize(1);
    }

    @Test
    void aProofIsForTheOwnAddressWithoutContent() {
        Claim good = proof(a -> a);
        HttpResponse<byte[]> answer = exchange(proofRequest(good));
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEmpty();
        assertThat(isAuthentic(KEYS, good, answer)).isTrue();
        assertThat(isAuthentic(KEYS, proof(a -> a), answer))
                .as("of another request")
                .isFalse();
        assertThat(isAuthentic(keys("another secret 0123456789 0123456789"), good, answer))
                .isFalse();

        refused(exchange(proofRequest(good)), ProblemException.Code.PEER_REFUSED);
        refused(exchange(proofRequest(proof(a -> audience(a, "127.0.0.1:1")))), ProblemException.Code.PEER_REFUSED);
        refused(
                exchange(proofRequest(proof(a -> target(a, "POST", PeerHeaders.PATH)))),
                ProblemException.Code.PEER_REFUSED);
        Claim content = changed(LIST, a -> target(a, "GET", PeerHeaders.PATH));
        refused(exchange(proofRequest(content)), ProblemException.Code.PEER_REFUSED);
        refused(exchange(request("GET", PeerHeaders.PATH, new byte[0], "x")), ProblemException.Code.PEER_REFUSED);
    }

    private Claim proof(UnaryOperator<Claim> change) {
        return change.apply(changed(new byte[0], a -> target(a, "GET", PeerHeaders.PATH)));
    }

    private HttpRequest proofRequest(Claim assertion) {
        return request("GET", PeerHeaders.PATH, new byte[0], assertion.sign(KEYS, 0));
    }

    @Test
    void anInstanceSignsARequestWithEachOfItsKeys() {
        PeerKeys rotating =
                PeerKeys.of(new Password("the next secret 0123456789 abcdefghij"), Optional.of(new Password(OLD)));
        Claim assertion = assertion(LIST);
        HttpRequest request = HttpRequest.newBuilder(URI.create(server().uri() + PeerHeaders.PATH))
                .header(PeerHeaders.ASSERTION, assertion.sign(rotating, 0))
                .header(PeerHeaders.ASSERTION, assertion.sign(rotating, 1))
                .POST(BodyPublishers.ofByteArray(LIST))
                .build();
        HttpResponse<byte[]> answer = exchange(request);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(isAuthentic(rotating, assertion, answer)).isTrue();
        refused(exchange(request), ProblemException.Code.PEER_REFUSED);
    }

    @Test
    void theCacheOfNoncesIsBoundedByTimeAndSize() {
        PeerAuthenticator.ReplayCache cache = new PeerAuthenticator.ReplayCache(2, 100);
        assertThat(cache.add("a", 0)).isTrue();
        assertThat(cache.add("a", 99)).isFalse();
        assertThat(cache.add("b", 99)).isTrue();
        assertThat(cache.add("c", 99)).as("full").isFalse();
        assertThat(cache.add("b", 150)).isFalse();
        assertThat(cache.add("c", 150)).isTrue();
        assertThat(cache.add("b", 198)).isFalse();
        assertThat(cache.add("a", 250)).as("long ago").isTrue();
    }

    private HttpResponse<byte[]> ask(byte[] body, String assertion) {
        return exchange(request("POST", PeerHeaders.PATH, body, assertion));
    }

    private HttpRequest request(String method, String target, byte[] body, String assertion) {
        return HttpRequest.newBuilder(URI.create(server().uri() + target))
                .header(PeerHeaders.ASSERTION, assertion)
                .method(method, BodyPublishers.ofByteArray(body))
                .build();
    }

    private HttpResponse<byte[]> exchange(HttpRequest request) {
        try {
            return client.send(request, BodyHandlers.ofByteArray());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void refused(HttpResponse<byte[]> answer, ProblemException.Code code) {
        assertThat(answer.statusCode()).isEqualTo(code.status());
        assertThat(parse(new String(answer.body(), StandardCharsets.UTF_8))
                        .path("code")
                        .asText())
                .isEqualTo(code.name());
        assertThat(answer.headers().firstValue(PeerHeaders.RESPONSE)).isEmpty();
    }

    private static boolean isAuthentic(PeerKeys keys, Claim assertion, HttpResponse<byte[]> answer) {
        return PeerAuthenticator.verifyResponse(
                keys,
                answer.headers().firstValue(PeerHeaders.RESPONSE).orElse(""),
                assertion.assertion().nonce(),
                answer.statusCode(),
                answer.body());
    }

    private Claim assertion(byte[] body) {
        return changed(body, a -> a);
    }

    private Claim changed(byte[] body, UnaryOperator<Claim> change) {
        return change.apply(new Claim(
                PeerAssertion.of(READER, System.currentTimeMillis(), body),
                new Target("127.0.0.1:" + server().port(), "POST", PeerHeaders.PATH)));
    }

    private static Claim issuedAt(Claim a, long issuedAt) {
        PeerAssertion of = a.assertion();
        return new Claim(new PeerAssertion(of.name(), of.role(), issuedAt, of.nonce(), of.bodyHash()), a.target());
    }

    private static Claim audience(Claim a, String audience) {
        return new Claim(
                a.assertion(),
                new Target(audience, a.target().method(), a.target().target()));
    }

    private static Claim target(Claim a, String method, String target) {
        return new Claim(a.assertion(), new Target(a.target().audience(), method, target));
    }

    private static Claim caller(Claim a, Caller caller) {
        PeerAssertion of = a.assertion();
        return new Claim(
                new PeerAssertion(caller.name(), caller.role(), of.issuedAt(), of.nonce(), of.bodyHash()), a.target());
    }
}
