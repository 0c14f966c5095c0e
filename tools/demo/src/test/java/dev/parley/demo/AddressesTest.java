package dev.parley.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.server.ServerConfig;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressesTest {
    private final List<String> notes = new ArrayList<>();

    @Test
    void freeUsualPortsAreTakenWithoutANote() throws IOException {
        Addresses usual = new Addresses(unused(), unused(), unused());

        assertThat(of(Map.of(), usual)).isEqualTo(usual);
        assertThat(notes).isEmpty();
    }

    @Test
    void usualPortsInUseAreReplacedByAnyFreeOneAndNamedInOneNote() throws IOException {
        try (ServerSocket first = new ServerSocket(0);
                ServerSocket second = new ServerSocket(0)) {
            Addresses usual = new Addresses(first.getLocalPort(), unused(), second.getLocalPort());

            assertThat(of(Map.of(), usual)).isEqualTo(new Addresses(0, usual.registry(), 0));
            assertThat(notes).singleElement().asString().contains(usual.kafka() + ", " + usual.http());
        }
    }

    @Test
    void configuredPortsAreTakenAsTheyAre() {
        Map<String, Object> set = Map.of(
                "bootstrap.servers", "localhost:19092",
                "schema.registry.url", "http://127.0.0.1:18081",
                "http.port", 0);

        assertThat(of(set, Addresses.USUAL)).isEqualTo(new Addresses(19_092, 18_081, 0));
        assertThat(notes).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.1.2.3:9092", "127.0.0.1:9092,127.0.0.1:9093"})
    void brokersThatTheDemoCannotBeAreRejected(String servers) {
        assertThatThrownBy(() -> of(Map.of("bootstrap.servers", servers), Addresses.USUAL))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("its own Kafka broker")
                .hasMessageContaining("PARLEY_BOOTSTRAP_SERVERS");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://10.1.2.3:8081", "https://127.0.0.1:8081", "http://127.0.0.1", "mock://x", "a b"})
    void registriesThatTheDemoCannotBeAreRejected(String url) {
        assertThatThrownBy(() -> of(Map.of("schema.registry.url", url), Addresses.USUAL))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("schema.registry.url");
    }

    private Addresses of(Map<String, Object> set, Addresses usual) {
        return Addresses.of(ServerConfig.of(set), usual, notes::add);
    }

    private static int unused() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
