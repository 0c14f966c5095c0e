package dev.parley.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
                "20260131T12+01",
                "2026-01-31T12:00:00.1234567890",
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
                "2026-01-31T12:00:00x",
                "2026-01-3112:00",
                "2026013112",
                "2026-01-31Txx",
                "2026-01-31T12:xx",
                "2026-01-31T12:00:xx",
                "20260131T12xx",
                "2026-01-31T12:00:00.+",
                "2026-01-31T12:00:00+xx",
                "2026-01-31T12:00:00-xx:00",
                "2026-01-31T12:00:00+01:xx",
                "2026-01-31T12:00:00x0100"
            })
    void theseAreNot(String text) {
        assertThat(IsoTimestamp.isValid(text)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "1970-01-01T00:00:00Z, 1970-01-01T00:00:00Z",
        "2026-01-31T12:34:56Z, 2026-01-31T12:34:56Z",
        "1969-12-31T23:59:59.999Z, 1969-12-31T23:59:59.999Z",
        "2026-01-31t12:34:56z, 2026-01-31T12:34:56Z",
        "2026-01-31T12:34:56.1Z, 2026-01-31T12:34:56.100Z",
        "2026-01-31T12:34:56.12Z, 2026-01-31T12:34:56.120Z",
        "2026-01-31T12:34:56.123Z, 2026-01-31T12:34:56.123Z",
        "2026-01-31T12:34:56.1239Z, 2026-01-31T12:34:56.123Z",
        "2026-01-31T12:34:56.123456789Z, 2026-01-31T12:34:56.123Z",
        "2026-01-31T12:34:56.007+00:00, 2026-01-31T12:34:56.007Z",
        "2026-01-31T12:34:56+05:30, 2026-01-31T07:04:56Z",
        "2026-01-31T12:34:56-03:45, 2026-01-31T16:19:56Z",
        "2026-01-31T12:34:56-00:00, 2026-01-31T12:34:56Z",
        "2026-01-31T12:34:56+23:59, 2026-01-30T12:35:56Z",
        "2026-01-31T23:59:59-23:59, 2026-02-01T23:58:59Z",
        "2016-12-31T23:59:60Z, 2016-12-31T23:59:59Z",
        "2016-12-31T23:59:60.5Z, 2016-12-31T23:59:59.500Z",
        "2024-02-29T00:00:00Z, 2024-02-29T00:00:00Z",
        "0000-01-01T00:00:00Z, 0000-01-01T00:00:00Z",
        "9999-12-31T23:59:59Z, 9999-12-31T23:59:59Z"
    })
    void aTimeOfRfc3339IsParsedToTheMillisecond(String text, Instant expected) {
        assertThat(IsoTimestamp.parseRfc3339(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-01-31T12:00:00",
                "2026-01-31T12:00Z",
                "2026-01-31T12Z",
                "2026-01-31T24:00:00Z",
                "2026-01-31T12:00:00,5Z",
                "2026-01-31T12:00:00.1234567890Z",
                "2026-01-31T12:00:00+01",
                "2026-01-31T12:00:00+0100",
                "20260131T120000Z"
            })
    void theseFormsOfIso8601AreNotRfc3339(String text) {
        assertThat(IsoTimestamp.isValid(text)).isTrue();
        assertThat(IsoTimestamp.parseRfc3339(text)).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Z",
                "2026-01-31",
                "20260131T12:00:00Z",
                "2026-01-31T120000Z",
                "202601-31T12:00:00Z",
                "2026-0131T12:00:00Z",
                "2026:01-31T12:00:00Z",
                "2026-02-29T12:00:00Z",
                "2026-01-31 12:00:00Z",
                "2026-01-3112:00:00Z",
                "2026-01-31T12:00:00.Z",
                "2026-01-31T12:00:61Z",
                "2026-01-31T12:00:00ZZ",
                "2026-01-31T12:00:00x",
                "2026-01-31T12:00:00+24:00",
                "2026-01-31T12:00:00+01:60",
                "2026-01-31T12:00:00+xx:00",
                "2026-01-31T12:00:00+01:xx",
                "2026-01-31T12:00:00+01x00",
                "2026-01-31T12:00:00+01:000"
            })
    void anythingElseIsNoTimeOfRfc3339(String text) {
        assertThat(IsoTimestamp.parseRfc3339(text)).isNull();
    }

    /** The form with Z, to the second, has its own check. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-01-31T12:00:00",
                "2024-02-29T23:59:59",
                "2026-01-31T23:59:60",
                "2026-01-31T24:00:00",
                "2026-01-31T24:00:01",
                "2026-02-29T12:00:00",
                "2026-13-31T12:00:00",
                "2026-00-31T12:00:00",
                "2026-01-00T12:00:00",
                "2026-01-31T12:60:00",
                "2026-01-31T12:00:61",
                "x026-01-31T12:00:00",
                "2026-x1-31T12:00:00",
                "2026-01-x1T12:00:00",
                "2026-01-31Tx2:00:00",
                "2026-01-31T12:x0:00",
                "2026-01-31T12:00:x0",
                "2026-01-31t12:00:00",
                "2026.01-31T12:00:00",
                "2026-01.31T12:00:00",
                "2026-01-31T12.00:00",
                "2026-01-31T12:00.00"
            })
    void zIsAllowedWhereAnOffsetIs(String text) {
        assertThat(IsoTimestamp.isValid(text + "Z")).isEqualTo(IsoTimestamp.isValid(text + "+00:00"));
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
