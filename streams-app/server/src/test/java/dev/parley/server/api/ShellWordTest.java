package dev.parley.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShellWordTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "default|SLIP|1",
                "it's",
                "$(touch owned) `touch owned` $HOME",
                "a\nb\tc\r",
                "back\\slash \\",
                "\"double\"",
                "'",
                "\\'\u202Ereversed",
                "é Λ 𝄞 \u0007",
                "!history *glob* ~ # & ; < >"
            })
    void theShellReadsEveryTextAsItIs(String text) throws IOException {
        String word = ShellWord.of(text);

        assertThat(word).matches("[ -~]+");
        Process shell = new ProcessBuilder("bash", "-c", "printf %s " + word).start();
        assertThat(new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo(text);
    }
}
