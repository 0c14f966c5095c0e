package dev.parley.codec.csp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Doubtful names are recognized by their ends. */
class CspNameCheckTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "C1;",
                "C1.",
                "C1,",
                "C1:",
                "C1?",
                "`C1`",
                "'C1",
                "C1\"",
                "“GOAL”",
                "«a»",
                "**C1**",
                "[T1, T2]",
                "[T1]",
                "(C1)",
                "T1)",
                "a, b",
                "a;b",
                "a and b",
                "a & b",
                "a + b",
                "a | b",
                "a / b",
                "planner (v2)",
                "MAIN: planner",
                "MAIN — planner",
                "MAIN // planner",
                "MAIN # planner",
                "C1 -> C2",
                "MAIN 🤖",
                "MY\\_NAME",
                "T{{n}}",
                "T<n>",
                "T${n}",
                "[object Object]",
                "null",
                "undefined",
                "None",
                "NaN",
                "$AGENT",
                "%AGENT%",
                "C1。",
                ",",
                ":C1",
                "=C1",
                "\""
            })
    void aNameWithPunctuationAroundItIsDoubtful(String name) {
        assertThat(CspNameCheck.isDoubtful(name)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "C1",
                "T001",
                "a.b",
                "team:coder@x",
                "-x",
                "#3",
                "@bot",
                "_",
                "v1|x",
                "planner(v2)",
                "f[0]",
                "ärger",
                "brand and",
                "Main  Agent",
                "Main ",
                "the _x agent",
                "agent-{id}",
                "nullable",
                "none of us",
                "Nan",
                "Anderson",
                "C++",
                "state of Monday",
                "../src",
                "中"
            })
    void punctuationInsideANameBelongsToIt(String name) {
        assertThat(CspNameCheck.isDoubtful(name)).isFalse();
    }
}
