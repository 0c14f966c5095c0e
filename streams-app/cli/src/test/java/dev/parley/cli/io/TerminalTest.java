package dev.parley.cli.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class TerminalTest {
    @Test
    void theOutputOfACommandIsStripped() {
        assertThat(Terminal.output("echo '24 80'")).isEqualTo("24 80");
    }

    @Test
    void aCommandThatDoesNotEndIsAbandoned() {
        Instant start = Instant.now();
        assertThat(Terminal.output("exec sleep 60")).isEmpty();
        assertThat(Duration.between(start, Instant.now())).isLessThan(Duration.ofSeconds(30));
    }
}
