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

/** The SQL of a page and of deploy/flink. */
final class SqlPage {
    private static final Path ROOT = Path.of("");
    private static final Pattern BLOCK =
            Pattern.compile("^<!-- (\\w+) -->\n```sql\n(.*?)^```", Pattern.MULTILINE | Pattern.DOTALL);
    private static final Pattern SET = Pattern.compile("SET '([^']+)' = '([^']+)';");

    private SqlPage() {}

    /** The fenced blocks of SQL, by the names in the comments before them. Fails if a block has no name. */
    static Map<String, String> blocks(String page) throws IOException {
        String text = Files.readString(ROOT.resolve(page));
        Map<String, String> blocks = new LinkedHashMap<>();
        Matcher found = BLOCK.matcher(text);
        while (found.find()) {
            blocks.put(found.group(1), found.group(2).strip().replaceFirst(";$", ""));
        }
        if (blocks.size() != text.lines().filter("```sql"::equals).count()) {
            throw new IllegalStateException("a block of SQL in " + page + " has no name, or not its own");
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
