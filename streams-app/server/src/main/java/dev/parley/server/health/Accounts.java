package dev.parley.server.health;

import dev.parley.audit.InputPartition;
import dev.parley.avro.Accounting;
import dev.parley.topology.topics.Topics;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Sums the accounting by input partition. The counts come from the views; the end of each input partition comes from
 * the brokers.
 */
public final class Accounts {

    /** Name of the Kafka Streams application that reads the inputs. */
    static final String PIPELINE = "pipeline";

    private Accounts() {}

    /**
     * Counts of one or more tasks.
     *
     * @param nextOffset offset after the last counted record; -1 if none was counted
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

        /** Records between the stages of the pipeline, or in the internal dead letters. */
        public long pending() {
            return inputs - accepted - rejected - flagged - undecodable - parked;
        }
    }

    /**
     * The counts of an input partition, and how far the pipeline has read it.
     *
     * @param progress empty if the brokers have not reported it
     */
    public record Account(InputPartition input, Counts counts, Optional<SourceProgress.Partition> progress) {

        /** Offsets that were neither committed nor counted; empty if unknown. */
        public Optional<Long> lag() {
            return progress.map(known ->
                    Math.min(known.lag(), Math.max(0, known.end() - Math.max(0, counts.nextOffset()))));
        }

        /** Whether every record was counted and has a verdict; false if the lag is unknown. */
        public boolean balanced() {
            return counts.pending() == 0 && lag().filter(lag -> lag == 0).isPresent();
        }
    }

    /** The accounts of all input partitions that have counts or unread records. */
    public static List<Account> of(List<Accounting> accounting, Optional<SourceProgress> progress) {
        Map<InputPartition, Counts> sums = new TreeMap<>();
        accounting.forEach(counts -> sums.merge(
                new InputPartition(counts.getTopic(), counts.getPartition()), Counts.of(counts), Counts::plus));
        Map<InputPartition, SourceProgress.Partition> partitions = new TreeMap<>();
        progress.ifPresent(known -> known.partitions().stream()
                .filter(partition -> partition.application().equals(PIPELINE))
                .filter(partition -> !Topics.isRepartition(partition.topic()))
                .forEach(partition -> {
                    InputPartition input = new InputPartition(partition.topic(), partition.partition());
                    partitions.put(input, partition);
                    if (partition.lag() > 0) {
                        sums.putIfAbsent(input, Counts.NONE);
                    }
                }));
        return sums.entrySet().stream()
                .map(entry -> new Account(
                        entry.getKey(), entry.getValue(), Optional.ofNullable(partitions.get(entry.getKey()))))
                .toList();
    }
}
