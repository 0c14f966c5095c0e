package dev.parley.dialogue;

import static dev.parley.dialogue.DialogueMessages.NO_CHECKPOINTS;
import static dev.parley.dialogue.DialogueMessages.slip;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.ConversationItem;
import dev.parley.avro.CspDialogue;
import dev.parley.avro.CspIntent;
import dev.parley.avro.LambdaDialogue;
import dev.parley.avro.LambdaKind;
import dev.parley.avro.SlipAct;
import dev.parley.avro.SlipDialogue;
import dev.parley.avro.SlipTask;
import dev.parley.avro.SlipTaskState;
import dev.parley.checkpoint.MemoryStore;
import dev.parley.codec.Code;
import dev.parley.protocol.Glosses;
import dev.parley.protocol.Protocols;
import dev.parley.stage.ItemStore;
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
class RememberedItemsTest {
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

    private final MemoryStore<ConversationItem> records = new MemoryStore<>();
    private final ItemStore store = new ItemStore(records);
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
        store.put("chain", next.dialogue().olderItems());
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
            assertThat(recentSlip()).as(told).hasSizeLessThanOrEqualTo(RememberedItems.MAX_RECENT);
            assertThat(size(records))
                    .as(told)
                    .isEqualTo(state.dialogue().olderItems().count());
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
            assertThat(conversation.state.dialogue().olderItems().changes())
                    .hasSize(state.dialogue().olderItems().count())
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
        assertThat(size(records)).isEqualTo(state.dialogue().olderItems().count());
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
        String prefix = StoredText.key("chain");
        ConversationItem accepted = new ConversationItem(
                DialogueMessages.slipTask(1L, SlipTaskState.ACCEPTED, 0L), null, null, null, null, Long.MAX_VALUE);
        records.put(prefix + "0", accepted);
        records.put(prefix + "not a number", accepted);
        assertThat(say(SlipAct.COMMIT, 0L, 0).code()).isEqualTo(Code.SLIP_NOTHING_TO_COMMIT);
        for (long task = 1_000; task < 1_200; task++) {
            say(SlipAct.REQUEST, task, 0);
        }
        assertThat(records.get(prefix + "not a number")).isEmpty();
        assertThat(size(records)).isEqualTo(state.dialogue().olderItems().count());
    }

    @Test
    void hostileNumbersOfOlderItemsAreCorrected() {
        fill(60);
        for (int count : new int[] {Integer.MAX_VALUE, -1}) {
            Dialogue dialogue = state.dialogue();
            state = state.with(new Dialogue(
                    dialogue.state(), false, OlderItems.of(count, count * (long) count * count, store.of("chain"))));
            for (long task = 100; task < 600; task++) {
                assertThat(say(SlipAct.REQUEST, task + Math.max(0, count), 0).code())
                        .isNull();
            }
            assertThat(tasks()).isLessThanOrEqualTo(SETTINGS.maxEntries());
            assertThat(size(records)).isEqualTo(state.dialogue().olderItems().count());
        }
    }

    @Test
    void aTaskOfWhichTheRecordIsNotOneOfItsProtocolIsForgotten() {
        fill(40);
        List<String> keys = new ArrayList<>();
        records.scan("", (key, task) -> keys.add(key));
        keys.forEach(key -> records.put(key, new ConversationItem()));
        assertThat(say(SlipAct.ACCEPT, 0L, 0).code()).isEqualTo(Code.SLIP_NOTHING_TO_ACCEPT);
        assertThat(say(SlipAct.REQUEST, 0L, 0).code()).isNull();
        fill(400);
        assertThat(size(records)).isEqualTo(state.dialogue().olderItems().count());
    }

    @Test
    void afterTheMaximumWasRaisedTheTasksOfAStateGetRecords() {
        List<SlipTask> tasks = LongStream.range(0, 2 * RememberedItems.MAX_RECENT)
                .mapToObj(task -> DialogueMessages.slipTask(task, SlipTaskState.REQUESTED, task))
                .toList();
        state = DialogueMessages.state(tasks.size(), DialogueMessages.slipDialogue(0, tasks));
        assertThat(say(SlipAct.ACCEPT, 3L, 151).code()).isNull();
        assertThat(recentSlip()).hasSizeLessThanOrEqualTo(RememberedItems.MAX_RECENT);
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
    void theBytesOfOlderItemsAreBounded() {
        String recipients = "CODER," + "x".repeat(StateBytes.MAX_BYTES / 40);
        for (int i = 0; i < 150; i++) {
            assertThat(say(task("T" + i).to(recipients)).code()).isNull();
            assertThat(state.dialogue().olderItems().bytes()).isLessThanOrEqualTo(StateBytes.MAX_BYTES);
        }
        assertThat(size(records))
                .as("records of tasks and of their recipients")
                .isEqualTo(2 * state.dialogue().olderItems().count())
                .isPositive();
        assertThat(say(result("T149").from("STRANGE")).code()).isEqualTo(Code.CSP_WRONG_RESPONDER);
        assertThat(say(result("T149")).code()).isNull();
    }

    @Test
    void aLargeTaskTakesNoOtherAlong() {
        say(task("T"));
        say(new CspDraft(CspIntent.ERROR).id("E").at("T"));
        for (int i = 0; i < 60; i++) {
            say(task("T" + i));
        }
        int before = size(records);
        AgentMessage retry = task("T").to("x,".repeat(StateBytes.MAX_BYTES / 2)).build();
        assertThat(say(retry).warnings()).contains(Code.CSP_TASK_RETRIED);
        assertThat(state.dialogue().olderItems().bytes()).isLessThanOrEqualTo(StateBytes.MAX_BYTES);
        assertThat(size(records))
                .isEqualTo(state.dialogue().olderItems().count())
                .isEqualTo(before - 1);
        assertThat(say(result("T0")).code()).isNull();
    }

    @Test
    void aMessageAboutATaskDoesNotWriteItsRecipients() {
        say(task("T").to("CODER," + "x".repeat(2_000)));
        assertThat(size(records)).isEqualTo(2);
        Judgement partial = say(result("T").status("PARTIAL"));
        assertThat(partial.next().dialogue().olderItems().changes()).hasSize(1);
        assertThat(say(result("T")).code()).isNull();
        assertThat(say(task("T2").to("CODER")).code()).isNull();
        assertThat(size(records)).isEqualTo(2);
    }

    @Test
    void recipientsThatAreNotStoredAreOfNoTask() {
        say(task("T").to("CODER," + "x".repeat(2_000)));
        List<String> keys = new ArrayList<>();
        records.scan("", (key, item) -> item.getCsp() != null || keys.add(key));
        keys.forEach(records::delete);
        assertThat(say(result("T")).code()).isEqualTo(Code.CSP_RESULT_WITHOUT_TASK);
    }

    @Test
    void definitionsThatTheStateDoesNotContainAreInForce() {
        for (int i = 0; i < 150; i++) {
            say(defines("n" + i, "v".repeat(i % 3 == 0 ? 2_000 : 20)));
        }
        say(defines("n7", "x"));
        assertThat(size(records))
                .isEqualTo(state.dialogue().olderItems().count())
                .isGreaterThan(100);
        assertThat(Glosses.definitions(state).valueOf("n3")).hasSize(2_000);
        assertThat(Glosses.definitions(state).valueOf("n7")).isEqualTo("x");
        assertThat(say(defines("n3", "v".repeat(2_000))).warnings()).isEmpty();
        Judgement changed = say(defines("n3", "other"));
        assertThat(changed.warnings()).containsExactly(Code.LAMBDA_DEF_CHANGED);
        assertThat(changed.rule().getText()).endsWith("definition 1 changes the value set at sequence 151");

        keep(judge.hashTexts(state));
        assertThat(Glosses.definitions(state).valueOf("n3")).isNull();
        assertThat(say(defines("n4", "v".repeat(20))).warnings()).isEmpty();
        assertThat(say(defines("n5", "x")).warnings()).containsExactly(Code.LAMBDA_DEF_CHANGED);
    }

    @Test
    void theDefinitionsThatWereSetFirstAreForgotten() {
        for (int i = 0; i < 100; i++) {
            LambdaMessageBuilder message = defines("a" + i, "1");
            for (int j = 0; j < 9; j++) {
                message.define("a" + i + "b" + j, "1");
            }
            say(message);
        }
        int remembered =
                ((LambdaDialogue) state.dialogue().state()).getDefinitions().size()
                        + state.dialogue().olderItems().count();
        assertThat(remembered).isBetween(SETTINGS.maxEntries() * 3 / 4, SETTINGS.maxEntries());
        assertThat(Glosses.definitions(state).valueOf("a99")).isEqualTo("1");
        assertThat(Glosses.definitions(state).valueOf("a" + (100 - remembered / 10)))
                .isEqualTo("1");
        assertThat(Glosses.definitions(state).valueOf("a" + (98 - remembered / 10)))
                .isNull();
    }

    @Test
    void afterARedactionOlderItemsHaveNoTextAndTheSameVerdicts() {
        for (int i = 0; i < 60; i++) {
            say(task("secret" + i).owner("secret-owner"));
        }
        keep(judge.hashTexts(state));
        records.scan("", (key, task) -> {
            assertThat(key + task).doesNotContain("secret");
            return true;
        });
        assertThat(size(records))
                .isEqualTo(state.dialogue().olderItems().count())
                .isPositive();
        assertThat(judge.hashTexts(state).dialogue().olderItems().changes())
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
    void theDocumentedStateOfAnOlderItemIsFound() {
        fill(100);
        assertThat(judge.positionOf(state, slip(0, SlipAct.ACCEPT, 1L, 0))).isEqualTo("REQUESTED");
        assertThat(judge.positionOf(state, slip(0, SlipAct.ACCEPT, 1L, 2L * IDLE)))
                .isEqualTo("NEW");
        assertThat(judge.positionOf(state, slip(0, SlipAct.ACCEPT, 999L, 0))).isEqualTo("NEW");
    }

    @Test
    void conversationsWithSimilarNamesShareNoTasks() {
        ConversationItem task = new ConversationItem(
                DialogueMessages.slipTask(1L, SlipTaskState.ACCEPTED, 0L), null, null, null, null, 0L);
        for (String chain : List.of("a", "a:", "a:1", "1:a", "a:1:")) {
            OlderItems.Source source = store.of(chain);
            List<String> keys = new ArrayList<>();
            source.scan((key, found) -> keys.add(key));
            assertThat(keys).as(chain).isEmpty();
            assertThat(source.get("1")).as(chain).isNull();
            store.put(chain, OlderItems.NONE.with(Map.of("1", task, "2", task), 2, 0));
            source.scan((key, found) -> keys.add(key));
            assertThat(keys).as(chain).containsExactlyInAnyOrder("1", "2");
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

    private Judgement say(LambdaMessageBuilder message) {
        return say(message.build());
    }

    private static LambdaMessageBuilder defines(String name, String value) {
        return LambdaMessageBuilder.message(LambdaKind.CONTEXT_ONLY).define(name, value);
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
        return recent.size() + state.dialogue().olderItems().count();
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
