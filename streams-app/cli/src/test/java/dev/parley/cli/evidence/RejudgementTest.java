package dev.parley.cli.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.ExportScope;
import dev.parley.avro.ExportStart;
import dev.parley.cli.CommandRun;
import dev.parley.cli.export.ExportFormat;
import dev.parley.cli.export.ExportWriter;
import dev.parley.cli.export.Exporter;
import dev.parley.cli.transcript.TranscriptRun;
import dev.parley.stage.StageSettings;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that judging an export again finds exactly the records that the rules decide differently. */
class RejudgementTest {
    private static final Path SAMPLE = Path.of("samples/csp-refactoring.jsonl");

    @TempDir
    private Path directory;

    static List<Path> samples() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("samples"))) {
            return files.filter(file -> file.toString().endsWith(".jsonl"))
                    .sorted()
                    .toList();
        }
    }

    private static List<AuditRecord> records(Path sample) throws IOException {
        List<AuditRecord> records = new ArrayList<>();
        new TranscriptRun(new PrintWriter(new StringWriter()), StageSettings.DEFAULT)
                .over(sample, (number, line) -> {}, judged -> {}, records::add);
        return records;
    }

    private CommandRun rejudge(List<AuditRecord> records) throws IOException {
        return rejudge(records, ExportFormat.JSONL);
    }

    private CommandRun rejudge(List<AuditRecord> records, ExportFormat format) throws IOException {
        Path file = directory.resolve("export");
        try (OutputStream out = Files.newOutputStream(file);
                ExportWriter writer = format.to(out)) {
            Exporter exporter = new Exporter(writer);
            exporter.begin(new ExportStart(Exporter.VERSION, Instant.EPOCH, ExportScope.EVERYTHING, null, null, null));
            for (AuditRecord record : records) {
                exporter.record(record);
            }
            exporter.end();
        }
        return CommandRun.of("rejudge", "--json", file.toString());
    }

    @ParameterizedTest
    @MethodSource("samples")
    void theSameRulesDecideTheSame(Path sample) throws Exception {
        CommandRun run = rejudge(records(sample));
        assertThat(run.out()).isEmpty();
        assertThat(run.exit()).as(run.err()).isZero();
        assertThat(run.err()).contains(" judged by rules ", ", 0 differences").doesNotContain(" 0 judged");
    }

    @ParameterizedTest
    @EnumSource
    void aVerdictOfOtherRulesIsListed(ExportFormat format) throws Exception {
        List<AuditRecord> records = records(SAMPLE);
        AuditRecord record = records.stream()
                .filter(each -> each.getMessage() != null && each.getVerdict().equals("ACCEPTED"))
                .findFirst()
                .orElseThrow();
        record.setVerdict("REJECTED");
        record.setCode("CSP_UNKNOWN_TARGET");
        record.setRules("0");
        CommandRun run = rejudge(records, format);
        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.json()).singleElement().satisfies(line -> {
            assertThat(line.path("chain").asText()).isEqualTo(record.getChain());
            assertThat(line.path("sequence").asLong()).isEqualTo(record.getSequence());
            assertThat(line.path("rules").asText()).isEqualTo("0");
            assertThat(line.path("recorded").asText()).isEqualTo("REJECTED CSP_UNKNOWN_TARGET");
            assertThat(line.path("now").asText()).isEqualTo("ACCEPTED");
        });
    }

    @Test
    void aChainThatBeginsLateIsNotJudged() throws Exception {
        List<AuditRecord> records = records(SAMPLE);
        String chain = records.get(0).getChain();
        long all = records.stream().filter(each -> each.getMessage() != null).count();
        records.remove(0);
        long others = records.stream()
                .filter(each -> each.getMessage() != null && !each.getChain().equals(chain))
                .count();
        CommandRun run = rejudge(records);
        assertThat(run.exit()).isZero();
        assertThat(others).isLessThan(all);
        assertThat(run.err()).contains(", " + others + " judged");
    }

    @Test
    void aFileOfSomethingElseIsNotJudged() throws Exception {
        Path file = Files.writeString(directory.resolve("notes.txt"), "hello\n");
        assertThat(CommandRun.of("rejudge", file.toString()).exit()).isEqualTo(2);
    }
}
