package dev.parley.server.lifecycle;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.server.ServerConfig;
import dev.parley.server.http.BoundAddress;
import dev.parley.topology.config.ParleyConfig;
import java.io.IOException;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ApplicationTest {

    @ParameterizedTest
    @ValueSource(strings = {"http", "http.health"})
    void theErrorAboutAnAddressInUseNamesTheKeysOfItsListener(String listener) throws IOException {
        try (BoundAddress used = BoundAddress.bind("127.0.0.1", 0)) {
            String host = listener + ".host";
            String port = listener + ".port";
            ParleyConfig config = ServerConfig.of(Map.of(host, "127.0.0.1", port, used.port()));
            assertThatThrownBy(() -> Application.bind(config, host, port))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageStartingWith("Cannot listen on 127.0.0.1:" + used.port())
                    .hasMessageContaining("change " + host + " and " + port);
        }
    }

    @Test
    void theErrorAboutAnUnknownHostSaysSo() {
        ParleyConfig config = ServerConfig.of(Map.of("http.host", "nowhere.invalid", "http.port", 0));
        assertThatThrownBy(() -> Application.bind(config, "http.host", "http.port"))
                .isInstanceOf(ConfigException.class)
                .hasMessageEndingWith(": unknown host");
    }
}
