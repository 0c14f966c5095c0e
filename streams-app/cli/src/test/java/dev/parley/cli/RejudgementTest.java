package dev.parley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.audit.Links;
import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.ExportScope;
import dev.parley.avro.ExportStart;
import dev.parley.cli.transcript.TranscriptRun;
import dev.parley.log.export.ExportFormat;
import dev.parley.log.export.ExportWriter;
import dev.parley.log.export.Exporter;
import dev.parley.stage.StageSettings;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
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
        Path file = directory.resolve("export");
        try (OutputStream out = Files.newOutputStream(file);
                ExportWriter writer = ExportFormat.JSONL.to(out)) {
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

    @Test
    void messagesThatWereNotAppliedAreNotJudgedAgain() throws Exception {
        Path transcript = Files.writeString(directory.resolve("expected.jsonl"), """
            {"wire":"@a3|f0|c7|S0|d1|T1|k1#","headers":{"parley-expect":"0"}}
            {"wire":"@a3|f0|c7|S0|d1|T2|k2#","headers":{"parley-expect":"0"}}
            {"wire":"@a3|f0|c7|S0|d1|T9|k1#","headers":{"parley-expect":"accepted"}}
            {"wire":"@a3|f0|c7|S0|d1|T2|k2#","headers":{"parley-expect":"3 accepted"}}
            """);
        List<AuditRecord> records = records(transcript);
        assertThat(records)
                .extracting(AuditRecord::getCode)
                .containsExactly(null, "CONVERSATION_MOVED", "SLIP_DUPLICATE_REQUEST", null);

        CommandRun run = rejudge(records);
        assertThat(run.exit()).as(run.err()).isZero();
        assertThat(run.err()).contains("2 judged by rules ", ", 0 differences");
    }

    @Test
    void aVerdictOfOtherRulesIsListed() throws Exception {
        List<AuditRecord> records = records(SAMPLE);
        AuditRecord record = records.stream()
                .filter(each -> each.getMessage() != null && each.getVerdict().equals("ACCEPTED"))
                .findFirst()
                .orElseThrow();
        record.setVerdict("REJECTED");
        record.setCode("CSP_UNKNOWN_TARGET");
        record.setRules("0");
        CommandRun run = rejudge(records);
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
    void hostileRecordsStopNothing() throws Exception {
        for (String chain : List.of(
                "",
                "|",
                "||",
                "a|b",
                "a|NOPE|1",
                "default|SLIP|",
                "|UNKNOWN|x-0",
                "\u0000|CSP|\n",
                "x".repeat(100_000))) {
            List<AuditRecord> records = records(SAMPLE);
            for (AuditRecord record : records) {
                record.setChain(chain);
            }
            assertJudgedOrNot(rejudge(records), chain);
        }
        for (Consumer<AuditRecord> change : List.<Consumer<AuditRecord>>of(
                record -> record.setVerdict("\u001b[2J"),
                record -> record.setCode("NO_CODE"),
                record -> record.setRedaction(Links.redactionOf(record)),
                record -> record.setSequence(Long.MAX_VALUE),
                record -> record.setSequence(Long.MIN_VALUE),
                record -> record.getSource().setTimestamp(Instant.ofEpochMilli(Long.MAX_VALUE)),
                record -> record.getSource().setTimestamp(Instant.ofEpochMilli(Long.MIN_VALUE)),
                record -> record.getSource().setOffset(-1L),
                record -> record.getSource().setTopic(""),
                record -> record.setRules("\u0000"),
                record -> withMessage(record, message -> message.setSender("\u0000\n")),
                record -> withMessage(record, message -> message.setProtocol("NOPE")),
                record -> withMessage(record, message -> message.setRaw(ByteBuffer.allocate(0))))) {
            List<AuditRecord> records = records(SAMPLE);
            records.forEach(change);
            assertJudgedOrNot(rejudge(records), "a change");
        }
        List<AuditRecord> records = records(SAMPLE);
        withMessage(records.get(0), message -> message.setRaw(ByteBuffer.wrap(new byte[3_000_000])));
        assertJudgedOrNot(rejudge(records), "one large message");
    }

    private static void withMessage(AuditRecord record, Consumer<AgentMessage> change) {
        if (record.getMessage() != null) {
            change.accept(record.getMessage());
        }
    }

    private static void assertJudgedOrNot(CommandRun run, String what) {
        assertThat(run.err()).as(what).contains(" judged by rules ").doesNotContain("Exception", "\u001b");
        assertThat(run.out()).as(what).doesNotContain("\u001b");
    }

    @Test
    void aFileOfSomethingElseIsNotJudged() throws Exception {
        Path file = Files.writeString(directory.resolve("notes.txt"), "hello\n");
        assertThat(CommandRun.of("rejudge", file.toString()).exit()).isEqualTo(2);
    }
}
