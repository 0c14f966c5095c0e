package dev.parley.server.health;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The times between which statistics are complete.
 *
 * @param closing time after a minute in which its rows are written if the traffic counts are not behind
 * @param retention time for which the views keep rows; empty if they keep all
 * @param progress returns the last measurement; empty if there was none
 */
public record StatisticBounds(
        Duration closing, Optional<Duration> retention, Supplier<Optional<SourceProgress>> progress) {
    /** Bounds that are unknown, of views that keep all. */
    public static final StatisticBounds UNKNOWN = new StatisticBounds(Duration.ZERO, Optional.empty(), Optional::empty);

    /** Applications that statistics pass. */
    private static final List<String> APPLICATIONS = List.of("pipeline", "traffic", "views");

    /** Records that arrived before are not overdue, however short ago they were read. */
    private static final Duration READ = Duration.ofMinutes(1);

    /** End of the last minute that will not change, or null if that is unknown, or records are overdue. */
    public Instant completeTo() {
        return progress.get()
                .filter(known -> APPLICATIONS.stream().allMatch(name -> isCurrent(known, name)))
                .map(known -> known.time().minus(closing).minus(READ).truncatedTo(ChronoUnit.MINUTES))
                .orElse(null);
    }

    private static boolean isCurrent(SourceProgress known, String application) {
        List<SourceProgress.Partition> sources = known.partitions().stream()
                .filter(source -> source.application().equals(application))
                .toList();
        return !sources.isEmpty() && sources.stream().allMatch(source -> source.overdue() == 0);
    }

    /** Time before which the views may have deleted rows, or null if they keep all. */
    public Instant keptFrom() {
        return retention.map(Instant.now()::minus).orElse(null);
    }
}
