package dev.parley.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.server.auth.Caller;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.streams.state.HostInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AllowedPeersTest {
    private final List<HostInfo> asked = new ArrayList<>();
    private final Peers peers = (peer, request, caller, result) -> {
        asked.add(peer);
        return new CompletableFuture<>();
    };

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, 127.0.0.1, true",
        "10.1.2.3, 10.1.2.200, true",
        "10.1.2.3, 10.1.3.3, false",
        "10.1.2.3, metadata.internal, false",
        "fd00::1, fd00::2, true",
        "fd00::1, fd01::1, false",
        "parley-0.parley-peers.default.svc, parley-1.parley-peers.default.svc, true",
        "parley-0.parley-peers.default.svc, registry.default.svc, false",
        "parley-0.parley-peers.default.svc, 10.1.2.3, false",
        "a.example, a.example, true",
        "a.example, b.example, false",
        "localhost, LOCALHOST, true",
        "localhost, 127.0.0.1, false",
        "a, b, false"
    })
    void byDefaultTheNeighborsOfAnInstanceAreAllowed(String self, String peer, boolean allowed) {
        assertAllowed(new AllowedPeers(peers, List.of(), self), peer, allowed);
    }

    @ParameterizedTest
    @CsvSource({
        "10.2.255.255, true",
        "10.4.0.0, false",
        "b.parley.example.com, true",
        "parley.example.com, false",
        "evilparley.example.com, false",
        "A, true",
        "10.1.2.3, false",
        "10.2.x.y, false",
        "1.2.3.4.5, false",
        "fd00::1, false"
    })
    void theConfiguredHostsReplaceTheDefault(String peer, boolean allowed) {
        assertAllowed(
                new AllowedPeers(peers, List.of("10.2.0.0/15", "*.parley.example.com", "a"), "10.1.2.3"),
                peer,
                allowed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/x", "example.com/24", "/24", "fd00::/129"})
    void anInvalidNetworkIsRefused(String network) {
        assertThatThrownBy(() -> new AllowedPeers(peers, List.of(network), "10.1.2.3"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(ClusterKeys.ALLOWED)
                .hasMessageContaining(network);
    }

    @Test
    void aStrangerIsAPartOfReadinessAndReceivesNothing() {
        HostInfo stranger = new HostInfo("169.254.169.254", 80);
        AllowedPeers allowed = new AllowedPeers(peers, List.of(), "10.1.2.3");

        assertThat(allowed.ask(stranger, null, Caller.ANONYMOUS, Object.class))
                .isCompletedExceptionally()
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withMessageContaining("169.254.169.254:80, which http.peers.allowed does not allow");
        assertThat(allowed.problem(stranger).orElseThrow()).contains("169.254.169.254:80", ClusterKeys.ALLOWED);
        assertThat(asked).isEmpty();
    }

    private void assertAllowed(AllowedPeers allowed, String peer, boolean expected) {
        HostInfo host = new HostInfo(peer, 8080);
        allowed.ask(host, null, Caller.ANONYMOUS, Object.class);
        assertThat(asked.contains(host)).isEqualTo(expected);
        assertThat(allowed.problem(host).isEmpty()).isEqualTo(expected);
    }
}
