package dev.parley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.parley.server.Keystores;
import dev.parley.server.http.HttpKeys;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HealthCommandTest {
    @TempDir
    private Path directory;

    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private String port() {
        return "http.port=" + server.getAddress().getPort();
    }

    private void answer(String path, int status) {
        server.createContext(path, exchange -> {
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
    }

    @ParameterizedTest
    @CsvSource({"200, 503, 0, 1", "503, 503, 1, 1", "200, 200, 0, 0", "200, 401, 0, 1"})
    void exitStatusReflectsTheResponse(int live, int ready, int exitLive, int exitReady) {
        answer("/health/live", live);
        answer("/health/ready", ready);

        CommandRun alive = CommandRun.of("health", "--set", port());
        assertThat(alive.exit()).isEqualTo(exitLive);
        assertThat(alive.out()).contains("/health/live returned " + live);
        CommandRun prepared = CommandRun.of("health", "--ready", "--set", port());
        assertThat(prepared.exit()).isEqualTo(exitReady);
        assertThat(prepared.out()).contains("/health/ready returned " + ready);
    }

    @Test
    void instanceThatDoesNotListenIsNotAlive() {
        String port = port();
        server.stop(0);

        CommandRun run = CommandRun.of("health", "--set", port);

        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.out()).contains("/health/live is unavailable: connection refused");
    }

    @ParameterizedTest
    @CsvSource({"0.0.0.0", "127.0.0.1", "localhost"})
    void wildcardAddressIsCheckedOverLoopback(String host) {
        answer("/health/live", 200);

        assertThat(CommandRun.of("health", "--set", "http.host=" + host, "--set", port())
                        .exit())
                .isZero();
    }

    @Test
    void anyCertificateIsAccepted() throws Exception {
        Path keystore = Keystores.make(directory, "PKCS12");

        assertAsksByTls(keystore, Map.of(HttpKeys.TLS_KEYSTORE, keystore.toString()));
    }

    @Test
    void keyInTheConfigurationSelectsHttps() throws Exception {
        Path keystore = Keystores.make(directory, "PKCS12");

        assertAsksByTls(
                keystore,
                Map.of(
                        HttpKeys.TLS_KEYSTORE_TYPE,
                        "PEM",
                        HttpKeys.TLS_KEY,
                        Keystores.keyPem(keystore),
                        HttpKeys.TLS_CHAIN,
                        Keystores.certificatePem(keystore)));
    }

    private void assertAsksByTls(Path keystore, Map<String, String> settings) throws Exception {
        HttpsServer secured = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        secured.setHttpsConfigurator(new HttpsConfigurator(serverContext(keystore)));
        secured.createContext("/health/live", exchange -> {
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        secured.start();
        try {
            List<String> command = new ArrayList<>(List.of(
                    "health",
                    "--set",
                    "http.host=localhost",
                    "--set",
                    "http.port=" + secured.getAddress().getPort()));
            settings.forEach((key, value) -> command.addAll(List.of("--set", key + "=" + value)));

            CommandRun run = CommandRun.of(command.toArray(String[]::new));

            assertThat(run.out()).contains("https://localhost");
            assertThat(run.exit()).isZero();
        } finally {
            secured.stop(0);
        }
    }

    private static SSLContext serverContext(Path keystore) throws Exception {
        char[] password = Keystores.PASSWORD.toCharArray();
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(KeyStore.getInstance(keystore.toFile(), password), password);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
    }

    @Test
    void configurationIsReadFromAFile() throws IOException {
        answer("/health/live", 200);
        Path file = Files.writeString(directory.resolve("parley.properties"), port());

        assertThat(CommandRun.of("health", "--config", file.toString()).exit()).isZero();
    }
}
