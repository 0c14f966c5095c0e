package dev.parley.gloss;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.protocol.Glosses;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LambdaVocabularyTest {
    @TempDir
    private Path directory;

    @Test
    void theCoreVocabularyNamesItsSourceAndVersion() throws IOException {
        try (InputStream in = LambdaVocabulary.class.getResourceAsStream("lambda-core.txt")) {
            assertThat(new String(in.readAllBytes(), UTF_8)).contains("# Source: ", "# Version: 0.6");
        }
    }

    @Test
    void aFileAddsAtomsAndReplacesThem() throws IOException {
        Path file = directory.resolve("words.txt");
        Files.writeString(
                file,
                "# team words\n\nse thing secret\nR entity everyone, everyone\n"
                        + "rn word run\nla noun Lambda\nq verb query, queries, for\n");
        Glosses glosses = Glosses.with(LambdaVocabulary.CORE.with(file));

        assertThat(gloss(glosses, "!Iq/se")).isEqualTo("I query for the secret.");
        assertThat(gloss(glosses, "!st{ta:prj/la}")).isEqualTo("Status: task Lambda project.");
        assertThat(gloss(glosses, "!Ik/co")).as("the core").isEqualTo("I know about consciousness.");
        assertThat(Examples.gloss("!Ik/se")).as("without the file").isEqualTo("I know about se.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "kp verb keep; f:1: an atom of the class verb has one letter, but was 'kp'",
                "kp noun; f:1: an entry must be an atom",
                "kp; f:1: the class must be one of entity",
                "kp nuon keep; f:1: the class must be one of entity, verb",
                "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx noun x; f:1: an entry must be an atom of at most 40",
            })
    void aLineThatIsNotAnEntryIsNamed(String line, String error) {
        assertThatThrownBy(() -> LambdaVocabulary.CORE.with(new StringReader(line), "f"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(error);
    }

    @Test
    void aFileThatIsTooLargeIsRefused() throws IOException {
        Path file = Files.write(directory.resolve("large"), new byte[LambdaVocabulary.MAX_FILE_BYTES + 1]);
        assertThatThrownBy(() -> LambdaVocabulary.CORE.with(file))
                .hasMessageContaining("must have at most 1048576 bytes");
    }

    private static String gloss(Glosses glosses, String wire) {
        return glosses.gloss(Examples.message(wire.getBytes(UTF_8)), Definitions.NONE);
    }
}
