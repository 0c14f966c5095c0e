package dev.parley.dialogue;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.CspMessage;
import dev.parley.codec.Code;
import dev.parley.encoding.Sha256;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that are sent again with other white space around them. */
class ResendHashTest {
    private static final String BYTE_ORDER_MARK = "\u00EF\u00BB\u00BF";

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "\r\n", " \t\n\n", "\u000B\f"})
    void whiteSpaceAndByteOrderMarkAroundAMessageDoNotCount(String space) {
        ByteBuffer expected = ByteBuffer.wrap(Sha256.of("a b\r\nc".getBytes(ISO_8859_1)));
        assertThat(hash("a b\r\nc" + space, false)).isEqualTo(expected);
        assertThat(hash(space + "a b\r\nc", false)).isEqualTo(expected);
        assertThat(hash(BYTE_ORDER_MARK + space + "a b\r\nc" + space, false)).isEqualTo(expected);
    }

    @Test
    void onlyInCspACarriageReturnBeforeALineFeedDoesNotCount() {
        assertThat(hash("a\r\nb\r\n\r\nc\r\n", true)).isEqualTo(hash("a\nb\n\nc", true));
        assertThat(hash("a\rb", true)).isNotEqualTo(hash("a\nb", true));
        assertThat(hash("a\r\nb", false)).isNotEqualTo(hash("a\nb", false));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", BYTE_ORDER_MARK, BYTE_ORDER_MARK + "\n"})
    void aMessageOfWhiteSpaceHasTheHashOfNoBytes(String bytes) {
        assertThat(hash(bytes, true)).isEqualTo(ByteBuffer.wrap(Sha256.of(new byte[0])));
    }

    private static ByteBuffer hash(String bytes, boolean csp) {
        byte[] raw = bytes.getBytes(ISO_8859_1);
        // Not at the start of its array, as in a record that was read from a topic.
        ByteBuffer part =
                ByteBuffer.allocate(raw.length + 3).position(3).put(raw).flip().position(3);
        AgentMessage message = new AgentMessage();
        message.setRaw(part);
        message.setSha256(ByteBuffer.wrap(Sha256.of(raw)));
        message.setCsp(csp ? new CspMessage() : null);
        ByteBuffer hash = ResendHash.of(message);
        assertThat(part.position()).isEqualTo(3);
        return hash;
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r\n", " "})
    void aSlipMessageWithOtherWhiteSpaceAroundItIsADuplicate(String space) {
        WireDialogue dialogue = WireDialogue.of("slip");
        dialogue.say("@a3|f0|c1|S0|d1|T1|k1#");
        assertThat(dialogue.say("@a3|f0|c1|S0|d1|T1|k1#" + space).warnings()).containsExactly(Code.SLIP_DUPLICATE);
        assertThat(dialogue.say("\uFEFF@a3|f0|c1|S0|d1|T1|k1#").warnings())
                .containsExactlyInAnyOrder(Code.SLIP_DUPLICATE, Code.BYTE_ORDER_MARK);
    }

    @Test
    void aCspTaskWithOtherLineEndsIsADuplicate() {
        String task = "CSP/1\nFROM A\nTO B\nCTX C0\nINTENT TASK\n\nTASK T1\nREQ x\nIN a\nOUT b\nOWNER B\nPRIORITY P1";
        WireDialogue dialogue = WireDialogue.of("csp");
        dialogue.say(task);
        for (String again : new String[] {task + "\n", task.replace("\n", "\r\n") + "\r\n", "\uFEFF" + task}) {
            Judgement judgement = dialogue.say(again);
            assertThat(judgement.code()).isNull();
            assertThat(judgement.warnings()).contains(Code.CSP_DUPLICATE);
        }
    }
}
