package dev.parley.server.operations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.topology.topics.Check;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks that docs/operations.md lists every {@link Check} with its severity. */
class ChecksPageTest {

    @ParameterizedTest
    @EnumSource(Check.class)
    void everyCheckHasItsRowWithItsSeverity(Check check) throws IOException {
        List<String> rows = Files.readString(Path.of("docs", "operations.md"))
                .lines()
                .filter(line -> line.startsWith("| `" + check + "` |"))
                .toList();
        assertThat(rows).singleElement().asString().startsWith("| `" + check + "` | " + check.severity() + " | ");
    }
}
