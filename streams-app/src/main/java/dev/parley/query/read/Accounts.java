package dev.parley.query.read;

import dev.parley.audit.InputPartition;
import dev.parley.avro.Accounting;
import dev.parley.operations.progress.SourceProgress;
import dev.parley.topology.setup.Topics;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Sums the accounting by input partition: what was counted comes from the views, how far the input extends from the
 * brokers.
 */
public final class Accounts {

    /** The application whose sources are the inputs. */
    static final String PIPELINE = "pipeline";

    private Accounts() {}

    /**
     * Sums of counts.
     *
     * @param nextOffset offset after the last record that was counted; -1 when none was
     */
    public record Counts(
            long inputs,
            long accepted,
            long rejected,
            long flagged,
            long undecodable,
            long parked,
            long unread,
            long reread,
            long nextOffset) {

        public static final Counts NONE = new Counts(0, 0, 0, 0, 0, 0, 0, 0, -1);

        static Counts of(Accounting counts) {
            return new Counts(
                    counts.getInputs(),
                    counts.getAccepted(),
                    counts.getRejected(),
                    counts.getFlagged(),
                    counts.getUndecodable(),
                    counts.getParked(),
                    counts.getUnread(),
                    counts.getReread(),
                    counts.getNextOffset());
        }

        public Counts plus(Counts other) {
            return new Counts(
                    inputs + other.inputs,
                    accepted + other.accepted,
                    rejected + other.rejected,
                    flagged + other.flagged,
                    undecodable + other.undecodable,
                    parked + other.parked,
                    unread + other.unread,
                    reread + other.reread,
                    Math.max(nextOffset, other.nextOffset));
        }

        /** Inputs between the two halves of the pipeline, or in the internal dead letters. */
        public long pending() {
            return inputs - accepted - rejected - flagged - undecodable - parked;
        }
    }

    /**
     * An input partition: what was counted of it, and how far it extends.
     *
     * @param extent empty when it is not known
     */
    public record Account(InputPartition input, Counts counts, Optional<SourceProgress.Partition> extent) {

        /** Offsets that were neither committed nor counted; empty when they are not known. */
        public OptionalLong lag() {
            return extent.map(known -> OptionalLong.of(Math.min(
                            known.lag(), Math.max(0, known.end() - Math.max(0, counts.nextOffset())))))
                    .orElse(OptionalLong.empty());
        }

        /** Never so when it is not known whether something is left to be read. */
        public boolean balanced() {
            OptionalLong lag = lag();
            return counts.pending() == 0 && lag.isPresent() && lag.getAsLong() == 0;
        }
    }

    /** Every input partition of which something was counted, or of which something is there to be read. */
    public static List<Account> of(List<Accounting> accounting, Optional<SourceProgress> progress) {
        Map<InputPartition, Counts> sums = new TreeMap<>();
        accounting.forEach(counts -> sums.merge(
                new InputPartition(counts.getTopic(), counts.getPartition()), Counts.of(counts), Counts::plus));
        Map<InputPartition, SourceProgress.Partition> extents = new TreeMap<>();
        progress.ifPresent(known -> known.partitions().stream()
                .filter(partition -> partition.application().equals(PIPELINE))
                .filter(partition -> Topics.isPossibleSource(partition.topic()))
                .forEach(partition -> {
                    InputPartition input = new InputPartition(partition.topic(), partition.partition());
                    extents.put(input, partition);
                    if (partition.lag() > 0) {
                        sums.putIfAbsent(input, Counts.NONE);
                    }
                }));
        return sums.entrySet().stream()
                .map(entry ->
                        new Account(entry.getKey(), entry.getValue(), Optional.ofNullable(extents.get(entry.getKey()))))
                .toList();
    }
}
