package dev.parley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CapacityCommandTest {
    @TempDir
    private Path directory;

    @Test
    void theTableOfTheRunbookIsThatOfTheCommand() throws IOException {
        String table = rows(CommandRun.of("capacity"))
                .skip(1)
                .map(row -> "| " + row.replace("|", " | ") + " |\n")
                .collect(Collectors.joining());

        assertThat(table).contains("| brokers | 3 |");
        assertThat(Files.readString(Path.of("docs", "runbook.md"))).contains(table);
    }

    private static Stream<String> rows(CommandRun run) {
        assertThat(run.exit()).as(run.err()).isZero();
        return run.out().lines().map(line -> line.strip().replaceAll(" {2,}", "|"));
    }

    @Test
    void theCommandPrintsAColumnPerRate() {
        assertThat(rows(CommandRun.of("capacity", "--rates", "500,100000")))
                .contains("MESSAGES/S|500|100,000", "stream threads|1|8");
    }

    @Test
    void figuresOfAFileReplaceThoseOfTheJar() throws IOException {
        Properties figures = new Properties();
        try (var in = CapacityCommand.class.getResourceAsStream("capacity.properties")) {
            figures.load(in);
        }
        figures.setProperty("thread.rate", "275920");
        assertThat(capacity(figures, "100000").out()).containsPattern("stream threads +1\n");

        figures.remove("thread.rate");
        CommandRun missing = capacity(figures, "100000");
        assertThat(missing.exit()).isEqualTo(2);
        assertThat(missing.err()).contains("thread.rate must be a number");
        assertThat(CommandRun.of("capacity", "--rates", "0").err()).contains("--rates must be numbers");
    }

    private CommandRun capacity(Properties figures, String rates) throws IOException {
        Path file = directory.resolve("capacity.properties");
        try (var out = Files.newOutputStream(file)) {
            figures.store(out, null);
        }
        return CommandRun.of("capacity", "--rates", rates, "--figures", file.toString());
    }
}
