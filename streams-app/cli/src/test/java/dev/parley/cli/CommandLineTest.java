package dev.parley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.io.Table;
import dev.parley.codec.Code;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Help and errors of every command. */
class CommandLineTest {
    private static final int WIDTH = 80;
    private static final Pattern CODE = Pattern.compile("\\b(SLIP|SUBIT|CSP|LAMBDA)_[A-Z_]+\\b");

    private static Stream<String> commands() {
        return Parley.commandLine().getSubcommands().keySet().stream();
    }

    private static Stream<Arguments> options() {
        return Parley.commandLine().getSubcommands().entrySet().stream()
                .flatMap(command -> command.getValue().getCommandSpec().options().stream()
                        .map(option -> Arguments.of(command.getKey(), option.longestName()))
                        .filter(arguments -> arguments.get()[1].toString().length() > 4));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void helpFitsATerminalOf80Columns(String command) {
        CommandRun run = CommandRun.of(command, "--help");
        List<String> lines = run.out().lines().toList();

        assertThat(run.exit()).isZero();
        assertThat(lines).allMatch(line -> Table.displayWidth(line) <= WIDTH);
        assertThat(lines)
                .filteredOn(line -> line.matches("  (echo .*)?parley .*"))
                .isNotEmpty();
    }

    @ParameterizedTest
    @MethodSource("commands")
    void everyCodeThatHelpNamesExists(String command) {
        CommandLine line = Parley.commandLine().getSubcommands().get(command);
        Stream.concat(Stream.of(line), line.getSubcommands().values().stream())
                .flatMap(each -> CODE.matcher(each.getUsageMessage()).results())
                .forEach(code -> assertThat(Code.of(code.group()).name()).isEqualTo(code.group()));
    }

    @Test
    void helpOfParleyFitsATerminalOf80Columns() {
        assertThat(CommandRun.of("--help").out().lines()).allMatch(line -> Table.displayWidth(line) <= WIDTH);
    }

    /** An example that the help had to break could not be copied. */
    @ParameterizedTest
    @MethodSource("commands")
    void noExampleIsBrokenIntoLines(String command) {
        CommandLine line = Parley.commandLine().getSubcommands().get(command);
        String[] footer = line.getCommandSpec().usageMessage().footer();

        assertThat(footer)
                .filteredOn(text -> text.startsWith("  "))
                .isNotEmpty()
                .allMatch(text -> Table.displayWidth(text) <= WIDTH);
    }

    @ParameterizedTest
    @MethodSource("commands")
    void helpWithTheNameOfACommandIsItsHelp(String command) {
        assertThat(CommandRun.of("help", command)).isEqualTo(CommandRun.of(command, "--help"));
    }

    @Test
    void helpWithoutANameListsTheCommands() {
        CommandRun run = CommandRun.of("help");

        assertThat(run.exit()).isZero();
        assertThat(commands()).allMatch(command -> run.out().contains("\n  " + command + " "));
    }

    @ParameterizedTest
    @MethodSource("options")
    void aMisspelledOptionGetsASuggestion(String command, String option) {
        String misspelled = option.substring(0, option.length() - 2) + option.substring(option.length() - 1);
        CommandRun run = CommandRun.of(command, misspelled);

        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("did you mean --").contains("see parley " + command + " --help");
        assertThat(run.err()).contains("did you mean " + option + "?");
    }

    @ParameterizedTest
    @CsvSource({
        "decide,decode",
        "jugde,judge",
        "staus,status",
        "stauts,status",
        "sttae,state",
        "verfiy,verify",
        "hlep,help",
        "Judge,judge",
        "verfy,verify"
    })
    void aMisspelledCommandGetsASuggestion(String misspelled, String command) {
        for (CommandRun run : List.of(CommandRun.of(misspelled), CommandRun.of("help", misspelled))) {
            assertThat(run.exit()).isEqualTo(2);
            assertThat(run.err())
                    .contains("unknown command '" + misspelled + "'")
                    .contains("did you mean " + command + "?");
        }
    }

    @Test
    void whatIsNearNothingGetsNoSuggestion() {
        assertThat(CommandRun.of("frobnicate").err())
                .contains("unknown command 'frobnicate'; see parley --help")
                .doesNotContain("did you mean");
        assertThat(CommandRun.of("decode", "--frobnicate").err())
                .contains("--frobnicate")
                .doesNotContain("did you mean");
    }

    @Test
    void aHostileCommandNameStaysOnOneLineWithoutControlCharacters() {
        CommandRun run = CommandRun.of("judg\u001b[2K\u202e");

        assertThat(run.err().lines()).hasSize(1);
        assertThat(run.err()).doesNotContain("\u001b", "\u202e");
    }

    @Test
    void argumentsThatJavaCouldNotDecodeAreRefused() {
        assertThat(Parley.garbled(new String[] {"state", "\uFFFD\uFFFD"}, "ANSI_X3.4-1968"))
                .get()
                .asString()
                .contains("ANSI_X3.4-1968", "LC_ALL=C.UTF-8");
        assertThat(Parley.garbled(new String[] {"state", "会話"}, "UTF-8")).isEqualTo(Optional.empty());
        assertThat(Parley.garbled(new String[] {"state", "x"}, "ANSI_X3.4-1968"))
                .isEmpty();
    }
}
