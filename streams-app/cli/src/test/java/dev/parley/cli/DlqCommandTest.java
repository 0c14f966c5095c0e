package dev.parley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.FakeApi.Answer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The requests of {@code parley dlq close} and {@code reopen}. */
class DlqCommandTest {
    private final Deque<String> answers = new ArrayDeque<>();

    @RegisterExtension
    final FakeApi api = new FakeApi(asked -> Answer.json(answers.remove()));

    @Test
    void allOpenDeadLettersOfAFilterAreClosedPageByPage() {
        answers.add("{\"items\":[" + letter(1) + "," + letter(2) + "],\"next\":\"c\"}");
        answers.add(results("CLOSED", 1, 2));
        answers.add("{\"items\":[" + letter(3) + "],\"next\":null}");
        answers.add(results("CLOSED", 3));

        CommandRun run = run("close", "--all", "--code", "SLIP_VERSION", "--reason", "ticket 7");

        assertThat(run.exit()).as(run.err()).isZero();
        assertThat(run.out()).contains(id(1), id(2), id(3), "CLOSED");
        assertThat(api.asked()).extracting(FakeApi.Asked::method).containsExactly("GET", "POST", "GET", "POST");
        assertThat(api.asked().get(0).uri().getQuery()).contains("state=open", "code=SLIP_VERSION", "limit=500");
        assertThat(api.asked().get(1).uri().getPath()).isEqualTo("/v1/dead-letters:close");
        assertThat(api.asked().get(1).body())
                .isEqualTo("{\"ids\":[\"" + id(1) + "\",\"" + id(2) + "\"],\"reason\":\"ticket 7\"}");
    }

    @Test
    void aDeadLetterThatIsNotReopenedIsAFailure() {
        answers.add(results("ALREADY_ENTERED", 1));

        CommandRun run = run("reopen", id(1), "--reason", "back");

        assertThat(run.exit()).isOne();
        assertThat(api.asked().get(0).uri().getPath()).isEqualTo("/v1/dead-letters:reopen");
    }

    @Test
    void noRequestNamesMoreThan500DeadLetters() {
        answers.add(results("CLOSED", IntStream.range(0, 500).toArray()));
        answers.add(results("CLOSED", 500));
        String[] arguments = IntStream.rangeClosed(-3, 500)
                .mapToObj(i -> i == -3 ? "close" : i == -2 ? "--reason" : i == -1 ? "r" : id(i))
                .toArray(String[]::new);

        CommandRun run = run(arguments);

        assertThat(run.exit()).as(run.err()).isZero();
        assertThat(api.asked()).hasSize(2);
        assertThat(api.asked().get(1).body()).isEqualTo("{\"ids\":[\"" + id(500) + "\"],\"reason\":\"r\"}");
    }

    @Test
    void filtersWithoutAllAreAMistake() {
        assertThat(run("close", id(1), "--code", "SLIP_VERSION", "--reason", "r")
                        .exit())
                .isEqualTo(2);
        assertThat(run("close", "--reason", "r").exit()).isEqualTo(2);
        assertThat(run("close", "--all", id(1), "--reason", "r").exit()).isEqualTo(2);
        assertThat(api.asked()).isEmpty();
    }

    private CommandRun run(String... arguments) {
        return CommandRun.of(Stream.concat(
                        Stream.of("dlq"), Stream.concat(Stream.of(arguments), Stream.of("--url", api.url())))
                .toArray(String[]::new));
    }

    private static String id(int offset) {
        return "parley.dlq.judge.v1/0/" + offset;
    }

    private static String results(String outcome, int... offsets) {
        return IntStream.of(offsets)
                .mapToObj(offset -> "{\"id\":\"" + id(offset) + "\",\"outcome\":\"" + outcome
                        + "\",\"attempt\":null,\"sent\":null,\"verdict\":null,\"code\":null,\"detail\":null}")
                .collect(Collectors.joining(",", "{\"operation\":\"o\",\"results\":[", "],\"next\":null}"));
    }

    private static String letter(int offset) {
        return "{\"id\":\"" + id(offset)
                + "\",\"stage\":\"JUDGE\",\"protocol\":\"SLIP\",\"claimed\":false,\"returned\":false,\"closed\":false,"
                + "\"timestamp\":\"2026-01-31T12:00:00Z\",\"redacted\":false,\"bodyOmitted\":false}";
    }
}
