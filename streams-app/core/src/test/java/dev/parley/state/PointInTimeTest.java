package dev.parley.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Protocol;
import dev.parley.avro.Source;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PointInTimeTest {

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
        assertThat(PointInTime.parse(text)).hasToString(canonical);
    }

    @ParameterizedTest
    @CsvSource({
        "'', must be latest",
        "C2, must be latest",
        "12, must be latest",
        "depth:2, must be latest",
        "sequence, must be latest",
        "latest:, must be latest",
        ":5, must be latest",
        "sequence:, must have a number",
        "sequence:-1, must be an integer",
        "sequence:1x, must be an integer",
        "sequence:9223372036854775808, must be an integer",
        "turn:1.5, must be an integer",
        "time:noon, must be a time",
        "time:2026-01-31, must be a time",
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
        assertThatThrownBy(() -> PointInTime.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource({
        "checkpoint:C1, SLIP, only CSP",
        "checkpoint:C1, SUBIT, only CSP",
        "checkpoint:C1, LAMBDA, only CSP",
        "turn:1, CSP, CSP has none",
        "turn:1, SUBIT, only SLIP",
        "turn:1, LAMBDA, only SLIP",
    })
    void aPointInTimeThatAProtocolDoesNotHaveIsRejected(String text, Protocol protocol, String message) {
        assertThatThrownBy(() -> PointInTime.parse(text, protocol))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource({"checkpoint:C1, CSP", "turn:1, SLIP", "latest, LAMBDA", "sequence:1, CSP", "time:1, SUBIT"})
    void aMomentThatAProtocolHasIsRead(String text, Protocol protocol) {
        assertThat(PointInTime.parse(text, protocol)).isEqualTo(PointInTime.parse(text));
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

        assertThat(PointInTime.parse(moment).covers(record)).isEqualTo(covered);
        assertThat(PointInTime.parse(moment).isReached(record)).isEqualTo(reached);
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
