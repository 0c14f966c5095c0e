package dev.parley.server.operations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.log.KeyFiles;
import dev.parley.log.tlog.NoteSigner;
import dev.parley.server.ServerConfig;
import dev.parley.topology.config.AuditKeys;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.topics.Check;
import dev.parley.topology.topics.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyCheckTest {
    @TempDir
    private Path directory;

    @Test
    void withoutAKeyThereIsNoFinding() {
        assertThat(found(Map.of())).isEmpty();
    }

    @Test
    void aMissingKeyFileIsReported() {
        assertThat(found(Map.of(
                        AuditKeys.HEADS_KEY_FILES, directory.resolve("none").toString())))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.check()).isEqualTo(Check.KEY_UNREADABLE);
                    assertThat(finding.problem())
                            .contains(directory.resolve("none").toString());
                    assertThat(finding.remedy()).contains("parley keygen");
                });
    }

    @Test
    void aFileWithoutAKeyPairIsReported() throws IOException {
        NoteSigner signer = NoteSigner.of("parley/audit", KeyFiles.newPair());
        for (String content : List.of("", "secret", signer.verifierKey().toString())) {
            assertThat(found(key(content))).as(content).singleElement().satisfies(finding -> {
                assertThat(finding.toString()).doesNotContain("secret");
                assertThat(finding.problem()).endsWith(".").doesNotEndWith("..");
            });
        }
    }

    @Test
    void aViewsInstanceNeedsNoKey() {
        assertThat(found(Map.of(
                        AuditKeys.HEADS_KEY_FILES, directory.resolve("none").toString(), ParleyConfig.ROLES, "views")))
                .isEmpty();
    }

    @Test
    void signedHeadsWithoutCodesAreReported() throws IOException {
        String file = key(KeyFiles.privatePem(KeyFiles.newPair())).get(AuditKeys.HEADS_KEY_FILES);

        assertThat(found(Map.of(AuditKeys.HEADS_KEY_FILES, file)))
                .singleElement()
                .satisfies(finding -> assertThat(finding.check()).isEqualTo(Check.INTERNAL_KEY_MISSING));
        assertThat(found(Map.of(AuditKeys.HEADS_KEY_FILES, file, AuditKeys.INTERNAL_KEY_FILES, file)))
                .isEmpty();
        assertThat(found(Map.of(AuditKeys.INTERNAL_KEY_FILES, "none", ParleyConfig.ROLES, "views")))
                .singleElement()
                .satisfies(finding -> assertThat(finding.check()).isEqualTo(Check.KEY_UNREADABLE));
    }

    private Map<String, String> key(String content) throws IOException {
        Path file = Files.writeString(directory.resolve("audit.key"), content);
        return Map.of(AuditKeys.HEADS_KEY_FILES, file.toString());
    }

    private static List<Finding> found(Map<String, String> settings) {
        return Preflight.keys(ServerConfig.of(settings)).stream().toList();
    }
}
