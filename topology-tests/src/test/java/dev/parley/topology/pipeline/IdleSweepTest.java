package dev.parley.topology.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.DialogueState;
import dev.parley.config.ParleyConfig;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.Test;

/** The sweep that closes idle conversations. */
class IdleSweepTest extends AbstractPipelineTest {
    private static final int CONVERSATIONS = 3_500;

    @Test
    void idleConversationsAreClosedInSlices() {
        start(Map.of(ParleyConfig.IDLE_MS, Duration.ofHours(1).toMillis()));
        pipeline.send(InputRecord.slipRequest(1, 1));
        KeyValueStore<String, DialogueState> store = pipeline.conversationStore();
        DialogueState open = states().values().iterator().next();
        for (int i = 0; i < CONVERSATIONS; i++) {
            store.put("filler" + i, open);
        }
        pipeline.later(Duration.ofDays(1));
        pipeline.send(InputRecord.slipRequest(2, 1));
        int closed = closed(open);
        assertThat(closed).isLessThanOrEqualTo(JudgeProcessor.SLICE);
        while (closed < CONVERSATIONS) {
            pipeline.waitFor(Duration.ofMillis(100));
            int next = closed(open);
            assertThat(next - closed).isPositive().isLessThanOrEqualTo(JudgeProcessor.SLICE);
            closed = next;
        }
        // One more message on a conversation that the sweep closed: the same verdict as if it never had.
        AuditRecord late = pipeline.auditOf(pipeline.send(InputRecord.text("@a5|f0|c1|S1|d0|T2|k1#")));
        assertThat(late.getSequence()).isEqualTo(1);
    }

    private int closed(DialogueState open) {
        Map<String, DialogueState> states = states();
        return (int) states.entrySet().stream()
                .filter(entry ->
                        entry.getKey().startsWith("filler") && !entry.getValue().equals(open))
                .count();
    }

    private Map<String, DialogueState> states() {
        Map<String, DialogueState> states = new HashMap<>();
        try (KeyValueIterator<String, DialogueState> all =
                pipeline.conversationStore().all()) {
            all.forEachRemaining(entry -> states.put(entry.key, entry.value));
        }
        return states;
    }
}
