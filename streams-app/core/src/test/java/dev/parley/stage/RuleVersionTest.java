package dev.parley.stage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.encoding.Sha256;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Reminds of the version of the rules when what decides verdicts has changed. */
class RuleVersionTest {
    /**
     * Version and hash of the verdicts of the conformance vectors. If the test fails because a verdict changed, raise
     * {@link RuleVersion#CURRENT}; in either case, set the new hash here.
     */
    private static final String RECORDED = "1 7b9ae51da5d3fe01";

    @Test
    void aChangedVerdictRaisesTheVersion() throws IOException {
        StringBuilder vectors = new StringBuilder();
        for (Path file : files()) {
            vectors.append(file.getFileName()).append('\n').append(Files.readString(file, UTF_8));
        }
        assertThat(RuleVersion.CURRENT + " "
                        + HexFormat.of().formatHex(Sha256.of(vectors.toString().getBytes(UTF_8)), 0, 8))
                .as("version of the rules, and hash of the conformance vectors: their verdicts decide, so a change may"
                        + " require a new version")
                .isEqualTo(RECORDED);
    }

    private static List<Path> files() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("conformance"))) {
            return files.filter(file -> file.toString().endsWith(".jsonl")
                            && !file.toString().contains("target"))
                    .sorted()
                    .toList();
        }
    }
}
