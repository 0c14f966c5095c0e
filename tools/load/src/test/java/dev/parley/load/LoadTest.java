package dev.parley.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Protocols;
import dev.parley.protocol.TopicNames;
import dev.parley.stage.OfflinePipeline;
import dev.parley.stage.StageSettings;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks the load against its declared outcomes. */
class LoadTest {
    private static final int RECORDS = 20_000;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void everyRecordHasItsDeclaredOutcome(long seed) {
        OfflinePipeline pipeline = new OfflinePipeline(StageSettings.DEFAULT);
        Load load = new Load("load", seed, 50);
        Map<Long, LoadRecord> sent = new HashMap<>();
        Map<Long, ExpectedOutcome> outcomes = new HashMap<>();
        long offset = 0;
        for (LoadRecord record = load.next(); record != null; record = load.next(), offset++) {
            if (offset == RECORDS) {
                load.end();
            }
            sent.put(offset, record);
            outcomes.put(offset, ExpectedOutcome.PARKED);
            OfflineInput.accept(
                    pipeline,
                    record.record(),
                    offset,
                    judged -> {},
                    audit -> outcomes.put(audit.getSource().getOffset(), ExpectedOutcome.of(audit)));
        }

        Map<String, String> strangers = new TreeMap<>();
        outcomes.forEach((at, expectedOutcome) -> {
            LoadRecord record = sent.get(at);
            if (!expectedOutcome.equals(record.expected())) {
                strangers.put(record.expected() + " became " + expectedOutcome, text(record));
            }
        });
        assertThat(strangers).isEmpty();
    }

    @Test
    void theSeedDeterminesTheRecords() {
        assertThat(values(7)).isEqualTo(values(7)).isNotEqualTo(values(8));
    }

    @Test
    void allProtocolsAndOutcomesOccur() {
        Load load = new Load("load", 4, 50);
        Map<String, Integer> seen = new TreeMap<>();
        for (int i = 0; i < RECORDS; i++) {
            LoadRecord record = load.next();
            seen.merge(record.record().topic(), 1, Integer::sum);
            seen.merge(record.expected().toString(), 1, Integer::sum);
        }

        assertThat(seen.keySet()).containsAll(TopicNames.DEFAULT.inputs(Protocols.STANDARD));
        assertThat(seen).hasSizeGreaterThan(35);
        assertThat(seen.get("ACCEPTED")).isBetween(RECORDS * 7 / 10, RECORDS * 95 / 100);
        assertThat(seen.values()).as("%s", seen).allMatch(times -> times >= 5);
    }

    private static List<String> values(long seed) {
        Load load = new Load("load", seed, 50);
        List<String> values = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            LoadRecord record = load.next();
            values.add(record.record().topic() + record.record().headers() + text(record));
        }
        return values;
    }

    private static String text(LoadRecord record) {
        byte[] value = record.record().value();
        return value == null ? "" : new String(value, StandardCharsets.UTF_8);
    }
}
