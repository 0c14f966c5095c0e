package dev.parley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code parley sql} and Parquet files without the module sql, as in the archive and the container image. */
class SqlEngineMissingTest {
    @TempDir
    private Path directory;

    @Test
    void theArtifactToAddIsNamed() throws Exception {
        Path export = Files.writeString(directory.resolve("export.jsonl"), "{}\n");
        for (CommandRun run : new CommandRun[] {
            withoutEngine("sql", "SELECT 1", export.toString()),
            withoutEngine(
                    "export",
                    "--format",
                    "parquet",
                    "--out",
                    directory.resolve("a.parquet").toString())
        }) {
            assertThat(run.exit()).isOne();
            assertThat(run.err()).contains("dev.parley:parley-sql", "org.duckdb:duckdb_jdbc", "./parley");
            assertThat(run.out()).isEmpty();
        }
        assertThat(directory.resolve("a.parquet")).doesNotExist();
        assertThat(directory.resolve("a.parquet.part")).doesNotExist();
    }

    private static CommandRun withoutEngine(String... arguments) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
        try {
            return CommandRun.of(arguments);
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
