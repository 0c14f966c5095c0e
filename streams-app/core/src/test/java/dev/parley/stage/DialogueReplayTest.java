package dev.parley.stage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Source;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.RecordHeaders;
import dev.parley.decode.WireRecord;
import dev.parley.dialogue.DialogueSettings;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DialogueReplayTest {
    private static final StageSettings SHORT =
            StageSettings.of(DecodeOptions.LENIENT, new DialogueSettings(DialogueSettings.Mode.ENFORCE, 1_000, 100));
    private static final String CHAIN = "default|SLIP|1";

    private final OfflinePipeline pipeline = new OfflinePipeline(SHORT);
    private final List<AuditRecord> records = new ArrayList<>();

    @Test
    void aReplayWithTheSettingsOfThePipelineGivesItsVerdicts() {
        send("@a3|f0|c1|S0|d1|T1|k1#", 0);
        // The dialogue was idle in between, so the turn is free again.
        send("@a3|f0|c1|S0|d1|T1|k2#", 2_000);

        assertThat(replay(SHORT).isExact()).isTrue();
        assertThat(replay(SHORT).state(CHAIN).head().records()).isEqualTo(2);
        assertThat(replay(StageSettings.DEFAULT).isExact()).isFalse();
    }

    @Test
    void aViolationThatTheDecoderFoundIsRepeated() {
        send("!Ik/co[n12]", "parley.wire.lambda", 0);

        assertThat(records.get(0).getCode()).isEqualTo("LAMBDA_CHECKSUM");
        assertThat(replay(SHORT).isExact()).isTrue();
    }

    @Test
    void aRecordWithoutItsMessageMakesTheReplayInexact() {
        send("@a3|f0|c1|S0|d1|T1|k1#", 0);
        records.get(0).setMessage(null);

        assertThat(replay(SHORT).isExact()).isFalse();
    }

    private DialogueReplay replay(StageSettings settings) {
        DialogueReplay replay = new DialogueReplay(settings.judge());
        records.forEach(replay::add);
        return replay;
    }

    private void send(String wire, long time) {
        send(wire, "parley.wire.slip", time);
    }

    private void send(String wire, String topic, long time) {
        Source source = new Source(topic, 0, (long) records.size(), Instant.ofEpochMilli(time), null);
        pipeline.accept(
                new WireRecord(source, "1".getBytes(UTF_8), wire.getBytes(UTF_8), RecordHeaders.NONE),
                List.of(),
                judged -> {},
                records::add);
    }
}
