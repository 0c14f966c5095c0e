package dev.parley.server.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class StatisticBoundsTest {
    private static final Instant NOW = Instant.parse("2026-11-30T21:50:30Z");

    @Test
    void minutesAreCompleteOnceTheyAreClosedAndAllApplicationsHaveReadThem() {
        assertThat(completeTo("pipeline", "traffic", "views")).isEqualTo("2026-11-30T21:47:00Z");
    }

    @Test
    void nothingIsKnownToBeCompleteWhileRecordsAreOverdueOrAnApplicationIsUnknown() {
        assertThat(completeTo("pipeline", "traffic", "views", "views-1")).isNull();
        assertThat(completeTo("pipeline", "views")).isNull();
        assertThat(StatisticBounds.UNKNOWN.completeTo()).isNull();
        assertThat(StatisticBounds.UNKNOWN.keptFrom()).isNull();
    }

    /** @param applications names with the number of overdue records */
    private static Instant completeTo(String... applications) {
        List<SourceProgress.Partition> partitions = Stream.of(applications)
                .map(name -> name.split("-", 2))
                .map(name -> new SourceProgress.Partition(
                        name[0], "topic", 0, 5, 7, 2, name.length == 1 ? 0 : 1, Optional.empty()))
                .toList();
        return new StatisticBounds(
                        Duration.ofMinutes(2), Optional.empty(), () -> Optional.of(new SourceProgress(NOW, partitions)))
                .completeTo();
    }
}
