package dev.parley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Content of agents neither controls the terminal nor forges a line of output. */
class HostileOutputTest {

    private static final String NAME = "a\u001b[2K\u009b2K\u202e\u0085\u2028b";

    @TempDir
    private Path directory;

    @Test
    void aMessageIsDecodedToOneLineWithoutControlCharacters() {
        CommandRun run = CommandRun.fed(
                "{\"type\":\"STATE\",\"payload\":\"101010\",\"meta\":{\"session\":\"s\",\"note\":\""
                        + "a\u009b2K\u202e\u0085\u2028b" + "\"}}",
                "decode");

        assertSafe(run);
        assertThat(run.json()).hasSize(1);
    }

    @Test
    void aTableEscapesWhatAgentsSay() throws IOException {
        CommandRun decoded = CommandRun.fed("@a3|f0|c1|S0|d1|T1|t\"a\u009b2K\u202e\u2028b\"#", "decode", "--table");
        assertSafe(decoded);

        Path file = directory.resolve("t.jsonl");
        Files.writeString(
                file,
                "{\"key\":\"k\\u202e[2K\",\"wire\":\"CSP/1\\nFROM A\\u202e\\nTO B\\nCTX C0\\nINTENT PATCH\\n\\nPATCH P1"
                        + "\\nBASE C0\\n+ DEF A = 1\\u009b2K\\nAPPLY -> C1\"}\n");
        for (String command : new String[] {"judge", "state", "blame", "tree"}) {
            CommandRun run = command.equals("judge")
                    ? CommandRun.of(command, "--table", file.toString())
                    : CommandRun.of(command, "--table", file.toString(), "k\u202e[2K");
            assertSafe(run);
            assertThat(run.out()).as(command).isNotEmpty();
        }
        CommandRun agent = CommandRun.of("state", "--table", file.toString(), "--agent", "B");
        assertSafe(agent);
        assertThat(agent.out()).contains("definition/A");
    }

    @Test
    void namesThatDifferInAHiddenCharacterLookDifferent() throws IOException {
        Path file = directory.resolve("t.jsonl");
        StringBuilder lines = new StringBuilder();
        for (String name :
                List.of("A", "A\u3164", "A\u2800", "A\u034f", "A\u115f", "A\ufe0f", "\u2003", "🧑\u200d🚀")) {
            lines.append("{\"key\":\"" + name + "\",\"wire\":\"?Uc/la\"}\n");
        }
        Files.writeString(file, lines);

        CommandRun run = CommandRun.of("judge", "--table", file.toString());

        assertThat(run.out())
                .contains("A\\u3164", "A\\u2800", "A\\u034f", "A\\u115f", "A\\ufe0f", "\\u2003", "🧑\u200d🚀");
    }

    @Test
    void aTranscriptThatCannotBeReadIsNamedOnOneLine() throws IOException {
        Path file = directory.resolve("t.jsonl");
        Files.writeString(file, "{\"" + "a\u009b2K\u202e\u0085\u2028" + "\":1}\n");
        CommandRun run = CommandRun.of("judge", file.toString());

        assertThat(run.exit()).isEqualTo(2);
        assertSafe(run);
    }

    @Test
    void aStateThatHasNoConversationIsRefusedOnOneLine() {
        CommandRun run = CommandRun.of("state", "samples/csp-refactoring.jsonl", NAME + "\nforged");

        assertThat(run.exit()).isNotZero();
        assertThat(run.err().lines()).hasSize(1);
        assertSafe(run);
    }

    private static void assertSafe(CommandRun run) {
        assertThat((run.out() + run.err())
                        .chars()
                        .filter(c -> c != '\n' && c != '\t')
                        .filter(c -> Character.isISOControl(c)
                                || Character.getType(c) == Character.FORMAT
                                || Character.getType(c) == Character.LINE_SEPARATOR))
                .as(run.out() + run.err())
                .isEmpty();
    }
}
