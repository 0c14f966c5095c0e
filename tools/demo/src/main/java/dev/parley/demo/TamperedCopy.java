package dev.parley.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.avro.AuditHead;
import dev.parley.cli.export.TopicExport;
import dev.parley.cli.io.ReplacementFile;
import dev.parley.log.AuditFault;
import dev.parley.log.LogNoteReader;
import dev.parley.log.export.ExportFormat;
import dev.parley.log.export.Exporter;
import dev.parley.log.tlog.VerifierKey;
import dev.parley.log.verify.FileVerification;
import dev.parley.protocol.TopicNames;
import dev.parley.serde.AvroSerdes;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Exports the audit trail, and forges one record in a copy of the export, as with a text editor.
 *
 * @param keys verifier keys of the audit log
 * @param directory where the two files are written; existing ones are replaced
 */
record TamperedCopy(List<VerifierKey> keys, Path directory) {
    private static final ObjectMapper JSON = new ObjectMapper();
    static final String TRUE_VERDICT = "\"verdict\":\"REJECTED\"";
    static final String FORGED_VERDICT = "\"verdict\":\"ACCEPTED\"";

    /** Heads are published every second. */
    private static final int MAX_ATTEMPTS = 100;

    private static final long WAIT_MS = 100;

    Path export() {
        return directory.resolve("export.jsonl");
    }

    Path copy() {
        return directory.resolve("tampered.jsonl");
    }

    /**
     * Exports the whole audit trail.
     *
     * @param records number of records that published heads must cover before
     */
    Exporter.Written write(TopicNames names, Map<String, Object> clients, AvroSerdes serdes, long records)
            throws IOException, InterruptedException {
        try (TopicExport topics = new TopicExport(clients, names, serdes, LogNoteReader.ofAll(), fault -> {})) {
            for (int attempt = 0; attempt < MAX_ATTEMPTS && covered(topics) < records; attempt++) {
                TimeUnit.MILLISECONDS.sleep(WAIT_MS);
            }
            return write(topics);
        }
    }

    private static long covered(TopicExport topics) {
        return topics.latestNotes().stream()
                .filter(note -> note.getPartition() >= 0)
                .mapToLong(AuditHead::getSize)
                .sum();
    }

    private Exporter.Written write(TopicExport topics) throws IOException {
        Files.deleteIfExists(export());
        try (ReplacementFile aside = ReplacementFile.open(export());
                OutputStream out = aside.stream()) {
            Exporter.Written written = topics.run(
                    TopicExport.Selection.EVERYTHING,
                    Optional.empty(),
                    ExportFormat.JSONL,
                    out,
                    Clock.systemUTC().instant());
            aside.publish();
            return written;
        }
    }

    /**
     * Copies the export, and makes a rejected record an accepted one in the copy.
     *
     * @param chain chain of the record
     * @param sequence sequence of the record in its chain
     * @return number of the changed line, from 1; empty if the export has no such rejected record
     */
    Optional<Long> forge(String chain, long sequence) throws IOException {
        Optional<Long> changed = Optional.empty();
        Files.deleteIfExists(copy());
        try (BufferedReader in = Files.newBufferedReader(export());
                ReplacementFile aside = ReplacementFile.open(copy());
                Writer out = new BufferedWriter(new OutputStreamWriter(aside.stream(), StandardCharsets.UTF_8))) {
            long number = 0;
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                number++;
                if (changed.isEmpty() && line.contains(TRUE_VERDICT) && isRecord(line, chain, sequence)) {
                    changed = Optional.of(number);
                    line = line.replace(TRUE_VERDICT, FORGED_VERDICT);
                }
                out.write(line);
                out.write('\n');
            }
            out.flush();
            aside.publish();
        }
        return changed;
    }

    /** Verifies one of the two files as {@code parley verify FILE --key KEYS} does; returns the faults. */
    List<AuditFault> verify(Path file) throws IOException {
        List<AuditFault> found = new ArrayList<>();
        new FileVerification(new LogNoteReader(keys), found::add).run(file);
        return found.stream().filter(fault -> !fault.code().isNotice()).toList();
    }

    private static boolean isRecord(String line, String chain, long sequence) throws IOException {
        JsonNode record = JSON.readTree(line).path("record");
        return record.path("chain").asText().equals(chain)
                && record.path("sequence").asLong(-1) == sequence;
    }
}
