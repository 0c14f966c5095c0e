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
    /** A page of the newest records takes about 0.7 ms, and the first page of a search must not take 200 ms. */
    private static final int MAX_RATIO = 300;
    /** The fastest of them counts: during the others, the machine may be busy with something else. */
    private static final int ROUNDS = 10;

    private static final Instant START = Instant.parse("2026-01-31T12:00:00Z");

    @TempDir
    private Path directory;

    @Test
    void theFirstPageOfAnySearchTakesABoundedMultipleOfAPageOfTheNewestRecords() throws IOException {
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
                    words("need*"),
                    words("\"request needle\" OR \"id10 needle\""),
                    words("\"odd request\""),
                    words("request", "-even"),
                    words("even", "-request"),
                    words("日本"),
                    attributes(Optional.of("CODE_RARE"), Optional.empty()),
                    attributes(Optional.empty(), Optional.of("agent3")));
            Duration newest = fastest(driver, words());
            System.out.println(newest.toNanos() / 1_000 + " µs: newest");
            for (SearchQuery query : queries) {
                Duration took = fastest(driver, query);
                System.out.println(took.toNanos() / 1_000 + " µs: " + query);
                assertThat(took).as("%s, newest: %s", query, newest).isLessThan(newest.multipliedBy(MAX_RATIO));
            }
            assertThat(search(driver, words("needle"))).isEqualTo(2);
        }
    }

    private static Duration fastest(ViewsDriver driver, SearchQuery query) {
        long nanos = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            long start = System.nanoTime();
            search(driver, query);
            nanos = Math.min(nanos, System.nanoTime() - start);
        }
        return Duration.ofNanos(nanos);
    }

    private static int search(ViewsDriver driver, SearchQuery query) {
        List<Bytes> hits = new ArrayList<>();
        driver.views().search().list(query, Optional.empty(), 100, (key, record) -> hits.add(key));
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
