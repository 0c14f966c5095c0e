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
import dev.parley.cli.transcript.Transcript;
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

    /** Tables that are the same, redactions included. */
    private static final List<String> TRAIL =
            List.of("SELECT * FROM audit", "SELECT * FROM messages", "SELECT * FROM definitions");

    private static final String CHECKPOINTS = "SELECT namespace, context, id, parent, patch, patchHash, sender,"
            + " operations, sourceTopic, sourcePartition, sourceOffset FROM checkpoints WHERE patch IS NOT NULL";

    private static final String DEAD_LETTERS =
            "SELECT time, stage, code, conversation, position," + " sourceTopic, sourcePartition, sourceOffset";

    /** The counts by everything except their minute, which is later for a late message. */
    private static final List<String> COUNTS = List.of(
            "SELECT namespace, protocol, performative, sender, verdict, sum(messages) AS n FROM traffic GROUP BY ALL",
            "SELECT namespace, protocol, sender, kind, code, sum(messages) AS n FROM violations GROUP BY ALL",
            "SELECT namespace, protocol, sender, recipient, sum(messages) AS n, sum(accepted) AS a, sum(flagged) AS f,"
                    + " sum(rejected) AS r FROM edges GROUP BY ALL",
            "SELECT namespace, context, verdict, code, sum(patches) AS n, sum(applied) AS a, sum(duplicates) AS d,"
                    + " sum(branches) AS b FROM patches GROUP BY ALL",
            "SELECT namespace, context, definition, sum(changes) AS n, sum(added) AS a, sum(replaced) AS c,"
                    + " sum(removed) AS r FROM definition_changes GROUP BY ALL");

    /** The same without the names that a redaction removes. */
    private static final List<String> REDACTED_COUNTS = List.of(
            "SELECT namespace, protocol, verdict, sum(messages) AS n FROM traffic WHERE verdict <> 'UNDECODABLE'"
                    + " GROUP BY ALL",
            "SELECT sum(messages) AS n FROM traffic",
            "SELECT namespace, protocol, kind, code, sum(messages) AS n FROM violations WHERE kind <> 'DECODE_ERROR'"
                    + " GROUP BY ALL",
            "SELECT code, sum(messages) AS n FROM violations GROUP BY ALL",
            "SELECT namespace, protocol, sum(messages) AS n, sum(accepted) AS a, sum(flagged) AS f, sum(rejected) AS r"
                    + " FROM edges GROUP BY ALL",
            "SELECT namespace, context, verdict, code, sum(patches) AS n FROM patches WHERE verdict <> 'ACCEPTED'"
                    + " GROUP BY ALL");

    private static final String PATCHES = "SELECT sum(patches) AS n FROM patches";
    private static final String CHANGES = "SELECT sum(changes) AS n FROM definition_changes";

    @TempDir
    private Path directory;

    private ParleyConfig config;
    private int exports;

    @Test
    void everyTableIsTheSameFromTheTopicsAndFromAnExport() throws Exception {
        try (EmbeddedEnvironment environment = EmbeddedEnvironment.shared(directory)) {
            config = environment.config(Map.of(
                    ParleyConfig.INPUT_TIME,
                    "producer",
                    ParleyConfig.TRAFFIC_GRACE_MS,
                    0L,
                    ParleyConfig.TRAFFIC_PAUSE_MS,
                    0L,
                    AuditKeys.HEADS_INTERVAL_MS,
                    1_000));
            try (Application application = Application.start(config)) {
                // A minute that is over, so that it closes at once.
                long time = System.currentTimeMillis() - 120_000;
                RunningParley.feed(
                        config,
                        new ApiClient(application.uri()),
                        TIMEOUT,
                        line -> new Transcript.Line(
                                line.key(), line.headers(), line.wire(), line.topic(), time, line.expected()));
                List<AuditRecord> audit = environment.topics().audit();
                await().atMost(TIMEOUT)
                        .until(() -> number("SELECT sum(messages) AS n FROM traffic", null) == audit.size());

                Path whole = export(0);
                for (String query : TRAIL) {
                    assertSame(query, whole);
                }
                assertSame(CHECKPOINTS, whole);
                assertSame(DEAD_LETTERS + ", protocol, valueBytes FROM dead_letters", whole);
                for (String query : COUNTS) {
                    assertSame(query, whole);
                }

                Map<String, AuditRecord> redacted = redacted(audit);
                redacted.values().forEach(record -> CommandResult.redact(config, record));
                Path rest = export(redacted.size());
                for (String query : TRAIL) {
                    assertSame(query, rest);
                }
                AuditRecord applied = redacted.get("applied patch");
                assertSame(
                        CHECKPOINTS + " AND (sourceTopic, sourcePartition, sourceOffset) <> ('"
                                + applied.getSource().getTopic() + "', "
                                + applied.getSource().getPartition() + ", "
                                + applied.getSource().getOffset() + ")",
                        rest);
                assertSame(DEAD_LETTERS + " FROM dead_letters", rest);
                assertSame(DEAD_LETTERS + ", protocol FROM dead_letters WHERE stage <> 'DECODE'", rest);
                for (String query : REDACTED_COUNTS) {
                    assertSame(query, rest);
                }
                assertThat(number(PATCHES, rest)).isEqualTo(number(PATCHES, null) - 1);
                assertThat(number(CHANGES, rest))
                        .isEqualTo(number(CHANGES, null)
                                - applied.getMessage().getCsp().getOperations().size());
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
