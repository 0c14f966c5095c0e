package dev.parley.log.verify;

import dev.parley.avro.ExportEnd;
import dev.parley.avro.ExportEntry;
import dev.parley.avro.ExportScope;
import dev.parley.avro.ExportStart;
import dev.parley.log.AuditFault;
import dev.parley.log.AuditTrailVerifier;
import dev.parley.log.ChainState;
import dev.parley.log.CheckedRecord;
import dev.parley.log.FaultCode;
import dev.parley.log.InputOffsets;
import dev.parley.log.LogNoteReader;
import dev.parley.log.LogVerifier;
import dev.parley.log.RecordLocation;
import dev.parley.log.RedactionVerifier;
import dev.parley.log.export.ExportFile;
import dev.parley.log.export.ExportItem;
import dev.parley.log.export.Exporter;
import dev.parley.log.export.NotAnExportException;
import dev.parley.log.export.ProgressListener;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Verifies an export by itself: its records, its logs up to their heads, and that it contains what its description
 * claims. The description is not believed: what an export contains follows from the records and the indexes of their
 * logs.
 */
public final class FileVerification {
    /** Maximum time by which a log of a whole export may end before the records of another one. */
    private static final Duration MAX_BEHIND = Duration.ofMinutes(10);

    private final ProgressListener progressListener;
    private final int threads;
    private final boolean signaturesVerified;
    private final AuditTrailVerifier trail;
    private final Map<Integer, Range> ranges = new HashMap<>();
    private final Range ofChain = new Range();
    private RecordLocation startLocation = RecordLocation.NONE;
    private ExportStart start;
    private long from = Long.MIN_VALUE;
    private long to = Long.MAX_VALUE;
    private boolean acceptsOpenEnd;
    private boolean ended;
    private long notes;
    private long omitted;
    private long faults;
    private long newest;

    /**
     * The first and last record of a log or chain, by index in the log, with their times. A patch proves the begin of a
     * time range only if it cannot have been released in it.
     */
    private static final class Range {
        private static final Range EMPTY = new Range();

        private long first = Long.MAX_VALUE;
        private long firstTime = Long.MAX_VALUE;
        private long last = -1;
        private long lastTime = Long.MIN_VALUE;

        void add(CheckedRecord checked) {
            long index = checked.log().getIndex();
            if (index < first) {
                first = index;
                firstTime = CheckedRecord.writtenBy(checked.chain(), checked.time());
            }
            if (index > last) {
                last = index;
                lastTime = checked.time();
            }
        }
    }

    /**
     * Creates a verification of one file with one thread.
     *
     * @param reader reader of notes, with the trusted keys
     * @param progressListener listener for faults and for progress in bytes
     */
    public FileVerification(LogNoteReader reader, ProgressListener progressListener) {
        this(reader, StoredHeads.NONE, StoredHeads.NONE, 1, progressListener);
    }

    /**
     * Creates a verification of one file. The result and the order of faults do not depend on the number of threads.
     *
     * @param reader reader of notes, with the trusted keys
     * @param since stored heads that the export must continue
     * @param expired stored heads before which records may be missing
     * @param threads number of threads that decode entries and compute their hashes
     * @param progressListener listener for faults and for progress in bytes; the calling thread calls it
     */
    public FileVerification(
            LogNoteReader reader,
            StoredHeads since,
            StoredHeads expired,
            int threads,
            ProgressListener progressListener) {
        this.threads = threads;
        this.progressListener = progressListener;
        this.signaturesVerified = reader.requiresSignatures();
        this.trail = new AuditTrailVerifier(reader);
        since.heads().forEach((location, head) -> report(trail.logs().stored(head, location)));
        expired.heads().forEach((location, head) -> report(trail.logs().accept(head, location)));
    }

    /** Accepts that no signed statement proves the end of an exported chain; before {@link #run}. */
    public FileVerification acceptOpenEnd(boolean accepts) {
        acceptsOpenEnd = accepts;
        return this;
    }

    /**
     * Verifies a file.
     *
     * @throws NotAnExportException if the file is something else than an export
     * @throws IOException if the file cannot be read
     */
    public VerifyReport run(Path file) throws IOException {
        RecordLocation end = ExportFile.read(file, true, threads, progressListener, this::take);
        if (!ended) {
            incomplete(end, "the last entry of the export is missing");
        }
        report(trail.finish(start == null || start.getScope() == ExportScope.EVERYTHING, Map.of()));
        checkClaim();
        compareRedactions(file);
        VerificationSummary.Unrecorded unrecorded =
                new VerificationSummary.Unrecorded(0, 0, 0, 0, unexplained(), trail.deleted());
        return new VerifyReport(
                VerificationSummary.of(trail, unrecorded, VerificationSummary.Compared.NONE, 0, faults),
                signaturesVerified,
                start == null || start.getChain() == null ? null : provesEnd(start.getChain()),
                start);
    }

    /** Reads the file again if redactions must be compared with the records that they name. */
    private void compareRedactions(Path file) throws IOException {
        RedactionVerifier redactions = trail.chains().redactions();
        if (redactions.hasUnlocated()) {
            ExportFile.read(file, entry -> {
                if (entry.getRecord() != null) {
                    redactions.locate(entry.getRecord());
                }
            });
            report(trail.chains().unfounded());
        }
    }

    /** Compares what the description claims with what the export contains. */
    private void checkClaim() {
        if (start == null) {
            return;
        }
        String impossible = impossible();
        if (!impossible.isEmpty()) {
            incomplete(startLocation, "the description must be possible, but " + impossible);
        }
        String wrong = start.getChain() != null && start.getScope() != ExportScope.UNSPECIFIED
                ? wrongChain(start.getChain(), start.getScope() != ExportScope.TIME_RANGE)
                : switch (start.getScope()) {
                    case TIME_RANGE -> wrongRange();
                    case CHAIN -> "it names no chain";
                    case UNSPECIFIED -> startLocation.equals(RecordLocation.NONE) ? "" : "it has no scope";
                    case EVERYTHING -> endedLogs(true);
                };
        if (!wrong.isEmpty()) {
            incomplete(startLocation, "the description claims more than the export: " + wrong);
        }
    }

    /** Why no export has this description; empty if one may have it. */
    private String impossible() {
        boolean bounded = start.getFrom() != null || start.getTo() != null;
        return switch (start.getScope()) {
            case EVERYTHING -> bounded || start.getChain() != null ? "everything has no chain and no times" : "";
            case CHAIN -> bounded ? "a whole chain has no times" : "";
            case TIME_RANGE ->
                !bounded ? "its time range has no bound" : from > to ? "its end is before its begin" : "";
            case UNSPECIFIED -> "";
        };
    }

    /** Why the export is not the part of one chain that it claims to be; empty if it is. */
    private String wrongChain(String name, boolean whole) {
        for (ChainState chain : trail.chains().all()) {
            if (!chain.name().equals(name)) {
                return "it contains chain " + chain.name();
            }
            if (chain.skipped() > 0) {
                return "records inside the chain are omitted";
            }
            if (chain.first() > 0 && (whole || ofChain.firstTime >= from)) {
                return "the chain begins with sequence " + chain.first();
            }
        }
        if (trail.chains().chain(name).isEmpty()) {
            return "the chain has no records";
        }
        return signaturesVerified && !acceptsOpenEnd && !provesEnd(name)
                ? "no statement that a given key signed proves the end of the chain. Export it with --sign, or give"
                        + " --accept-open-end"
                : "";
    }

    /**
     * Whether a statement, or a record after the time range, proves that the export has the last records of a chain.
     */
    private boolean provesEnd(String name) {
        return trail.provesEnd(name) || start.getScope() == ExportScope.TIME_RANGE && ofChain.lastTime >= to;
    }

    /**
     * Why the export is not the time range of each log; empty if it is. Times mostly ascend in a log, so records prove
     * an edge: one before the range or the first of the log, and one after the range or the last.
     */
    private String wrongRange() {
        for (LogVerifier.Coverage log : trail.logs().coverage()) {
            Range range = ranges.getOrDefault(log.partition(), Range.EMPTY);
            long after = range.firstTime < from ? range.first : -1;
            long before = range.lastTime >= to ? range.last : Long.MAX_VALUE;
            if (trail.logs().leavesOut(log.partition(), after, before)) {
                return "only hashes stand for records of partition " + log.partition()
                        + " which may belong to the time range: between the last record before it and the first after it";
            }
        }
        return endedLogs(false);
    }

    /**
     * Why the logs end before the time range, or without an end of it, before the newest record; empty if none does.
     *
     * @param whole whether the export claims everything, which the last heads cover; statements follow them
     */
    private String endedLogs(boolean whole) {
        int missing = trail.logs().missingLog();
        if (missing >= 0) {
            return "the statement counts " + trail.logs().partitions() + " partitions, but no head covers partition "
                    + missing;
        }
        Instant end = Instant.ofEpochMilli(start.getTo() == null ? newest : to);
        Instant complete = whole
                ? Instant.ofEpochMilli(trail.logs().reachedTo()).plus(MAX_BEHIND)
                : trail.logs().completeTo().orElse(Instant.EPOCH);
        return complete.isBefore(end) ? "the logs are complete up to " + complete + ", not up to " + end : "";
    }

    private void take(ExportItem item, RecordLocation recordLocation) {
        if (item instanceof ExportItem.Damage damage) {
            report(FaultCode.UNREADABLE.at(recordLocation, damage.message()));
            return;
        }
        ExportStart first =
                item instanceof ExportItem.Entry entry ? entry.entry().getStart() : null;
        if (ended) {
            incomplete(recordLocation, "an entry follows the last entry");
        } else if (start == null && first == null) {
            incomplete(recordLocation, "the export does not start with its first entry");
            start = new ExportStart(Exporter.VERSION, Instant.EPOCH, ExportScope.UNSPECIFIED, null, null, null);
        }
        if (first != null) {
            begin(first, recordLocation);
        } else if (item instanceof ExportItem.Checked record) {
            CheckedRecord checked = record.checked();
            // The redactions of a range of records may follow it.
            boolean ofRange =
                    checked.auditRecord().getRedaction() == null || checked.time() >= from && checked.time() < to;
            report(trail.record(checked, recordLocation, ofRange && start.getChain() == null));
            ofChain.add(checked);
            newest = Math.max(newest, checked.time());
            if (ofRange) {
                ranges.computeIfAbsent(checked.log().getPartition(), partition -> new Range())
                        .add(checked);
            }
        } else if (item instanceof ExportItem.Entry entry) {
            take(entry.entry(), recordLocation);
        }
    }

    private void take(ExportEntry entry, RecordLocation recordLocation) {
        if (entry.getNote() != null) {
            notes++;
            requireBefore("a note", omitted + trail.chains().records(), recordLocation);
            report(trail.note(entry.getNote(), recordLocation));
        } else if (entry.getOmitted() != null) {
            omitted++;
            requireBefore("a hash of omitted records", trail.chains().records(), recordLocation);
            report(trail.logs().omitted(entry.getOmitted(), recordLocation));
        } else if (entry.getEnd() != null) {
            end(entry.getEnd(), recordLocation);
        }
    }

    private void requireBefore(String what, long entries, RecordLocation recordLocation) {
        if (entries > 0) {
            incomplete(recordLocation, what + " follows entries that must follow it");
        }
    }

    private void begin(ExportStart first, RecordLocation recordLocation) {
        if (start != null) {
            incomplete(recordLocation, "the first entry is repeated");
        } else if (first.getVersion() != Exporter.VERSION) {
            report(FaultCode.UNREADABLE.at(
                    recordLocation,
                    "the export has format version " + first.getVersion() + ", but this version of Parley reads "
                            + Exporter.VERSION));
        }
        start = first;
        startLocation = recordLocation;
        from = start.getFrom() == null ? Long.MIN_VALUE : start.getFrom().toEpochMilli();
        to = start.getTo() == null ? Long.MAX_VALUE : start.getTo().toEpochMilli();
    }

    private void end(ExportEnd said, RecordLocation recordLocation) {
        ended = true;
        long records = trail.chains().records();
        if (said.getRecords() != records || said.getOmitted() != omitted || said.getNotes() != notes) {
            incomplete(
                    recordLocation,
                    "the export declares " + said.getRecords() + " records, " + said.getOmitted()
                            + " hashes of omitted records and " + said.getNotes() + " notes, but contains " + records
                            + ", " + omitted + " and " + notes);
        }
    }

    /** Number of offsets between the first and last of each input partition that a full export does not contain. */
    private long unexplained() {
        if (start == null || start.getScope() != ExportScope.EVERYTHING) {
            return 0;
        }
        long absent = trail.inputs().values().stream()
                .mapToLong((InputOffsets offsets) -> offsets.end() - offsets.first() - offsets.count())
                .sum();
        return Math.max(0, absent - trail.deleted());
    }

    private void incomplete(RecordLocation location, String detail) {
        report(FaultCode.EXPORT_INCOMPLETE.at(location, detail));
    }

    private void report(List<AuditFault> some) {
        some.forEach(this::report);
    }

    private void report(AuditFault auditFault) {
        faults += auditFault.code().isNotice() ? 0 : 1;
        progressListener.found(auditFault);
    }
}
