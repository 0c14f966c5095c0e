package dev.parley.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IsoTimestampTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-01-01T00",
                "2026-12-31T23",
                "2026-01-31T12:00",
                "2026-01-31T12:59:59",
                "2026-01-31T12:00:60",
                "2026-01-31T24:00:00",
                "2026-01-31T12:00:00.1",
                "2026-01-31T12:00:00,123456789",
                "2026-01-31T12.5",
                "2026-01-31T12:30.5Z",
                "2026-01-31T12Z",
                "2026-01-31T12:00:00Z",
                "2026-01-31T12:00:00+00",
                "2026-01-31T12:00:00-23:59",
                "2026-01-31T12:00:00+0530",
                "20260131T12",
                "20260131T1200",
                "20260131T120000",
                "20260131T120000.5+0100",
                "0000-01-01T00:00"
            })
    void theseAre(String text) {
        assertThat(IsoTimestamp.isValid(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "2026",
                "2026-01-31",
                "20260131",
                "2026-01-31T",
                "2026-01-31T1",
                "2026-01-31 12:00",
                "2026-01-31t12:00",
                "202a-01-31T12",
                "-026-01-31T12",
                "2026-00-31T12",
                "2026-13-31T12",
                "2026-01-00T12",
                "2026-01-32T12",
                "2026-01:31T12",
                "2026-0131T12",
                "202601-31T12",
                "2026-01-31T25",
                "2026-01-31T24:01",
                "2026-01-31T24:00:01",
                "2026-01-31T12:60",
                "2026-01-31T12:0",
                "2026-01-31T12:",
                "2026-01-31T12:00:61",
                "2026-01-31T12:00:6",
                "2026-01-31T1200",
                "20260131T12:00",
                "20260131T120",
                "2026-01-31T12:00:00.",
                "2026-01-31T12:00:00.Z",
                "2026-01-31T12:00:00z",
                "2026-01-31T12:00:00ZZ",
                "2026-01-31T12:00:00 Z",
                "2026-01-31T12:00:00+",
                "2026-01-31T12:00:00+1",
                "2026-01-31T12:00:00+24",
                "2026-01-31T12:00:00+01:60",
                "2026-01-31T12:00:00+01:",
                "2026-01-31T12:00:00+01:0",
                "2026-01-31T12:00:00+01:000",
                "2026-01-31T12:00:00x"
            })
    void theseAreNot(String text) {
        assertThat(IsoTimestamp.isValid(text)).isFalse();
    }

    @Test
    void aDayMustBeInTheCalendar() {
        for (int year : new int[] {1900, 2000, 2023, 2024, 2100}) {
            for (int month = 0; month <= 13; month++) {
                for (int day = 0; day <= 32; day++) {
                    String text = String.format(Locale.ROOT, "%04d-%02d-%02dT00:00:00", year, month, day);
                    assertThat(IsoTimestamp.isValid(text)).as(text).isEqualTo(isDay(text));
                }
            }
        }
    }

    private static boolean isDay(String text) {
        try {
            LocalDateTime.parse(text);
            return true;
        } catch (DateTimeException e) {
            return false;
        }
    }
}
