package dev.parley.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.CommandRun;
import dev.parley.cli.SqlEngine;
import dev.parley.log.export.ExportFormat;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The queries of docs/analytics.md for this engine, and those of the help, over the sample traffic. */
class SqlPageTest {
    private static final Path PAGE = Path.of("docs", "analytics.md");
    /** Queries of other engines follow a comment with the name of the engine. */
    private static final Pattern QUERY =
            Pattern.compile("(?<! -->\n)^```sql\n(.*?)^```", Pattern.MULTILINE | Pattern.DOTALL);

    private static final String COMMAND = "## parley sql\n";
    private static final Pattern CONSOLE = Pattern.compile(
            "^```console\n\\$ \\./parley sql '(.*?)' export\\.jsonl --table\n(.*?)^```",
            Pattern.MULTILINE | Pattern.DOTALL);
    private static final Pattern HELP =
            Pattern.compile("parley sql (?:'(.*?)'|\"(.*?)\")(?: export.jsonl)?$", Pattern.MULTILINE);

    @TempDir
    private static Path directory;

    private static String export;

    @BeforeAll
    static void export() throws Exception {
        export = SampleTrail.export(directory.resolve("export.jsonl"), ExportFormat.JSONL, SampleTrail.records())
                .toString();
    }

    private static CommandRun run(String query, String... options) {
        List<String> words = new ArrayList<>(List.of("sql", query, export));
        words.addAll(List.of(options));
        CommandRun run = CommandRun.of(words.toArray(String[]::new));
        assertThat(run.err()).as(query).isEmpty();
        assertThat(run.exit()).isZero();
        return run;
    }

    @Test
    void everyQueryOverAnExportHasAResult() throws Exception {
        String page = Files.readString(PAGE);
        List<String> queries = queries(page.substring(page.indexOf(COMMAND)));

        assertThat(queries).hasSizeGreaterThan(3);
        assertThat(queries)
                .allSatisfy(query -> assertThat(run(query).json()).as(query).isNotEmpty());
    }

    @Test
    void everyQueryOverTheAnalyticsTopicsRuns() throws Exception {
        String page = Files.readString(PAGE);
        List<String> queries = queries(page.substring(0, page.indexOf(COMMAND)));

        assertThat(queries).hasSizeGreaterThan(7);
        runOverTopics(queries);
    }

    private static List<String> queries(String text) {
        return QUERY.matcher(text).results().map(found -> found.group(1)).toList();
    }

    /** Runs queries over the tables of a deployment, which are empty. */
    private static void runOverTopics(List<String> queries) throws Exception {
        try (Database database = Database.open(new SqlEngine.Limits(256, 64, 1))) {
            for (Tables.TopicTable table : Tables.TOPICS) {
                database.execute(Tables.createTable(table.name(), table.columns()));
            }
            database.lock();
            for (String query : queries) {
                assertThat(QueryPlan.of(query, database).tables()).as(query).isNotEmpty();
                database.execute(query);
            }
        }
    }

    @Test
    void theOutputsOfThePageAreThoseOfTheCommands() throws Exception {
        Matcher consoles = CONSOLE.matcher(Files.readString(PAGE));
        int count = 0;
        while (consoles.find()) {
            assertThat(run(consoles.group(1), "--table").out()).isEqualTo(consoles.group(2));
            count++;
        }
        assertThat(count).isPositive();
    }

    @Test
    void everyExampleOfTheHelpHasAResult() throws Exception {
        String help = CommandRun.of("sql", "--help").out();
        String examples = help.substring(help.indexOf("Examples:"))
                .lines()
                .map(line -> line.startsWith("  parley") ? '\n' + line.strip() : ' ' + line.strip())
                .collect(Collectors.joining());
        Matcher found = HELP.matcher(examples);
        int count = 0;
        while (found.find()) {
            String query = found.group(1) == null ? found.group(2) : found.group(1);
            if (Tables.TOPICS.stream().anyMatch(table -> query.contains(" FROM " + table.name() + ' '))) {
                runOverTopics(List.of(query));
            } else {
                assertThat(run(query).json()).as(query).isNotEmpty();
            }
            count++;
        }
        assertThat(count)
                .isEqualTo((int) examples.lines()
                        .filter(line -> line.startsWith("parley"))
                        .count())
                .isGreaterThan(5);
    }
}
