package dev.parley.log.verify;

import static dev.parley.log.FaultCode.CHAIN_CUT;
import static dev.parley.log.FaultCode.CONTENT_CHANGED;
import static dev.parley.log.FaultCode.EXPORT_INCOMPLETE;
import static dev.parley.log.FaultCode.HEAD_FORGED;
import static dev.parley.log.FaultCode.HEAD_MALFORMED;
import static dev.parley.log.FaultCode.HEAD_MISMATCH;
import static dev.parley.log.FaultCode.HEAD_REPLAYED;
import static dev.parley.log.FaultCode.HEAD_SPLIT;
import static dev.parley.log.FaultCode.LINK_BROKEN;
import static dev.parley.log.FaultCode.LOG_CUT;
import static dev.parley.log.FaultCode.LOG_GAP;
import static dev.parley.log.FaultCode.LOG_MISSING;
import static dev.parley.log.FaultCode.LOG_OMITTED;
import static dev.parley.log.FaultCode.LOG_REPEATED;
import static dev.parley.log.FaultCode.NOT_CONTINUED;
import static dev.parley.log.FaultCode.NOT_COVERED;
import static dev.parley.log.FaultCode.PAYLOAD_CHANGED;
import static dev.parley.log.FaultCode.RECORD_CHANGED;
import static dev.parley.log.FaultCode.RECORD_MISSING;
import static dev.parley.log.FaultCode.RECORD_MOVED;
import static dev.parley.log.FaultCode.RECORD_REPEATED;
import static dev.parley.log.FaultCode.REDACTION_UNPROVEN;
import static dev.parley.log.FaultCode.STATEMENT_MISSING;
import static dev.parley.log.FaultCode.UNREADABLE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.audit.Links;
import dev.parley.audit.Redactions;
import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.ExportEnd;
import dev.parley.avro.ExportEntry;
import dev.parley.avro.ExportScope;
import dev.parley.avro.ExportStart;
import dev.parley.avro.OmittedRecords;
import dev.parley.avro.Redaction;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.log.AuditFault;
import dev.parley.log.FaultCode;
import dev.parley.log.KeyFiles;
import dev.parley.log.LogNoteReader;
import dev.parley.log.LogNotes;
import dev.parley.log.Trail;
import dev.parley.log.TrustedKey;
import dev.parley.log.export.ExportFormat;
import dev.parley.log.export.ExportItem;
import dev.parley.log.export.ExportItems;
import dev.parley.log.export.ExportReader;
import dev.parley.log.export.ExportWriter;
import dev.parley.log.export.Exporter;
import dev.parley.log.export.ProgressListener;
import dev.parley.log.tlog.NoteSignature;
import dev.parley.log.tlog.NoteSigner;
import dev.parley.log.tlog.WitnessPolicy;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that every change of an export is found, whatever its description claims. */
class TamperMatrixTest {
    private static final int LENGTH = 12;
    private static final String ONE = "default|SLIP|1";
    private static final String TWO = "default|SLIP|2";
    private static final String THREE = "default|CSP|x";
    private static final long SEED = Long.getLong("parley.seed", 5_2026L);
    private static final NoteSigner KEY = Trail.key();
    private static final NoteSigner WITNESS = NoteSigner.cosigner("w1", KeyFiles.newPair());

    @TempDir
    private Path directory;

    private final List<AuditFault> heard = new ArrayList<>();
    private WitnessPolicy policy = WitnessPolicy.NONE;
    private StoredHeads since = StoredHeads.NONE;
    private StoredHeads expired = StoredHeads.NONE;
    private boolean openEnd;

    /** The entries of an export, which an attacker changes. */
    private static final class Export {
        private final Trail trail = Trail.of(KEY, Map.of(ONE, 0, TWO, 0, THREE, 1), LENGTH);
        private final ExportStart start =
                new ExportStart(Exporter.VERSION, Instant.ofEpochMilli(9), ExportScope.EVERYTHING, null, null, null);
        private final List<AuditHead> notes = new ArrayList<>(trail.notes());
        private final List<OmittedRecords> omitted = new ArrayList<>();
        private final List<AuditRecord> records = new ArrayList<>(trail.records);
        private WitnessPolicy policy = WitnessPolicy.NONE;
        private Optional<AuditHead> since = Optional.empty();
        private Optional<AuditHead> expired = Optional.empty();
        private boolean openEnd;

        AuditRecord record(int sequence) {
            return trail.chain(ONE).get(sequence);
        }

        /** Changes a record, and recomputes all hashes. */
        void rewrite(int sequence, Consumer<AuditRecord> change) {
            change.accept(record(sequence));
            trail.reseal();
        }

        /**
         * An honest export of a range, and one record of each log on each side. Records of log 0 have the times 0, 0,
         * 1, 1 and so on, those of log 1 0, 1, 2 and so on. No patch of log 1 proves the begin of the range.
         */
        Export range() {
            range(3, 8);
            leaveOut(0, 0, 5);
            leaveOut(0, 17, 2 * LENGTH);
            leaveOut(1, 9, LENGTH);
            return this;
        }

        /** Describes a time range. */
        Export range(long from, long to) {
            start.setScope(ExportScope.TIME_RANGE);
            start.setFrom(Instant.ofEpochMilli(from));
            start.setTo(Instant.ofEpochMilli(to));
            return this;
        }

        /** An honest export of a range without records, with those of log 0 and 1 that prove it. */
        Export emptyRange(long time, int from0, int to0, int to1) {
            range(time, time);
            leaveOut(0, 0, from0);
            leaveOut(0, to0, 2 * LENGTH);
            leaveOut(1, to1, LENGTH);
            return this;
        }

        /** An honest export of a range of chain 1, without its last record. */
        Export rangeOfChain() {
            chain().range(3, 8);
            notes.remove(3);
            for (int sequence : new int[] {0, 1, 9, 10, 11}) {
                int index = (int) record(sequence).getLog().getIndex();
                leaveOut(0, index, index + 1);
            }
            return this;
        }

        /** An honest export of chain 1, which every other record of log 0 belongs to. */
        Export chain() {
            start.setScope(ExportScope.CHAIN);
            start.setChain(ONE);
            for (AuditRecord link : trail.records) {
                if (!link.getChain().equals(ONE)) {
                    int index = (int) link.getLog().getIndex();
                    leaveOut(link.getLog().getPartition(), index, index + 1);
                }
            }
            notes.add(trail.chainEnd(ONE));
            return this;
        }

        /** Requires the cosignature of the witness, which both heads have. */
        Export cosigned() {
            policy = new WitnessPolicy(List.of(WITNESS.verifierKey()), 1);
            notes.set(1, Trail.cosigned(notes.get(1), WITNESS));
            notes.set(2, Trail.cosigned(notes.get(2), WITNESS));
            return this;
        }

        /** Replaces records of a log by their hashes. */
        void leaveOut(int partition, int from, int to) {
            omitted.addAll(trail.omitted(partition, from, to));
            remove(partition, from, to);
        }

        /** Removes records of a log. */
        void remove(int partition, int from, int to) {
            records.removeIf(link -> link.getLog().getPartition() == partition
                    && link.getLog().getIndex() >= from
                    && link.getLog().getIndex() < to);
        }

        List<ExportEntry> entries() throws IOException {
            List<ExportEntry> entries = new ArrayList<>();
            Exporter exporter = new Exporter(keeping(entries));
            exporter.begin(start);
            for (AuditHead note : notes) {
                exporter.note(note);
            }
            for (OmittedRecords subtree : omitted) {
                exporter.omitted(subtree);
            }
            for (AuditRecord link : records) {
                exporter.record(link);
            }
            exporter.end();
            return entries;
        }
    }

    private static ExportWriter keeping(List<ExportEntry> entries) {
        return new ExportWriter() {
            @Override
            public void write(ExportEntry entry) {
                entries.add(entry);
            }

            @Override
            public void close() {
                // No resource is open.
            }
        };
    }

    private static Arguments row(String what, FaultCode code, Consumer<Export> change) {
        return Arguments.of(what, code, change);
    }

    private static void flip(ByteBuffer bytes) {
        bytes.put(0, (byte) (bytes.get(0) ^ 1));
    }

    private static void accept(AuditRecord link) {
        link.setVerdict(Verdict.ACCEPTED.name());
        link.setStage(Stage.NONE.name());
        link.setCode(null);
    }

    /** Changes of single records of an export of everything, at sequence 5 of the first chain. */
    static Stream<Arguments> changesOfARecord() {
        return Stream.of(
                row(
                        "a byte of a payload",
                        PAYLOAD_CHANGED,
                        export -> flip(export.record(5).getMessage().getRaw())),
                row(
                        "a byte of a hash",
                        RECORD_CHANGED,
                        export -> flip(export.record(5).getHash())),
                row("the verdict", RECORD_CHANGED, export -> accept(export.record(4))),
                row(
                        "a letter of what was decoded",
                        CONTENT_CHANGED,
                        export -> export.record(5).getMessage().setSender("alicf")),
                row(
                        "a letter of a sentence",
                        CONTENT_CHANGED,
                        export -> export.record(5).setDetail("b sentence")),
                row(
                        "the index in the log",
                        RECORD_CHANGED,
                        export -> export.record(5).getLog().setIndex(1_000_010L)),
                row("a removed record", RECORD_MISSING, export -> export.records.remove(export.record(5))),
                row("the first record removed", RECORD_MISSING, export -> export.records.remove(export.record(0))),
                row(
                        "two swapped records",
                        RECORD_MISSING,
                        export -> Collections.swap(
                                export.records,
                                export.records.indexOf(export.record(5)),
                                export.records.indexOf(export.record(6)))),
                row(
                        "two swapped records, the second",
                        RECORD_MOVED,
                        export -> Collections.swap(
                                export.records,
                                export.records.indexOf(export.record(5)),
                                export.records.indexOf(export.record(6)))),
                row("a duplicated record", RECORD_REPEATED, export -> export.records.add(export.record(5))),
                row("a rewritten record", LINK_BROKEN, export -> {
                    export.record(5).setDetail("another");
                    Links.sealed(export.record(5));
                }));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("changesOfARecord")
    void aChangedRecordIsFoundInItsChain(String what, FaultCode code, Consumer<Export> change) throws IOException {
        Export export = new Export();
        change.accept(export);
        assertThat(faults(export)).anySatisfy(fault -> {
            assertThat(fault.code()).isEqualTo(code);
            assertThat(fault.chain()).isEqualTo(ONE);
            assertThat(fault.sequence()).isBetween(0L, 6L);
            assertThat(fault.location().toString()).startsWith("export:");
        });
    }

    /** Changes by an insider without the key, who recomputes what can be recomputed. */
    static Stream<Arguments> matrix() {
        return Stream.of(
                row("a range with a flipped verdict", HEAD_MISMATCH, export -> {
                    export.range();
                    export.rewrite(4, TamperMatrixTest::accept);
                }),
                row("a range with an invented record", LOG_REPEATED, export -> {
                    export.range();
                    AuditRecord invented = Links.messages("default|SLIP|9", 1).get(0);
                    invented.getLog().setPartition(0);
                    invented.getLog().setIndex(9L);
                    export.records.add(Links.sealed(invented));
                }),
                row("a range with a record removed and the later ones renumbered", LOG_GAP, export -> {
                    export.range();
                    export.remove(0, 9, 10);
                    export.trail.records.removeIf(link -> !export.records.contains(link));
                    export.trail.log(0).stream()
                            .filter(link -> link.getLog().getIndex() > 9)
                            .forEach(
                                    link -> link.getLog().setIndex(link.getLog().getIndex() - 1));
                    export.trail.records.forEach(Links::sealed);
                }),
                row("a range without heads", LOG_MISSING, export -> {
                    export.range();
                    export.notes.subList(1, 3).clear();
                }),
                row("a range without any note", STATEMENT_MISSING, export -> {
                    export.range();
                    export.notes.clear();
                }),
                row("a range without heads is not covered", NOT_COVERED, export -> {
                    export.range();
                    export.notes.subList(1, 3).clear();
                }),
                row("everything with changed verdicts, labelled as a range", HEAD_MISMATCH, export -> {
                    export.start.setScope(ExportScope.TIME_RANGE);
                    export.rewrite(4, TamperMatrixTest::accept);
                }),
                row("everything without the head of a log, labelled as a range", LOG_MISSING, export -> {
                    export.start.setScope(ExportScope.TIME_RANGE);
                    export.rewrite(4, TamperMatrixTest::accept);
                    export.notes.remove(1);
                }),
                row(
                        "a range with a statement from before its end",
                        EXPORT_INCOMPLETE,
                        export -> export.range()
                                .notes
                                .set(0, export.trail.statement(KEY, 2, Map.of(0, 2 * LENGTH, 1, LENGTH), 7))),
                row(
                        "a range with a statement that is complete after its own time",
                        HEAD_MALFORMED,
                        export -> export.range()
                                .notes
                                .set(
                                        0,
                                        export.trail.statement(
                                                KEY, 2, Map.of(0, 2 * LENGTH, 1, LENGTH), Trail.TIME + 7_200_001))),
                row("a range without a partition that the statement counts", EXPORT_INCOMPLETE, export -> {
                    export.range();
                    export.notes.set(0, export.trail.statement(KEY, 3, Map.of(0, 2 * LENGTH, 1, LENGTH)));
                }),
                row("everything, with a log that ends before the records of another", EXPORT_INCOMPLETE, export -> {
                    export.rewrite(LENGTH - 1, link -> link.getSource().setTimestamp(Instant.ofEpochMilli(900_000)));
                    export.notes.clear();
                    export.notes.addAll(export.trail.notes());
                }),
                row(
                        "everything without a partition that the statement counts",
                        EXPORT_INCOMPLETE,
                        export ->
                                export.notes.set(0, export.trail.statement(KEY, 3, Map.of(0, 2 * LENGTH, 1, LENGTH)))),
                row("a claimed retention", LOG_OMITTED, export -> export.leaveOut(0, 0, 20)),
                row("a claimed retention of everything", LOG_OMITTED, export -> {
                    export.leaveOut(0, 0, 2 * LENGTH);
                    export.leaveOut(1, 0, LENGTH);
                }),
                row("first records removed without a hash", LOG_GAP, export -> export.remove(0, 0, 20)),
                row("all records of a log removed", LOG_CUT, export -> export.remove(1, 0, LENGTH)),
                row("a log removed with its head", LOG_MISSING, export -> {
                    export.remove(1, 0, LENGTH);
                    export.notes.remove(2);
                }),
                row("a log replaced by its first head", LOG_CUT, export -> {
                    export.notes.set(2, export.trail.head(1, 0));
                    export.remove(1, 0, LENGTH);
                }),
                row("a log and its head replaced by an older head", LOG_CUT, export -> {
                    export.notes.set(1, export.trail.head(0, 20));
                    export.remove(0, 20, 2 * LENGTH);
                }),
                row("all logs empty", LOG_CUT, export -> {
                    export.notes.set(1, export.trail.head(0, 0));
                    export.notes.set(2, export.trail.head(1, 0));
                    export.records.clear();
                }),
                row("a range with an older head", LOG_CUT, export -> {
                    export.range();
                    export.notes.set(1, export.trail.head(0, 16));
                    export.omitted.removeIf(subtree -> subtree.getPartition() == 0 && subtree.getIndex() >= 16);
                }),
                row("a chain with an older head", LOG_CUT, export -> {
                    export.chain();
                    AuditRecord last = export.record(LENGTH - 2);
                    int cut = (int) last.getLog().getIndex() + 1;
                    export.notes.set(1, export.trail.head(0, cut));
                    export.notes.set(3, export.trail.chainEnd(last, cut));
                    export.remove(0, cut, 2 * LENGTH);
                    export.omitted.removeIf(subtree -> subtree.getPartition() == 0 && subtree.getIndex() >= cut);
                }),
                row(
                        "another time of the statement",
                        HEAD_MALFORMED,
                        export -> export.notes.get(0).setTime(Instant.parse("2099-01-01T00:00:00Z"))),
                row("a forged time of the statement", HEAD_FORGED, export -> {
                    AuditHead statement = export.notes.get(0);
                    statement.setTime(Instant.ofEpochMilli(Trail.TIME + 1));
                    statement.setNote(statement.getNote().replace("time " + Trail.TIME, "time " + (Trail.TIME + 1)));
                }),
                row("a statement that lists a smaller log", HEAD_FORGED, export -> {
                    AuditHead statement = export.notes.get(0);
                    statement.setNote(statement.getNote().replace("head 1 12 ", "head 1 1 "));
                }),
                row("an export of nothing", STATEMENT_MISSING, export -> {
                    export.records.clear();
                    export.notes.clear();
                }),
                row("records inside a range left out", EXPORT_INCOMPLETE, export -> {
                    export.range();
                    export.leaveOut(0, 9, 10);
                }),
                row("the first record of a range left out", EXPORT_INCOMPLETE, export -> {
                    export.range();
                    export.leaveOut(0, 5, 7);
                }),
                row("the last record of a range left out", EXPORT_INCOMPLETE, export -> {
                    export.range();
                    export.leaveOut(0, 15, 17);
                }),
                row(
                        "a range labelled as one that begins earlier",
                        EXPORT_INCOMPLETE,
                        export -> export.range().start.setFrom(Instant.ofEpochMilli(2))),
                row(
                        "a range labelled as one that ends later",
                        EXPORT_INCOMPLETE,
                        export -> export.range().start.setTo(Instant.ofEpochMilli(9))),
                row(
                        "a range labelled as all time",
                        EXPORT_INCOMPLETE,
                        export -> export.range().range(0, 4_102_444_800_000L)),
                row(
                        "a range labelled as one without begin",
                        EXPORT_INCOMPLETE,
                        export -> export.range().start.setFrom(null)),
                row(
                        "a range labelled as one without end",
                        EXPORT_INCOMPLETE,
                        export -> export.range().start.setTo(null)),
                row("all of a log left out of a range", EXPORT_INCOMPLETE, export -> {
                    export.range();
                    export.leaveOut(1, 0, 9);
                }),
                row("a log of a range with records before it alone", EXPORT_INCOMPLETE, export -> {
                    export.range();
                    export.leaveOut(1, 3, 9);
                }),
                row("a log of a range with records after it alone", EXPORT_INCOMPLETE, export -> {
                    export.range();
                    export.leaveOut(1, 0, 8);
                }),
                row(
                        "a range that begins with a patch, which may have waited for its base",
                        EXPORT_INCOMPLETE,
                        export -> {
                            export.range();
                            export.leaveOut(1, 0, 2);
                        }),
                row("a range that ends before it begins", EXPORT_INCOMPLETE, export -> export.range(8, 3)),
                row("a range without bounds", EXPORT_INCOMPLETE, export -> {
                    export.range(0, 0);
                    export.start.setFrom(null);
                    export.start.setTo(null);
                }),
                row("everything from a time on", EXPORT_INCOMPLETE, export -> export.start.setFrom(Instant.EPOCH)),
                row(
                        "a whole chain before a time",
                        EXPORT_INCOMPLETE,
                        export -> export.chain().start.setTo(Instant.EPOCH)),
                row(
                        "a chain labelled as everything",
                        EXPORT_INCOMPLETE,
                        export -> export.chain().start.setScope(ExportScope.EVERYTHING)),
                row(
                        "a range without a scope",
                        EXPORT_INCOMPLETE,
                        export -> export.range().start.setScope(ExportScope.UNSPECIFIED)),
                row(
                        "a chain without a scope",
                        EXPORT_INCOMPLETE,
                        export -> export.chain().start.setScope(ExportScope.UNSPECIFIED)),
                row("a range of a chain without its first record", EXPORT_INCOMPLETE, export -> {
                    int first = (int) export.rangeOfChain().record(2).getLog().getIndex();
                    export.leaveOut(0, first, first + 1);
                }),
                row("a range of a chain without its last record", EXPORT_INCOMPLETE, export -> {
                    int last = (int) export.rangeOfChain().record(8).getLog().getIndex();
                    export.leaveOut(0, last, last + 1);
                }),
                row(
                        "a chain without the statement of its end",
                        EXPORT_INCOMPLETE,
                        export -> export.chain().notes.remove(3)),
                row("a chain without statement and last record", EXPORT_INCOMPLETE, export -> {
                    int last = (int) export.chain().record(LENGTH - 1).getLog().getIndex();
                    export.leaveOut(0, last, last + 1);
                    export.notes.remove(3);
                }),
                row("a chain without statement and last record, labelled as a range", EXPORT_INCOMPLETE, export -> {
                    int last = (int) export.chain().record(LENGTH - 1).getLog().getIndex();
                    export.leaveOut(0, last, last + 1);
                    export.notes.remove(3);
                    export.start.setScope(ExportScope.TIME_RANGE);
                }),
                row(
                        "a chain whose end another key signed",
                        EXPORT_INCOMPLETE,
                        export -> export.chain()
                                .notes
                                .set(
                                        3,
                                        Trail.of(Trail.key(), Map.of(ONE, 0, TWO, 0, THREE, 1), LENGTH)
                                                .chainEnd(ONE))),
                row(
                        "a range labelled as everything",
                        LOG_OMITTED,
                        export -> export.range().start.setScope(ExportScope.EVERYTHING)),
                row("a range labelled as a chain", EXPORT_INCOMPLETE, export -> {
                    export.range().start.setScope(ExportScope.CHAIN);
                    export.start.setChain(ONE);
                }),
                row("everything with a hole, labelled as a range", EXPORT_INCOMPLETE, export -> {
                    export.leaveOut(0, 9, 10);
                    export.start.setScope(ExportScope.TIME_RANGE);
                }),
                row("a forged record after the last head", NOT_COVERED, export -> {
                    AuditRecord forged = Links.unhashed(
                            ONE, LENGTH, export.record(LENGTH - 1).getHash());
                    forged.getSource().setOffset(999_999L);
                    export.trail.append(0, forged);
                    export.records.add(Links.sealed(forged));
                }),
                row(
                        "a redacted copy with another stage",
                        RECORD_CHANGED,
                        export -> redacted(export).setStage(Stage.APPLY.name())),
                row(
                        "a redacted copy with another position",
                        RECORD_CHANGED,
                        export -> redacted(export).setPosition(7)),
                row(
                        "a redacted copy with another profile",
                        RECORD_CHANGED,
                        export -> redacted(export).setProfile("STRICT")),
                row(
                        "a redacted copy with another time",
                        RECORD_CHANGED,
                        export -> redacted(export).getSource().setTimestamp(Instant.ofEpochMilli(4_711))),
                row(
                        "a redacted copy with text",
                        CONTENT_CHANGED,
                        export -> redacted(export).setDetail("made up")),
                row("a redacted copy with its content", CONTENT_CHANGED, export -> {
                    AuditRecord original = export.record(5);
                    AuditRecord copy = redacted(export);
                    original.setRedacted(copy.getRedacted());
                    export.records.set(export.records.indexOf(copy), original);
                }),
                row("a record shown as redacted without a redaction", REDACTION_UNPROVEN, export -> {
                    export.range();
                    redact(export, 5);
                }),
                row("a chain with a forged record", HEAD_MISMATCH, export -> {
                    export.chain();
                    export.rewrite(4, TamperMatrixTest::accept);
                }),
                row("a chain with a forged record, its head dropped", LOG_MISSING, export -> {
                    export.chain();
                    export.rewrite(4, TamperMatrixTest::accept);
                    export.notes.remove(1);
                }),
                row("a chain with a forged record far after the log", LOG_GAP, export -> {
                    export.chain();
                    export.trail
                            .chain(ONE)
                            .forEach(
                                    link -> link.getLog().setIndex(link.getLog().getIndex() + 1_000_000));
                    export.rewrite(4, TamperMatrixTest::accept);
                }),
                row("a chain without its last record", CHAIN_CUT, export -> {
                    export.chain();
                    int last = (int) export.record(LENGTH - 1).getLog().getIndex();
                    export.leaveOut(0, last, last + 1);
                }),
                row("a chain cut where an earlier statement ended it", CHAIN_CUT, export -> {
                    export.chain();
                    AuditRecord last = export.record(LENGTH - 2);
                    int cut = (int) export.record(LENGTH - 1).getLog().getIndex();
                    export.leaveOut(0, cut, cut + 1);
                    export.notes.set(3, export.trail.chainEnd(last, cut));
                }),
                row("a chain without a record inside", EXPORT_INCOMPLETE, export -> {
                    export.chain();
                    int inside = (int) export.record(6).getLog().getIndex();
                    export.leaveOut(0, inside, inside + 1);
                }),
                row("a chain without its first record", EXPORT_INCOMPLETE, export -> {
                    export.chain();
                    int first = (int) export.record(0).getLog().getIndex();
                    export.leaveOut(0, first, first + 1);
                }),
                row(
                        "a chain labelled as another one",
                        EXPORT_INCOMPLETE,
                        export -> export.chain().start.setChain(TWO)),
                row("an export cut back to a head, and forged after it", HEAD_MISMATCH, export -> {
                    export.notes.add(1, export.trail.head(0, 10));
                    export.rewrite(7, TamperMatrixTest::accept);
                }),
                row("a truncated log", LOG_CUT, export -> export.remove(0, 20, 2 * LENGTH)),
                row(
                        "a changed hash of omitted records",
                        HEAD_MISMATCH,
                        export -> flip(export.range().omitted.get(0).getHash())),
                row(
                        "a removed hash of omitted records",
                        LOG_GAP,
                        export -> export.range().omitted.remove(0)),
                row(
                        "a hash of omitted records at another level",
                        UNREADABLE,
                        export -> export.range().omitted.get(1).setLevel(5)),
                row("a replayed old head", HEAD_REPLAYED, export -> export.notes.add(export.trail.head(0, 7))),
                row("a replayed head of another history", HEAD_SPLIT, export -> {
                    export.notes.add(1, export.trail.head(0, 7));
                    export.rewrite(2, TamperMatrixTest::accept);
                    export.notes.add(export.trail.head(0, 7));
                }),
                row("an earlier head of another history than the statement", HEAD_SPLIT, export -> {
                    export.notes.set(0, export.trail.statement(KEY, 2, Map.of(0, 10, 1, LENGTH)));
                    export.rewrite(2, TamperMatrixTest::accept);
                    export.notes.set(1, export.trail.head(0, 10));
                    export.notes.add(2, export.trail.head(0));
                    export.leaveOut(0, 0, 10);
                    export.leaveOut(0, 10, 2 * LENGTH);
                }),
                row("a second history than that of a stored head", HEAD_SPLIT, export -> {
                    export.since = Optional.of(export.trail.head(0));
                    export.rewrite(4, TamperMatrixTest::accept);
                    export.notes.set(1, export.trail.head(0));
                }),
                row("a second history from the same key", HEAD_SPLIT, export -> {
                    export.rewrite(4, TamperMatrixTest::accept);
                    export.notes.add(export.trail.head(0));
                }),
                row(
                        "a head of another deployment",
                        HEAD_MALFORMED,
                        export -> export.notes.set(
                                1,
                                new LogNotes("example.com/other", List.of(KEY))
                                        .head(0, 24, new byte[32], Instant.EPOCH))),
                row("a log that was rolled back", NOT_CONTINUED, export -> {
                    export.since = Optional.of(export.trail.head(0));
                    export.notes.set(1, export.trail.head(0, 20));
                    export.remove(0, 20, 2 * LENGTH);
                }),
                row("a stored head among omitted records", NOT_CONTINUED, export -> {
                    export.since = Optional.of(export.trail.head(0, 3));
                    export.range();
                }),
                row("a forged cosignature", HEAD_FORGED, export -> {
                    String note = export.cosigned().notes.get(1).getNote();
                    NoteSignature other = NoteSigner.cosigner("w1", KeyFiles.newPair())
                            .cosign(note.substring(0, note.indexOf("\n\n") + 1), 1);
                    NoteSignature forged =
                            new NoteSignature("w1", WITNESS.verifierKey().keyId(), other.bytes());
                    export.notes.get(1).setNote(export.trail.head(0).getNote() + forged.line());
                }),
                row(
                        "a head without the cosignature of the witness",
                        NOT_COVERED,
                        export -> export.cosigned().notes.set(1, export.trail.head(0))),
                row("a head with a forged root", HEAD_FORGED, export -> {
                    AuditHead head = export.notes.get(1);
                    export.rewrite(4, TamperMatrixTest::accept);
                    head.setNote(head.getNote().replace(root(head), root(export.trail.head(0))));
                }),
                row(
                        "a head of another key",
                        NOT_COVERED,
                        export -> export.notes.set(1, export.trail.head(Trail.key(), 0, 2 * LENGTH))),
                row(
                        "a head without a signature",
                        NOT_COVERED,
                        export -> export.notes.set(1, export.trail.head(null, 0, 2 * LENGTH))),
                row(
                        "a statement of another key",
                        STATEMENT_MISSING,
                        export -> export.notes.set(
                                0,
                                new LogNotes(Trail.ORIGIN, List.of(Trail.key()))
                                        .statement(2, Collections.emptySortedMap(), Instant.EPOCH))));
    }

    private static String root(AuditHead head) {
        return head.getNote().lines().toList().get(2);
    }

    /** Replaces a record by its redacted copy. */
    private static AuditRecord redact(Export export, int sequence) {
        AuditRecord original = export.record(sequence);
        AuditRecord copy = Redactions.redact(original, Links.redactionOf(original));
        copy.setSource(dev.parley.avro.Source.newBuilder(original.getSource()).build());
        export.records.set(export.records.indexOf(original), copy);
        return copy;
    }

    /** Adds a redaction of a record to the trail, and replaces the record by its redacted copy. */
    private static AuditRecord redacted(Export export) {
        Redaction redaction = Links.redactionOf(export.record(5));
        AuditRecord event = Links.redacting(redaction, export.record(LENGTH - 1));
        event.getSource().setTopic("parley.redaction.v1");
        export.trail.append(0, event);
        Links.sealed(event);
        export.records.add(event);
        export.notes.set(1, export.trail.head(0));
        return redact(export, 5);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("matrix")
    void aChangeIsFoundWhateverTheExportClaims(String what, FaultCode code, Consumer<Export> change)
            throws IOException {
        Export export = new Export();
        change.accept(export);
        assertThat(faults(export)).extracting(AuditFault::code).contains(code);
    }

    @Test
    void aRecordThatDoesNotBeginItsChainCannotPassAsExpired() throws IOException {
        for (boolean range : List.of(false, true)) {
            Export export = new Export();
            if (range) {
                export.range(0, LENGTH);
            }
            int index = (int) export.record(5).getLog().getIndex();
            export.leaveOut(0, index, index + 1);
            export.expired = Optional.of(export.trail.head(0));
            assertThat(faults(export)).singleElement().satisfies(fault -> {
                assertThat(fault.code()).isEqualTo(LOG_OMITTED);
                assertThat(fault.chain()).isEqualTo(ONE);
                assertThat(fault.sequence()).isEqualTo(6);
                assertThat(fault.detail())
                        .contains("sequence 5 to 5, between index " + (index - 2) + " and " + (index + 2));
            });
        }
    }

    @Test
    void anUnchangedExportHasNoFaults() throws IOException {
        assertThat(faults(new Export())).isEmpty();
        assertThat(faults(new Export().range())).isEmpty();
        assertThat(faults(new Export().chain())).isEmpty();
        assertThat(faults(new Export().rangeOfChain())).isEmpty();
        assertThat(faults(new Export().emptyRange(0, 0, 1, 1))).isEmpty();
        assertThat(faults(new Export().emptyRange(5, 9, 11, 6))).isEmpty();
        assertThat(faults(new Export().emptyRange(LENGTH, 2 * LENGTH - 1, 2 * LENGTH, LENGTH)))
                .isEmpty();
        Export open = new Export().chain();
        open.notes.remove(3);
        open.openEnd = true;
        assertThat(faults(open)).isEmpty();
        assertThat(faults(new Export().cosigned())).isEmpty();
        Export older = new Export().range();
        older.notes.set(0, older.trail.statement(KEY, 2, Map.of(0, 16, 1, 9), 8));
        assertThat(faults(older)).as("an older statement").isEmpty();
        Export continued = new Export();
        continued.since = Optional.of(continued.trail.head(0, 20));
        assertThat(faults(continued)).isEmpty();
        Export retained = new Export();
        retained.leaveOut(0, 0, 9);
        retained.expired = Optional.of(retained.trail.head(0, 9));
        assertThat(faults(retained)).isEmpty();
        Export rangeContinued = new Export().range();
        rangeContinued.since = Optional.of(rangeContinued.trail.head(0, 4));
        assertThat(faults(rangeContinued)).isEmpty();
        Export export = new Export();
        redacted(export);
        assertThat(faults(export)).isEmpty();
    }

    /** A head of an idle log is not cosigned again. */
    @Test
    void aLogWithAnOldHeadMayBeCompleteByTheStatement() throws IOException {
        Export export = new Export();
        export.rewrite(LENGTH - 1, link -> link.getSource().setTimestamp(Instant.ofEpochMilli(900_000)));
        export.notes.clear();
        export.notes.addAll(export.trail.notes());
        Map<Integer, Integer> sizes = Map.of(0, 2 * LENGTH, 1, LENGTH);
        export.notes.set(0, export.trail.statement(KEY, 2, sizes, 299_999));
        assertThat(faults(export)).extracting(AuditFault::code).containsExactly(EXPORT_INCOMPLETE);
        export.notes.set(0, export.trail.statement(KEY, 2, sizes, 300_000));
        assertThat(faults(export)).isEmpty();
    }

    @Test
    void aReplayedHeadOfAnIdleLogMakesNoExportIncomplete() throws IOException {
        Export export = new Export();
        export.rewrite(LENGTH - 1, link -> link.getSource().setTimestamp(Instant.ofEpochMilli(800_000)));
        export.trail.headTime = 900_000;
        export.notes.clear();
        export.notes.addAll(export.trail.notes());
        export.trail.headTime = 1_000;
        export.notes.add(export.trail.head(0));
        export.notes.add(export.trail.head(1));
        assertThat(faults(export)).isEmpty();
    }

    @Test
    void theReportStatesWhatIsCovered() throws IOException {
        VerifyReport everything = result(write(new Export().entries()), 1);
        assertThat(everything.summary().coverage())
                .isEqualTo(new VerificationSummary.Coverage(36, 0, 0, 2, 2, Instant.ofEpochMilli(Trail.TIME)));
        VerifyReport range = result(write(new Export().range().entries()), 1);
        assertThat(range.summary().coverage())
                .isEqualTo(new VerificationSummary.Coverage(36, 15, 0, 2, 2, Instant.ofEpochMilli(Trail.TIME)));
        assertThat(range.summary().records()).isEqualTo(21);
        assertThat(range.chainEndProven()).isNull();
        assertThat(result(write(new Export().chain().entries()), 1).chainEndProven())
                .isTrue();
    }

    private List<AuditFault> faults(Export export) throws IOException {
        policy = export.policy;
        openEnd = export.openEnd;
        since = stored(export.since);
        expired = stored(export.expired);
        return verify(write(export.entries()));
    }

    private StoredHeads stored(Optional<AuditHead> head) throws IOException {
        return head.isPresent()
                ? StoredHeads.read(
                        Files.writeString(directory.resolve("head"), head.get().getNote()))
                : StoredHeads.NONE;
    }

    private Path write(List<ExportEntry> entries) throws IOException {
        Path file = directory.resolve("export");
        try (OutputStream out = Files.newOutputStream(file);
                ExportWriter writer = ExportFormat.JSONL.to(out)) {
            for (ExportEntry entry : entries) {
                writer.write(entry);
            }
        }
        return file;
    }

    /** Verifies a file in this thread and in several, which must find the same. */
    private List<AuditFault> verify(Path file) throws IOException {
        List<AuditFault> found = verify(file, 3);
        assertThat(verify(file, 1)).isEqualTo(found);
        return found;
    }

    private List<AuditFault> verify(Path file, int threads) throws IOException {
        VerifyReport result = result(file, threads);
        long faults = heard.stream().filter(fault -> !fault.code().isNotice()).count();
        assertThat(result.summary().faults()).isEqualTo(faults);
        assertThat(result.summary().isSound()).isEqualTo(faults == 0);
        return List.copyOf(heard);
    }

    private VerifyReport result(Path file, int threads) throws IOException {
        heard.clear();
        LogNoteReader notes = new LogNoteReader(policy, TrustedKey.present(List.of(KEY.verifierKey())));
        return new FileVerification(notes, since, expired, threads, new ProgressListener() {
                    @Override
                    public void found(AuditFault auditFault) {
                        heard.add(auditFault);
                    }

                    @Override
                    public void progress(long done, long total) {
                        assertThat(done).isBetween(0L, total);
                    }
                })
                .acceptOpenEnd(openEnd)
                .run(file);
    }

    @Test
    void noByteOfALineAfterTheFirstCanBeChanged() throws IOException {
        byte[] bytes = Files.readAllBytes(write(new Export().range().entries()));
        // Nothing proves the time of the export and of notes.
        int begin = new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1).indexOf("{\"omitted\"");
        for (byte[] touched : touched(bytes, begin, bytes.length, 400)) {
            assertThat(verify(Files.write(directory.resolve("touched"), touched)))
                    .as("seed %d: byte %d of %d", SEED, Arrays.mismatch(bytes, touched), bytes.length)
                    .isNotEmpty();
        }
    }

    @Test
    void noDigitCanBeAddedToATime() throws IOException {
        String lines = Files.readString(write(new Export().entries()));
        assertThat(lines).contains("00:00.003Z");
        for (String time : List.of("00:00.003001Z", "00:00.003999999Z")) {
            assertThat(verify(Files.writeString(directory.resolve("touched"), lines.replaceFirst("00:00.003Z", time))))
                    .extracting(AuditFault::code)
                    .contains(UNREADABLE);
        }
    }

    /** The hashed form of an unpaired surrogate is a question mark. */
    @Test
    void noQuestionMarkCanBecomeAnUnpairedSurrogate() throws IOException {
        Export export = new Export();
        export.rewrite(5, link -> link.setDetail("why?"));
        export.notes.clear();
        export.notes.addAll(export.trail.notes());
        String lines = Files.readString(write(export.entries()));
        assertThat(verify(Files.writeString(directory.resolve("touched"), lines)))
                .isEmpty();
        assertThat(lines).contains("\"why?\"");
        assertThat(verify(Files.writeString(directory.resolve("touched"), lines.replace("\"why?\"", "\"why\\uD800\""))))
                .extracting(AuditFault::code)
                .contains(UNREADABLE);
    }

    @Test
    void anEntryWithSeveralFieldsIsUnreadable() throws IOException {
        List<Consumer<ExportEntry>> additions = List.of(
                entry -> entry.setStart(new Export().start),
                entry -> entry.setNote(new Export().trail.head(1)),
                entry -> entry.setOmitted(new OmittedRecords(5, 0L, 0, ByteBuffer.allocate(32))),
                entry -> entry.setEnd(new ExportEnd(0L, 0L, 0L)));
        for (int at : new int[] {1, 10}) {
            for (Consumer<ExportEntry> addition : additions) {
                List<ExportEntry> entries = new Export().entries();
                addition.accept(entries.get(at));
                if (fields(entries.get(at)) > 1) {
                    assertThat(verify(write(entries)))
                            .as("%s", entries.get(at))
                            .extracting(AuditFault::code)
                            .contains(UNREADABLE);
                }
            }
        }
    }

    private static long fields(ExportEntry entry) {
        return entry.getSchema().getFields().stream()
                .filter(field -> entry.get(field.pos()) != null)
                .count();
    }

    /** Copies of the bytes with one bit flipped, at random positions. */
    private static List<byte[]> touched(byte[] bytes, int begin, int end, int rounds) {
        Random random = new Random(SEED);
        return IntStream.range(0, rounds)
                .mapToObj(round -> {
                    byte[] touched = bytes.clone();
                    touched[begin + random.nextInt(end - begin)] ^= (byte) (1 << random.nextInt(8));
                    return touched;
                })
                .toList();
    }

    @Test
    void aTruncatedFileIsIncomplete() throws IOException {
        byte[] bytes = Files.readAllBytes(write(new Export().entries()));
        Path file = directory.resolve("short");
        Random random = new Random(SEED);
        for (int round = 0; round < 50; round++) {
            Files.write(file, Arrays.copyOf(bytes, 1 + random.nextInt(bytes.length - 2)));
            assertThat(verify(file))
                    .as("seed %d, round %d", SEED, round)
                    .extracting(AuditFault::code)
                    .contains(EXPORT_INCOMPLETE);
        }
    }

    @Test
    void recordsAreReadAsTheyWereWritten() throws IOException {
        List<ExportEntry> entries = new Export().entries();
        assertThat(read(Files.readAllBytes(write(entries)))).isEqualTo(entries);
    }

    private static List<ExportEntry> read(byte[] bytes) throws IOException {
        List<ExportEntry> read = new ArrayList<>();
        try (ExportItems items = new ExportItems(new ExportReader(new ByteArrayInputStream(bytes)), false, 1)) {
            for (var next = items.next(); next.isPresent(); next = items.next()) {
                assertThat(next.get()).isInstanceOf(ExportItem.Entry.class);
                read.add(((ExportItem.Entry) next.get()).entry());
            }
        }
        return read;
    }
}
