package dev.parley.diagnosis;

import static dev.parley.codec.csp.CspSamples.FILE;
import static dev.parley.codec.csp.CspSamples.PATCH;
import static dev.parley.codec.csp.CspSamples.RESULT;
import static dev.parley.codec.csp.CspSamples.TASK;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.codec.LinearTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tokens of a chat after a message are no part of its last value, but markup inside the value is. */
class CspEndTokensTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "</s>",
                "</s>\r\n ",
                "\n</s>",
                "\n\n</message>\n",
                "<|im_end|>",
                "<|eot_id|>",
                "<|eot_id|>\n<|im_end|>",
                "<|return|></s>",
                "<｜end▁of▁sentence｜>",
                "<end_of_turn>",
                "<eos>",
                "[/INST]",
                "</message>",
                "\n```",
                "```",
                "\n~~~\n"
            })
    void aTokenFollowsTheMessage(String tokens) {
        for (String message : new String[] {PATCH, TASK, RESULT, RESULT + " <b>x</b>"}) {
            assertThat(CspEndTokens.messageEnd((message + tokens).getBytes(UTF_8)))
                    .as(message)
                    .isEqualTo(message.getBytes(UTF_8).length);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"</agent>", " </s>", "\t<|im_end|>", " </checkpoint-1>"})
    void aValueOfOneNameContainsNoTag(String tokens) {
        for (String key : new String[] {"APPLY -> C1", "OWNER bob", "AT T1"}) {
            String message = "CSP/1\nTO <agent\n" + key;
            assertThat(CspEndTokens.messageEnd((message.replace("<", "") + tokens).getBytes(UTF_8)))
                    .isEqualTo(message.length() - 1);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\nDATA the end </s>",
                "\nDATA line 24:</div>",
                "\nDATA <p>x</p>",
                "\nDATA\n<html>\n</html>",
                "\nDATA\n  </body>\n</html>",
                "\nDATA <s>x</s>",
                "\nDATA <message id='1'>x</message>",
                "\nDATA <message>x</message></s></message>",
                "\nDATA [INST] x [/INST]",
                "\nDATA ```\nx\n```",
                "\nDATA <|im_start|>user\nx<|im_end|>",
                "\nDATA a </",
                "\nDATA a </>",
                "\nDATA a<|>",
                "\nDATA a >",
                "\nDATA a <b c|>",
                "\nDATA List<String>",
                "\nDATA a[0]",
                "\nDATA a``",
                "\nREQ write <file_name>",
                "\nREQ see </tag>",
                "\nOWNER <bob>"
            })
    void aValueMayEndWithMarkup(String value) {
        assertThat(CspEndTokens.messageEnd(("CSP/1\nTO A" + value).getBytes(UTF_8)))
                .isEqualTo(-1);
    }

    @Test
    void noTokenFollowsAHeredoc() {
        assertThat(CspEndTokens.messageEnd(FILE.getBytes(UTF_8))).isEqualTo(-1);
        assertThat(CspEndTokens.messageEnd(new byte[0])).isEqualTo(-1);
        assertThat(CspEndTokens.messageEnd("</s>".getBytes(UTF_8))).isEqualTo(0);
        assertThat(CspEndTokens.messageEnd("/s>".getBytes(UTF_8))).isEqualTo(-1);
    }

    @Test
    void theCostOfTokensIsLinear() {
        LinearTime.check(
                "tokens",
                size -> (TASK + "</s>".repeat(size / 4)).getBytes(UTF_8),
                wire -> CspEndTokens.messageEnd(wire));
    }
}
