package dev.parley.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Protocol;
import dev.parley.avro.Source;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PointInTimeTest {

    /** Five past two at night in Berlin, an hour before that of UTC. */
    private static final Clock BERLIN = Clock.fixed(Instant.parse("2026-11-26T01:05:00Z"), ZoneId.of("Europe/Berlin"));

    private static final Clock UTC = Clock.fixed(BERLIN.instant(), ZoneOffset.UTC);

    private static PointInTime parse(String text, Protocol protocol) {
        return PointInTime.parse(text, protocol, UTC);
    }

    private static PointInTime parse(String text) {
        return parse(text, text.startsWith("turn:") ? Protocol.SLIP : Protocol.CSP);
    }

    @ParameterizedTest
    @CsvSource({
        "latest, latest",
        "sequence:0, sequence:0",
        "sequence:007, sequence:7",
        "sequence:9223372036854775807, sequence:9223372036854775807",
        "turn:3, turn:3",
        "checkpoint:C2, checkpoint:C2",
        "checkpoint:a:b/c, checkpoint:a:b/c",
        "time:2026-01-31T12:00:00Z, time:2026-01-31T12:00:00Z",
        "time:2026-01-31T13:00:00+01:00, time:2026-01-31T12:00:00Z",
        "time:2026-01-31T13:00:00 01:00, time:2026-01-31T12:00:00Z",
        "time:1769860800000, time:2026-01-31T12:00:00Z",
        "offset:parley.wire/3/1042, offset:parley.wire/3/1042",
        "offset:a/b/0/0, offset:a/b/0/0",
    })
    void aStringFormIsParsed(String text, String canonical) {
        assertThat(parse(text)).hasToString(canonical);
    }

    @ParameterizedTest
    @CsvSource({
        "C4, checkpoint:C4, checkpoint:C4",
        "a-1.b_2, checkpoint:a-1.b_2, checkpoint:a-1.b_2",
        "Latest, checkpoint:Latest, checkpoint:Latest",
        "sequence, checkpoint:sequence, checkpoint:sequence",
        "checkpoint:latest, checkpoint:latest, checkpoint:latest",
        "checkpoint:14:00, checkpoint:14:00, checkpoint:14:00",
        "checkpoint:-1h, checkpoint:-1h, checkpoint:-1h",
        "checkpoint:2026-11-26, checkpoint:2026-11-26, checkpoint:2026-11-26",
        "checkpoint:12, checkpoint:12, checkpoint:12",
        "checkpoint:sequence:1, checkpoint:sequence:1, checkpoint:sequence:1",
        "2026-01-31T12:00:00Z, time:2026-01-31T12:00:00Z, time:2026-01-31T12:00:00Z",
        "2026-01-31T13:00:00 01:00, time:2026-01-31T12:00:00Z, time:2026-01-31T12:00:00Z",
        "2026-11-25T12:27, time:2026-11-25T12:27:00Z, time:2026-11-25T11:27:00Z",
        "2026-11-25T12:27:30, time:2026-11-25T12:27:30Z, time:2026-11-25T11:27:30Z",
        "time:2026-11-25T12:27:30.250, time:2026-11-25T12:27:30.250Z, time:2026-11-25T11:27:30.250Z",
        "14:00, time:2026-11-26T14:00:00Z, time:2026-11-26T13:00:00Z",
        "00:30, time:2026-11-26T00:30:00Z, time:2026-11-25T23:30:00Z",
        "14:00:30, time:2026-11-26T14:00:30Z, time:2026-11-26T13:00:30Z",
        "time:14:00, time:2026-11-26T14:00:00Z, time:2026-11-26T13:00:00Z",
        "2026-11-25, time:2026-11-25T00:00:00Z, time:2026-11-24T23:00:00Z",
        "time:2026-11-25, time:2026-11-25T00:00:00Z, time:2026-11-24T23:00:00Z",
        "-0s, time:2026-11-26T01:05:00Z, time:2026-11-26T01:05:00Z",
        "-30s, time:2026-11-26T01:04:30Z, time:2026-11-26T01:04:30Z",
        "-15m, time:2026-11-26T00:50:00Z, time:2026-11-26T00:50:00Z",
        "-1h, time:2026-11-26T00:05:00Z, time:2026-11-26T00:05:00Z",
        "-2d, time:2026-11-24T01:05:00Z, time:2026-11-24T01:05:00Z",
        "time:-2d, time:2026-11-24T01:05:00Z, time:2026-11-24T01:05:00Z",
    })
    void aShortFormIsParsedInTheZoneOfTheClock(String text, String inUtc, String inBerlin) {
        assertThat(PointInTime.parse(text, Protocol.CSP, UTC)).hasToString(inUtc);
        assertThat(PointInTime.parse(text, Protocol.CSP, BERLIN)).hasToString(inBerlin);
    }

    @ParameterizedTest
    @CsvSource({
        "2026-03-29T10:00:00Z, 02:30, 2026-03-29T01:30:00Z",
        "2026-10-25T10:00:00Z, 02:30, 2026-10-25T00:30:00Z",
        "2026-10-26T10:00:00Z, 2026-03-29T02:30, 2026-03-29T01:30:00Z",
        "2026-10-26T10:00:00Z, 2026-10-25T02:30, 2026-10-25T00:30:00Z",
        "2026-10-25T10:00:00Z, -12h, 2026-10-24T22:00:00Z",
        "2026-10-26T10:00:00Z, -1d, 2026-10-25T10:00:00Z",
    })
    void aLocalTimeThatAClockChangeSkipsOrRepeatsIsDefined(String now, String text, String time) {
        Clock clock = Clock.fixed(Instant.parse(now), ZoneId.of("Europe/Berlin"));

        assertThat(TimeText.parse(text, clock)).isEqualTo(time);
    }

    @ParameterizedTest
    @CsvSource({
        "'', must be latest",
        "2.5, must be latest",
        "C1/2, must be latest",
        "Ω1, must be latest",
        "_1, must be latest",
        "' C1', must be latest",
        "'C1 ', must be latest",
        "tiem:14:00, must be latest",
        "3b, must be latest",
        "2026, must be latest",
        "1769860800000, must be latest",
        "14, must be latest",
        "24:00, must be latest",
        "9:00, must be latest",
        "14:00Z, must be latest",
        "2026-11-31, must be latest",
        "2026-11-26T24:00, must be latest",
        "2026-11-26T9:00, must be latest",
        "2026-11-26T14, must be latest",
        "+10000-01-01, must be latest",
        "-, must be latest",
        "-1, must be latest",
        "-h, must be latest",
        "--1h, must be latest",
        "-1.5h, must be latest",
        "-1w, must be latest",
        "-1h30m, must be latest",
        "-١h, must be latest",
        "-100000000001s, must be latest",
        "-100000000000d, must be latest",
        "-99999999999999999999h, must be latest",
        "1h, must be latest",
        "12, must be latest",
        "depth:2, must be latest",
        "latest:, must be latest",
        ":5, must be latest",
        "sequence:, must have a number",
        "sequence:-1, must be an integer",
        "sequence:1x, must be an integer",
        "sequence:9223372036854775808, must be an integer",
        "turn:1.5, must be an integer",
        "time:noon, must be a time",
        "time:2026-01, must be a time",
        "time:C1, must be a time",
        "time:latest, must be a time",
        "time:, must be a time",
        "time:-1, must be a time",
        "time:+10000-01-01T00:00:00Z, must be a time",
        "time:+999999999-12-31T23:59:59Z, must be a time",
        "time:-999999999-01-01T00:00:00Z, must be a time",
        "time:9223372036854775807, must be a time",
        "offset:3, must be an input position",
        "offset:/3/4, must be an input position",
        "offset:3/4, must be an input position",
        "offset:t/2147483648/4, must be an integer",
        "offset:t/1/, must have a number",
    })
    void anInvalidTextIsRejectedWithTheValidForms(String text, String message) {
        assertThatThrownBy(() -> parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource({
        "C1, SLIP, only CSP",
        "now, LAMBDA, only CSP",
        "checkpoint:C1, SLIP, only CSP",
        "checkpoint:C1, SUBIT, only CSP",
        "checkpoint:C1, LAMBDA, only CSP",
        "turn:1, CSP, CSP has none",
        "turn:1, SUBIT, only SLIP",
        "turn:1, LAMBDA, only SLIP",
    })
    void aPointInTimeThatAProtocolDoesNotHaveIsRejected(String text, Protocol protocol, String message) {
        assertThatThrownBy(() -> parse(text, protocol))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource({"checkpoint:C1, CSP", "turn:1, SLIP", "latest, LAMBDA", "sequence:1, CSP", "time:1, SUBIT"})
    void aMomentThatAProtocolHasIsRead(String text, Protocol protocol) {
        assertThat(parse(text, protocol)).isEqualTo(parse(text));
    }

    @ParameterizedTest
    @CsvSource({
        "latest, true, false",
        "sequence:4, false, true",
        "sequence:5, true, true",
        "sequence:6, true, false",
        "turn:99, false, false",
        "checkpoint:C1, false, false",
        "time:1000, true, false",
        "time:999, false, false",
        "offset:wire/2/7, true, false",
        "offset:wire/2/8, true, false",
        "offset:wire/2/6, false, false",
        "offset:wire/3/8, false, false",
        "offset:wires/2/8, false, false",
    })
    void aMomentCoversWhatIsNotLater(String moment, boolean covered, boolean reached) {
        AuditRecord record = new AuditRecord();
        record.setSequence(5L);
        record.setSource(new Source("wire", 2, 7L, Instant.ofEpochMilli(1_000), null));

        assertThat(parse(moment).covers(record)).isEqualTo(covered);
        assertThat(parse(moment).isReached(record)).isEqualTo(reached);
    }

    @Test
    void aTurnIsOfSlipAlone() {
        AuditRecord slip = ConversationRecorder.slip().send("@a3|f0|c1|S0|d1|T5|k1#");
        assertThat(new PointInTime.AtTurn(5).covers(slip)).isTrue();
        assertThat(new PointInTime.AtTurn(4).covers(slip)).isFalse();
        assertThat(new PointInTime.AtTurn(5)
                        .covers(ConversationRecorder.lambda().as("A").send("!Ik")))
                .isFalse();
    }
}
