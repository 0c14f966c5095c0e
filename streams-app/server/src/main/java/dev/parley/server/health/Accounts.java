package dev.parley.server.health;

import dev.parley.audit.InputPartition;
import dev.parley.avro.Accounting;
import dev.parley.json.model.AccountingReport;
import dev.parley.json.model.AccountingReport.Counts;
import dev.parley.json.model.AccountingReport.Partition;
import dev.parley.topology.topics.Topics;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Reports whether every input record has a verdict: inputs = accepted + rejected + flagged + undecodable + parked, and
 * no records are unread. The counts come from the views, the ends of the inputs from the last measurement of progress.
 */
public final class Accounts {

    /** Name of the Kafka Streams application that reads the inputs. */
    private static final String PIPELINE = "pipeline";

    private Accounts() {}

    /**
     * The accounting of all input partitions that have counts or unread records.
     *
     * @param accounting counts of the tasks, possibly several for a partition
     * @param progress empty if the brokers have not reported it
     */
    public static AccountingReport report(List<Accounting> accounting, Optional<SourceProgress> progress) {
        Map<InputPartition, Accounting> sums = new TreeMap<>();
        accounting.forEach(counts ->
                sums.merge(new InputPartition(counts.getTopic(), counts.getPartition()), counts, Accounts::plus));
        Map<InputPartition, SourceProgress.Partition> sources = new TreeMap<>();
        progress.ifPresent(known -> known.partitions().stream()
                .filter(source -> source.application().equals(PIPELINE) && !Topics.isRepartition(source.topic()))
                .forEach(source -> {
                    InputPartition input = new InputPartition(source.topic(), source.partition());
                    sources.put(input, source);
                    if (source.lag() > 0) {
                        sums.putIfAbsent(input, none(source.topic(), source.partition()));
                    }
                }));
        List<Partition> partitions = sums.entrySet().stream()
                .map(sum -> partition(sum.getValue(), Optional.ofNullable(sources.get(sum.getKey()))))
                .toList();
        Long lag = progress.isEmpty()
                        || partitions.stream()
                                .anyMatch(partition -> partition.counts().lag() == null)
                ? null
                : (Long) partitions.stream()
                        .mapToLong(partition -> partition.counts().lag())
                        .sum();
        return new AccountingReport(
                partitions,
                counts(sums.values().stream().reduce(none("", 0), Accounts::plus), lag),
                progress.map(SourceProgress::time).orElse(null),
                lag != null
                        && partitions.stream()
                                .allMatch(partition -> partition.counts().balanced()));
    }

    private static Accounting none(String topic, int partition) {
        return Accounting.newBuilder().setTopic(topic).setPartition(partition).build();
    }

    private static Accounting plus(Accounting some, Accounting other) {
        return Accounting.newBuilder(some)
                .setInputs(some.getInputs() + other.getInputs())
                .setAccepted(some.getAccepted() + other.getAccepted())
                .setRejected(some.getRejected() + other.getRejected())
                .setFlagged(some.getFlagged() + other.getFlagged())
                .setUndecodable(some.getUndecodable() + other.getUndecodable())
                .setParked(some.getParked() + other.getParked())
                .setUnread(some.getUnread() + other.getUnread())
                .setReread(some.getReread() + other.getReread())
                .setNextOffset(Math.max(some.getNextOffset(), other.getNextOffset()))
                .build();
    }

    private static Partition partition(Accounting sum, Optional<SourceProgress.Partition> source) {
        // Offsets that were neither committed nor counted.
        Optional<Long> lag =
                source.map(known -> Math.min(known.lag(), Math.max(0, known.end() - Math.max(0, sum.getNextOffset()))));
        Optional<SourceProgress.Stall> stall = source.flatMap(SourceProgress.Partition::stall);
        Optional<SourceProgress.Transaction> transaction = stall.flatMap(SourceProgress.Stall::transaction);
        return new Partition(
                sum.getTopic(),
                sum.getPartition(),
                counts(sum, lag.orElse(null)),
                source.map(SourceProgress.Partition::position).orElse(null),
                source.map(SourceProgress.Partition::end).orElse(null),
                stall.map(SourceProgress.Stall::since).orElse(null),
                stall.map(known -> known.cause().name()).orElse(null),
                transaction.map(SourceProgress.Transaction::producerId).orElse(null),
                transaction.map(SourceProgress.Transaction::id).orElse(null));
    }

    /** @param lag null if unknown */
    private static Counts counts(Accounting sum, Long lag) {
        // Records between the stages of the pipeline, or in the internal dead letters.
        long pending = sum.getInputs()
                - sum.getAccepted()
                - sum.getRejected()
                - sum.getFlagged()
                - sum.getUndecodable()
                - sum.getParked();
        return new Counts(
                sum.getInputs(),
                sum.getAccepted(),
                sum.getRejected(),
                sum.getFlagged(),
                sum.getUndecodable(),
                sum.getParked(),
                pending,
                sum.getUnread(),
                sum.getReread(),
                lag,
                pending == 0 && lag != null && lag == 0);
    }
}
