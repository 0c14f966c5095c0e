package dev.parley.dialogue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.codec.Code;
import dev.parley.codec.slip.SlipCodec;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Warnings about numbers that were probably meant as something else. */
class SlipSpellingTest {
    private static final String HEADER = "@a2|f0|c1|S0|d1|";

    @ParameterizedTest
    @CsvSource({
        "e404, e404 (15380) is base62; write e6W (404).",
        "e500, e500 (19220) is base62; write e84 (500).",
        "s10, s10 (62) is base62; write sA (10)."
    })
    void aNumberInDecimalIsWarnedAbout(String slot, String detail) {
        Judgement judgement = WireDialogue.of("").say(HEADER + "T1|" + slot + "#");
        assertThat(judgement.code()).isNull();
        assertThat(judgement.warnings()).contains(Code.SLIP_DECIMAL);
        assertThat(judgement.detail()).isEqualTo(detail);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "c1|Sada|d1",
                "c1|S0|dada",
                "c1|SMAIN|d1",
                "c1|SAda|d1",
                "cplanning|S0|d1",
                "c1|S0|d1|kT001",
                "c1|S0|d1|kauth",
                "c1|S0|d1|klogin",
                "c1|S0|d1|gworker1",
                "c1|S0|d1|ptask01",
                "c1|S0|d1|rSUMMARY",
                "c1|Sagent001|d1",
                "cnull|S0|d1",
                "cNIL|S0|d1",
                "c1|Snil|d1",
                "c1|S0|d1|gNaN",
                "c1|S0|d1|kTBD",
                "c1|S0|d1|pNone",
                "c1|S0|d1|rundefined",
                "c1|S0|d1|enull",
                "c1|S0|d1|exxx",
                "c1|S0|d1|etimeout"
            })
    void anIdThatSpellsANameIsWarnedAbout(String fields) {
        String wire = "@a2|f0|" + fields.replace("|d1|", "|d1|T1|") + (fields.contains("d1|") ? "#" : "|T1#");
        Judgement judgement = WireDialogue.of("").say(wire);
        assertThat(judgement.code()).isNull();
        assertThat(judgement.warnings()).containsExactly(Code.SLIP_NAME_AS_NUMBER);
        assertThat(judgement.detail()).startsWith("Values are base62 numbers: ").contains("write names into t\"...\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "k10",
                "kg",
                "kbob",
                "kAb",
                "g1c",
                "kzzz",
                "kA01",
                "rAzL8n0Y58m7",
                "k9cK2xB",
                "kbcdfghj",
                "e2D",
                "e40",
                "e600",
                "e099",
                "s9",
                "sA",
                "kTaskId7Xb"
            })
    void otherNumbersAreNotWarnedAbout(String slot) {
        Judgement judgement = WireDialogue.of("").say(HEADER + "T1|" + slot + "#");
        assertThat(judgement.code()).isNull();
        assertThat(judgement.warnings()).doesNotContain(Code.SLIP_DECIMAL, Code.SLIP_NAME_AS_NUMBER);
        assertThat(judgement.detail()).isNull();
    }

    @ParameterizedTest(name = "T{0} after T{1}: {2}")
    @CsvSource({
        "10, 9, true",
        "20, 19, true",
        "100, 99, true",
        "11, A, true",
        "A, 9, false",
        "11, 10, false",
        "1A, 19, false",
        "30, 19, false",
        "B, 9, false",
        "10, z, false",
        "AzL8n0Y58m7, 7, false"
    })
    void aTurnThatFollowsOnlyInDecimalIsWarnedAbout(String turn, String last, boolean warned) {
        WireDialogue dialogue = WireDialogue.of("");
        dialogue.say(HEADER + "T" + last + "#");
        Judgement judgement = dialogue.say(HEADER + "T" + turn + "#");
        assertThat(judgement.code()).isNull();
        assertThat(judgement.warnings().contains(Code.SLIP_DECIMAL)).isEqualTo(warned);
        assertThat(judgement.detail() != null && judgement.detail().contains("in decimal only"))
                .isEqualTo(warned);
    }

    /** A template that one agent does not fill in must not end the conversation. */
    @ParameterizedTest
    @ValueSource(
            strings = {"null", "None", "NULL", "nil", "NaN", "nan", "undefined", "Undefined", "xxx", "turn", "TURN"})
    void aTurnThatSpellsNoValueIsNotUsed(String turn) {
        WireDialogue dialogue = WireDialogue.of("");
        Judgement first = dialogue.say(HEADER + "T" + turn + "#");
        assertThat(first.code()).isEqualTo(Code.SLIP_TURN_WORD);
        assertThat(first.detail()).contains("T" + turn + " (", "The next free turn is T0.");
        assertThat(dialogue.say(HEADER + "T1#").code()).isNull();
        Judgement second = dialogue.say(HEADER + "T" + turn + "#");
        assertThat(second.code()).isEqualTo(Code.SLIP_TURN_WORD);
        assertThat(second.detail()).contains("The next free turn is T2.");
        assertThat(dialogue.say(HEADER + "T2#").code()).isNull();
    }

    @Test
    void aTurnThatAWordSpellsIsWarnedAboutAfterAGap() {
        WireDialogue dialogue = WireDialogue.of("");
        dialogue.say(HEADER + "Tmaim#");
        assertThat(dialogue.say(HEADER + "Tmain#").warnings()).isEmpty();
        assertThat(dialogue.say(HEADER + "Tmais#").warnings())
                .containsExactly(Code.SLIP_NAME_AS_NUMBER, Code.SLIP_TURN_GAP);
    }

    @Test
    void countingMayReachAWord() {
        WireDialogue dialogue = WireDialogue.of("");
        dialogue.say(HEADER + "Tnula#");
        assertThat(dialogue.say(HEADER + "Tnull#").code()).isNull();
    }

    @Test
    void aGapAndAWrongFrameAreRemarkedWithWhatFits() {
        WireDialogue dialogue = WireDialogue.of("");
        dialogue.say(HEADER + "Tz#");
        Judgement judgement = dialogue.say("@a3|f1|c1|S0|d1|T12#");
        assertThat(judgement.warnings()).containsExactlyInAnyOrder(Code.SLIP_TURN_GAP, Code.SLIP_FRAME_MISMATCH);
        assertThat(judgement.detail()).isEqualTo("After Tz (61) comes T10 (62). The frame of REQUEST is f0 (TASK).");
    }

    @Test
    void theCauseOfADecimalTurnNamesTheNextOne() {
        WireDialogue dialogue = WireDialogue.of("");
        dialogue.say(HEADER + "T9#");
        Judgement judgement = dialogue.say(HEADER + "T10#");
        assertThat(judgement.warnings()).containsExactlyInAnyOrder(Code.SLIP_DECIMAL, Code.SLIP_TURN_GAP);
        assertThat(judgement.detail()).isEqualTo("T10 (62) follows T9 in decimal only: the next turn is TA (10).");
    }

    @Test
    void countedTurnsAndIdsAreNotWarnedAbout() {
        WireDialogue dialogue = WireDialogue.of("");
        for (long number = 0; number < 20_000; number++) {
            String digits = SlipCodec.digits(number);
            Judgement judgement = dialogue.say(HEADER + "T" + digits + "|k" + digits + "|g" + digits + "#");
            assertThat(judgement.warnings()).as(digits).isEmpty();
        }
    }

    @Test
    void fewRandomIdsSpellAName() {
        long seed = Long.getLong("parley.seed", System.nanoTime());
        Random random = new Random(seed);
        long warned = Stream.generate(() -> SlipCodec.digits(random.nextLong() >>> 1))
                .limit(20_000)
                .filter(id -> WireDialogue.of("")
                        .say(HEADER + "T1|k" + id + "#")
                        .warnings()
                        .contains(Code.SLIP_NAME_AS_NUMBER))
                .count();
        assertThat(warned).as("of 20,000, parley.seed=%d", seed).isLessThan(40);
    }
}
