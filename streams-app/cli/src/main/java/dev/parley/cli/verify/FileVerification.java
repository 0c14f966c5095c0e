package dev.parley.cli.verify;

import dev.parley.audit.AuditFault;
import dev.parley.audit.AuditTrailVerifier;
import dev.parley.audit.ChainState;
import dev.parley.audit.ChainVerifier.Extent;
import dev.parley.audit.FaultCode;
import dev.parley.audit.HeadSignatureVerifier;
import dev.parley.audit.InputOffsets;
import dev.parley.audit.RecordLocation;
import dev.parley.audit.Redactions;
import dev.parley.avro.ExportChain;
import dev.parley.avro.ExportEnd;
import dev.parley.avro.ExportEntry;
import dev.parley.avro.ExportScope;
import dev.parley.avro.ExportStart;
import dev.parley.cli.export.ExportItem;
import dev.parley.cli.export.ExportItems;
import dev.parley.cli.export.ExportReader;
import dev.parley.cli.export.NotAnExportException;
import dev.parley.cli.export.ProgressListener;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Verifies an export by itself: its chains, its chain heads, and its completeness. */
public final class FileVerification {
    private static final int VERSION = 1;

    /** Lines that are read before a file without an entry is not taken for an export. */
    private static final int MAX_FOREIGN_LINES = 100;

    private final HeadSignatureVerifier keys;
    private final ProgressListener progressListener;
    private final StoredManifests since;
    private final int threads;
    private AuditTrailVerifier trail;
    private ExportStart start;
    private long chains;
    private boolean ended;
    private long faults;

    /**
     * Creates a verification of one file with one thread.
     *
     * @param keys the public keys of trusted head signers
     * @param progressListener listener for faults and for progress in bytes
     */
    public FileVerification(HeadSignatureVerifier keys, ProgressListener progressListener) {
        this(keys, StoredManifests.NONE, 1, progressListener);
    }

    /**
     * Creates a verification of one file. The result and the order of faults do not depend on the number of threads.
     *
     * @param keys the public keys of trusted signers of heads and manifests
     * @param since stored manifests that the export must continue
     * @param threads number of threads that decode entries and compute their hashes
     * @param progressListener listener for faults and for progress in bytes; the calling thread calls it
     */
    public FileVerification(
            HeadSignatureVerifier keys, StoredManifests since, int threads, ProgressListener progressListener) {
        this.keys = keys;
        this.since = since;
        this.threads = threads;
        this.progressListener = progressListener;
    }

    /**
     * Result of the verification.
     *
     * @param found the verified content
     * @param start the first entry of the export; empty if it is missing
     */
    public record Result(VerificationSummary found, Optional<ExportStart> start) {}

    /**
     * Verifies a file.
     *
     * @throws NotAnExportException if the file is something else than an export
     * @throws IOException if the file cannot be read
     */
    public Result run(Path file) throws IOException {
        long size = Files.size(file);
        if (size == 0) {
            throw new NotAnExportException(file, "The file is empty");
        }
        String name = String.valueOf(file.getFileName());
        RecordLocation recordLocation = RecordLocation.inFile(name, 0);
        trail = new AuditTrailVerifier(extent(), keys);
        since.entries().forEach(stored -> report(trail.stored(stored.manifest(), stored.location())));
        try (FileChannel channel = FileChannel.open(file);
                ExportReader reader = ExportReader.of(Channels.newInputStream(channel));
                ExportItems items = new ExportItems(reader, true, threads)) {
            List<AuditFault> foreign = new ArrayList<>();
            boolean foreignSoFar = !reader.beginsLikeExport();
            for (long number = 1; ; number++) {
                recordLocation = RecordLocation.inFile(name, number);
                Optional<ExportItem> item = items.next();
                if (item.isEmpty()) {
                    break;
                }
                if (item.get() instanceof ExportItem.Damage damage) {
                    AuditFault fault = AuditFault.withoutChain(FaultCode.UNREADABLE, recordLocation, damage.message());
                    if (foreignSoFar && foreign.size() < MAX_FOREIGN_LINES) {
                        foreign.add(fault);
                    } else if (foreignSoFar) {
                        break;
                    } else {
                        report(fault);
                    }
                    if (damage.last()) {
                        break;
                    }
                } else {
                    foreignSoFar = false;
                    report(foreign);
                    foreign.clear();
                    take(item.get(), recordLocation);
                }
                progressListener.progress(channel.position(), size);
            }
            if (!foreign.isEmpty()) {
                AuditFault first = foreign.get(0);
                throw new NotAnExportException(file, first.location() + ": " + first.detail());
            }
        }
        if (!ended) {
            report(AuditFault.withoutChain(
                    FaultCode.EXPORT_INCOMPLETE, recordLocation, "the last entry of the export is missing"));
        }
        report(trail.finish());
        compareRedactions(file);
        VerificationSummary.Unrecorded unrecorded =
                new VerificationSummary.Unrecorded(0, 0, 0, 0, unexplained(), trail.deleted());
        return new Result(VerificationSummary.of(trail, unrecorded, faults), Optional.ofNullable(start));
    }

    /** Reads the file again if it contains redactions, and reports those that name no record in it. */
    private void compareRedactions(Path file) throws IOException {
        Redactions redactions = trail.chains().redactions();
        if (!redactions.hasUnlocated()) {
            return;
        }
        try (ExportItems items = new ExportItems(ExportReader.of(Files.newInputStream(file)), true, threads)) {
            for (Optional<ExportItem> item = items.next(); item.isPresent(); item = items.next()) {
                if (item.get() instanceof ExportItem.Checked record) {
                    redactions.locate(record.checked());
                }
            }
        }
        report(trail.chains().unfounded());
    }

    private Extent extent() {
        return new Extent() {
            @Override
            public boolean mayBeginLate(RecordLocation recordLocation) {
                return start != null && (start.getTruncated() || isPart());
            }

            @Override
            public boolean mayEndEarly() {
                return isPart();
            }

            @Override
            public boolean hasWholeJournals() {
                return start != null && start.getScope() == ExportScope.EVERYTHING;
            }
        };
    }

    private boolean isPart() {
        return start != null && start.getScope() == ExportScope.TIME_RANGE;
    }

    private void take(ExportItem item, RecordLocation recordLocation) {
        ExportStart first =
                item instanceof ExportItem.Entry entry ? entry.entry().getStart() : null;
        if (ended) {
            report(AuditFault.withoutChain(
                    FaultCode.EXPORT_INCOMPLETE, recordLocation, "an entry follows the last entry"));
        } else if (start == null && first == null) {
            report(AuditFault.withoutChain(
                    FaultCode.EXPORT_INCOMPLETE, recordLocation, "the export does not start with its first entry"));
            start = new ExportStart(VERSION, Instant.EPOCH, ExportScope.UNSPECIFIED, null, null, null, false);
        }
        if (first != null) {
            begin(first, recordLocation);
        } else if (item instanceof ExportItem.Checked record) {
            report(trail.record(record.checked(), recordLocation));
        } else if (item instanceof ExportItem.Entry entry) {
            take(entry.entry(), recordLocation);
        }
    }

    private void take(ExportEntry entry, RecordLocation recordLocation) {
        if (entry.getHead() != null) {
            report(trail.head(entry.getHead(), recordLocation));
        } else if (entry.getManifest() != null) {
            if (trail.chains().records() > 0) {
                report(AuditFault.withoutChain(
                        FaultCode.EXPORT_INCOMPLETE, recordLocation, "a manifest follows the first record"));
            }
            report(trail.manifest(entry.getManifest(), recordLocation));
        } else if (entry.getChain() != null) {
            chains++;
            compare(entry.getChain(), recordLocation);
        } else if (entry.getEnd() != null) {
            end(entry.getEnd(), recordLocation);
        }
    }

    private void begin(ExportStart first, RecordLocation recordLocation) {
        if (start != null) {
            report(AuditFault.withoutChain(FaultCode.EXPORT_INCOMPLETE, recordLocation, "the first entry is repeated"));
        } else if (first.getVersion() != VERSION) {
            report(AuditFault.withoutChain(
                    FaultCode.UNREADABLE,
                    recordLocation,
                    "the export has format version " + first.getVersion() + ", but this version of Parley reads "
                            + VERSION));
        }
        start = first;
    }

    private void compare(ExportChain said, RecordLocation recordLocation) {
        Optional<ChainState> chain = trail.chains().chain(said.getChain());
        if (chain.isEmpty()) {
            report(new AuditFault(
                    FaultCode.CHAIN_MISSING,
                    recordLocation,
                    said.getChain(),
                    said.getLast(),
                    "the chain has no records"));
        } else if (chain.get().last() < said.getLast()) {
            report(new AuditFault(
                    FaultCode.TAIL_CUT,
                    chain.get().location(),
                    said.getChain(),
                    chain.get().last(),
                    "the chain ends here, but was exported to sequence " + said.getLast()));
        } else if (chain.get().first() != said.getFirst()
                || chain.get().last() != said.getLast()
                || !chain.get().hash().equals(said.getLastHash())) {
            report(new AuditFault(
                    FaultCode.EXPORT_INCOMPLETE,
                    recordLocation,
                    said.getChain(),
                    said.getLast(),
                    "the chain was exported from " + said.getFirst() + " to " + said.getLast() + ", but contains "
                            + chain.get().first() + " to " + chain.get().last()
                            + " or has another last hash"));
        }
    }

    private void end(ExportEnd said, RecordLocation recordLocation) {
        ended = true;
        long records = trail.chains().records();
        long heads = trail.chains().heads();
        long manifests = trail.journals().manifests();
        if (said.getRecords() != records
                || said.getHeads() != heads
                || said.getChains() != chains
                || said.getManifests() != manifests) {
            report(AuditFault.withoutChain(
                    FaultCode.EXPORT_INCOMPLETE,
                    recordLocation,
                    "the export declares " + said.getRecords() + " records, " + said.getHeads() + " heads, "
                            + said.getChains() + " chains and " + said.getManifests() + " manifests, but contains "
                            + records + ", " + heads + ", " + chains + " and "
                            + manifests));
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

    private void report(List<AuditFault> some) {
        some.forEach(this::report);
    }

    private void report(AuditFault auditFault) {
        faults += auditFault.code().isNotice() ? 0 : 1;
        progressListener.found(auditFault);
    }
}
