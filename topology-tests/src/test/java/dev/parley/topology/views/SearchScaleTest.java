package dev.parley.topology.views;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Protocol;
import dev.parley.avro.Verdict;
import dev.parley.topology.views.search.SearchQuery;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Searches over many records: what a page costs does not depend on the size of the store. The number of records is the
 * system property {@code search.records}; the test driver takes about eight minutes for a million.
 */
@Tag("long")
class SearchScaleTest {
    private static final int RECORDS = Integer.getInteger("search.records", 100_000);
    private static final Duration FIRST_PAGE = Duration.ofMillis(200);
    private static final Instant START = Instant.parse("2026-01-31T12:00:00Z");

    @TempDir
    private Path directory;

    @Test
    void theFirstPageOfAnySearchArrivesWithin200Milliseconds() throws IOException {
        try (ViewsDriver driver = ViewsDriver.in(directory)) {
            long begin = System.nanoTime();
            for (int i = 0; i < RECORDS; i++) {
                driver.audit(record(i));
            }
            long seconds =
                    Math.max(1, Duration.ofNanos(System.nanoTime() - begin).toSeconds());
            System.out.println(RECORDS + " records, " + RECORDS / seconds + " records/s");
            List<SearchQuery> queries = List.of(
                    words("needle"),
                    words("request", "needle"),
                    words("request"),
                    words("request", "task7"),
                    words("odd", "even"),
                    words("absent"),
                    words(),
                    attributes(Optional.of("CODE_RARE"), Optional.empty()),
                    attributes(Optional.empty(), Optional.of("agent3")));
            for (SearchQuery query : queries) {
                for (int round = 0; round < 3; round++) {
                    search(driver, query);
                }
                long start = System.nanoTime();
                int hits = search(driver, query);
                Duration took = Duration.ofNanos(System.nanoTime() - start);
                System.out.println(took.toMillis() + " ms, " + hits + " hits: " + query);
                assertThat(took).as("%s", query).isLessThan(FIRST_PAGE);
            }
            assertThat(search(driver, words("needle"))).isEqualTo(2);
        }
    }

    private static int search(ViewsDriver driver, SearchQuery query) {
        List<Bytes> hits = new ArrayList<>();
        driver.views().search(query, Optional.empty(), 100, (key, record) -> hits.add(key));
        return hits.size();
    }

    private static AuditRecord record(int i) {
        AuditRecord record = AuditRecords.accepted(
                "default", Protocol.SLIP, "c" + i % 10_000, i / 10_000, "agent" + i % 50, START.plusMillis(i));
        String rare = i == 10 || i == RECORDS / 2 ? " needle" : "";
        String text =
                "request task" + i % 1_000 + " goal" + i % 77 + (i % 2 == 0 ? " even" : " odd") + " id" + i + rare;
        record.getMessage().setRaw(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
        record.setHash(ByteBuffer.allocate(32)
                .putLong(i * 0x9E3779B97F4A7C15L)
                .putInt(i)
                .rewind());
        record.getSource().setOffset((long) i);
        if (i % 100_000 == 5) {
            record.setVerdict(Verdict.REJECTED.name());
            record.setCode("CODE_RARE");
        }
        return record;
    }

    private static SearchQuery words(String... words) {
        return SearchTest.query(List.of(words), Optional.empty(), Optional.empty(), Optional.empty(), false);
    }

    private static SearchQuery attributes(Optional<String> code, Optional<String> sender) {
        return SearchTest.query(List.of(), code, sender, Optional.empty(), false);
    }
}
