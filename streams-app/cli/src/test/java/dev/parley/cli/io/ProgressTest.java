package dev.parley.cli.io;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

class ProgressTest {
    @Test
    void aClosedLineDisappearsAndOverwritesNoLaterLine() {
        ByteArrayOutputStream terminal = new ByteArrayOutputStream();
        Progress progress = new Progress(new PrintStream(terminal, true, UTF_8), 79, "verify");
        progress.stepTo(1, 2);
        progress.close();
        String drawn = terminal.toString(UTF_8);

        progress.step();
        progress.stepTo(2, 2);
        progress.close();

        assertThat(drawn).contains("\rverify: 1 of 2 ").as("a blank line").matches("(?s).*\\r +\\r");
        assertThat(terminal.toString(UTF_8)).isEqualTo(drawn);
    }
}
