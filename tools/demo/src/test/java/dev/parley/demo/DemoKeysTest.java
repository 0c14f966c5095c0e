package dev.parley.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.cli.io.VerifierKeys;
import dev.parley.log.KeyFiles;
import dev.parley.log.TrustedKey;
import dev.parley.server.ServerConfig;
import dev.parley.topology.config.AuditKeys;
import dev.parley.topology.config.ParleyConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoKeysTest {
    @TempDir
    private Path directory;

    @Test
    void aDemoWithoutAKeyMakesOneThatOnlyItsOwnerReadsAndKeepsIt() throws IOException {
        List<String> signing = DemoKeys.signing(settings(Map.of()), directory);
        Path file = directory.resolve("audit.key");
        String made = Files.readString(file);

        assertThat(signing).containsExactly(file.toString());
        assertThat(Files.getPosixFilePermissions(file)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
        assertThat(DemoKeys.signing(settings(Map.of()), directory)).isEqualTo(signing);
        assertThat(file).hasContent(made);
        assertThat(DemoKeys.signing(settings(Map.of(AuditKeys.HEADS_KEY_FILES, "")), directory))
                .isEqualTo(signing);
    }

    @Test
    void theVerifierKeyIsThatOfTheSigningKeyUnderTheOriginOfTheDeployment() throws IOException {
        DemoKeys first = publish("parley.example/audit");
        DemoKeys other = publish("other.example/audit");

        assertThat(first.file()).isEqualTo(directory.resolve("audit.vkey"));
        assertThat(first.keys())
                .singleElement()
                .satisfies(key -> assertThat(key.name()).isEqualTo("parley.example/audit"));
        assertThat(VerifierKeys.read(List.of(other.file().toString())))
                .extracting(TrustedKey::key)
                .singleElement()
                .hasToString(other.keys().get(0).toString())
                .satisfies(key -> assertThat(key.name()).isEqualTo("other.example/audit"));
    }

    @Test
    void configuredKeysSignAndTheDemoMakesNone() throws IOException {
        Path mine = Files.writeString(directory.resolve("mine"), KeyFiles.privatePem(KeyFiles.newPair()));
        Path next = Files.writeString(directory.resolve("next"), KeyFiles.privatePem(KeyFiles.newPair()));
        ParleyConfig config = settings(Map.of(AuditKeys.HEADS_KEY_FILES, mine + "," + next));

        assertThat(DemoKeys.signing(config, directory)).containsExactly(mine.toString(), next.toString());
        assertThat(DemoKeys.publish(config, directory).keys()).hasSize(2);
        assertThat(directory.resolve("audit.key")).doesNotExist();
    }

    @Test
    void aFileInTheDirectoryThatIsNoKeyIsReportedAndNotReplaced() throws IOException {
        Path file = Files.writeString(directory.resolve("audit.key"), "precious");

        assertThatThrownBy(() -> publish("parley.example/audit"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(file.toString());
        assertThat(file).hasContent("precious");
    }

    private DemoKeys publish(String origin) throws IOException {
        List<String> signing = DemoKeys.signing(settings(Map.of()), directory);
        return DemoKeys.publish(
                settings(Map.of(AuditKeys.HEADS_KEY_FILES, signing, AuditKeys.ORIGIN, origin)), directory);
    }

    private static ParleyConfig settings(Map<String, Object> values) {
        return ServerConfig.of(values);
    }
}
