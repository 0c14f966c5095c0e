package dev.parley.server.witness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.log.KeyFiles;
import dev.parley.log.tlog.NoteSigner;
import dev.parley.log.tlog.VerifierKey;
import dev.parley.server.ServerConfig;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Witnesses are configured by verifier key and URL. */
class WitnessSettingsTest {
    private static final VerifierKey W1 =
            NoteSigner.cosigner("w1.example/a", KeyFiles.newPair()).verifierKey();
    private static final VerifierKey W2 =
            NoteSigner.cosigner("w2.example/b", KeyFiles.newPair()).verifierKey();

    private static WitnessSettings settings(String witnesses, int quorum) {
        return WitnessSettings.of(ServerConfig.of(
                Map.of(WitnessFeature.WITNESSES, witnesses, WitnessFeature.QUORUM, Integer.toString(quorum))));
    }

    @Test
    void aWitnessIsAKeyAndAPrefix() {
        WitnessSettings settings = settings(W1 + " https://w1.example/, " + W2 + "  http://[::1]:7080/x", 2);

        assertThat(settings.witnesses())
                .extracting(WitnessSettings.Endpoint::name)
                .containsExactly("w1.example/a", "w2.example/b");
        assertThat(settings.witnesses())
                .extracting(WitnessSettings.Endpoint::url)
                .containsExactly("https://w1.example", "http://[::1]:7080/x");
        assertThat(settings.origin()).isEqualTo("parley/audit");
        assertThat(settings.policy().quorum()).isEqualTo(2);
        assertThat(settings(W1 + " https://w1.example", 0).policy().quorum()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "%s",
                "%s ",
                "https://w1.example",
                "%s ftp://w1.example",
                "%s file:///etc/passwd",
                "%s w1.example",
                "%s https://user:secret@w1.example",
                "%s https://w1.example?a=b",
                "%s https://w1.example#a",
                "%s https:///x",
                "%s https://w1 .example",
                "x%s https://w1.example",
                "w1+00000000+AAAA https://w1.example",
            })
    void anotherFormIsRefusedBeforeTheStart(String value) {
        assertThatThrownBy(() -> settings(value.replace("%s", W1.toString()), 0))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("audit.witnesses")
                .hasMessageNotContaining("secret");
    }

    @Test
    void keysOfLogsRepeatedKeysAndImpossibleQuorumsAreRefused() {
        VerifierKey log = NoteSigner.of("parley/audit", KeyFiles.newPair()).verifierKey();
        String one = W1 + " https://w1.example";
        for (String witnesses : List.of(log + " https://w1.example", one + "," + one)) {
            assertThatThrownBy(() -> settings(witnesses, 0)).isInstanceOf(ConfigException.class);
        }
        assertThatThrownBy(() -> settings(one, 2))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("audit.witnesses.quorum", "the quorum must be from 0 to the 1 witnesses");
        assertThatThrownBy(() -> settings("", 1))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("the quorum must be from 0 to the 0 witnesses");
        assertThatThrownBy(() -> settings(String.join(",", Collections.nCopies(33, one)), 0))
                .isInstanceOf(ConfigException.class);
    }
}
