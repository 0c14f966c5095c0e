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

class MomentTest {

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
    void aTextFormIsRead(String text, String canonical) {
        assertThat(Moment.parse(text)).hasToString(canonical);
    }

    @ParameterizedTest
    @CsvSource({
        "'', is none of latest",
        "C2, is none of latest",
        "12, is none of latest",
        "depth:2, is none of latest",
        "sequence:, no number",
        "sequence:-1, no whole number",
        "sequence:1x, no whole number",
        "sequence:9223372036854775808, no whole number",
        "turn:1.5, no whole number",
        "time:noon, is no time",
        "time:2026-01-31, is no time",
        "time:, is no time",
        "time:-1, is no time",
        "offset:3, is no place",
        "offset:/3/4, is no place",
        "offset:3/4, is no place",
        "offset:t/2147483648/4, no whole number",
        "offset:t/1/, no number",
    })
    void whatIsNoneIsToldWhatIs(String text, String said) {
        assertThatThrownBy(() -> Moment.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(said);
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
    void aMomentThatAProtocolDoesNotHaveIsRefused(String text, Protocol protocol, String said) {
        assertThatThrownBy(() -> Moment.parse(text, protocol))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(said);
    }

    @ParameterizedTest
    @CsvSource({"checkpoint:C1, CSP", "turn:1, SLIP", "latest, LAMBDA", "sequence:1, CSP", "time:1, SUBIT"})
    void aMomentThatAProtocolHasIsRead(String text, Protocol protocol) {
        assertThat(Moment.parse(text, protocol)).isEqualTo(Moment.parse(text));
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

        assertThat(Moment.parse(moment).covers(record)).isEqualTo(covered);
        assertThat(Moment.parse(moment).isReached(record)).isEqualTo(reached);
    }

    @Test
    void aTurnIsOfSlipAlone() {
        AuditRecord slip = Talk.slip().say("@a3|f0|c1|S0|d1|T5|k1#");
        assertThat(new Moment.AtTurn(5).covers(slip)).isTrue();
        assertThat(new Moment.AtTurn(4).covers(slip)).isFalse();
        assertThat(new Moment.AtTurn(5).covers(Talk.lambda().as("A").say("!Ik")))
                .isFalse();
    }
}
