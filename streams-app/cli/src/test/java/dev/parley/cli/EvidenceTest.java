package dev.parley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.audit.AuditChain;
import dev.parley.audit.Links;
import dev.parley.audit.Redactions;
import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.ExportScope;
import dev.parley.avro.ExportStart;
import dev.parley.avro.OmittedRecords;
import dev.parley.avro.Redaction;
import dev.parley.avro.Rule;
import dev.parley.log.KeyFiles;
import dev.parley.log.Trail;
import dev.parley.log.evidence.Evidence;
import dev.parley.log.export.ExportFormat;
import dev.parley.log.export.ExportWriter;
import dev.parley.log.export.Exporter;
import dev.parley.log.tlog.NoteSigner;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that evidence verifies, is bounded, and shows hostile texts without interpreting them. */
class EvidenceTest {
    private static final String ONE = "default|SLIP|1";
    private static final String TWO = "default|SLIP|2";
    private static final String HOSTILE =
            "<script>alert(1)</script>\"'><img src=x onerror=alert(2)></bdi></td></table>&lt;\u202Etxt\u0000\u001b[2J\u2028\u200F";

    private static final ExportStart WHOLE =
            new ExportStart(Exporter.VERSION, Instant.EPOCH, ExportScope.EVERYTHING, null, null, null);
    private static final NoteSigner KEY = Trail.key();

    @TempDir
    private Path directory;

    private final Trail trail = Trail.of(KEY, Map.of(ONE, 0, TWO, 0, "default|CSP|x", 1), 9);

    private Path out() {
        return directory.resolve("evidence");
    }

    private Path export(ExportStart start, List<AuditRecord> records) throws IOException {
        List<OmittedRecords> omitted = new ArrayList<>();
        for (AuditRecord record : trail.records) {
            if (!records.contains(record)) {
                int index = (int) record.getLog().getIndex();
                omitted.addAll(trail.omitted(record.getLog().getPartition(), index, index + 1));
            }
        }
        List<AuditHead> notes = new ArrayList<>(trail.notes());
        if (start.getScope() == ExportScope.CHAIN) {
            notes.add(trail.chainEnd(ONE));
        }
        return write(start, notes, omitted, records);
    }

    private Path write(
            ExportStart start, List<AuditHead> notes, List<OmittedRecords> omitted, List<AuditRecord> records)
            throws IOException {
        Path file = directory.resolve("in");
        try (OutputStream out = Files.newOutputStream(file);
                ExportWriter writer = ExportFormat.JSONL.to(out)) {
            Exporter exporter = new Exporter(writer);
            exporter.begin(start);
            for (AuditHead note : notes) {
                exporter.note(note);
            }
            for (OmittedRecords subtree : omitted) {
                exporter.omitted(subtree);
            }
            for (AuditRecord record : records) {
                exporter.record(record);
            }
            exporter.end();
        }
        return file;
    }

    @Test
    void withWitnessesOnlyCosignedHeadsAreEvidence() throws IOException {
        NoteSigner witness = NoteSigner.cosigner("witness.example/w1", KeyFiles.newPair());
        String[] arguments = {
            "evidence",
            everything().toString(),
            "--out",
            out().toString(),
            "--witness",
            witness.verifierKey().toString()
        };
        CommandRun none = CommandRun.of(arguments);
        assertThat(none.exit()).isEqualTo(1);
        assertThat(none.err()).contains("NOT_COVERED", "1 of the 1 witnesses witness.example/w1");
        assertThat(out()).doesNotExist();

        List<AuditHead> notes = trail.notes().stream()
                .map(note -> note.getPartition() < 0 ? note : Trail.cosigned(note, witness))
                .toList();
        Path file = write(WHOLE, notes, List.of(), trail.records);
        CommandRun cosigned = CommandRun.of(arguments);
        assertThat(cosigned.exit()).as(cosigned.err()).isZero();
        assertThat(Files.readString(out().resolve("README.txt")))
                .contains("Cosignatures: at least 1 of the 1 witnesses witness.example/w1.");

        String vkey = KEY.verifierKey().toString();
        CommandRun verified = CommandRun.of(
                "verify",
                file.toString(),
                "--key",
                vkey,
                "--witness",
                witness.verifierKey().toString());
        assertThat(verified.out()).contains("OK:");
        assertThat(CommandRun.of(
                                "verify",
                                file.toString(),
                                "--witness",
                                witness.verifierKey().toString())
                        .err())
                .contains("--witness requires --key");
    }

    private Path conversation() throws IOException {
        return export(
                new ExportStart(Exporter.VERSION, Instant.EPOCH, ExportScope.CHAIN, ONE, null, null), trail.chain(ONE));
    }

    private Path everything() throws IOException {
        return export(WHOLE, trail.records);
    }

    /** A forger signs his own records, and lists his key in his statement. */
    @Test
    void keysInTheExportAloneProveNothing() throws IOException {
        Trail forged = Trail.of(Trail.key(), Map.of(ONE, 0), 3);
        Path file = write(WHOLE, forged.notes(), List.of(), forged.records);
        String key = KEY.verifierKey().toString();
        CommandRun refused = CommandRun.of("evidence", file.toString(), "--key", key, "--out", out().toString());
        assertThat(refused.exit()).isEqualTo(1);
        assertThat(refused.err()).contains("NOT_COVERED");
        assertThat(out()).doesNotExist();

        CommandRun without = evidence(file);
        assertThat(without.exit()).isZero();
        assertThat(without.err()).contains("with the keys in the export, which prove nothing by themselves.");
        for (String written : List.of("README.txt", "report.html")) {
            assertThat(Files.readString(out().resolve(written)))
                    .contains("signatures verified with the keys in this file, which prove nothing by themselves");
        }
    }

    /** Any writer of the topic of heads can add a note to an honest export. */
    @Test
    void proofsHaveTheSignedHeadWhateverOtherNotesFollowIt() throws IOException {
        List<AuditHead> notes = new ArrayList<>(trail.notes());
        notes.add(trail.head(null, 0, 18));
        notes.add(trail.head(Trail.key(), 1, 9));
        Path file = write(WHOLE, notes, List.of(), trail.records);
        String key = KEY.verifierKey().toString();
        CommandRun run = CommandRun.of("evidence", file.toString(), "--key", key, "--out", out().toString());
        assertThat(run.exit()).as(run.err()).isZero();
        assertThat(proofs())
                .hasSize(27)
                .allSatisfy(proof -> assertThat(prove(proof).out()).contains("PROVEN"));
        assertThat(Files.readString(out().resolve("README.txt"))).contains("signatures verified with the given keys");
    }

    @Test
    void theFileOfKeysHasTheEndsOfRetiredKeys() throws IOException {
        String retired = KEY.verifierKey() + " until 2026-01-31T12:00:00Z";
        String present = Trail.key().verifierKey().toString();
        CommandRun run = CommandRun.of(
                "evidence", everything().toString(), "--key", retired, "--key", present, "--out", out().toString());
        assertThat(run.exit()).as(run.err()).isZero();
        assertThat(Files.readAllLines(out().resolve("keys.vkey"))).containsExactly(retired, present);
    }

    private CommandRun evidence(Path export) {
        return CommandRun.of("evidence", export.toString(), "--out", out().toString());
    }

    private List<Path> proofs() throws IOException {
        try (Stream<Path> files = Files.list(out().resolve("proofs"))) {
            return files.sorted().toList();
        }
    }

    private static CommandRun prove(Path proof) {
        return CommandRun.of(
                "prove", "--check", proof.toString(), "--key", KEY.verifierKey().toString());
    }

    @Test
    void evidenceOfAConversationVerifiesAndProvesEachRecord() throws Exception {
        CommandRun run = evidence(conversation());
        assertThat(run.exit()).as(run.err()).isZero();
        assertThat(run.err()).contains("9 records and 9 proofs");
        Path export = out().resolve("export.jsonl");
        CommandRun verified = CommandRun.of(
                "verify", export.toString(), "--key", out().resolve("keys.vkey").toString());
        assertThat(verified.out()).contains("OK: 9 of 27 records", "signatures verified");
        assertThat(proofs()).hasSize(9);
        for (Path proof : proofs()) {
            assertThat(prove(proof).out()).contains("PROVEN", ONE, "content   proven");
        }
        assertThat(Files.readString(out().resolve("keys.vkey"))).isEqualTo(KEY.verifierKey() + "\n");
        assertThat(Files.readString(out().resolve("README.txt")))
                .contains("OK: 9 of 27 records", "Versions of the rules: 1.", "Not proven")
                .contains("- report.html, accounting.json and this text: who has the directory can change them. Only "
                        + export.getFileName() + " and")
                .contains("parley evidence " + export.getFileName() + " --out NEW");
        assertThat(Files.readString(out().resolve("report.html")))
                .contains("proofs/0-0.tlog-proof", ONE + "#8", "All 9 records are listed.")
                .contains("Article 12(1)", "Article 12(2)(a)", "Article 12(2)(b) and (c)", "Article 12(3)")
                .contains("Article 19(1)", "Article 26(5)", "Article 26(6)");
        assertThat(Files.readString(out().resolve("accounting.json")))
                .contains("\"ACCEPTED\" : 3", "\"REJECTED\" : 3", "\"UNDECODABLE\" : 3", "\"lastOffset\" : 8");
        for (String schema : List.of("ExportEntry", "metadata", "content")) {
            assertThat(new Schema.Parser()
                            .parse(Files.readString(out().resolve("schemas/" + schema + ".avsc")))
                            .getFields())
                    .isNotEmpty();
        }
    }

    @Test
    void evidenceOfATimeRangeVerifiesAndProvesEachRecord() throws Exception {
        List<AuditRecord> some = trail.records.stream()
                // No patch proves the begin of a range, unless it is a day older.
                .filter(record ->
                        record.getSource().getOffset() >= (record.getLog().getPartition() == 0 ? 1 : 0)
                                && record.getSource().getOffset() <= 7)
                .toList();
        CommandRun run = evidence(export(
                new ExportStart(
                        Exporter.VERSION,
                        Instant.EPOCH,
                        ExportScope.TIME_RANGE,
                        null,
                        Instant.ofEpochMilli(2),
                        Instant.ofEpochMilli(7)),
                some));
        assertThat(run.err()).contains("22 records and 22 proofs");
        for (Path proof : proofs()) {
            assertThat(prove(proof).exit()).isZero();
        }
    }

    @Test
    void aChangedFileIsCaught() throws Exception {
        evidence(conversation());
        Path proof = out().resolve("proofs/0-6.tlog-proof");
        Path export = out().resolve("export.jsonl");
        assertThat(prove(proof).exit()).isZero();
        Files.writeString(proof, Files.readString(proof).replace("index 6\n", "index 4\n"));
        Files.writeString(export, Files.readString(export).replaceFirst("a sentence", "another"));
        assertThat(prove(proof).exit()).isEqualTo(1);
        assertThat(CommandRun.of("verify", export.toString()).out()).contains("CONTENT_CHANGED");
    }

    @Test
    void recordsThatDoNotVerifyAreNoEvidence() throws Exception {
        trail.chain(ONE).get(4).setDetail("made up");
        CommandRun run = evidence(conversation());
        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.err()).contains("CONTENT_CHANGED", "nothing was written");
        assertThat(out()).doesNotExist();
    }

    @Test
    void hostileTextsAreShownAndNotInterpreted() throws Exception {
        String chain = "default|SLIP|" + HOSTILE;
        Trail hostile = Trail.of(KEY, Map.of(chain, 0), 6);
        for (AuditRecord record : hostile.records) {
            record.setDetail(HOSTILE);
            record.setRule(new Rule(HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE));
            record.setRules(HOSTILE);
            record.setWarnings(List.of(HOSTILE));
            record.getMessage().setSender(HOSTILE);
            record.getMessage().setRecipients(List.of(HOSTILE, "x".repeat(1_000_000)));
            record.getMessage().setPerformative(HOSTILE);
        }
        AuditRecord undecodable = hostile.records.get(5);
        undecodable.setRaw(ByteBuffer.wrap(HOSTILE.getBytes(StandardCharsets.UTF_8)));
        undecodable.setPayloadHash(new AuditChain().payloadHash(undecodable.getRaw()));
        undecodable.setMessage(null);
        hostile.reseal();
        AuditRecord target = hostile.records.get(2);
        Redaction redaction = Links.redactionOf(target);
        redaction.setBy(HOSTILE);
        redaction.setReason(HOSTILE);
        AuditRecord event = Links.redacting(redaction, undecodable);
        event.getSource().setTopic("parley.redaction.v1");
        hostile.append(0, event);
        Links.sealed(event);
        List<AuditRecord> records = hostile.records.stream()
                .map(record -> record == target ? Redactions.redact(record, redaction) : record)
                .toList();
        CommandRun run = evidence(write(WHOLE, hostile.notes(), List.of(), records));
        assertThat(run.exit()).as(run.err()).isZero();

        String html = Files.readString(out().resolve("report.html"));
        assertThat(html)
                .hasSizeLessThan(200_000)
                .contains("&lt;script&gt;", "&amp;lt;", "\\u202e", "\\u0000", "\\u001b", "Content removed by")
                .contains("default-src 'none'");
        String texts = html.replaceAll(
                "</?(html|head|title|style|body|h1|h2|p|pre|table|tr|th|td|bdi)( lang=\"en\"| class=\"[a-z]+\")?>|"
                        + "<!DOCTYPE html>|<meta [^<>]*>",
                "");
        assertThat(texts).doesNotContain("<", "alert(1)</", "onerror=alert(2)>");
        for (String page : List.of("report.html", "README.txt", "accounting.json")) {
            assertThat(Files.readString(out().resolve(page)).chars())
                    .as(page)
                    .noneMatch(c -> c != '\n'
                            && (Character.getType(c) == Character.CONTROL
                                    || Character.getType(c) == Character.FORMAT
                                    || Character.getType(c) == Character.LINE_SEPARATOR));
        }
        for (Path proof : proofs()) {
            assertThat(proof.getFileName().toString()).matches("0-[0-6]\\.tlog-proof");
            assertThat(prove(proof).exit()).isZero();
        }
        assertThat(prove(proofs().get(2)).out()).contains("only the metadata is proven");
    }

    @Test
    void onlyTheOwnerReadsANewDirectory() throws Exception {
        evidence(conversation());
        try (Stream<Path> files = Files.walk(out())) {
            assertThat(files)
                    .allSatisfy(file -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                            .isEqualTo(Files.isDirectory(file) ? "rwx------" : "rw-------"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"link", "dangling", "file", "directory"})
    void nothingIsWrittenThroughALinkOrIntoWhatExists(String planted) throws Exception {
        Path export = conversation();
        Path target = Files.createDirectory(directory.resolve("target"));
        switch (planted) {
            case "link" -> Files.createSymbolicLink(out(), target);
            case "dangling" -> Files.createSymbolicLink(out(), directory.resolve("none"));
            case "file" -> Files.writeString(out(), "precious");
            default -> Files.createDirectory(out());
        }
        CommandRun run = evidence(export);
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("exists. Name another file or directory");
        assertThat(target).isEmptyDirectory();
        assertThat(directory.resolve("none")).doesNotExist();
        assertThat(Files.exists(out(), LinkOption.NOFOLLOW_LINKS)).isTrue();
    }

    @Test
    void aLargeRangeHasNoProofsAndSaysSo() throws Exception {
        Trail large = Trail.of(KEY, Map.of(ONE, 0), Evidence.MAX_RANGE_PROOFS + 1);
        Path file = write(WHOLE, large.notes(), List.of(), large.records);
        assertThat(evidence(file).err()).contains("1001 records and 0 proofs");
        assertThat(Files.readString(out().resolve("README.txt"))).contains("1001 records are too many");
        assertThat(out().resolve("proofs")).doesNotExist();
    }

    @Test
    void anExportIsRequired() throws Exception {
        String out = out().toString();
        for (String[] words : new String[][] {
            {"evidence", "--out", out},
            {"evidence", directory.resolve("none").toString(), "--out", out}
        }) {
            assertThat(CommandRun.of(words).exit()).as(String.join(" ", words)).isEqualTo(2);
            assertThat(out()).doesNotExist();
        }
        Path other = Files.writeString(directory.resolve("other.txt"), "hello\n".repeat(500));
        assertThat(evidence(other).exit()).isEqualTo(2);
        assertThat(out()).doesNotExist();
    }
}
