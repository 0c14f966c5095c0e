package dev.parley.audit;

import dev.parley.audit.ChainVerifier.Extent;
import dev.parley.avro.AuditManifest;
import dev.parley.avro.JournalPosition;
import dev.parley.decode.Sha256;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Verifies journals from stored manifests, then published manifests, then records. Keeps about 60 bytes per manifest,
 * and the hashes of at most {@value #MAX_HELD} records that arrive out of order because a journal's records are in
 * several partitions. Not thread-safe.
 */
public final class Journals {
    /** Maximum number of records held until their predecessors arrive. */
    static final int MAX_HELD = 500_000;

    private final HeadSignatureVerifier keys;
    private final Extent extent;
    private final Map<Integer, Progress> journals = new TreeMap<>();
    private Progress last;
    private int held;
    private long uncovered;
    private long manifests;

    Journals(Extent extent, HeadSignatureVerifier keys) {
        this.extent = extent;
        this.keys = keys;
    }

    /** Names a manifest in a sentence. */
    static String name(AuditManifest manifest) {
        return "manifest " + manifest.getNumber() + " of journal " + manifest.getPartition();
    }

    /** Number of published manifests seen. */
    public long manifests() {
        return manifests;
    }

    /** Number of records that no manifest covers yet. */
    public long uncovered() {
        return uncovered;
    }

    /** Adds a stored manifest, in the order of its journal; before any published manifest. */
    List<AuditFault> stored(AuditManifest manifest, RecordLocation location) {
        Optional<AuditFault> unproven = keys.check(manifest, location);
        if (unproven.isPresent()) {
            return List.of(unproven.get());
        }
        journal(manifest.getPartition()).stored.put(manifest.getNumber(), new Stored(manifest, location));
        return List.of();
    }

    /** Adds the next published manifest of any journal; before all records. */
    List<AuditFault> manifest(AuditManifest manifest, RecordLocation location) {
        manifests++;
        return journal(manifest.getPartition()).publish(manifest, location);
    }

    /** Adds the next record. */
    List<AuditFault> record(CheckedRecord checked, RecordLocation location) {
        JournalPosition position = checked.journal();
        Progress journal = journal(position.getPartition());
        if (position.getOrdinal() > journal.covered()) {
            uncovered++;
        }
        return journal.record(position.getOrdinal(), checked, location);
    }

    /** Whether a valid manifest covers a record. */
    boolean covers(JournalPosition position) {
        return position.getOrdinal() <= journal(position.getPartition()).covered();
    }

    List<AuditFault> finish() {
        List<AuditFault> faults = new ArrayList<>();
        journals.values().forEach(journal -> journal.finish(faults));
        return faults;
    }

    /** The journal of a partition, which is usually that of the last record. */
    private Progress journal(int partition) {
        if (last == null || last.partition != partition) {
            last = journals.computeIfAbsent(partition, Progress::new);
        }
        return last;
    }

    /** A stored manifest and its result. */
    private static final class Stored {
        private final AuditManifest manifest;
        private final RecordLocation location;
        private boolean published;
        private boolean told;
        private boolean reached;

        Stored(AuditManifest manifest, RecordLocation location) {
            this.manifest = manifest;
            this.location = location;
        }

        void report(String why, List<AuditFault> faults) {
            if (!told) {
                told = true;
                faults.add(AuditFault.withoutChain(
                        FaultCode.NOT_CONTINUED,
                        location,
                        name(manifest) + ", at ordinal " + manifest.getRecords() + ": " + why));
            }
        }
    }

    private record Held(byte[] hash, boolean first) {}

    /** One journal: its progress through the records, and its manifests. */
    private final class Progress {
        private final int partition;
        private final TreeMap<Long, Stored> stored = new TreeMap<>();
        private final Map<Long, List<Stored>> storedAt = new HashMap<>();
        private final TreeMap<Long, Held> early = new TreeMap<>();
        private final MessageDigest sha256 = Sha256.digest();

        // Manifests: ordinals, chains, locations and roots.
        private int count;
        private long[] ordinals = new long[8];
        private long[] begun = new long[8];
        private long[] numbers = new long[8];
        private RecordLocation[] places = new RecordLocation[8];
        private byte[] roots = new byte[8 * AuditChain.HASH_BYTES];
        private long lastNumber;
        private long lastRecords;
        private ByteBuffer lastHash = AuditChain.genesis();
        private RecordLocation lastPlace = RecordLocation.NONE;
        private long coveredRecords;

        // Records.
        private boolean started;
        private boolean known = true;
        private long from = 1;
        private long next = 1;
        private byte[] root = new byte[AuditChain.HASH_BYTES];
        private long chains;
        private int checked;

        Progress(int partition) {
            this.partition = partition;
        }

        long covered() {
            return coveredRecords;
        }

        List<AuditFault> publish(AuditManifest manifest, RecordLocation location) {
            List<AuditFault> faults = new ArrayList<>();
            Optional<AuditFault> unproven = keys.check(manifest, location);
            // The key may have been configured after the first manifests: the first signed manifest proves the earlier
            // ones by its hash of them.
            if (unproven.isPresent() && (unproven.get().code() == FaultCode.MANIFEST_FORGED || coveredRecords > 0)) {
                return List.of(unproven.get());
            }
            if (manifest.getNumber() <= lastNumber || manifest.getRecords() < lastRecords) {
                return List.of(AuditFault.withoutChain(
                        FaultCode.MANIFEST_REPLAYED,
                        location,
                        name(manifest) + " at ordinal " + manifest.getRecords() + " comes after number " + lastNumber
                                + " at ordinal " + lastRecords));
            }
            if (extent.hasWholeJournals()) {
                if (manifest.getNumber() != lastNumber + 1) {
                    faults.add(AuditFault.withoutChain(
                            FaultCode.MANIFEST_MISSING,
                            location,
                            "manifests " + (lastNumber + 1) + " to " + (manifest.getNumber() - 1) + " of journal "
                                    + partition + " are missing before this one"));
                } else if (!manifest.getPreviousHash().equals(lastHash)) {
                    faults.add(AuditFault.withoutChain(
                            FaultCode.MANIFEST_BROKEN,
                            location,
                            name(manifest) + " does not contain the hash of the previous one"));
                }
            }
            lastNumber = manifest.getNumber();
            lastRecords = manifest.getRecords();
            lastHash = Manifests.hash(manifest);
            lastPlace = location;
            if (unproven.isEmpty()) {
                coveredRecords = manifest.getRecords();
            }
            keep(manifest, location);
            Stored same = stored.get(manifest.getNumber());
            if (same != null) {
                same.published = Manifests.hash(same.manifest).equals(lastHash);
                if (!same.published) {
                    same.report("the published manifest with that number differs, " + location, faults);
                }
            }
            return faults;
        }

        private void keep(AuditManifest manifest, RecordLocation location) {
            if (count == ordinals.length) {
                ordinals = Arrays.copyOf(ordinals, 2 * count);
                begun = Arrays.copyOf(begun, 2 * count);
                numbers = Arrays.copyOf(numbers, 2 * count);
                places = Arrays.copyOf(places, 2 * count);
                roots = Arrays.copyOf(roots, 2 * count * AuditChain.HASH_BYTES);
            }
            ordinals[count] = manifest.getRecords();
            begun[count] = manifest.getChains();
            numbers[count] = manifest.getNumber();
            places[count] = location;
            // No journal has a root of another length.
            byte[] bytes = Arrays.copyOf(Journal.bytes(manifest.getRoot()), AuditChain.HASH_BYTES);
            System.arraycopy(bytes, 0, roots, count * AuditChain.HASH_BYTES, AuditChain.HASH_BYTES);
            count++;
        }

        List<AuditFault> record(long ordinal, CheckedRecord checked, RecordLocation location) {
            List<AuditFault> faults = new ArrayList<>(0);
            boolean first = !started;
            if (first) {
                started = true;
                stored.values()
                        .forEach(each -> storedAt.computeIfAbsent(each.manifest.getRecords(), at -> new ArrayList<>(1))
                                .add(each));
            }
            if (!extent.hasWholeJournals()) {
                return faults;
            }
            if (first && ordinal > 1 && extent.mayBeginLate(location)) {
                anchor(ordinal);
            }
            if (ordinal == next) {
                advance(checked.hash(), checked.sequence() == 0, faults);
                drain(faults);
            } else if (ordinal < next) {
                if (ordinal >= from || ordinal < 1) {
                    faults.add(repeated(ordinal, checked, location));
                }
            } else if (early.putIfAbsent(ordinal, new Held(checked.hash(), checked.sequence() == 0)) != null) {
                faults.add(repeated(ordinal, checked, location));
            } else if (++held > MAX_HELD) {
                skip(faults);
            }
            return faults;
        }

        private AuditFault repeated(long ordinal, CheckedRecord checked, RecordLocation location) {
            return AuditFault.of(
                    FaultCode.JOURNAL_REPEATED,
                    location,
                    checked,
                    "journal " + partition + " already has a record with ordinal " + ordinal);
        }

        /** Starts after expired records, at the first manifest from which the remaining records can be hashed. */
        private void anchor(long ordinal) {
            while (checked < count && ordinals[checked] < ordinal - 1) {
                checked++;
            }
            if (checked < count) {
                next = ordinals[checked] + 1;
                adopt(checked);
                checked++;
            } else {
                next = ordinal;
                known = false;
            }
            from = next;
        }

        private void adopt(int manifest) {
            root = Arrays.copyOfRange(roots, manifest * AuditChain.HASH_BYTES, (manifest + 1) * AuditChain.HASH_BYTES);
            chains = begun[manifest];
            known = true;
        }

        private void drain(List<AuditFault> faults) {
            while (!early.isEmpty() && early.firstKey() == next) {
                Held now = early.pollFirstEntry().getValue();
                held--;
                advance(now.hash, now.first, faults);
            }
        }

        private void advance(byte[] hash, boolean firstOfChain, List<AuditFault> faults) {
            if (known) {
                root = Journal.advance(sha256, root, hash);
                chains += firstOfChain ? 1 : 0;
            }
            long ordinal = next++;
            if (!storedAt.isEmpty()) {
                compareStored(ordinal, faults);
            }
            while (checked < count && ordinals[checked] <= ordinal) {
                if (ordinals[checked] == ordinal) {
                    compare(faults);
                }
                checked++;
            }
        }

        private void compare(List<AuditFault> faults) {
            int at = checked * AuditChain.HASH_BYTES;
            boolean same = Arrays.equals(root, 0, root.length, roots, at, at + AuditChain.HASH_BYTES)
                    && chains == begun[checked];
            if (known && !same) {
                faults.add(AuditFault.withoutChain(
                        FaultCode.MANIFEST_MISMATCH,
                        places[checked],
                        "journal " + partition + " and manifest " + numbers[checked]
                                + " differ in root or number of chains at ordinal " + ordinals[checked]));
            }
            // Verify the rest of the journal independently of this mismatch.
            adopt(checked);
        }

        private void compareStored(long ordinal, List<AuditFault> faults) {
            for (Stored each : storedAt.getOrDefault(ordinal, List.of())) {
                if (known) {
                    each.reached = true;
                    if (!Arrays.equals(root, Journal.bytes(each.manifest.getRoot()))
                            || chains != each.manifest.getChains()) {
                        each.report("the journal has another root or number of chains there", faults);
                    }
                }
            }
        }

        /** Reports the missing ordinals before the next record, and continues after them. */
        private void skip(List<AuditFault> faults) {
            long to = early.firstKey();
            faults.add(AuditFault.withoutChain(
                    FaultCode.JOURNAL_GAP,
                    RecordLocation.of("journal-" + partition, next),
                    "journal " + partition + " lacks the records of ordinals " + next + " to " + (to - 1)));
            known = false;
            next = to;
            while (checked < count && ordinals[checked] < to) {
                // The journal is unknown there; continue from the manifest.
                if (ordinals[checked] == to - 1) {
                    adopt(checked);
                }
                checked++;
            }
            drain(faults);
        }

        void finish(List<AuditFault> faults) {
            if (!keys.isEmpty() && started && coveredRecords == 0) {
                faults.add(
                        lastNumber > 0
                                ? AuditFault.withoutChain(
                                        FaultCode.MANIFEST_UNSIGNED,
                                        lastPlace,
                                        "no manifest of journal " + partition + " is signed by a given key")
                                : AuditFault.withoutChain(
                                        FaultCode.MANIFEST_MISSING,
                                        RecordLocation.of("journal-" + partition, next - 1),
                                        "journal " + partition + " has no manifest"));
            }
            if (extent.hasWholeJournals()) {
                while (!early.isEmpty()) {
                    skip(faults);
                }
                if (lastRecords >= next && (started || !extent.mayBeginLate(RecordLocation.NONE))) {
                    faults.add(AuditFault.withoutChain(
                            FaultCode.JOURNAL_CUT,
                            RecordLocation.of("journal-" + partition, next - 1),
                            "journal " + partition + " ends here, but manifest " + lastNumber
                                    + " was published at ordinal " + lastRecords));
                }
            }
            for (Stored each : stored.values()) {
                if (!extent.hasWholeJournals()) {
                    each.report("a partial export cannot prove it; verify the topics or a full export", faults);
                } else if (!each.reached && !(each.published && extent.mayBeginLate(RecordLocation.NONE))) {
                    each.report(
                            next <= each.manifest.getRecords()
                                    ? "the journal ends at ordinal " + (next - 1)
                                    : "earlier records have expired or are missing, and the manifest is not published",
                            faults);
                }
            }
        }
    }
}
