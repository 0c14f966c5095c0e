package dev.parley.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.CspIntent;
import dev.parley.cli.CommandRun;
import dev.parley.cli.api.ApiClient;
import dev.parley.cli.environment.CommandResult;
import dev.parley.cli.environment.EmbeddedEnvironment;
import dev.parley.cli.environment.RunningParley;
import dev.parley.server.lifecycle.Application;
import dev.parley.topology.config.AuditKeys;
import dev.parley.topology.config.ParleyConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code parley sql} over an export, compared with the topics: each table, before and after redactions. */
@Tag("long")
class SqlOverExportsIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(150);

    /** The tables of an export, redactions included. */
    private static final List<String> TRAIL =
            List.of("SELECT * FROM audit", "SELECT * FROM messages", "SELECT * FROM definitions");

    @TempDir
    private Path directory;

    private ParleyConfig config;
    private int exports;

    @Test
    void everyTableIsTheSameFromTheTopicsAndFromAnExport() throws Exception {
        try (EmbeddedEnvironment environment = EmbeddedEnvironment.shared(directory)) {
            config = environment.config(Map.of(AuditKeys.HEADS_INTERVAL_MS, 1_000));
            try (Application application = Application.start(config)) {
                RunningParley.feed(config, new ApiClient(application.uri()), TIMEOUT);
                List<AuditRecord> audit = environment.topics().audit();
                Path whole = export(0);
                for (String query : TRAIL) {
                    assertSame(query, whole);
                }

                Map<String, AuditRecord> redacted = redacted(audit);
                redacted.values().forEach(record -> CommandResult.redact(config, record));
                Path rest = export(redacted.size());
                for (String query : TRAIL) {
                    assertSame(query, rest);
                }
            }
        }
    }

    /** Records of different kinds, each with at most one recipient. */
    private static Map<String, AuditRecord> redacted(List<AuditRecord> audit) {
        Map<String, AuditRecord> chosen = new LinkedHashMap<>();
        chosen.put(
                "applied patch",
                first(
                        audit,
                        record -> isPatch(record, "ACCEPTED")
                                && record.getWarnings().isEmpty()));
        chosen.put("rejected patch", first(audit, record -> isPatch(record, "REJECTED")));
        chosen.put(
                "rejected message",
                first(
                        audit,
                        record -> record.getVerdict().equals("REJECTED")
                                && record.getMessage() != null
                                && record.getMessage().getSubit() != null));
        chosen.put(
                "accepted message",
                first(
                        audit,
                        record -> record.getVerdict().equals("ACCEPTED")
                                && record.getMessage().getSlip() != null));
        chosen.put(
                "claimed message",
                first(
                        audit,
                        record ->
                                record.getClaims() != null && record.getClaims().getSender() != null));
        return chosen;
    }

    private static AuditRecord first(List<AuditRecord> audit, Predicate<AuditRecord> which) {
        return audit.stream()
                .filter(which)
                .filter(record -> record.getMessage() == null
                        || record.getMessage().getRecipients().size() <= 1)
                .findFirst()
                .orElseThrow();
    }

    private static boolean isPatch(AuditRecord record, String verdict) {
        return record.getVerdict().equals(verdict)
                && record.getMessage() != null
                && record.getMessage().getCsp() != null
                && record.getMessage().getCsp().getIntent() == CspIntent.PATCH;
    }

    /** An export with all records of the topics, with the given number of redactions. */
    private Path export(int redactions) {
        List<Path> complete = new ArrayList<>();
        await().atMost(TIMEOUT).until(() -> {
            Path file = directory.resolve("export-" + exports++ + ".jsonl");
            CommandRun run = CommandRun.of(CommandResult.arguments(config, "export", "--out", file.toString())
                    .toArray(String[]::new));
            if (run.exit() == 0
                    && number("SELECT count(*) AS n FROM audit WHERE redaction IS NOT NULL", file) == redactions
                    && rows("SELECT hash FROM audit", file).size()
                            == rows("SELECT hash FROM audit", null).size()) {
                complete.add(file);
            }
            return !complete.isEmpty();
        });
        return complete.get(0);
    }

    private void assertSame(String query, Path export) {
        List<JsonNode> expected = rows(query, null);
        assertThat(expected).as(query).isNotEmpty();
        assertThat(rows(query, export)).as(query).containsExactlyInAnyOrderElementsOf(expected);
    }

    private long number(String query, Path export) {
        return rows(query, export).get(0).path("n").asLong();
    }

    /** The rows of an export, or of the topics without one. */
    private List<JsonNode> rows(String query, Path export) {
        CommandRun run = CommandRun.of(
                export == null
                        ? CommandResult.arguments(config, "sql", query).toArray(String[]::new)
                        : new String[] {"sql", query, export.toString()});
        assertThat(run.exit()).as("%s: %s", query, run.err()).isZero();
        return run.json();
    }
}
