package dev.parley.topology.pipeline;

import static dev.parley.topology.pipeline.DeadLetterAssert.assertThatLetter;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Source;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.codec.Code;
import dev.parley.dialogue.Judge;
import dev.parley.stage.DialogueReplay;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.topics.DeadLetterHeaders;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that are applied only at an expected position of their conversation, or only if they are accepted. */
class ExpectationTest extends AbstractPipelineTest {
    private static final Map<String, String> OBSERVE = Map.of(ParleyConfig.MODE, "observe");

    private static final String EXPECT = dev.parley.codec.RecordHeaders.EXPECT;

    private static InputRecord turn(int turn, int task, String expected) {
        InputRecord record = InputRecord.text("@a3|f0|c7|S0|d1|T" + turn + "|k" + task + "#");
        return expected == null ? record : record.header(EXPECT, expected);
    }

    private AuditRecord judged(InputRecord record) {
        return pipeline.auditOf(pipeline.send(record));
    }

    @Test
    void ofTwoMessagesWithOneExpectationExactlyTheFirstIsApplied() {
        start(Map.of());
        assertThat(judged(turn(1, 1, "0")).getVerdict()).isEqualTo("ACCEPTED");

        AuditRecord first = judged(turn(2, 2, "1"));
        AuditRecord second = judged(turn(2, 3, "1"));

        assertThat(first.getVerdict()).isEqualTo("ACCEPTED");
        assertThat(second.getVerdict()).isEqualTo("REJECTED");
        assertThat(second.getCode()).isEqualTo(Code.CONVERSATION_MOVED.name());
        assertThat(second.getSequence()).isEqualTo(2);
        assertThat(second.getDetail()).contains("is at 2, not at 1").contains("with 3");
        assertThat(pipeline.messages()).hasSize(2);
        assertThat(pipeline.deadLetters(Stage.JUDGE)).hasSize(1);
        assertThatLetter(pipeline.deadLetters(Stage.JUDGE).get(0)).failedAt(Stage.JUDGE, Code.CONVERSATION_MOVED);
        // The next position is the one that the record names, and its turn is free.
        assertThat(judged(turn(3, 3, "3")).getVerdict()).isEqualTo("ACCEPTED");
    }

    @Test
    void aMessageOfTheFutureOrOfAnotherConversationIsNotApplied() {
        start(OBSERVE);

        for (String expected : List.of("1", "9223372036854775807", "5 accepted")) {
            AuditRecord record = judged(turn(1, 1, expected));
            assertThat(record.getCode()).as(expected).isEqualTo(Code.CONVERSATION_MOVED.name());
            assertThat(record.getVerdict()).as(expected).isEqualTo("REJECTED");
        }
    }

    @Test
    void aMessageThatMustBeAcceptedHasNoEffectIfItIsNot() {
        start(OBSERVE);
        judged(turn(1, 1, null));

        AuditRecord refused = judged(turn(5, 1, "accepted"));

        assertThat(refused.getVerdict()).isEqualTo("REJECTED");
        assertThat(refused.getCode()).isEqualTo(Code.SLIP_DUPLICATE_REQUEST.name());
        assertThat(refused.getAllowed()).contains("PROPOSE");
        assertThat(refused.getRule().getText())
                .contains("SLIP_DUPLICATE_REQUEST")
                .contains("parley-expect");
        // Its turn is free, although a rejected message without the header takes its turn.
        assertThat(judged(turn(2, 2, "2 accepted")).getVerdict()).isEqualTo("ACCEPTED");
        assertThat(judged(turn(6, 1, null)).getVerdict()).isEqualTo("FLAGGED");
    }

    @Test
    void aPatchThatMustBeAcceptedIsNotAppliedIfItsOperationsDoNotFit() {
        start(Map.of());
        judged(InputRecord.patch("ctx", "P1", "C0", "C1", "+ DEF A = 1"));

        AuditRecord refused =
                judged(InputRecord.patch("ctx", "P2", "C1", "C2", "+ DEF A = 2").header(EXPECT, "1 accepted"));

        assertThat(refused.getCode()).isEqualTo(Code.CSP_ADD_EXISTS.name());
        assertThat(pipeline.checkpoints()).hasSize(1);
    }

    @Test
    void aParkedPatchIsJudgedAtThePositionOfItsRelease() {
        start(Map.of());
        InputRecord early = InputRecord.patch("ctx", "P2", "C1", "C2", "+ DEF B = 2");
        Source waiting = pipeline.send(early.header(EXPECT, "0"));
        assertThat(pipeline.audit()).isEmpty();

        judged(InputRecord.patch("ctx", "P1", "C0", "C1", "+ DEF A = 1"));

        assertThat(pipeline.auditOf(waiting).getCode()).isEqualTo(Code.CONVERSATION_MOVED.name());
        assertThat(pipeline.checkpoints()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-1",
                "1.0",
                "accept",
                "ACCEPTED",
                "1accepted",
                " accepted",
                "1  accepted",
                "accepted 1",
                "9223372036854775808",
                "00000000000000000000000000001",
                "١"
            })
    void aMalformedExpectationIsUndecodable(String header) {
        start(Map.of());

        AuditRecord record = judged(turn(1, 1, header));

        assertThat(record.getVerdict()).isEqualTo(Verdict.UNDECODABLE.name());
        assertThat(record.getCode()).isEqualTo(Code.BAD_HEADER.name());
        assertThat(record.getDetail()).contains("parley-expect must be");
        assertThat(record.getChain()).startsWith("|UNKNOWN|");
    }

    @Test
    void anAttackerWhoRepeatsMessagesWithExpectationsStopsNoOther() {
        start(Map.of());
        judged(turn(1, 1, "0"));
        for (int i = 0; i < 50; i++) {
            assertThat(judged(turn(1 + i % 60, 1 + i, "0")).getCode()).isEqualTo(Code.CONVERSATION_MOVED.name());
        }

        assertThat(judged(turn(2, 2, null)).getVerdict()).isEqualTo("ACCEPTED");
        assertThat(judged(turn(3, 3, "52 accepted")).getVerdict()).isEqualTo("ACCEPTED");
    }

    @Test
    void aMessageThatIsNotAppliedDoesNotReviveAnIdleDialogue() {
        start(Map.of(ParleyConfig.IDLE_MS, "60000"));
        judged(turn(5, 1, null));
        pipeline.later(Duration.ofMinutes(2));
        judged(turn(6, 1, "0"));

        // The dialogue was idle, so its turns are free.
        assertThat(judged(turn(1, 1, null)).getVerdict()).isEqualTo("ACCEPTED");
    }

    @Test
    void racingSendersApplyExactlyOneMessageForEachPosition() {
        long seed = Long.getLong("parley.seed", new Random().nextLong());
        Random random = new Random(seed);
        start(random.nextBoolean() ? OBSERVE : Map.of());
        int senders = 4;
        long[] seen = new long[senders];
        Integer[] applied = new Integer[senders];
        Arrays.fill(applied, 0);
        List<AuditRecord> records = new ArrayList<>();
        int turn = 0;
        for (int i = 0; i < 400; i++) {
            int sender = random.nextInt(senders);
            if (random.nextInt(3) == 0) {
                seen[sender] = records.size();
            }
            String expected = seen[sender] + (random.nextBoolean() ? " accepted" : "");
            // Letters are not digits of the turn, so each message has the next one in base62.
            String wire = "@a3|f0|c7|S" + sender + "|d1|T" + base62(turn + 1) + "|k"
                    + base62(random.nextInt(4) == 0 ? 1 : i + 2) + "#";
            boolean current = seen[sender] == records.size();
            AuditRecord record = judged(InputRecord.text(wire).header(EXPECT, expected));
            String as = "parley.seed=" + seed + ", message " + i;

            assertThat(record.getSequence()).as(as).isEqualTo(records.size());
            assertThat(Code.CONVERSATION_MOVED.name().equals(record.getCode()))
                    .as(as)
                    .isEqualTo(!current);
            if (current && expected.endsWith("accepted")) {
                assertThat(Judge.isUnapplied(record)).as(as).isEqualTo(record.getCode() != null);
            }
            applied[sender] += current ? 1 : 0;
            turn += Judge.isUnapplied(record) ? 0 : 1;
            records.add(record);
        }

        assertThat(applied).as("parley.seed=" + seed).allMatch(count -> count > 0);
        DialogueReplay replay = new DialogueReplay(
                PipelineSettings.of(new ParleyConfig(Map.of())).stages().judge());
        records.forEach(replay::add);
        assertThat(replay.isExact()).as("parley.seed=" + seed).isTrue();
    }

    private static String base62(int number) {
        String digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        return (number < 62 ? "" : base62(number / 62)) + digits.charAt(number % 62);
    }

    @Test
    void aRedriveHasNoExpectation() {
        start();
        Headers sent = new RecordHeaders()
                .add("x", new byte[0])
                .add("Parley-Expect", "3".getBytes(UTF_8))
                .add("parley-expect", "accepted".getBytes(UTF_8));

        assertThat(DeadLetterHeaders.forRedrive(sent, 2).toArray())
                .extracting(Header::key)
                .containsExactly("x", "parley-attempt");
    }

    @Test
    void aCloudEventHasAnExpectation() {
        start(Map.of());
        String event = "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"s\",\"type\":\"t\",\"parleyexpect\":\"3\","
                + "\"data\":\"@a3|f0|c7|S0|d1|T1|k1#\"}";

        AuditRecord record =
                judged(InputRecord.bytes(event.getBytes(UTF_8)).header("content-type", "application/cloudevents+json"));

        assertThat(record.getCode()).isEqualTo(Code.CONVERSATION_MOVED.name());
    }
}
