package dev.parley.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.cli.CommandRun;
import dev.parley.cli.Parley;
import dev.parley.cli.SqlEngine.Limits;
import dev.parley.log.export.ExportFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries that a person pastes without reading: none reads other files, changes anything, or reaches the network. */
@Tag("long")
class HostileQueryTest {
    private static final String SECRET = "the secret of another file";

    @TempDir
    private static Path directory;

    private static Path secret;

    @BeforeAll
    static void export() throws Exception {
        secret = Files.writeString(directory.resolve("secret.csv"), "column\n" + SECRET + "\n");
        SampleTrail.export(directory.resolve("export.jsonl"), ExportFormat.JSONL, List.of());
        SampleTrail.export(directory.resolve("export.parquet"), new DuckDbEngine().parquet(), SampleTrail.records());
    }

    private static String resolved(String query) {
        return query.replace("SECRET", secret.toString()).replace("DIR", directory.toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT * FROM read_csv('SECRET')",
                "SELECT * FROM 'SECRET'",
                "SELECT * FROM \"SECRET\"",
                "SELECT * FROM read_text('SECRET')",
                "SELECT * FROM read_blob('SECRET')",
                "SELECT * FROM read_json('SECRET')",
                "SELECT * FROM read_parquet('DIR/*.parquet')",
                "SELECT * FROM parquet_metadata('DIR/other.parquet')",
                "SELECT * FROM sniff_csv('SECRET')",
                "SELECT * FROM glob('DIR/*')",
                "SELECT * FROM query('SELECT * FROM read_text(''SECRET'')')",
                "SELECT * FROM query_table(['SECRET'])",
                "FROM json_execute_serialized_sql(json_serialize_sql('SELECT * FROM read_text(''SECRET'')'))",
                "SELECT getenv('HOME')",
                "SELECT * FROM read_csv('https://localhost:1/x.csv')",
                "COPY (SELECT 1) TO 'DIR/written.csv'",
                "COPY audit FROM 'SECRET'",
                "EXPORT DATABASE 'DIR/written'",
                "IMPORT DATABASE 'DIR'",
                "ATTACH 'DIR/written.db' AS other",
                "ATTACH ':memory:' AS other",
                "INSTALL httpfs",
                "LOAD httpfs",
                "LOAD 'DIR/evil.duckdb_extension'",
                "FORCE INSTALL spatial FROM community",
                "SET enable_external_access = true",
                "SET lock_configuration = false",
                "SET memory_limit = '100GB'",
                "RESET lock_configuration",
                "PRAGMA enable_external_access",
                "CREATE SECRET s (TYPE s3)",
                "CREATE TABLE t AS SELECT 1",
                "CREATE MACRO m() AS 1",
                "DROP TABLE audit",
                "INSERT INTO audit (chain) VALUES ('x')",
                "DELETE FROM audit",
                "UPDATE audit SET chain = 'x'",
                "CALL pragma_version()",
                "CHECKPOINT",
                "EXPLAIN ANALYZE DELETE FROM audit",
                "PREPARE p AS SELECT 1",
                "SELECT 1; DROP TABLE audit",
                "SELECT 1; SELECT 2",
                ""
            })
    void nothingButTheTablesIsRead(String query) throws Exception {
        for (String export : List.of("export.jsonl", "export.parquet")) {
            CommandRun run = CommandRun.of(
                    "sql", resolved(query), directory.resolve(export).toString());

            assertThat(run.exit()).as("%s: %s", query, run).isEqualTo(2);
            assertThat(run.out()).isEmpty();
            assertThat(run.err()).startsWith("parley sql: ").doesNotContain(SECRET);
        }
        try (var files = Files.list(directory)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("secret.csv", "export.jsonl", "export.parquet");
        }
    }

    /** While the driver is loaded, and while the query runs. */
    @ParameterizedTest
    @ValueSource(strings = {"parley-sql-", "tables.duckdb"})
    void anInterruptedQueryLeavesNoTables(String begun, @TempDir Path temporary) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djava.io.tmpdir=" + temporary,
                        "-cp",
                        System.getProperty("java.class.path"),
                        Parley.class.getName(),
                        "sql",
                        "SELECT sum(a.range * b.range % 7) FROM range(1000000) a, range(1000000) b, audit",
                        directory.resolve("export.jsonl").toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            await().atMost(Duration.ofMinutes(1))
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> has(temporary, begun));
            process.destroy();
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(has(temporary, "parley-sql-")).isFalse();
    }

    private static boolean has(Path directory, String name) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.anyMatch(file -> file.getFileName().toString().startsWith(name));
        } catch (UncheckedIOException e) {
            // A file was deleted meanwhile.
            return true;
        }
    }

    /** The second line of defense, if a statement other than SELECT came through. */
    @Test
    void aLockedDatabaseRefusesOtherStatements() throws Exception {
        try (Database database = Database.open(new Limits(64, 1, 1))) {
            database.execute(resolved("SELECT * FROM read_text('SECRET')"));
            database.execute("SET threads = 2");
            database.lock();
            List<String> passed = new ArrayList<>();
            for (String query : List.of(
                    "COPY (SELECT 1) TO 'DIR/written.csv'",
                    "ATTACH 'DIR/written.db' AS other",
                    "EXPORT DATABASE 'DIR/written'",
                    "INSTALL httpfs",
                    "LOAD httpfs",
                    "SET enable_external_access = true",
                    "SET lock_configuration = false",
                    "SET memory_limit = '100GB'",
                    "SET allowed_paths = ['SECRET']",
                    "SELECT * FROM read_text('SECRET')")) {
                try {
                    database.execute(resolved(query));
                    passed.add(query);
                } catch (SQLException e) {
                    assertThat(e.getMessage()).isNotBlank();
                }
            }
            assertThat(passed).isEmpty();
        }
    }

    @Test
    void parquetAndJsonAreBuiltInAndNoExtensionIsInstalledByItself() throws Exception {
        try (Database database = Database.open(new Limits(64, 1, 1));
                Statement statement = database.connection().createStatement()) {
            try (ResultSet built = statement.executeQuery(
                    "SELECT extension_name, install_mode FROM duckdb_extensions() WHERE loaded ORDER BY 1")) {
                List<String> names = new ArrayList<>();
                while (built.next()) {
                    names.add(built.getString(1));
                    assertThat(built.getString(2)).isEqualTo("STATICALLY_LINKED");
                }
                assertThat(names).contains("json", "parquet", "icu");
            }
            for (String setting : List.of(
                    "autoinstall_known_extensions",
                    "autoload_known_extensions",
                    "allow_community_extensions",
                    "allow_unsigned_extensions")) {
                try (ResultSet value = statement.executeQuery("SELECT current_setting('" + setting + "')")) {
                    value.next();
                    assertThat(value.getBoolean(1)).as(setting).isFalse();
                }
            }
        }
    }
}
