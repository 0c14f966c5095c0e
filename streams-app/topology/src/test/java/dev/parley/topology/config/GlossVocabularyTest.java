package dev.parley.topology.config;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GlossVocabularyTest {
    @TempDir
    private Path directory;

    @Test
    void theConfiguredFileAddsWordsToGlosses() throws IOException {
        Path file = Files.writeString(directory.resolve("words"), "se thing secret\n");
        assertThat(gloss(file)).isEqualTo("I know about the secret.");
        assertThat(new ParleyConfig(Map.of()).glosses().gloss("LAMBDA", "!Ik/se".getBytes(UTF_8), null))
                .contains("I know about se.");
    }

    @Test
    void aFileThatCannotBeUsedIsReportedWithItsKeyFileAndLine() throws IOException {
        Path file = Files.writeString(directory.resolve("words"), "# words\nse nuon secret\n");
        assertThatThrownBy(() -> gloss(file))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("gloss.lambda.vocabulary: " + file + ":2: the class must be one of entity");
        Path missing = directory.resolve("missing");
        assertThatThrownBy(() -> gloss(missing))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("gloss.lambda.vocabulary: " + missing + ": cannot be read");
    }

    @Test
    void aFileThatIsNotUtf8IsReported() throws IOException {
        Path file = Files.write(directory.resolve("words"), new byte[] {'a', (byte) 0xFF});
        assertThatThrownBy(() -> gloss(file))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("cannot be read");
    }

    private static String gloss(Path file) {
        return new ParleyConfig(Map.of(ParleyConfig.LAMBDA_VOCABULARY, file.toString()))
                .glosses()
                .gloss("LAMBDA", "!Ik/se".getBytes(UTF_8), null)
                .orElseThrow();
    }
}
