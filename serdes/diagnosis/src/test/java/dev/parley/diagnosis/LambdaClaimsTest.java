package dev.parley.diagnosis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.decode.ClaimedNames;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An undecodable message claims the sender of the label before it. */
class LambdaClaimsTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "A: please review;A",
                "Agent_1: please;Agent_1",
                "\uFEFF \tA: x;A",
                "A:\tx;A",
                "A: ;A",
                "B12: x;B12"
            })
    void aLabelOfAnAgentNamesTheSender(String wire, String sender) {
        assertThat(NearMisses.LAMBDA.claimedNames(wire.getBytes(UTF_8)))
                .isEqualTo(new ClaimedNames(null, null, sender));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "A",
                "A:",
                "A:!x",
                "A x: y",
                "a: x",
                "A*: x",
                "*: x",
                ": x",
                "1A: x",
                "A>B: x",
                "@A: x",
                // Words that name no agent.
                "Answer: x",
                "Antwort: x",
                "Agent: x",
                "Agent_: x",
                "Agent_x: x",
                "AB: x",
                "A1a: x",
                "Q: x",
                "PRV: !Ik/co",
                "Private: !Ik/co",
                "Pub: x",
                "Sig: x"
            })
    void otherTextNamesNoSender(String wire) {
        assertThat(NearMisses.LAMBDA.claimedNames(wire.getBytes(UTF_8))).isEqualTo(ClaimedNames.NONE);
    }

    @Test
    void onlyTheFirst8KiBAreRead() {
        String name = "A" + "1".repeat(ClaimedNames.MAX_BYTES - 2);
        assertThat(NearMisses.LAMBDA
                        .claimedNames((name + ": x").getBytes(UTF_8))
                        .senderHint())
                .isEqualTo(name);
        assertThat(NearMisses.LAMBDA.claimedNames((name + "1: x").getBytes(UTF_8)))
                .isEqualTo(ClaimedNames.NONE);
    }
}
