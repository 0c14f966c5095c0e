package dev.parley.cli.io;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBarBuilder;
import org.junit.jupiter.api.Test;

class ProgressTest {
    @Test
    void aClosedBarOverwritesNoLaterLine() {
        ByteArrayOutputStream terminal = new ByteArrayOutputStream();
        Progress progress = new Progress(new ProgressBarBuilder()
                .setTaskName("verify")
                .setConsumer(new ConsoleProgressBarConsumer(new PrintStream(terminal, true, UTF_8), 80))
                .build());
        progress.stepTo(1, 2);
        progress.close();
        String drawn = terminal.toString(UTF_8);

        progress.step();
        progress.stepTo(2, 2);
        progress.close();

        assertThat(drawn).contains("verify");
        assertThat(terminal.toString(UTF_8)).isEqualTo(drawn);
    }
}
