package dev.parley.server.health;

import dev.parley.audit.InputPartition;
import dev.parley.avro.Accounting;
import dev.parley.json.model.AccountingReport;
import dev.parley.json.model.AccountingReport.Balanced;
import dev.parley.json.model.AccountingReport.Counts;
import dev.parley.json.model.AccountingReport.Partition;
import dev.parley.json.model.AccountingReport.Sample;
import dev.parley.topology.topics.Topics;
import dev.parley.topology.views.store.ViewsUnavailableException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Reports whether every input record has an outcome: inputs = accepted + rejected + flagged + undecodable + parked +
 * pending, and no records are unread. The counts come from the views, the ends of the inputs from measurements of
 * progress.
 */
public final class Accounts {
    /** Name of the Kafka Streams application that reads the inputs. */
    private static final String PIPELINE = "pipeline";
    /** Minutes of the history. */
    private static final int MINUTES = 60;

    private final Supplier<List<Accounting>> tasks;
    private final Map<InputPartition, BalancePoint> points = new TreeMap<>();
    private final Deque<Sample> history = new ArrayDeque<>();

    /** @param tasks returns the counts of all tasks, possibly several for an input partition */
    public Accounts(Supplier<List<Accounting>> tasks) {
        this.tasks = tasks;
    }

    /** Notes a measurement, from which follows up to which time the inputs are balanced. */
    public synchronized void observe(SourceProgress progress) {
        Map<InputPartition, SourceProgress.Partition> sources = inputs(Optional.of(progress));
        Map<InputPartition, PartitionCounts> counts;
        try {
            counts = counts(sources);
        } catch (ViewsUnavailableException e) {
            // While the views start; the last balanced ends stay true.
            return;
        }
        points.keySet().retainAll(sources.keySet());
        sources.forEach((input, source) -> points.computeIfAbsent(input, added -> new BalancePoint())
                .observe(counts.get(input), source, progress.time()));
        Counts total = report(sources, counts, progress.time()).total();
        Instant minute = progress.time().truncatedTo(ChronoUnit.MINUTES);
        Sample sample = new Sample(minute, total.lag(), total.pending());
        Sample last = history.peekLast();
        if (last != null && last.minute().equals(minute)) {
            history.removeLast();
            sample = new Sample(minute, Math.max(last.lag(), sample.lag()), Math.max(last.pending(), sample.pending()));
        }
        history.add(sample);
        if (history.size() > MINUTES) {
            history.removeFirst();
        }
    }

    /** The accounting of all input partitions that have counts or unread records. */
    public synchronized AccountingReport report(Optional<SourceProgress> progress) {
        Map<InputPartition, SourceProgress.Partition> sources = inputs(progress);
        return report(
                sources, counts(sources), progress.map(SourceProgress::time).orElse(null));
    }

    /** The largest lag and number of pending inputs in each of the last minutes, the oldest first. */
    public synchronized List<Sample> history() {
        return List.copyOf(history);
    }

    /** The progress in the partitions that the pipeline reads, without its repartition topic. */
    private static Map<InputPartition, SourceProgress.Partition> inputs(Optional<SourceProgress> progress) {
        return progress.stream()
                .flatMap(known -> known.partitions().stream())
                .filter(source -> source.application().equals(PIPELINE) && !Topics.isRepartition(source.topic()))
                .collect(Collectors.toMap(
                        source -> new InputPartition(source.topic(), source.partition()), Function.identity()));
    }

    /** The counts of these input partitions, and of all others that have some. */
    private Map<InputPartition, PartitionCounts> counts(Map<InputPartition, SourceProgress.Partition> sources) {
        Map<InputPartition, PartitionCounts> counts = new TreeMap<>();
        sources.keySet().forEach(input -> counts.put(input, new PartitionCounts()));
        tasks.get()
                .forEach(task -> counts.computeIfAbsent(
                                new InputPartition(task.getTopic(), task.getPartition()),
                                added -> new PartitionCounts())
                        .add(task));
        return counts;
    }

    private AccountingReport report(
            Map<InputPartition, SourceProgress.Partition> sources,
            Map<InputPartition, PartitionCounts> counts,
            Instant asOf) {
        List<Partition> partitions = counts.entrySet().stream()
                .map(input -> partition(
                        input.getKey(),
                        input.getValue(),
                        Optional.ofNullable(sources.get(input.getKey())),
                        Optional.ofNullable(points.get(input.getKey())).flatMap(BalancePoint::balanced)))
                .filter(partition -> partition.counts().inputs() > 0
                        || partition.counts().lag() == null
                        || partition.counts().lag() > 0)
                .toList();
        List<Optional<Balanced>> ends = sources.keySet().stream()
                .map(input -> Optional.ofNullable(points.get(input)).flatMap(BalancePoint::balanced))
                .toList();
        return new AccountingReport(
                partitions,
                partitions.stream().map(Partition::counts).reduce(Counts.NONE, Counts::plus),
                asOf,
                ends.stream().allMatch(Optional::isPresent)
                        ? ends.stream()
                                .map(end -> end.get().time())
                                .min(Comparator.naturalOrder())
                                .orElse(null)
                        : null,
                partitions.stream().allMatch(partition -> partition.counts().balanced()));
    }

    private static Partition partition(
            InputPartition input,
            PartitionCounts counts,
            Optional<SourceProgress.Partition> source,
            Optional<Balanced> balanced) {
        // Offsets that were neither committed nor counted.
        Optional<Long> lag = source.map(known -> Math.min(known.lag(), Math.max(0, known.end() - counts.nextOffset())));
        Optional<SourceProgress.Stall> stall = source.flatMap(SourceProgress.Partition::stall);
        Optional<SourceProgress.Transaction> transaction = stall.flatMap(SourceProgress.Stall::transaction);
        return new Partition(
                input.topic(),
                input.partition(),
                counts.report(lag.orElse(null)),
                source.map(SourceProgress.Partition::position).orElse(null),
                source.map(SourceProgress.Partition::end).orElse(null),
                balanced.orElse(null),
                stall.map(SourceProgress.Stall::since).orElse(null),
                stall.map(known -> known.cause().name()).orElse(null),
                transaction.map(SourceProgress.Transaction::producerId).orElse(null),
                transaction.map(SourceProgress.Transaction::id).orElse(null));
    }
}
