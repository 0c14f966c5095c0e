package dev.parley.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.json.model.Conversation;
import dev.parley.server.api.Loopback;
import dev.parley.server.api.QueryServer;
import dev.parley.server.auth.Caller;
import dev.parley.server.auth.Role;
import dev.parley.server.auth.StoredToken;
import dev.parley.server.cluster.ClusterKeys;
import dev.parley.server.cluster.HttpPeers;
import dev.parley.server.cluster.PeerRequest;
import dev.parley.server.cluster.PeerResponse;
import dev.parley.server.cluster.Peers;
import dev.parley.server.http.HttpKeys;
import dev.parley.server.http.HttpSecurity;
import dev.parley.server.metrics.Metrics;
import dev.parley.topology.config.ParleyConfig;
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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.streams.state.HostInfo;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Authentication and authorization as configured. */
class HttpSecurityFactoryTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final String KEYS = "https://id.example.com/keys";

    @TempDir
    private static Path directory;

    private static Path keystore;
    private static Path tokens;
    private static String token;

    private final List<String> warnings = new ArrayList<>();

    @BeforeAll
    static void make() throws Exception {
        keystore = Keystores.make(directory, "PKCS12");
        token = StoredToken.newToken(new SecureRandom());
        tokens = Files.writeString(
                directory.resolve("tokens.jsonl"),
                StoredToken.of(token, "alice", Role.READER, Optional.empty(), Optional.empty())
                        .line());
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "localhost", "::1", "127.8.7.6"})
    void onLoopbackAuthenticationIsOffByDefault(String host) {
        assertThat(doors(Map.of(HttpKeys.HOST, host)).authentication()).isEmpty();
        assertThat(warnings).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::", "192.0.2.1"})
    void elsewhereItRefusesToStartWithoutTokensAndNamesBothWaysOut(String host) {
        assertRefused(Map.of(HttpKeys.HOST, host), host, HttpKeys.TOKENS_FILE, "parley token", "http.auth.none=true");
    }

    @Test
    void elsewhereAuthenticationCanBeTurnedOff() {
        assertThat(doors(Map.of(HttpKeys.HOST, "0.0.0.0", HttpKeys.AUTH_NONE, "true"))
                        .authentication())
                .isEmpty();
        assertThat(warnings).singleElement().asString().contains("0.0.0.0", "no token");
    }

    @Test
    void tokensWithoutTlsBeyondThisMachineAreWorthAWarning() {
        Map<String, String> settings =
                new HashMap<>(Map.of(HttpKeys.HOST, "0.0.0.0", HttpKeys.TOKENS_FILE, tokens.toString()));
        assertThat(doors(settings).authentication()).isPresent();
        assertThat(warnings).singleElement().asString().contains("without TLS", HttpKeys.TLS_KEYSTORE);

        warnings.clear();
        settings.put(HttpKeys.TLS_KEYSTORE, keystore.toString());
        settings.put(HttpKeys.TLS_KEYSTORE_PASSWORD, Keystores.PASSWORD);
        doors(settings);
        settings.put(HttpKeys.HOST, "127.0.0.1");
        settings.remove(HttpKeys.TLS_KEYSTORE);
        doors(settings);
        assertThat(warnings).isEmpty();
    }

    @Test
    void noAuthenticationContradictsTokens() {
        assertRefused(Map.of(HttpKeys.AUTH_NONE, "true", HttpKeys.TOKENS_FILE, tokens.toString()), HttpKeys.AUTH_NONE);
    }

    @Test
    void anAddressThatIsNotThereIsNamed() {
        assertRefused(Map.of(HttpKeys.HOST, "no-such-host.invalid"), "no-such-host.invalid");
    }

    @Test
    void aTokensFileThatIsNotThereIsNamed() {
        assertRefused(Map.of(HttpKeys.TOKENS_FILE, "/no/such/file"), HttpKeys.TOKENS_FILE, "/no/such/file");
    }

    @ParameterizedTest
    @CsvSource({
        "http.auth.oidc.issuer",
        "http.auth.oidc.audience",
        "http.auth.oidc.jwks.url",
    })
    void anOpenIdProviderNeedsAllOfItsSettings(String missing) {
        Map<String, String> settings = oidc(KEYS);
        settings.remove(missing);
        assertRefused(settings, missing);
        assertThat(doors(oidc(KEYS)).authentication()).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://id.example.com/keys", "file:///keys", "keys", "https:", "https://a b/"})
    void keysComeByTlsOrFromThisMachine(String url) {
        assertRefused(oidc(url), HttpKeys.OIDC_KEYS, url);
        assertThat(doors(oidc("http://127.0.0.1:1/keys")).authentication()).isPresent();
    }

    @Test
    void theConsoleSignsInOnlyAtAProviderThatTlsProtects() {
        Map<String, String> settings = oidc(KEYS);
        settings.put(HttpKeys.OIDC_CLIENT_ID, "console");
        assertThat(doors(settings).authentication().orElseThrow().sessions().client())
                .hasValueSatisfying(client -> assertThat(client.scope()).isEqualTo("openid"));
        settings.put(HttpKeys.OIDC_ISSUER, "http://id.example.com");
        assertRefused(settings, HttpKeys.OIDC_ISSUER, "http://id.example.com");
        assertRefused(Map.of(HttpKeys.OIDC_CLIENT_ID, "console"), HttpKeys.OIDC_CLIENT_ID, HttpKeys.OIDC_ISSUER);
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "HS256", "rs256", ""})
    void anAlgorithmWithASharedSecretOrNoneIsNotAllowed(String algorithm) {
        Map<String, String> settings = oidc(KEYS);
        settings.put(HttpKeys.OIDC_ALGORITHMS, algorithm);
        assertThatThrownBy(() -> ServerConfig.of(settings)).isInstanceOf(ConfigException.class);
    }

    @Test
    void itSpeaksTlsWithAKeystore() throws Exception {
        assertSpeaksTls(
                Map.of(HttpKeys.TLS_KEYSTORE, keystore.toString(), HttpKeys.TLS_KEYSTORE_PASSWORD, Keystores.PASSWORD));
    }

    @Test
    void itSpeaksTlsWithAFileInPem() throws Exception {
        Path pem = Files.writeString(
                directory.resolve("both.pem"), Keystores.keyPem(keystore) + Keystores.certificatePem(keystore));
        assertSpeaksTls(Map.of(HttpKeys.TLS_KEYSTORE, pem.toString(), HttpKeys.TLS_KEYSTORE_TYPE, "PEM"));
    }

    @Test
    void itSpeaksTlsWithPemInTheConfiguration() throws Exception {
        assertSpeaksTls(Map.of(
                HttpKeys.TLS_KEYSTORE_TYPE,
                "PEM",
                HttpKeys.TLS_KEY,
                Keystores.keyPem(keystore),
                HttpKeys.TLS_CHAIN,
                Keystores.certificatePem(keystore)));
    }

    @Test
    void withTlsItAnswersNoPlainRequest() throws Exception {
        try (QueryServer server = serve(tls())) {
            URI plain = URI.create("http://127.0.0.1:" + server.port() + "/health/live");
            assertThatThrownBy(() -> ask(HttpClient.newHttpClient(), plain)).isInstanceOf(IOException.class);
            URI secure = URI.create(server.uri() + "/health/live");
            assertThatThrownBy(() -> ask(HttpClient.newHttpClient(), secure))
                    .as("a client that does not trust the certificate")
                    .isInstanceOf(SSLHandshakeException.class);
        }
    }

    @Test
    void aWrongPasswordIsSaidButNotRepeated() {
        Map<String, String> settings = new HashMap<>(tls());
        settings.put(HttpKeys.TLS_KEYSTORE_PASSWORD, "wrong-SECRET");
        assertRefused(settings, HttpKeys.TLS_KEYSTORE, keystore.toString(), "password");
    }

    @ParameterizedTest
    @CsvSource({"PEM", "JKS"})
    void aKeystoreOfAnotherTypeIsNamed(String type) {
        Map<String, String> settings = new HashMap<>(tls());
        settings.put(HttpKeys.TLS_KEYSTORE_TYPE, type);
        if (type.equals("PEM")) {
            settings.remove(HttpKeys.TLS_KEYSTORE_PASSWORD);
            assertRefused(settings, keystore.toString(), type);
        } else {
            assertThat(doors(settings).tls()).as("Java reads either as either").isPresent();
        }
    }

    @Test
    void aKeystoreThatIsMissingEmptyOrBrokenIsNamed() throws Exception {
        Path broken = Files.writeString(directory.resolve("broken.p12"), "no keystore");
        for (String file : List.of("/no/such/keystore.p12", broken.toString(), directory.toString())) {
            Map<String, String> settings = new HashMap<>(tls());
            settings.put(HttpKeys.TLS_KEYSTORE, file);
            assertRefused(settings, HttpKeys.TLS_KEYSTORE, file);
        }
    }

    @Test
    void aKeyWithoutItsCertificateIsNotRepeated() throws Exception {
        String key = Keystores.keyPem(keystore);
        Map<String, String> settings = Map.of(HttpKeys.TLS_KEYSTORE_TYPE, "PEM", HttpKeys.TLS_KEY, key);
        assertThatThrownBy(() -> doors(settings))
                .isInstanceOf(ConfigException.class)
                .message()
                .doesNotContain(key.lines().toList().get(1));
    }

    @Test
    void aConfigurationDoesNotShowItsPasswords() {
        Map<String, String> settings = new HashMap<>(tls());
        settings.put(HttpKeys.TLS_KEY_PASSWORD, "SECRET");
        ParleyConfig config = ServerConfig.of(settings);
        assertThat(config.values().toString())
                .contains(keystore.toString(), "[hidden]")
                .doesNotContain(Keystores.PASSWORD, "SECRET");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "short", "0123456789012345678901234567890", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"})
    void aSecretOfInstancesThatCanBeGuessedIsRefused(String secret) {
        for (String key : List.of(ClusterKeys.SECRET, ClusterKeys.PREVIOUS_SECRET)) {
            Map<String, String> settings = new HashMap<>();
            settings.put(ClusterKeys.SECRET, "a secret of instances 0123456789 0123456789");
            settings.put(key, secret);
            assertThatThrownBy(() -> doors(settings))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContainingAll("http.peers.secret", "32 bytes", "openssl rand -hex 32");
        }
    }

    @Test
    void processesTrustEachOtherByTheTruststore() throws Exception {
        Map<String, String> settings = new HashMap<>(tls());
        settings.put(ClusterKeys.SECRET, "a secret of instances 0123456789 0123456789");
        try (QueryServer server = serve(settings)) {
            HostInfo peer = new HostInfo("127.0.0.1", server.port());
            assertThat(ask(peer, settings))
                    .failsWithin(TIMEOUT)
                    .withThrowableThat()
                    .withCauseInstanceOf(SSLHandshakeException.class);

            settings.put(
                    HttpKeys.TLS_TRUSTSTORE,
                    Files.writeString(directory.resolve("trusted.pem"), Keystores.certificatePem(keystore))
                            .toString());
            settings.put(HttpKeys.TLS_TRUSTSTORE_TYPE, "PEM");
            // Connected; without views it is no peer.
            assertThat(ask(peer, settings))
                    .failsWithin(TIMEOUT)
                    .withThrowableThat()
                    .withMessageContaining("did not authenticate");
        }
    }

    private CompletableFuture<PeerResponse> ask(HostInfo peer, Map<String, String> settings) {
        Peers peers =
                new HttpPeers(doors(settings).tls(), doors(settings).peers(), TIMEOUT, 1 << 20, Clock.systemUTC());
        return peers.ask(peer, PeerRequest.of("conversation", Map.of()), Caller.ANONYMOUS, Conversation.class);
    }

    private void assertSpeaksTls(Map<String, String> tls) throws Exception {
        Map<String, String> settings = new HashMap<>(tls);
        settings.put(HttpKeys.TOKENS_FILE, tokens.toString());
        try (QueryServer server = serve(settings)) {
            assertThat(server.uri()).hasScheme("https");
            SSLContext trust = Keystores.trusting(keystore);
            HttpClient client = HttpClient.newBuilder().sslContext(trust).build();
            HttpResponse<String> live = ask(client, URI.create(server.uri() + "/health/live"));
            assertThat(live.statusCode()).isEqualTo(200);
            assertThat(live.sslSession().orElseThrow().getProtocol()).isEqualTo("TLSv1.3");
            HttpClient older = HttpClient.newBuilder()
                    .sslContext(trust)
                    .sslParameters(new SSLParameters(null, new String[] {"TLSv1.2"}))
                    .build();
            assertThat(ask(older, URI.create(server.uri() + "/health/live")).statusCode())
                    .isEqualTo(200);
            assertThat(ask(client, URI.create(server.uri() + "/")).statusCode()).isEqualTo(401);
            assertThat(ask(client, URI.create(server.uri() + "/"), "Authorization", "Bearer " + token)
                            .statusCode())
                    .isEqualTo(200);
        }
    }

    private QueryServer serve(Map<String, String> settings) {
        return QueryServer.start(
                Loopback.bind(),
                Loopback.components(Optional.empty(), List::of, new Metrics(Optional.empty(), false), List.of()),
                doors(settings));
    }

    private static HttpResponse<String> ask(HttpClient client, URI uri, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri);
        return client.send((headers.length == 0 ? request : request.headers(headers)).build(), BodyHandlers.ofString());
    }

    private static Map<String, String> tls() {
        return Map.of(HttpKeys.TLS_KEYSTORE, keystore.toString(), HttpKeys.TLS_KEYSTORE_PASSWORD, Keystores.PASSWORD);
    }

    private static Map<String, String> oidc(String keys) {
        return new HashMap<>(Map.of(
                HttpKeys.OIDC_ISSUER,
                "https://id.example.com",
                HttpKeys.OIDC_AUDIENCE,
                "parley",
                HttpKeys.OIDC_KEYS,
                keys));
    }

    private HttpSecurity doors(Map<String, String> settings) {
        return HttpSecurityFactory.of(ServerConfig.of(settings), warnings::add);
    }

    private void assertRefused(Map<String, String> settings, String... named) {
        assertThatThrownBy(() -> doors(settings))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll(named)
                .message()
                .doesNotContain("SECRET", Keystores.PASSWORD, "\n");
    }
}
