package dev.parley.query;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.parley.access.Caller;
import dev.parley.access.RateLimit;
import dev.parley.access.Role;
import dev.parley.avro.Protocol;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.streams.state.HostInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Whoever claims to be another instance proves it, acts for one caller with one role, and is not counted. */
class PeersAtTheGateTest extends HttpTest {
    private static final String LIST = "/v1/conversations";
    private static final String OLD = "an older secret of the instances 9876543210";
    private static final PeerKeys KEYS = keys(Tokens.PEERS);
    private static final Caller READER = new Caller("token:alice", Role.READER);

    private final AtomicLong nanoTime = new AtomicLong();

    private static PeerKeys keys(String secret) {
        return PeerKeys.of(new Password(secret), Optional.empty());
    }

    @Override
    Doors doors() {
        Doors tokens = Tokens.doors(new RateLimit(1, 20, 10, nanoTime::get), Doors.Limits.DEFAULT);
        return new Doors(
                tokens.tls(),
                tokens.authentication(),
                tokens.rate(),
                tokens.limits(),
                Optional.of(PeerKeys.of(new Password(Tokens.PEERS), Optional.of(new Password(OLD)))));
    }

    @Override
    QueryServer.Parts api() {
        QueryServer.Parts parts = super.api();
        return new QueryServer.Parts(
                Optional.of(new Instances(
                        LocalViews.whole(views),
                        Clusters.at(() -> new HostInfo("127.0.0.1", server().port())),
                        Peers.none(),
                        Duration.ZERO)),
                parts.readiness(),
                parts.redaction(),
                parts.metrics(),
                parts.redrive(),
                parts.redactor());
    }

    @ParameterizedTest
    @ValueSource(strings = {"-", "x", "%", "AAAA", Tokens.PEERS})
    void whateverIsNoAssertionIsRefused(String value) {
        problem(send("GET", LIST, "Parley-Peer", value, "Authorization", "Bearer operator"), Problem.Code.PEER_REFUSED);
    }

    @Test
    void anAssertionIsAcceptedOnce() {
        PeerAssertion assertion = assertion(LIST);
        assertThat(ask(LIST, assertion.sign(KEYS, 0)).statusCode()).isEqualTo(200);
        problem(ask(LIST, assertion.sign(KEYS, 0)), Problem.Code.PEER_REFUSED);
    }

    @Test
    void anAssertionIsValidForAShortTimeOnly() {
        long late = PeerAuthenticator.LIFETIME
                .plus(PeerAuthenticator.MAX_CLOCK_SKEW)
                .plusSeconds(2)
                .toMillis();
        for (long shift : new long[] {-late, PeerAuthenticator.MAX_CLOCK_SKEW.toMillis() + 5_000}) {
            PeerAssertion assertion = changed(LIST, a -> times(a, a.issuedAt() + shift, a.expiresAt() + shift));
            problem(ask(LIST, assertion.sign(KEYS, 0)), Problem.Code.PEER_REFUSED);
        }
        PeerAssertion eternal = changed(LIST, a -> times(a, a.issuedAt(), a.expiresAt() + 3_600_000));
        problem(ask(LIST, eternal.sign(KEYS, 0)), Problem.Code.PEER_REFUSED);
    }

    @Test
    void anAssertionIsForOneInstanceMethodAndTargetOnly() {
        problem(ask(LIST, changed(LIST, a -> audience(a, "127.0.0.1:1")).sign(KEYS, 0)), Problem.Code.PEER_REFUSED);
        problem(ask(LIST, assertion(LIST + "?limit=1").sign(KEYS, 0)), Problem.Code.PEER_REFUSED);
        problem(ask(LIST + "?limit=1", assertion(LIST).sign(KEYS, 0)), Problem.Code.PEER_REFUSED);
        String redrive = "/v1/dead-letters/parley.dlq.patch.v1/0/1/redrive";
        problem(send("POST", redrive, "Parley-Peer", assertion(redrive).sign(KEYS, 0)), Problem.Code.PEER_REFUSED);
        problem(
                send(HttpRequest.newBuilder(URI.create(server().uri() + LIST))
                        .header("Parley-Peer", assertion(LIST).sign(KEYS, 0))
                        .method("GET", BodyPublishers.ofString("a body"))
                        .build()),
                Problem.Code.PEER_REFUSED);
    }

    @Test
    void anAlteredAssertionIsRefused() {
        byte[] good = java.util.Base64.getUrlDecoder().decode(assertion(LIST).sign(KEYS, 0));
        for (int i = 0; i < good.length; i += 9) {
            byte[] altered = good.clone();
            altered[i] ^= 1;
            nanoTime.addAndGet(Duration.ofSeconds(1).toNanos());
            problem(ask(LIST, java.util.Base64.getUrlEncoder().encodeToString(altered)), Problem.Code.PEER_REFUSED);
        }
        problem(
                ask(LIST, assertion(LIST).sign(keys("another secret 0123456789 0123456789"), 0)),
                Problem.Code.PEER_REFUSED);
    }

    @Test
    void theRoleIsTheCallersAndNoMore() {
        views.conversations.add(Samples.conversation("default", Protocol.SLIP, "7", 1));
        PeerAssertion nobody = changed(LIST, a -> caller(a, new Caller("token:nobody", Role.NONE)));
        problem(ask(LIST, nobody.sign(KEYS, 0)), Problem.Code.ROLE_MISSING);
        HttpResponse<String> answer = ask(LIST, assertion(LIST).sign(KEYS, 0));
        assertThat(answer.headers().firstValue("Parley-Peer-Partitions")).hasValue("0");
    }

    @Test
    void whileTheSecretIsChangedTheOldOneIsAcceptedToo() {
        PeerKeys old = keys(OLD);
        PeerAssertion assertion = assertion(LIST);
        HttpResponse<String> answer = ask(LIST, assertion.sign(old, 0));
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(isAuthentic(old, assertion, answer)).isTrue();
        assertThat(isAuthentic(KEYS, assertion, answer)).isFalse();
    }

    @Test
    void everyResponseIsAuthenticated() {
        for (String target :
                new String[] {LIST, LIST + "?limit=0", "/v1/conversations/default/slip/nobody", "/nowhere"}) {
            PeerAssertion assertion = assertion(target);
            HttpResponse<String> answer = ask(target, assertion.sign(KEYS, 0));
            assertThat(isAuthentic(KEYS, assertion, answer)).as(target).isTrue();
            assertThat(isAuthentic(KEYS, assertion(target), answer))
                    .as("of another request")
                    .isFalse();
        }
    }

    @Test
    void aPeerIsNotCountedAndItsCallerIs() {
        for (int time = 0; time < 30; time++) {
            assertThat(ask(LIST, assertion(LIST).sign(KEYS, 0)).statusCode()).isEqualTo(200);
        }
        for (int time = 0; time < 20; time++) {
            assertThat(send("GET", LIST, "Authorization", "Bearer reader").statusCode())
                    .isEqualTo(200);
        }
        problem(send("GET", LIST, "Authorization", "Bearer reader"), Problem.Code.RATE_LIMITED);
    }

    @Test
    void refusalsAreLimitedAndLoggedOnce() {
        Logger logger = (Logger) LoggerFactory.getLogger(PeerHandler.class);
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        logger.addAppender(log);
        try {
            for (int time = 0; time < 20; time++) {
                problem(ask(LIST, "x"), Problem.Code.PEER_REFUSED);
            }
            problem(ask(LIST, "x"), Problem.Code.RATE_LIMITED);
        } finally {
            logger.detachAppender(log);
        }
        assertThat(log.list).hasSize(1);
    }

    @Test
    void aChallengeIsAnsweredOnlyForAnInstanceAndOnlyForTheOwnAddress() {
        HostInfo self = new HostInfo("127.0.0.1", server().port());
        PeerAuthenticator.Challenge good = PeerAuthenticator.challenge(KEYS, self);
        HttpResponse<String> answer = challenge(good.value());
        assertThat(answer.statusCode()).isEqualTo(200);
        String proof = answer.headers().firstValue(PeerAuthenticator.PROOF).orElseThrow();
        assertThat(PeerAuthenticator.verifyProof(KEYS, self, good, proof)).hasValue(0);
        assertThat(PeerAuthenticator.verifyProof(KEYS, new HostInfo("127.0.0.1", 1), good, proof))
                .isEmpty();

        HostInfo rogue = new HostInfo("127.0.0.1", 1);
        problem(challenge(PeerAuthenticator.challenge(KEYS, rogue).value()), Problem.Code.PEER_REFUSED);
        problem(challenge("x"), Problem.Code.PEER_REFUSED);
        problem(challenge(good.nonce() + "." + ".".repeat(300)), Problem.Code.PEER_REFUSED);
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

    private HttpResponse<String> challenge(String value) {
        return send("GET", PeerAuthenticator.CHALLENGE_PATH, PeerAuthenticator.PROOF, value);
    }

    private HttpResponse<String> ask(String target, String assertion) {
        return send("GET", target, "Parley-Peer", assertion);
    }

    private static boolean isAuthentic(PeerKeys keys, PeerAssertion assertion, HttpResponse<String> answer) {
        return PeerAuthenticator.verifyResponse(
                keys,
                0,
                answer.headers().firstValue(PeerAuthenticator.RESPONSE).orElse(""),
                assertion.nonce(),
                answer.statusCode(),
                name -> answer.headers().firstValue(name),
                answer.body().getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }

    private PeerAssertion assertion(String target) {
        return changed(target, a -> a);
    }

    private PeerAssertion changed(String target, UnaryOperator<PeerAssertion> change) {
        long now = System.currentTimeMillis();
        return change.apply(new PeerAssertion(
                READER,
                now,
                now + PeerAuthenticator.LIFETIME.toMillis(),
                PeerAssertion.newNonce(PeerAssertion.NONCE_BYTES),
                "127.0.0.1:" + server().port(),
                "GET",
                target,
                "",
                "",
                PeerAssertion.NO_BODY));
    }

    private static PeerAssertion times(PeerAssertion a, long issuedAt, long expiresAt) {
        return new PeerAssertion(
                a.caller(), issuedAt, expiresAt, a.nonce(), a.audience(), a.method(), a.target(), "", "", a.bodyHash());
    }

    private static PeerAssertion audience(PeerAssertion a, String audience) {
        return new PeerAssertion(
                a.caller(),
                a.issuedAt(),
                a.expiresAt(),
                a.nonce(),
                audience,
                a.method(),
                a.target(),
                "",
                "",
                a.bodyHash());
    }

    private static PeerAssertion caller(PeerAssertion a, Caller caller) {
        return new PeerAssertion(
                caller,
                a.issuedAt(),
                a.expiresAt(),
                a.nonce(),
                a.audience(),
                a.method(),
                a.target(),
                "",
                "",
                a.bodyHash());
    }
}
