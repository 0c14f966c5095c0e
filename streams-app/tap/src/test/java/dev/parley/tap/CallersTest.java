package dev.parley.tap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.ECKey;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.eclipse.jetty.http.HttpFields;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What certificates, tokens and the process prove about a caller, honest or not. */
class CallersTest {
    private static final Duration LONG = Duration.ofHours(1);

    private Issuer issuer;
    private Callers callers;

    @BeforeEach
    void start() throws Exception {
        issuer = new Issuer();
        callers = issuer.callers(LONG);
    }

    @AfterEach
    void stop() {
        issuer.close();
    }

    private Map<String, String> of(String token) {
        return callers.of(HttpFields.build().add("Authorization", "Bearer " + token), List.of());
    }

    private static Map<String, String> byToken(String name) {
        return Map.of("parley-caller", name, "parley-caller-proof", "token");
    }

    @Test
    void theSubjectOfAValidTokenIsTheCaller() {
        assertThat(of(issuer.token("alice", ""))).isEqualTo(byToken("alice"));
        assertThat(callers.of(HttpFields.build().add("Authorization", "bearer " + issuer.token("bob", "")), List.of()))
                .isEqualTo(byToken("bob"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'sub':'planner','act':{'sub':'gateway'}}|['planner','gateway']",
                "{'sub':'a\\\"b\\\\','iss':'x'}|['a\\\"b\\\\']",
                "{'sub':'planner','act':{'client_id':'x','act':{'sub':'gateway'}}}|['planner']",
                "{'sub':'planner','act':{'sub':'a\\nb'}}|['planner']",
                "{'sub':7}|",
                "{'sub':'a\\nb'}|",
                "'planner'|",
                "[]|"
            })
    void actorsAreListedFromTheCurrentOneToTheFirstWithoutAName(String actAndList) {
        String[] parts = actAndList.replace('\'', '"').split("\\|", -1);

        assertThat(of(issuer.token("alice", ",\"act\":" + parts[0])))
                .containsEntry("parley-caller", "alice")
                .isEqualTo(
                        parts[1].isEmpty()
                                ? byToken("alice")
                                : Map.of(
                                        "parley-caller",
                                        "alice",
                                        "parley-caller-proof",
                                        "token",
                                        "parley-delegation",
                                        parts[1]));
    }

    private static String chain(int depth, String name) {
        return ",\"act\":" + ("{\"sub\":\"" + name + "\",\"act\":").repeat(depth) + "{}" + "}".repeat(depth);
    }

    @Test
    void atMostSixteenActorsOfEightKibibytesAreListed() {
        String sixteen = IntStream.range(0, 16).mapToObj(i -> "\"a\"").collect(Collectors.joining(",", "[", "]"));
        assertThat(of(issuer.token("alice", chain(16, "a")))).containsEntry("parley-delegation", sixteen);
        assertThat(of(issuer.token("alice", chain(17, "a")))).containsEntry("parley-delegation", sixteen);
        String list = of(issuer.token("alice", chain(5, "\u20ac".repeat(700)))).get("parley-delegation");
        assertThat(list.getBytes(UTF_8)).hasSizeBetween(6_000, 8 << 10);
        assertThat(list).endsWith("\"]");
    }

    @ParameterizedTest
    @ValueSource(ints = {300, 600, 10_000})
    void aChainOfAnyDepthProvesAtMostSixteenActors(int depth) {
        Map<String, String> headers = of(issuer.token("alice", chain(depth, "a")));

        assertThat(headers.getOrDefault("parley-delegation", "")).hasSizeLessThanOrEqualTo(65);
        assertThat(of(issuer.signed("[".repeat(depth)))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"\"\"", "null", "\"a\\u0000b\"", "\"a\\nparley-caller: admin\"", "\"\\u009b\"", "\"\\ud800\""})
    void aSubjectThatARecordCannotHaveProvesNothing(String subject) {
        assertThat(of(issuer.signed(Issuer.claims(subject, "")))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"1024, true", "1025, false", "11000, false"})
    void aSubjectHasAtMost1024Characters(int length, boolean isProven) {
        assertThat(of(issuer.token("s".repeat(length), "")).isEmpty()).isEqualTo(!isProven);
    }

    @Test
    void aTokenThatIsNotValidProvesNothing() throws Exception {
        ECKey key = issuer.key;
        String claims = Issuer.claims("\"admin\"", "");
        JWSHeader.Builder header = new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("one");
        String none = Base64.getUrlEncoder()
                        .withoutPadding()
                        .encodeToString("{\"alg\":\"none\",\"kid\":\"one\"}".getBytes(UTF_8))
                + "." + Base64.getUrlEncoder().withoutPadding().encodeToString(claims.getBytes(UTF_8)) + ".";
        ECKey own = Issuer.newKey("one");
        for (String token : List.of(
                none,
                none + "x",
                // The published key as a shared secret.
                Issuer.signed(
                        new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("one"),
                        claims,
                        new MACSigner(key.toECPublicKey().getEncoded())),
                Issuer.signed(header, claims, new ECDSASigner(own)),
                Issuer.signed(header.jwk(own.toPublicJWK()), claims, new ECDSASigner(own)),
                issuer.signed(claims.replace(Issuer.NAME, "https://evil.example")),
                issuer.signed(claims.replace(Issuer.AUDIENCE, "mail")),
                issuer.signed(claims.replaceFirst("\"exp\":\\d+", "\"exp\":1")),
                issuer.signed(claims.replaceFirst("\"exp\":\\d+,", "")),
                issuer.token("admin", ",\"pad\":\"" + "x".repeat(20_000) + "\""),
                "x".repeat(100_000),
                "",
                "..",
                "a.b.c")) {
            assertThat(of(token)).as(token).isEmpty();
        }
        String valid = issuer.token("alice", "");
        assertThat(callers.of(HttpFields.build().add("Authorization", "Basic " + valid), List.of()))
                .isEmpty();
        // It is not known which one the server reads.
        assertThat(callers.of(
                        HttpFields.build()
                                .add("Authorization", "Bearer " + valid)
                                .add("Authorization", "Bearer " + valid),
                        List.of()))
                .isEmpty();
        assertThat(new Callers(null).of(HttpFields.build().add("Authorization", "Bearer " + valid), List.of()))
                .isEmpty();
    }

    @Test
    void noDamagedTokenProvesAnythingOrThrows() {
        long seed = Long.getLong("parley.seed", System.nanoTime());
        Random random = new Random(seed);
        String valid = issuer.token("alice", ",\"act\":{\"sub\":\"planner\"}");
        for (int i = 0; i < 2_000; i++) {
            StringBuilder token = new StringBuilder(valid);
            for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
                int at = random.nextInt(token.length());
                // The last characters of a part may have bits that do not count.
                token.setCharAt(at, (char) (token.charAt(at) ^ 1 << random.nextInt(6)));
            }
            Map<String, String> headers = of(token.toString());
            if (!headers.isEmpty()) {
                assertThat(headers).as("seed %d: %s", seed, token).containsEntry("parley-caller", "alice");
            }
        }
    }

    @Test
    void inventedKeyIdsAskTheProviderOnceInAPause() throws Exception {
        ECKey own = Issuer.newKey("own");
        for (int i = 0; i < 50; i++) {
            JWSHeader.Builder header = new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("../" + i);
            assertThat(of(Issuer.signed(header, Issuer.claims("\"admin\"", ""), new ECDSASigner(own))))
                    .isEmpty();
        }

        assertThat(of(issuer.token("alice", ""))).isEqualTo(byToken("alice"));
        assertThat(issuer.fetches).hasValue(1);
    }

    @Test
    void aNewKeyIsFetchedWhileNoRequestWaits() throws Exception {
        callers = issuer.callers(Duration.ZERO);
        String old = issuer.token("alice", "");
        issuer.open = new CountDownLatch(1);
        issuer.key = Issuer.newKey("two");
        String fresh = issuer.token("bob", "");

        // The provider does not answer.
        assertThat(of(fresh)).isEmpty();
        await().until(() -> issuer.fetches.get() == 3);
        assertThat(of(fresh)).isEmpty();
        assertThat(of(old)).isEqualTo(byToken("alice"));
        issuer.open.countDown();
        await().until(() -> of(fresh).equals(byToken("bob")));
    }

    @Test
    void withoutTheProviderTokensProveNothingUntilItIsThere() throws Exception {
        issuer.status = 500;
        callers = issuer.callers(Duration.ZERO);
        String token = issuer.token("alice", "");
        assertThat(of(token)).isEmpty();

        issuer.status = 200;
        await().until(() -> of(token).equals(byToken("alice")));
        issuer.status = 500;
        assertThat(of(issuer.token("bob", ""))).isEqualTo(byToken("bob"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CN=agent-7, O=Example|''|CN=agent-7,O=Example",
                "CN=agent-7|uri:spiffe://example.com/agent/7,dns:agent|spiffe://example.com/agent/7",
                "CN=agent-7|dns:admin,email:admin@example.com|CN=agent-7",
                "CN=agent-7|uri:spiffe://a/1,uri:spiffe://a/2|CN=agent-7",
                "CN=a\\,O=b|''|CN=a\\,O\\=b",
                "CN=a\\00b|''|CN=a\\00b"
            })
    void theNameInACertificateIsItsOnlyUriOrItsSubject(
            String subject, String names, String name, @TempDir Path directory) throws Exception {
        Certificates client = Certificates.of(directory, subject, names);

        assertThat(callers.of(HttpFields.EMPTY, List.of(client.certificate())))
                .isEqualTo(Map.of("parley-caller", name, "parley-caller-proof", "mtls"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\\0A", "\\1B[2J", "\\C2\\9B"})
    void aCertificateWithControlCharactersProvesNothing(String hostile, @TempDir Path directory) throws Exception {
        Certificates client = Certificates.of(directory, "CN=a" + hostile + "b", "");

        assertThat(callers.of(HttpFields.EMPTY, List.of(client.certificate()))).isEmpty();
    }

    @Test
    void aCertificateWithALongNameProvesNothing(@TempDir Path directory) throws Exception {
        Certificates client = Certificates.of(directory, "CN=" + "n".repeat(64 << 10), "");

        assertThat(callers.of(HttpFields.EMPTY, List.of(client.certificate()))).isEmpty();
    }

    @Test
    void theTokenCountsBeforeTheCertificate(@TempDir Path directory) throws Exception {
        List<java.security.cert.X509Certificate> chain =
                List.of(Certificates.of(directory, "CN=gateway", "").certificate());
        String token = issuer.token("alice", "");

        assertThat(callers.of(HttpFields.build().add("Authorization", "Bearer " + token), chain))
                .isEqualTo(byToken("alice"));
        assertThat(callers.of(HttpFields.build().add("Authorization", "Bearer " + token + "x"), chain))
                .containsEntry("parley-caller", "CN=gateway")
                .containsEntry("parley-caller-proof", "mtls");
    }

    @Test
    void theOwnerOfTheProcessIsTheCallerAndItsParentClaimsToActForIt() throws IOException {
        Map<String, String> headers = Callers.ofProcess();

        assertThat(headers)
                .containsEntry("parley-caller", System.getProperty("user.name"))
                .containsEntry("parley-caller-proof", "process");
    }
}
