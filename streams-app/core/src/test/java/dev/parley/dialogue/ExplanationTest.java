package dev.parley.dialogue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.SlipAct;
import dev.parley.avro.SubitType;
import dev.parley.codec.Excerpt;
import dev.parley.codec.slip.SlipCodec;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a verdict tells the sender of an illegal message. */
class ExplanationTest {
    private static final String TASK =
            "CSP/1\nFROM %s\nTO %s\nCTX C0\nINTENT TASK\n\nTASK %s\nREQ a\nIN b\nOUT c\nOWNER %s\nPRIORITY P1";
    private static final String RESULT =
            "CSP/1\nFROM %s\nTO %s\nCTX C0\nINTENT RESULT\n\nRESULT %s\nSTATUS OK\nPRODUCED x\nDATA y";
    private static final String ERROR = "CSP/1\nFROM %s\nTO %s\nCTX C0\nINTENT ERROR\n\nERROR E1\nAT %s\nCAUSE x";
    private static final String PATCH =
            "CSP/1\nFROM A\nTO B\nCTX C0\nINTENT PATCH\n\nPATCH P1\nBASE C0\n%s\nAPPLY -> %s";

    static Stream<Arguments> dialogues() {
        String open = TASK.formatted("MAIN", "W1", "T1", "W2");
        return Stream.of(
                Arguments.of(
                        "",
                        List.of("@a3|f0|c1|S0|d1|T7|k1#", "@a4|f1|c1|S1|d0|T7|k1#"),
                        "Another message has turn T7. The next free turn is T8. Task k1 is REQUESTED and "
                                + "allows OBSERVE, INFORM, ASK, PROPOSE, COMMIT, ACCEPT, REJECT, ERROR or META."),
                Arguments.of(
                        "",
                        List.of("@a3|f0|c1|S0|d1|T9|k1#", "@a4|f1|c1|S1|d0|T7|k1#"),
                        "Turn T7 is lower than the last turn T9. The next free turn is TA (10). Task k1 is "
                                + "REQUESTED and allows OBSERVE, INFORM, ASK, PROPOSE, COMMIT, ACCEPT, REJECT, ERROR or "
                                + "META."),
                Arguments.of(
                        "",
                        List.of("@a3|f0|c1|S0|d1|T9|k1#", "@a4|f1|c1|S1|d0|T10|k1#", "@a6|f1|c1|S0|d1|TA|k1#"),
                        "Turn TA (10) is lower than the last turn T10 (62), perhaps meant in decimal. T10 (62) came"
                                + " directly after T9. If that was a mistake, count on from it, or start another"
                                + " conversation. The next free turn is T11 (63). Task k1 is PROPOSED and allows OBSERVE, INFORM, ASK, REQUEST,"
                                + " PROPOSE, COMMIT, ACCEPT, REJECT, EVAL, ERROR or META."),
                Arguments.of(
                        "",
                        List.of("@a3|f0|c1|S0|d1|TAzL8n0Y58m7#", "@a4|f1|c1|S1|d0|T1#"),
                        "Turn T1 is lower than the last turn TAzL8n0Y58m7 (9223372036854775807). No higher "
                                + "turn exists until the conversation has been idle. The conversation outside tasks is "
                                + "REQUESTED and allows OBSERVE, INFORM, ASK, PROPOSE, COMMIT, ACCEPT, REJECT, ERROR or "
                                + "META."),
                Arguments.of(
                        "",
                        List.of(
                                "@a3|f0|c1|S0|d1|T0|k1#",
                                "@a0|f2|c1|S0|d1|T1#",
                                "@a0|f2|c1|S0|d1|T2#",
                                "@a0|f2|c1|S0|d1|T3#",
                                "@a0|f2|c1|S0|d1|T4#",
                                "@a0|f2|c1|S0|d1|T5#",
                                "@a0|f2|c1|S0|d1|T6#",
                                "@a0|f2|c1|S0|d1|T7#",
                                "@a0|f2|c1|S0|d1|T8#",
                                "@a3|f0|c1|S0|d1|T0|k1#"),
                        "Turn T0 is lower than the last turn T8. A message that is sent again is recognized on the last"
                                + " 8 turns only, since T1. The next free turn is T9. Task k1 is REQUESTED and allows"
                                + " OBSERVE, INFORM, ASK, PROPOSE, COMMIT, ACCEPT, REJECT, ERROR or META."),
                Arguments.of(
                        "",
                        List.of("@a6|f2|c1|S0|d1|T9|kT001#"),
                        "The next free turn is TA (10). Task kT001 (6911513) is NEW and allows OBSERVE, "
                                + "INFORM, ASK, REQUEST, PROPOSE, ERROR or META. Values are base62 numbers: kT001 "
                                + "(6911513). Number what you mean, omit a slot without a value, and write names into "
                                + "t\"...\"."),
                Arguments.of(
                        "",
                        List.of("{\"type\":\"INTENT\",\"payload\":\"000110110001\"}"),
                        "The session is new, or was closed after the idle time: the sender may send STATE or "
                                + "ERROR next."),
                Arguments.of(
                        "",
                        List.of(
                                "A: {\"type\":\"STATE\",\"payload\":\"000110\"}",
                                "A: {\"type\":\"INTENT\",\"payload\":\"000110110001\"}",
                                "A: {\"type\":\"STATE\",\"payload\":\"000110\"}"),
                        "The sender's INTENT is open: the sender may send INTENT, ACTION, PLAN, TRACE or ERROR"
                                + " next."),
                Arguments.of(
                        "",
                        List.of(
                                "A: {\"type\":\"STATE\",\"payload\":\"000110\"}",
                                "A: {\"type\":\"ACTION\",\"payload\":\"000110110001\"}"),
                        "The session is in STATE: the sender may send STATE, INTENT, PLAN, TRACE or ERROR " + "next."),
                Arguments.of(
                        "",
                        List.of(RESULT.formatted("W1", "MAIN", "T9")),
                        "'T9' is not a known task or query; no task is open. With this ID, the sender may send"
                                + " TASK, QUERY, ERROR, PLAN, MEM, FILE or PATCH."),
                Arguments.of(
                        "",
                        List.of(open, RESULT.formatted("W1", "MAIN", "T9")),
                        "'T9' is not a known task or query; open tasks are 'T1'. With this ID, the sender may "
                                + "send TASK, QUERY, ERROR, PLAN, MEM, FILE or PATCH."),
                Arguments.of(
                        "",
                        List.of(open, RESULT.formatted("W3", "MAIN", "T1")),
                        "'T1' is OPEN, from 'MAIN' to 'W1' with OWNER 'W2'. A RESULT must come from its TO or "
                                + "OWNER and go to its FROM; an ERROR must come from one of them. With this ID, the "
                                + "sender may send PLAN, MEM, FILE or PATCH."),
                Arguments.of(
                        "",
                        List.of(open, TASK.formatted("MAIN", "W1", "T1", "W1")),
                        "'T1' is OPEN, from 'MAIN' to 'W1' with OWNER 'W2'. With this ID, the sender may send "
                                + "ERROR, PLAN, MEM, FILE or PATCH."),
                Arguments.of(
                        "",
                        List.of(open, RESULT.formatted("W2", "MAIN", "T1"), ERROR.formatted("W2", "MAIN", "T1")),
                        "'T1' is DONE, from 'MAIN' to 'W1' with OWNER 'W2'. With this ID, the sender may send "
                                + "PLAN, MEM, FILE or PATCH."),
                Arguments.of(
                        "",
                        List.of(PATCH.formatted("+ DEF K = v", "C0")),
                        "BASE and APPLY are both 'C0'; APPLY must name a new checkpoint."),
                Arguments.of(
                        "",
                        List.of(PATCH.formatted("+ DEF K = v\n~ DEF K := w", "C1")),
                        "'K' is in two operations; a patch may change a name once."),
                Arguments.of(
                        "lambda",
                        List.of("A: <+"),
                        "Nothing is pending. In IDLE, the sender may start with one of: #h {...} ? ! . >"),
                Arguments.of(
                        "lambda",
                        List.of("A: ?Ik", "A: <"),
                        "The latest pending item, Q_PEND, is the sender's own; the other side must answer it. "
                                + "In Q_PEND, the sender may start with one of: #h {...} ? ! . > !er:"),
                Arguments.of(
                        "lambda",
                        List.of("A: !Ik <"),
                        "Statement 2: The latest pending item, SAID, is the sender's own; the other side must "
                                + "answer it. In IDLE, the sender may start with one of: #h {...} ? ! . >"),
                Arguments.of(
                        "lambda",
                        List.of("A: ?Ik", "B: <->Ik"),
                        "In Q_PEND, the sender may start with one of: #h {...} ? ! . > < <+ <- <? !er:"),
                Arguments.of(
                        "lambda",
                        List.of("A: >> ?Ik", "B: !Ik"),
                        "'A' holds the floor; until its <<, others may only acknowledge, report errors, and "
                                + "interject with ><. In Q_PEND, the sender may start with one of: < <+ <- <? !er: ><"),
                Arguments.of(
                        "lambda",
                        List.of("A: .Ik", "B: !er:un", "A: !er:un", "B: !er:un"),
                        "Two errors precede in a row; send something else before another one. In CLARIFY, the "
                                + "sender may start with one of: #h {...} ? ! . > < <+ <- <?"),
                Arguments.of(
                        "lambda",
                        List.of("A: @v0.6#h<"),
                        "No handshake #h is pending. In IDLE, the sender may start with one of: #h {...} ? ! ." + " >"),
                Arguments.of(
                        "lambda",
                        List.of("A: !Ik/co[n12]"),
                        "The checksum must be 6, not 12: the statements have 6 characters in canonical form. "
                                + "In IDLE, the sender may start with one of: #h {...} ? ! . >"),
                Arguments.of(
                        "lambda",
                        List.of("A: ||a|b||c||"),
                        "Row 2 of a table must have as many cells as the first row, 2, not 1. In IDLE, the sender may"
                                + " start with one of: #h {...} ? ! . >"),
                Arguments.of(
                        "lambda",
                        List.of("A: !st{t:[||x||y||],u:||a|b||c|d||e|f|g||h||}"),
                        "Row 3 of a table must have as many cells as the first row, 2, not 3. In IDLE, the sender may"
                                + " start with one of: #h {...} ? ! . >"));
    }

    @ParameterizedTest
    @MethodSource("dialogues")
    void aViolationSaysWhatWouldHaveBeenAccepted(String protocol, List<String> lines, String detail) {
        WireDialogue dialogue = WireDialogue.of(protocol);
        for (String line : lines.subList(0, lines.size() - 1)) {
            assertThat(dialogue.say(line).code()).isNull();
        }
        Judgement last = dialogue.say(lines.get(lines.size() - 1));
        assertThat(last.code()).isNotNull();
        assertThat(last.detail()).isEqualTo(detail);
    }

    @Test
    void exactlyTheAllowedActsAreLegalInsteadOfAnIllegalOne() {
        long seed = Long.getLong("parley.seed", System.nanoTime());
        Random random = new Random(seed);
        for (Vocabulary vocabulary : Vocabulary.values()) {
            WireDialogue dialogue = WireDialogue.of(vocabulary.name().toLowerCase(Locale.ROOT));
            int explained = 0;
            for (int i = 0; i < 2_000; i++) {
                String sender = "A" + random.nextInt(3);
                int task = random.nextInt(4);
                String message = vocabulary.message(pick(vocabulary.acts(), random), sender, task, i);
                ConversationState before = dialogue.state;
                Judgement judgement = dialogue.say(message);
                if (judgement.code() == null) {
                    assertThat(judgement.allowed()).isEmpty();
                    continue;
                }
                explained++;
                dialogue.state = before;
                for (String act : vocabulary.acts()) {
                    Judgement instead = dialogue.judge(vocabulary.message(act, sender, task, i));
                    assertThat(instead.code() == null)
                            .as("%s instead of %s, message %d, parley.seed=%d: %s", act, message, i, seed, judgement)
                            .isEqualTo(judgement.allowed().contains(act));
                }
                dialogue.state = judgement.next();
            }
            assertThat(explained).as("%s, parley.seed=%d", vocabulary, seed).isGreaterThan(100);
        }
    }

    /** Messages of each act of a protocol. */
    private enum Vocabulary {
        SLIP,
        SUBIT,
        CSP,
        LAMBDA;

        List<String> acts() {
            return switch (this) {
                case SLIP -> named(SlipAct.values());
                case SUBIT -> named(SubitType.values());
                case CSP -> List.of("TASK", "QUERY", "RESULT", "ERROR", "PLAN", "MEM");
                case LAMBDA -> List.of("#h", "#h<", "{...}", "?", "!", ".", ">", "<", "<+", "<-", "<->", "<?", "!er:");
            };
        }

        private static List<String> named(Enum<?>[] acts) {
            return Stream.of(acts)
                    .map(Enum::name)
                    .filter(act -> !act.equals("UNKNOWN"))
                    .toList();
        }

        String message(String act, String sender, int task, int number) {
            return switch (this) {
                case SLIP ->
                    "@a" + SlipCodec.digits(SlipAct.valueOf(act).ordinal() - 1) + "|f0|c1|S0|d1|T"
                            + SlipCodec.digits(number) + "|k" + task + "#";
                case SUBIT ->
                    sender + ": {\"type\":\"" + act + "\",\"payload\":\""
                            + switch (act) {
                                case "STATE" -> "000110";
                                case "PLAN" -> "000110110001011011";
                                default -> "000110110001";
                            }
                            + "\"}";
                case CSP -> csp(act, sender, task, number);
                case LAMBDA ->
                    sender + ": "
                            + switch (act) {
                                case "#h", "#h<" -> "@v0.6" + act;
                                case "{...}" -> "{ctx:x}";
                                case "!er:" -> "!er:un";
                                case "?", "!", ".", ">", "<->" -> act + "Ik";
                                default -> act;
                            };
            };
        }

        private static String csp(String act, String sender, int task, int number) {
            String to = act.equals("TASK") || act.equals("QUERY") ? "A1" : "A0,A1,A2";
            String head = "CSP/1\nFROM " + sender + "\nTO " + to + "\nCTX C0\nINTENT " + act + "\n\n" + act + " ";
            return switch (act) {
                case "TASK" -> head + "T" + task + "\nREQ " + number;
                case "RESULT" -> head + "T" + task + "\nSTATUS PARTIAL\nDATA " + number;
                case "ERROR" -> head + "E1\nAT T" + task;
                default -> head + "T" + task + "\nX " + number;
            };
        }
    }

    private static String pick(List<String> acts, Random random) {
        return acts.get(random.nextInt(acts.size()));
    }

    @Test
    void noPrivateContentIsInTheDetailsOfLaterMessages() {
        WireDialogue dialogue = WireDialogue.of("lambda");
        dialogue.say("A: prv: {def:codeword=swordfish}?secret/swordfish{no:\"swordfish\"}");
        assertThat(dialogue.say("A: <").detail()).doesNotContain("swordfish", "secret", "codeword");
        dialogue.say("B: prv: >> !swordfish");
        assertThat(dialogue.say("A: ?Ik").detail())
                .contains("'B' holds the floor")
                .doesNotContain("swordfish");
        assertThat(dialogue.say("A: prv: !swordfish[n1]").detail()).doesNotContain("swordfish");
    }

    @Test
    void namesOfRedactedMessagesAreNotInTheDetailsOfLaterOnes() {
        WireDialogue tasks = WireDialogue.of("csp");
        tasks.say(TASK.formatted("ADA", "GRACE", "T1", "GRACE"));
        tasks.say(TASK.formatted("ADA", "GRACE", "LOVELACE", "GRACE"));
        tasks.state = tasks.judge.hashTexts(tasks.state);
        assertThat(tasks.say(RESULT.formatted("W3", "MAIN", "T1")).detail())
                .startsWith(
                        "'T1' is OPEN, from (redacted or long) to (redacted or long) with OWNER (redacted or long).");
        assertThat(tasks.say(RESULT.formatted("W3", "MAIN", "T2")).detail())
                .contains("open tasks are (redacted or long), (redacted or long).");

        WireDialogue floor = WireDialogue.of("lambda");
        floor.say("ADA: >> ?Ik");
        floor.state = floor.judge.hashTexts(floor.state);
        assertThat(floor.say("B: !Ik").detail()).startsWith("(redacted or long) holds the floor");
    }

    @Test
    void aDetailIsBoundedHoweverLongTheNamesAre() {
        String name = "N".repeat(4_000);
        WireDialogue tasks = WireDialogue.of("csp");
        for (int task = 0; task < 20; task++) {
            tasks.say(TASK.formatted(name, name, name + task, name));
        }
        assertThat(tasks.say(RESULT.formatted(name, name, "T1")).detail())
                .hasSizeLessThan(Excerpt.MAX_DETAIL_CHARACTERS);
        assertThat(tasks.say(RESULT.formatted("W", name, name + 1)).detail())
                .hasSizeLessThan(Excerpt.MAX_DETAIL_CHARACTERS)
                .endsWith("PLAN, MEM, FILE or PATCH.");
    }
}
