package dev.parley.log.evidence;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.parley.audit.InputPartition;
import dev.parley.audit.InputPosition;
import dev.parley.audit.Redactions;
import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.ExportEntry;
import dev.parley.avro.ExportScope;
import dev.parley.avro.Verdict;
import dev.parley.codec.ControlCharacters;
import dev.parley.codec.Symbols;
import dev.parley.json.ApiJson;
import dev.parley.log.LogNoteReader;
import dev.parley.log.LogNotes;
import dev.parley.log.TrustedKey;
import dev.parley.log.export.ExportFile;
import dev.parley.log.export.Exporter;
import dev.parley.log.export.ProgressListener;
import dev.parley.log.tlog.VerifierKey;
import dev.parley.log.tlog.WitnessPolicy;
import dev.parley.log.verify.FileVerification;
import dev.parley.log.verify.VerificationSummary;
import dev.parley.log.verify.VerifyReport;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.avro.Schema;

/**
 * Adds proofs, report, accounting, keys, schemas and instructions to an export in a directory. Reads the export three
 * times. Memory is bounded by the entries of an export with proofs, and by the redactions. Not thread-safe.
 */
public final class Evidence {
    /** Maximum number of records of a time range for which there are proofs, one file each. */
    public static final int MAX_RANGE_PROOFS = 1_000;

    /** Maximum number of records of a conversation for which there are proofs. */
    private static final int MAX_CHAIN_PROOFS = 100_000;

    /** Maximum number of records, and of redactions and approvals, in the report. */
    public static final int MAX_ROWS = 10_000;

    private static final int MAX_RULE_VERSIONS = 20;
    private static final String PROOFS = "proofs";

    private final EvidenceDirectory directory;
    private final Path export;
    private final String name;
    private final List<TrustedKey> given;
    private final WitnessPolicy policy;
    private final String writer;
    private final LogProofs logProofs = new LogProofs();
    private final List<VerifierKey> keys = new ArrayList<>();
    private final List<AuditRecord> redactions = new ArrayList<>();
    private final Set<String> rules = new LinkedHashSet<>();
    private final Map<InputPartition, Input> inputs = new TreeMap<>();
    private LogNoteReader counting;
    private boolean proving;

    /** Counts of the records of an input partition, in accounting.json. */
    @JsonAutoDetect(fieldVisibility = JsonAutoDetect.Visibility.ANY)
    private static final class Input {
        @JsonUnwrapped
        private final InputPartition partition;

        private long firstOffset = Long.MAX_VALUE;
        private long lastOffset = -1;
        private final Map<Verdict, Long> verdicts = new EnumMap<>(Verdict.class);
        private long unread;

        Input(InputPartition partition) {
            this.partition = partition;
        }
    }

    /** Content of accounting.json. */
    private record AccountingFile(VerificationSummary verified, Collection<Input> inputs) {}

    /**
     * What was written.
     *
     * @param records number of records
     * @param proofs number of proofs
     */
    public record Written(long records, long proofs) {}

    /**
     * Creates evidence of an export.
     *
     * @param directory the directory
     * @param name name of the export in it
     * @param given keys of the deployment; empty: those that the statement in the export lists, which prove nothing by
     *     themselves
     * @param policy witnesses that must have cosigned the heads
     * @param writer program and version that write it
     */
    public Evidence(
            EvidenceDirectory directory, String name, List<TrustedKey> given, WitnessPolicy policy, String writer) {
        this.given = List.copyOf(given);
        this.writer = writer;
        this.policy = policy;
        this.directory = directory;
        this.name = name;
        this.export = directory.path(name);
    }

    /**
     * Verifies the export, and writes the other files.
     *
     * @param listener receives the faults of the export
     * @return empty if the export has faults, so that it is no evidence
     * @throws IOException if a file cannot be read or written
     */
    public Optional<Written> write(ProgressListener listener) throws IOException {
        given.forEach(trusted -> keys.add(trusted.key()));
        if (given.isEmpty()) {
            ExportFile.read(export, entry -> {
                if (entry.getNote() != null) {
                    keys.addAll(LogNotes.keysOf(entry.getNote()));
                }
            });
        }
        List<TrustedKey> trusted = given.isEmpty() ? TrustedKey.present(keys) : given;
        counting = new LogNoteReader(WitnessPolicy.NONE, trusted);
        VerifyReport verified = new FileVerification(new LogNoteReader(policy, trusted), listener)
                .acceptOpenEnd(true)
                .run(export);
        if (!verified.summary().isSound()) {
            return Optional.empty();
        }
        boolean chain = verified.export() != null && verified.export().getScope() == ExportScope.CHAIN;
        long records = verified.summary().records();
        proving = !keys.isEmpty() && records <= (chain ? MAX_CHAIN_PROOFS : MAX_RANGE_PROOFS);
        ExportFile.read(export, this::survey);
        StringWriter text = new StringWriter();
        verified.print(
                new PrintWriter(text),
                given.isEmpty()
                        ? "signatures verified with the keys in this file, which prove nothing by themselves"
                        : "signatures verified with the given keys");
        String summary = ControlCharacters.escapeLines(text.toString());
        long proofs = report(summary);
        AccountingFile accounting = new AccountingFile(verified.summary(), inputs.values());
        text("accounting.json", ControlCharacters.escapeLines(ApiJson.pretty(accounting)) + "\n");
        text("keys.vkey", trusted.stream().map(key -> key + "\n").collect(Collectors.joining()));
        schemas();
        text("README.txt", readme(summary, Boolean.FALSE.equals(verified.chainEndProven()), records, proofs));
        return Optional.of(new Written(records, proofs));
    }

    private void survey(ExportEntry entry) {
        AuditHead note = entry.getNote();
        if (note != null && counting.accepts(note)) {
            logProofs.note(note);
        }
        if (entry.getOmitted() != null && proving) {
            logProofs.omitted(entry.getOmitted());
        }
        AuditRecord record = entry.getRecord();
        if (record == null) {
            return;
        }
        if (proving) {
            logProofs.record(record);
        }
        if (Redactions.isEvent(record) && redactions.size() < MAX_ROWS) {
            redactions.add(record);
        }
        if (rules.size() < MAX_RULE_VERSIONS) {
            rules.add(record.getRules());
        }
        InputPosition position = InputPosition.of(record.getSource());
        Input input = inputs.computeIfAbsent(position.inputPartition(), Input::new);
        input.firstOffset = Math.min(input.firstOffset, position.offset());
        input.lastOffset = Math.max(input.lastOffset, position.offset());
        input.unread += record.getUnread() == null ? 0 : record.getUnread();
        input.verdicts.merge(Symbols.VERDICT.of(record.getVerdict()), 1L, Long::sum);
    }

    /** Writes report and proofs; returns the number of proofs. */
    private long report(String summary) throws IOException {
        if (proving) {
            directory.directory(PROOFS);
        }
        long[] counts = {0, 0};
        try (Writer out =
                new BufferedWriter(new OutputStreamWriter(directory.file("report.html"), StandardCharsets.UTF_8))) {
            EvidenceReport report = new EvidenceReport(out);
            report.begin(
                    summary,
                    List.of(
                            List.of("Versions of the rules in force", String.join(", ", rules)),
                            List.of("Version of the export format and its schemas", Integer.toString(Exporter.VERSION)),
                            List.of("Written by", writer),
                            List.of("Verifier keys", keys.isEmpty() ? "none: nothing is signed" : keys.toString()),
                            List.of("Heads are cosigned by", policy.quorum() == 0 ? "not checked" : policy.toString())),
                    redactions);
            ExportFile.read(export, entry -> {
                AuditRecord record = entry.getRecord();
                if (record == null) {
                    return;
                }
                Optional<byte[]> proof = proving ? logProofs.proof(record) : Optional.empty();
                // Not the name of the conversation, which an agent chooses.
                String file = PROOFS + "/" + record.getLog().getPartition() + "-"
                        + record.getLog().getIndex() + ".tlog-proof";
                if (proof.isPresent()) {
                    directory.write(file, proof.get());
                    counts[1]++;
                }
                if (counts[0]++ < MAX_ROWS) {
                    report.record(record, proof.isPresent() ? file : "");
                }
            });
            report.end(
                    counts[0] <= MAX_ROWS
                            ? "All " + counts[0] + " records are listed."
                            : "The first " + MAX_ROWS + " of " + counts[0] + " records are listed; " + name
                                    + " has all.");
        }
        return counts[1];
    }

    private void schemas() throws IOException {
        directory.directory("schemas");
        schema("ExportEntry", ExportEntry.getClassSchema());
        for (String part : List.of("metadata", "content")) {
            try (InputStream in = Redactions.class.getResourceAsStream(part + ".avsc")) {
                schema(part, new Schema.Parser().parse(in));
            }
        }
    }

    private void schema(String file, Schema schema) throws IOException {
        text("schemas/" + file + ".avsc", schema.toString(true) + "\n");
    }

    private void text(String file, String text) throws IOException {
        directory.write(file, text.getBytes(StandardCharsets.UTF_8));
    }

    private String readme(String summary, boolean openEnd, long records, long proofs) {
        return """
                Evidence from an audit trail of messages between agents
                =======================================================

                %s            the records, the signed heads, and hashes that stand for omitted records
                proofs/                 %s
                report.html             the records for a person; opens without network
                accounting.json         what was verified; counts by input partition and verdict
                keys.vkey               the verifier keys with which the heads were verified
                schemas/                Avro schemas of the entries, and of the two hashed parts of a record

                What was verified when this directory was written:

                %s
                Cosignatures: %s.
                Versions of the rules: %s. Version of the export format: %d.

                Check with Parley, without the cluster
                --------------------------------------
                parley verify %s --key KEY%s
                parley prove --check proofs/FILE --key KEY

                KEY is the verifier key of the deployment. Obtain it from the deployment by another way than this
                directory, and compare it with keys.vkey: who can replace the export can replace the key.

                Check without Parley
                --------------------
                A proof has the form of C2SP tlog-proof, so any tool for it works. A key has the form of C2SP
                signed-note, a head that of C2SP tlog-checkpoint. The extra data of a proof are its record in JSON.
                  1. Read the record into schemas/content.avsc, write it in Avro's binary encoding (arrays as one
                     block), and hash it: SHA-256 gives contentHash.
                  2. The same with schemas/metadata.avsc gives M. SHA-256(M || contentHash) gives hash.
                     A record without content proves its metadata only: its contentHash is given, and its field
                     redacted is a claim, which only the export of its chain proves.
                  3. The leaf is SHA-256(0x00 || hash); a node is SHA-256(0x01 || left || right) (RFC 6962).
                     The hashes of the proof lead from the leaf at its index to the root in the head.
                  4. Verify the Ed25519 signature of the head with KEY.
                docs/audit.md of Parley describes the same for the whole export.

                Proven, if KEY is authentic
                ---------------------------
                - The deployment recorded each record with this verdict, in this order.
                - No record was changed, removed or inserted since the head was signed, within the scope above.
                - A redacted record has its metadata; who removed its content, when and why is a record itself.

                Not proven
                ----------
                - That a verdict is right. parley rejudge compares it with current rules.
                - Who a sender is: a message claims its sender.
                - That all readers see one history%s
                - What never reached the audited topics.
                - report.html, accounting.json and this text: who has the directory can change them. Only %s and
                  proofs/ are proven. Write the others again: parley evidence %s --out NEW
                """.formatted(
                        name,
                        proofs == 0
                                ? "none: " + (keys.isEmpty() ? "nothing is signed" : records + " records are too many")
                                        + "; the export proves its records"
                                : proofs + " proofs, one per record: PARTITION-INDEX of the log",
                        summary,
                        policy.quorum() == 0 ? "not checked" : "at least " + policy,
                        ControlCharacters.escape(String.join(", ", rules)),
                        Exporter.VERSION,
                        name,
                        openEnd ? " --accept-open-end" : "",
                        policy.quorum() == 0
                                ? ". Heads that are stored elsewhere show that."
                                : ", if the witnesses collude with the deployment. Check with --witness, too.",
                        name,
                        name);
    }
}
