package dev.parley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.ExportScope;
import dev.parley.avro.ExportStart;
import dev.parley.log.KeyFiles;
import dev.parley.log.LogNotes;
import dev.parley.log.Trail;
import dev.parley.log.export.ExportFormat;
import dev.parley.log.export.ExportWriter;
import dev.parley.log.export.Exporter;
import dev.parley.log.tlog.NoteSigner;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code parley verify} prints about the notes of an export: evidence, and the keys that are missing. */
class VerifyNotesTest {
    private static final NoteSigner RETIRED = Trail.key();
    private static final NoteSigner CURRENT = Trail.key();
    private static final String RETIRED_UNTIL = key(RETIRED) + " until 1970-01-01T00:00:02Z";

    @TempDir
    private Path directory;

    private final Trail trail = Trail.of(RETIRED, Map.of("default|SLIP|1", 0, "default|CSP|x", 1), 20);
    private final List<AuditHead> notes = new ArrayList<>(trail.notes());

    private CommandRun verify(String... options) throws IOException {
        Path file = export();
        List<String> arguments = new ArrayList<>(List.of("verify", file.toString()));
        arguments.addAll(List.of(options));
        return CommandRun.of(arguments.toArray(String[]::new));
    }

    private Path export() throws IOException {
        Path file = directory.resolve("export");
        try (OutputStream out = Files.newOutputStream(file);
                ExportWriter writer = ExportFormat.JSONL.to(out)) {
            Exporter exporter = new Exporter(writer);
            exporter.begin(new ExportStart(Exporter.VERSION, Instant.EPOCH, ExportScope.EVERYTHING, null, null, null));
            for (AuditHead note : notes) {
                exporter.note(note);
            }
            for (AuditRecord record : trail.records) {
                exporter.record(record);
            }
            exporter.end();
        }
        return file;
    }

    private static String key(NoteSigner signer) {
        return signer.verifierKey().toString();
    }

    @Test
    void twoHeadsOfOneSizeArePrintedAsEvidence() throws IOException {
        AuditHead first = notes.get(1);
        trail.startAnotherHistory();
        AuditHead second = trail.head(0);
        notes.add(second);

        CommandRun run = verify("--key", key(RETIRED));
        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.out()).contains("HEAD_SPLIT at export:", indented(first), indented(second));

        CommandRun json = verify("--key", key(RETIRED), "--json");
        assertThat(json.json())
                .filteredOn(line -> line.path("fault").asText().equals("HEAD_SPLIT"))
                .extracting(line -> line.path("detail"))
                .singleElement()
                .extracting(JsonNode::asText)
                .asString()
                .contains(first.getNote(), second.getNote());
    }

    /** The note of the first head is read again if a larger head follows it. */
    @Test
    void aReplayOfAnotherHistoryIsPrintedAsEvidence() throws IOException {
        AuditHead first = trail.head(0, 12);
        notes.add(1, first);
        trail.startAnotherHistory();
        AuditHead second = trail.head(0, 12);
        notes.add(second);
        assertThat(verify("--key", key(RETIRED)).out())
                .contains("HEAD_SPLIT at export:", indented(first), indented(second))
                .doesNotContain("HEAD_REPLAYED");
    }

    /** Both notes are printed, although a larger head follows the first one. */
    @Test
    void aStatementOfAnotherHistoryIsPrintedAsEvidence() throws IOException {
        AuditHead head = trail.head(0, 12);
        notes.add(1, head);
        trail.startAnotherHistory();
        AuditHead statement = trail.statement(RETIRED, 2, Map.of(0, 12));
        notes.add(statement);
        assertThat(verify("--key", key(RETIRED)).out())
                .contains("HEAD_SPLIT at export:", indented(head), indented(statement));
    }

    /** Two readers compare their heads. */
    @Test
    void aStoredHeadOfAnotherHistoryIsPrintedAsEvidence() throws IOException {
        AuditHead stored = notes.get(1);
        Path since = Files.writeString(directory.resolve("since"), stored.getNote());
        trail.startAnotherHistory();
        notes.clear();
        notes.addAll(trail.notes());
        assertThat(verify("--key", key(RETIRED), "--since", since.toString()).out())
                .contains("HEAD_SPLIT at export:", indented(stored), indented(notes.get(0)))
                .doesNotContain("NOT_CONTINUED");
    }

    /** A writer of the topic of heads must not be able to print a line of the report. */
    @Test
    void aNoteCannotForgeALineOfTheReport() throws Exception {
        AuditHead hostile = trail.head(Trail.key(), 0, 20);
        NoteSigner named = NoteSigner.of("OK:", KeyFiles.newPair());
        hostile.setNote(LogNotes.parse(hostile.getNote())
                .with(named.sign("another text\n"))
                .toString());
        notes.add(2, hostile);
        String out = verify("--key", key(RETIRED)).out();
        assertThat(out).contains("NOTE_IGNORED", "other keys signed: OK:+");
        assertThat(out.lines()).filteredOn(line -> line.startsWith("OK")).hasSize(1);
    }

    @Test
    void aKeyOfAnotherDeploymentIsCalledThat() throws IOException {
        NoteSigner other = NoteSigner.of("foo", KeyFiles.newPair());
        CommandRun run = verify("--key", key(other));
        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.out())
                .contains("notice: NOTE_IGNORED at export:2: no given key signed this note and 2 more")
                .contains("; other keys signed: " + Trail.ORIGIN + "+");
    }

    private static String indented(AuditHead head) {
        return head.getNote().lines().map(line -> "    " + line + "\n").collect(Collectors.joining());
    }

    /** The last head of log 0 is of the current key; the others are of the retired one. */
    @Test
    void afterARotationOneKeyCoversItsPartAndTheOtherIsNamedAndNotForged() throws IOException {
        notes.set(0, trail.statement(RETIRED, 2, Map.of(0, 12, 1, 20)));
        notes.set(1, trail.head(0, 12));
        notes.add(2, trail.head(CURRENT, 0, 20));

        CommandRun both = verify("--key", RETIRED_UNTIL, "--key", key(CURRENT));
        assertThat(both.out()).contains("OK: 40 of 40 records, 2 of 2 partitions");

        CommandRun retired = verify("--key", key(RETIRED));
        assertThat(retired.exit()).isEqualTo(1);
        assertThat(faults(retired))
                .singleElement()
                .asString()
                .startsWith(
                        "NOT_COVERED: no head that a given key signed covers the last 8 of 20 records of partition 0;")
                .contains("other keys signed: " + name(CURRENT));

        CommandRun current = verify("--key", key(CURRENT));
        assertThat(current.exit()).isEqualTo(1);
        assertThat(faults(current))
                .singleElement()
                .asString()
                .startsWith(
                        "NOT_COVERED: no head that a given key signed covers the last 20 of 20 records of partition 1;"
                                + " no statement is signed by a given key; other keys signed: " + name(RETIRED));
    }

    @Test
    void onlyOneKeyMayBePresent() throws IOException {
        CommandRun run = verify("--key", key(RETIRED), "--key", key(CURRENT));
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("--key: all keys but the present one must be retired");
        assertThat(verify("--key", key(RETIRED) + " until noon").err())
                .contains("the end of a retired key must be a time such as");
    }

    /** Who has a stolen retired key signs a history that goes on after the change of the key. */
    @Test
    void aRetiredKeyProvesNothingAfterItsEnd() throws IOException {
        trail.log(0).get(19).getSource().setTimestamp(Instant.parse("1970-01-01T03:00:00Z"));
        trail.reseal();
        notes.clear();
        notes.addAll(trail.notes());
        CommandRun later = verify("--key", RETIRED_UNTIL, "--key", key(CURRENT));
        assertThat(faults(later)).anyMatch(fault -> fault.startsWith("NOT_COVERED"));
        assertThat(later.exit()).isEqualTo(1);

        trail.headTime = 1_500;
        notes.clear();
        notes.addAll(trail.notes());
        CommandRun antedated = verify("--key", RETIRED_UNTIL, "--key", key(CURRENT));
        assertThat(antedated.exit()).isEqualTo(1);
        assertThat(faults(antedated))
                .anyMatch(fault -> fault.startsWith("TIME_IMPOSSIBLE at export:")
                        && fault.contains("index 19 of the log of partition 0 is of 1970-01-01T03:00:00Z"));
    }

    /** Its statement would prove that nothing happened in a time range after the change of the key. */
    @Test
    void aRetiredKeyDoesNotSayThatALogIsCompleteAfterItsEnd() throws IOException {
        Map<Integer, Integer> sizes = Map.of(0, 20, 1, 20);
        notes.set(0, trail.statement(RETIRED, 2, sizes, Trail.TIME + 7_200_000));
        assertThat(verify("--key", RETIRED_UNTIL, "--key", key(CURRENT)).out()).contains("OK: ");
        notes.set(0, trail.statement(RETIRED, 2, sizes, Trail.TIME + 7_200_001));
        CommandRun later = verify("--key", RETIRED_UNTIL, "--key", key(CURRENT));
        assertThat(later.exit()).isEqualTo(1);
        assertThat(faults(later))
                .anyMatch(fault -> fault.startsWith("HEAD_MALFORMED at export:2: ")
                        && fault.endsWith("no log may be complete after that time"));
    }

    @Test
    void aHistoryOfTheFutureIsAFault() throws IOException {
        trail.log(0).get(19).getSource().setTimestamp(Instant.parse("2999-01-01T00:00:00Z"));
        trail.reseal();
        notes.clear();
        notes.addAll(trail.notes());
        CommandRun run = verify("--key", key(RETIRED));
        assertThat(run.exit()).isEqualTo(1);
        assertThat(faults(run))
                .anyMatch(fault -> fault.contains("is of 2999-01-01T00:00:00Z, in the future"))
                .anyMatch(fault -> fault.contains("index 19 of the log of partition 0 is of 2999-01-01T00:00:00Z"));
    }

    @Test
    void aRetiredKeyAloneIsOneFaultWhateverTheNumberOfLogs() throws IOException {
        notes.set(0, trail.statement(CURRENT, 2, Map.of(0, 20, 1, 20)));
        notes.set(1, trail.head(CURRENT, 0, 20));
        notes.set(2, trail.head(CURRENT, 1, 20));
        assertThat(faults(verify("--key", key(RETIRED))))
                .singleElement()
                .asString()
                .contains(
                        "the last 20 of 20 records of partition 0, the last 20 of 20 records of partition 1; no statement")
                .contains(name(CURRENT));
    }

    /** Name and ID of a key, as its verifier key begins. */
    private static String name(NoteSigner signer) {
        String key = key(signer);
        return key.substring(0, key.indexOf('+') + 1 + 8);
    }

    private static List<String> faults(CommandRun run) {
        return run.out()
                .lines()
                .filter(line -> line.matches("[A-Z_]+( at .*)?: .*"))
                .filter(line -> !line.startsWith("FAILED"))
                .toList();
    }
}
