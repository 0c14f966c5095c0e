package dev.parley.interop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The SQL of docs/analytics.md and of deploy/flink. */
final class SqlPage {
    private static final Path ROOT = Path.of("");
    private static final Pattern BLOCK =
            Pattern.compile("^<!-- (\\w+): (\\w+) -->\n```sql\n(.*?)^```", Pattern.MULTILINE | Pattern.DOTALL);
    private static final Pattern SET = Pattern.compile("SET '([^']+)' = '([^']+)';");

    private SqlPage() {}

    /**
     * The fenced blocks of SQL for an engine, by their names. The comment before a block has both: flink: rejections.
     * SqlPageTest runs the blocks without a comment.
     */
    static Map<String, String> blocks(String engine) throws IOException {
        Map<String, String> blocks = new LinkedHashMap<>();
        Matcher found = BLOCK.matcher(Files.readString(ROOT.resolve("docs/analytics.md")));
        while (found.find()) {
            if (found.group(1).equals(engine)
                    && blocks.put(found.group(2), found.group(3).strip().replaceFirst(";$", "")) != null) {
                throw new IllegalStateException("two blocks of SQL have the name " + found.group(2));
            }
        }
        return blocks;
    }

    /** The settings of SET statements. */
    static Map<String, String> settings(String statements) {
        Map<String, String> settings = new LinkedHashMap<>();
        for (String line : (statements + ';').replace(";;", ";").lines().toList()) {
            Matcher set = SET.matcher(line);
            if (!set.matches()) {
                throw new IllegalStateException("must be a SET statement: " + line);
            }
            settings.put(set.group(1), set.group(2));
        }
        return settings;
    }

    /** The CREATE TABLE statements of deploy/flink/tables.sql, with other addresses. */
    static List<String> tables(String brokers, String registry) throws IOException {
        String file = Files.readString(ROOT.resolve("deploy/flink/tables.sql"))
                .replace("127.0.0.1:9092", brokers)
                .replace("http://127.0.0.1:8081", registry);
        return Stream.of(file.split(";\n"))
                .map(statement -> statement.replaceAll("(?m)^--.*\n", "").strip())
                .filter(statement -> !statement.isEmpty())
                .toList();
    }
}
