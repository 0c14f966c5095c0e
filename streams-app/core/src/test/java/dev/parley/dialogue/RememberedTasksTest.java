package dev.parley.dialogue;

import static dev.parley.dialogue.DialogueMessages.NO_CHECKPOINTS;
import static dev.parley.dialogue.DialogueMessages.slip;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.CspDialogue;
import dev.parley.avro.CspIntent;
import dev.parley.avro.OlderTask;
import dev.parley.avro.SlipAct;
import dev.parley.avro.SlipDialogue;
import dev.parley.avro.SlipTask;
import dev.parley.avro.SlipTaskState;
import dev.parley.checkpoint.MemoryStore;
import dev.parley.codec.Code;
import dev.parley.protocol.Protocols;
import dev.parley.stage.OlderTaskStore;
import dev.parley.testing.CspDraft;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many tasks of a conversation: few in its state, each other one in a record of its own. */
class RememberedTasksTest {
    private static final int IDLE = 1_000_000;
    private static final DialogueSettings SETTINGS = new DialogueSettings(DialogueSettings.Mode.ENFORCE, IDLE, 200);
    private static final SlipAct[] ACTS = {
        SlipAct.REQUEST,
        SlipAct.PROPOSE,
        SlipAct.ACCEPT,
        SlipAct.REJECT,
        SlipAct.COMMIT,
        SlipAct.INFORM,
        SlipAct.EVAL,
        SlipAct.ERROR,
        SlipAct.ASK
    };

    private final MemoryStore<OlderTask> records = new MemoryStore<>();
    private final OlderTaskStore store = new OlderTaskStore(records);
    private final Judge judge = Protocols.STANDARD.judge(SETTINGS);
    private ConversationState state = ConversationState.NEW;
    private long turn;

    /** Judges a message, and stores the state as the pipeline does. */
    private Judgement say(AgentMessage message) {
        Judgement judgement = judge.judge(state, message, List.of(), List.of(), NO_CHECKPOINTS);
        keep(judgement.next().recorded(message.getSha256()));
        return judgement;
    }

    private void keep(ConversationState next) {
        store.put("chain", next.dialogue().olderTasks());
        state = next.stored(store.of("chain"));
    }

    private Judgement say(SlipAct act, Long task, long time) {
        turn++;
        return say(slip(turn, act, task, time));
    }

    @Test
    void eachTaskIsJudgedAsIfItWereTheOnlyOne() {
        long seed = Long.getLong("parley.seed", System.nanoTime());
        Random random = new Random(seed);
        SlipRules alone = new SlipRules(SETTINGS);
        Map<Long, List<SlipTask>> expected = new HashMap<>();
        SlipDialogue last = null;
        long time = 0;
        for (int i = 0; i < 4_000; i++) {
            Long task = random.nextInt(50) == 0 ? null : (long) random.nextInt(100);
            time += random.nextInt(30) == 0 ? random.nextInt(IDLE / 10) : random.nextInt(100);
            SlipAct act = ACTS[random.nextInt(ACTS.length)];
            String told = "message " + i + ", parley.seed=" + seed;
            long deadline = time - IDLE;
            if (last != null) {
                expected.values().removeIf(tasks -> tasks.get(0).getLastActivity() < deadline);
                last = new SlipDialogue(last.getTurns(), expected.getOrDefault(task, List.of()));
            }
            Judgement judgement = say(act, task, time);
            RuleResult<SlipDialogue> result = alone.judge(last, slip(turn, act, task, time), DialogueMessages.CONTEXT);
            last = result.next();
            if (!last.getTasks().isEmpty()) {
                expected.put(task, last.getTasks());
            }
            assertThat(judgement.code()).as(told).isEqualTo(result.violation());
            assertThat(judgement.warnings()).as(told).isEqualTo(result.warnings());
            assertThat(judgement.rule()).as(told).isEqualTo(result.rule());
            assertThat(recentSlip()).as(told).hasSizeLessThanOrEqualTo(RememberedTasks.MAX_RECENT);
            assertThat(size(records))
                    .as(told)
                    .isEqualTo(state.dialogue().olderTasks().count());
        }
        assertThat(size(records)).as("seed %d tests older tasks", seed).isPositive();
    }

    @Test
    void withoutAStoreTheVerdictsAreTheSame() {
        Conversation conversation = new Conversation(SETTINGS);
        for (int i = 0; i < 1_000; i++) {
            turn++;
            AgentMessage message = slip(turn, i % 3 == 0 ? SlipAct.REQUEST : SlipAct.ACCEPT, i * 7L % 60, i);
            assertThat(conversation.say(message).code()).isEqualTo(say(message).code());
            assertThat(conversation.state.dialogue().olderTasks().changes())
                    .hasSize(state.dialogue().olderTasks().count())
                    .doesNotContainValue(null);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 0, -1})
    void beyondTheMaximumTheLeastRecentlyActiveTasksAreForgottenWhateverTheirTimes(int step) {
        int max = SETTINGS.maxEntries();
        for (long task = 0; task < 1_000; task++) {
            say(SlipAct.REQUEST, task, 1_000 + step * task);
            if (task < max) {
                assertThat(tasks()).isEqualTo((int) task + 1);
            } else if (task == max) {
                assertThat(tasks()).isEqualTo(max * 3 / 4);
            }
            assertThat(tasks()).isLessThanOrEqualTo(max);
        }
        int kept = tasks();
        List<Long> remembered = LongStream.range(0, 1_000)
                .filter(task -> say(SlipAct.ACCEPT, task, 1_000).code() == null)
                .boxed()
                .toList();
        assertThat(remembered)
                .isEqualTo(LongStream.range(1_000 - kept, 1_000).boxed().toList());
    }

    @Test
    void aLowerMaximumIsAppliedAtTheNextChange() {
        fill(150);
        Judge lower = Protocols.STANDARD.judge(new DialogueSettings(DialogueSettings.Mode.ENFORCE, IDLE, 40));
        turn++;
        keep(lower.judge(state, slip(turn, SlipAct.REQUEST, 200L, 0), List.of(), List.of(), NO_CHECKPOINTS)
                .next());
        assertThat(tasks()).isLessThanOrEqualTo(40);
        assertThat(size(records)).isZero();
    }

    @Test
    void anOlderTaskReturnsToTheStateOnceTheMaximumIsLower() {
        fill(40);
        Judge lower = Protocols.STANDARD.judge(new DialogueSettings(DialogueSettings.Mode.ENFORCE, IDLE, 60));
        for (SlipAct act : List.of(SlipAct.ACCEPT, SlipAct.COMMIT)) {
            turn++;
            int before = size(records);
            Judgement judgement = lower.judge(state, slip(turn, act, 0L, 0), List.of(), List.of(), NO_CHECKPOINTS);
            keep(judgement.next());
            assertThat(judgement.code()).isNull();
            assertThat(tasks()).isEqualTo(40);
            assertThat(size(records))
                    .isEqualTo(state.dialogue().olderTasks().count())
                    .isEqualTo(act == SlipAct.ACCEPT ? before - 1 : before);
        }
    }

    @Test
    void aTaskOfLateMessagesDoesNotExpireWhenItLeavesTheState() {
        say(SlipAct.META, null, 10L * IDLE);
        say(SlipAct.REQUEST, 0L, 0);
        for (long task = 1; task < 40; task++) {
            say(SlipAct.REQUEST, task, 0);
        }
        assertThat(size(records)).isPositive();
        assertThat(say(SlipAct.ACCEPT, 0L, 0).code()).isNull();
        assertThat(say(SlipAct.COMMIT, 0L, 0).code()).isNull();
        // The next message in time expires it, as it expires the tasks in the state.
        say(SlipAct.META, null, 10L * IDLE + 1);
        assertThat(say(SlipAct.INFORM, 39L, 0).code()).isNull();
        assertThat(say(SlipAct.EVAL, 0L, 0).code()).isEqualTo(Code.SLIP_NOTHING_TO_EVAL);
    }

    @Test
    void hostileRecordsAreNeitherUsedNorKept() {
        fill(60);
        String prefix = "5:chain:";
        OlderTask accepted =
                new OlderTask(DialogueMessages.slipTask(1L, SlipTaskState.ACCEPTED, 0L), null, Long.MAX_VALUE);
        records.put(prefix + "0", accepted);
        records.put(prefix + "not a number", accepted);
        assertThat(say(SlipAct.COMMIT, 0L, 0).code()).isEqualTo(Code.SLIP_NOTHING_TO_COMMIT);
        for (long task = 1_000; task < 1_200; task++) {
            say(SlipAct.REQUEST, task, 0);
        }
        assertThat(records.get(prefix + "not a number")).isEmpty();
        assertThat(size(records)).isEqualTo(state.dialogue().olderTasks().count());
    }

    @Test
    void hostileNumbersOfOlderTasksAreCorrected() {
        fill(60);
        for (int count : new int[] {Integer.MAX_VALUE, -1}) {
            Dialogue dialogue = state.dialogue();
            state = state.with(new Dialogue(
                    dialogue.state(), false, OlderTasks.of(count, count * (long) count * count, store.of("chain"))));
            for (long task = 100; task < 600; task++) {
                assertThat(say(SlipAct.REQUEST, task + Math.max(0, count), 0).code())
                        .isNull();
            }
            assertThat(tasks()).isLessThanOrEqualTo(SETTINGS.maxEntries());
            assertThat(size(records)).isEqualTo(state.dialogue().olderTasks().count());
        }
    }

    @Test
    void aTaskOfWhichTheRecordIsNotOneOfItsProtocolIsForgotten() {
        fill(40);
        List<String> keys = new ArrayList<>();
        records.scan("", (key, task) -> keys.add(key));
        keys.forEach(key -> records.put(key, new OlderTask(null, null, 0L)));
        assertThat(say(SlipAct.ACCEPT, 0L, 0).code()).isEqualTo(Code.SLIP_NOTHING_TO_ACCEPT);
        assertThat(say(SlipAct.REQUEST, 0L, 0).code()).isNull();
        fill(400);
        assertThat(size(records)).isEqualTo(state.dialogue().olderTasks().count());
    }

    @Test
    void afterTheMaximumWasRaisedTheTasksOfAStateGetRecords() {
        List<SlipTask> tasks = LongStream.range(0, 2 * RememberedTasks.MAX_RECENT)
                .mapToObj(task -> DialogueMessages.slipTask(task, SlipTaskState.REQUESTED, task))
                .toList();
        state = DialogueMessages.state(tasks.size(), DialogueMessages.slipDialogue(0, tasks));
        assertThat(say(SlipAct.ACCEPT, 3L, 151).code()).isNull();
        assertThat(recentSlip()).hasSizeLessThanOrEqualTo(RememberedTasks.MAX_RECENT);
        assertThat(tasks()).isEqualTo(tasks.size());
        assertThat(say(SlipAct.ACCEPT, 3L, 152).code()).isEqualTo(Code.SLIP_DUPLICATE_ACCEPT);
        assertThat(say(SlipAct.ACCEPT, 4L, 152).code()).isNull();
    }

    @Test
    void theTasksOfAnIdleConversationAreDeletedWithIt() {
        fill(100);
        assertThat(size(records)).isPositive();
        keep(judge.expire(state, 2L * IDLE));
        assertThat(size(records)).isZero();
        fill(100);
        say(SlipAct.META, null, 4L * IDLE);
        assertThat(size(records)).isZero();
        assertThat(tasks()).isZero();
    }

    @Test
    void closedCspTasksAreForgottenBeforeOlderOpenOnes() {
        for (int i = 0; i < 40; i++) {
            assertThat(say(task("open" + i)).code()).isNull();
        }
        for (int i = 0; i < 400; i++) {
            say(task("closed" + i));
            assertThat(say(result("closed" + i)).code()).isNull();
        }
        assertThat(tasks()).isLessThanOrEqualTo(SETTINGS.maxEntries());
        for (int i = 0; i < 40; i++) {
            assertThat(say(result("open" + i)).code()).isNull();
        }
        assertThat(say(result("closed0")).code()).isEqualTo(Code.CSP_RESULT_WITHOUT_TASK);
    }

    @Test
    void idleOpenCspTasksAreForgottenAndClosedOnesStay() {
        say(task("open"));
        say(task("closed"));
        say(result("closed"));
        for (int i = 0; i < 40; i++) {
            say(task("T" + i));
        }
        Instant later = Instant.ofEpochMilli(IDLE + 2L);
        say(task("late").time(later));
        assertThat(say(result("open").time(later)).code()).isEqualTo(Code.CSP_RESULT_WITHOUT_TASK);
        // An earlier record time does not bring it back.
        assertThat(say(result("open")).code()).isEqualTo(Code.CSP_RESULT_WITHOUT_TASK);
        assertThat(say(result("closed").status("FAIL").time(later)).code()).isEqualTo(Code.CSP_RESULT_AFTER_CLOSE);
        assertThat(say(task("open").time(later)).code()).isNull();
        assertThat(say(result("open").time(later)).code()).isNull();
    }

    @Test
    void theBytesOfOlderTasksAreBounded() {
        String name = "x".repeat(StateBytes.MAX_BYTES / 3 / 60);
        for (int i = 0; i < 150; i++) {
            assertThat(say(task(name + i)).code()).isNull();
            assertThat(state.dialogue().olderTasks().bytes()).isLessThanOrEqualTo(StateBytes.MAX_BYTES);
        }
        assertThat(size(records))
                .isEqualTo(state.dialogue().olderTasks().count())
                .isPositive();
        say(result(name + 0));
        assertThat(say(result(name + 149)).code()).isNull();
    }

    @Test
    void aLargeTaskTakesNoOtherAlong() {
        say(task("T"));
        say(new CspDraft(CspIntent.ERROR).id("E").at("T"));
        for (int i = 0; i < 60; i++) {
            say(task("T" + i));
        }
        int before = size(records);
        AgentMessage retry = task("T").to("x,".repeat(StateBytes.MAX_BYTES / 6)).build();
        assertThat(say(retry).warnings()).contains(Code.CSP_TASK_RETRIED);
        assertThat(state.dialogue().olderTasks().bytes()).isLessThanOrEqualTo(StateBytes.MAX_BYTES);
        assertThat(size(records))
                .isEqualTo(state.dialogue().olderTasks().count())
                .isEqualTo(before - 1);
        assertThat(say(result("T0")).code()).isNull();
    }

    @Test
    void afterARedactionOlderTasksHaveNoTextAndTheSameVerdicts() {
        for (int i = 0; i < 60; i++) {
            say(task("secret" + i).owner("secret-owner"));
        }
        keep(judge.hashTexts(state));
        records.scan("", (key, task) -> {
            assertThat(key + task).doesNotContain("secret");
            return true;
        });
        assertThat(size(records))
                .isEqualTo(state.dialogue().olderTasks().count())
                .isPositive();
        assertThat(judge.hashTexts(state).dialogue().olderTasks().changes())
                .as("what a second redaction writes")
                .isEmpty();
        assertThat(say(task("secret3")).code()).isEqualTo(Code.CSP_DUPLICATE_TASK_ID);
        assertThat(say(result("secret3").from("STRANGE")).code()).isEqualTo(Code.CSP_WRONG_RESPONDER);
        assertThat(say(result("secret3").from("secret-owner")).code()).isNull();
        assertThat(say(result("secret3")).code()).isEqualTo(Code.CSP_RESULT_AFTER_CLOSE);
    }

    @Test
    void aMessageThatIsSentAgainIsADuplicateHoweverOldItsTask() {
        AgentMessage first = task("T").build();
        say(first);
        for (int i = 0; i < 100; i++) {
            say(task("T" + i));
        }
        assertThat(say(first).warnings()).contains(Code.CSP_DUPLICATE);
    }

    @Test
    void theDocumentedStateOfAnOlderTaskIsFound() {
        fill(100);
        assertThat(judge.positionOf(state, slip(0, SlipAct.ACCEPT, 1L, 0))).isEqualTo("REQUESTED");
        assertThat(judge.positionOf(state, slip(0, SlipAct.ACCEPT, 1L, 2L * IDLE)))
                .isEqualTo("NEW");
        assertThat(judge.positionOf(state, slip(0, SlipAct.ACCEPT, 999L, 0))).isEqualTo("NEW");
    }

    @Test
    void conversationsWithSimilarNamesShareNoTasks() {
        OlderTask task = new OlderTask(DialogueMessages.slipTask(1L, SlipTaskState.ACCEPTED, 0L), null, 0L);
        for (String chain : List.of("a", "a:", "a:1", "1:a", "a:1:")) {
            OlderTasks.Source source = store.of(chain);
            List<String> keys = new ArrayList<>();
            source.scan((key, found) -> keys.add(key));
            assertThat(keys).as(chain).isEmpty();
            assertThat(source.get("1")).as(chain).isNull();
            store.put(chain, OlderTasks.NONE.with(Map.of("1", task, "1:", task), 2, 0));
            source.scan((key, found) -> keys.add(key));
            assertThat(keys).as(chain).containsExactlyInAnyOrder("1", "1:");
        }
    }

    private void fill(int tasks) {
        for (long task = 0; task < tasks; task++) {
            say(SlipAct.REQUEST, task, 0);
        }
    }

    private Judgement say(CspDraft draft) {
        return say(draft.build());
    }

    private static CspDraft task(String id) {
        return new CspDraft(CspIntent.TASK).id(id);
    }

    private static CspDraft result(String id) {
        return new CspDraft(CspIntent.RESULT).id(id).status("OK").from("CODER").to("MAIN");
    }

    private List<SlipTask> recentSlip() {
        return ((SlipDialogue) state.dialogue().state()).getTasks();
    }

    private int tasks() {
        List<?> recent = state.dialogue().state() instanceof CspDialogue csp ? csp.getTasks() : recentSlip();
        return recent.size() + state.dialogue().olderTasks().count();
    }

    private static int size(MemoryStore<?> store) {
        int[] size = {0};
        store.scan("", (key, value) -> {
            size[0]++;
            return true;
        });
        return size[0];
    }
}
