package dev.parley.topology.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.ConversationItem;
import dev.parley.avro.DialogueState;
import dev.parley.dialogue.StoredText;
import dev.parley.topology.config.ParleyConfig;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.Test;

/** The sweep that closes idle conversations. */
class IdleSweepTest extends AbstractPipelineTest {
    private static final int CONVERSATIONS = 3_500;
    private static final String BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

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

    @Test
    void olderTasksOfIdleConversationsAreDeletedInSlices() {
        start(Map.of(ParleyConfig.IDLE_MS, Duration.ofHours(1).toMillis()));
        for (int i = 1; i <= 60; i++) {
            char number = BASE62.charAt(i);
            pipeline.send(InputRecord.text("@a3|f0|c1|S0|d1|T" + number + "|k" + number + "#"));
        }
        KeyValueStore<String, DialogueState> store = pipeline.conversationStore();
        DialogueState open = states().values().iterator().next();
        Map<String, ConversationItem> tasks = olderItems();
        assertThat(tasks).hasSize(open.getOlderItems()).hasSizeGreaterThan(20);
        for (int i = 0; i < 100; i++) {
            String chain = "filler" + i;
            store.put(chain, open);
            tasks.forEach((key, task) -> pipeline.itemStore()
                    .put(
                            StoredText.key(chain)
                                    + key.substring(StoredText.key(chain).length()),
                            task));
        }
        pipeline.later(Duration.ofDays(1));
        pipeline.send(InputRecord.slipRequest(2, 1));
        int remaining = olderItems().size();
        assertThat(remaining).isGreaterThan(50 * tasks.size());
        while (remaining > 0) {
            pipeline.waitFor(Duration.ofMillis(100));
            int next = olderItems().size();
            assertThat(remaining - next).isPositive().isLessThan(JudgeProcessor.SLICE + tasks.size());
            remaining = next;
        }
        assertThat(states().values())
                .allSatisfy(state -> assertThat(state.getOlderItems()).isZero());
    }

    private Map<String, ConversationItem> olderItems() {
        Map<String, ConversationItem> tasks = new HashMap<>();
        try (KeyValueIterator<String, ConversationItem> all =
                pipeline.itemStore().all()) {
            all.forEachRemaining(entry -> tasks.put(entry.key, entry.value));
        }
        return tasks;
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
