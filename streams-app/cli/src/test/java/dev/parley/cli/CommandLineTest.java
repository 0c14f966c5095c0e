package dev.parley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.io.Table;
import dev.parley.codec.Code;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
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

    /** A command, further ones of a list, and the rest of its line in code or a string. */
    private static final Pattern NAMED =
            Pattern.compile("\\bparley ([a-z]+)((?:, [a-z]+)*(?: (?:and|or) [a-z]+)?)([^`\"|;&>]*)");

    private static final Pattern OPTION = Pattern.compile("(?<![\\w-])--[a-z][a-z-]*");
    private static final CommandLine PARLEY = Parley.commandLine();
    private static final Map<String, CommandLine> COMMANDS = PARLEY.getSubcommands();

    private static Stream<String> commands() {
        return COMMANDS.keySet().stream();
    }

    private static Stream<Arguments> options() {
        return COMMANDS.entrySet().stream()
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
        CommandLine line = COMMANDS.get(command);
        Stream.concat(Stream.of(line), line.getSubcommands().values().stream())
                .flatMap(each -> CODE.matcher(each.getUsageMessage()).results())
                .forEach(code -> assertThat(Code.of(code.group()).name()).isEqualTo(code.group()));
    }

    /** In docs, help, remedies and comments. */
    @Test
    void everyCommandAndOptionThatTextsNameExists() throws IOException {
        List<String> unknown = new ArrayList<>();
        for (Path file : texts()) {
            for (String line : Files.readAllLines(file)) {
                NAMED.matcher(line)
                        .results()
                        .filter(named -> !named.group(1).equals("command") && !line.contains("@param parley"))
                        .flatMap(CommandLineTest::unknown)
                        .forEach(name -> unknown.add(file + ": " + name));
            }
        }
        assertThat(unknown).isEmpty();
        assertThat(NAMED.matcher("callers of parley verify, export, lost and sql; `parley dlq list --lost --stage`")
                        .results()
                        .flatMap(CommandLineTest::unknown))
                .containsExactly("lost", "dlq --lost");
    }

    /** Pages and main sources; nothing that a build makes or deletes meanwhile. */
    private static List<Path> texts() throws IOException {
        List<Path> texts = new ArrayList<>();
        Files.walkFileTree(Path.of(""), new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                String name = String.valueOf(directory.getFileName());
                return name.startsWith(".") || name.equals("target") || name.equals("node_modules")
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                String name = file.toString();
                if (name.endsWith(".md")
                        || name.contains("src/main/") && name.matches(".*[.](java|js|yaml|properties)")) {
                    texts.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        assertThat(texts).contains(Path.of("README.md"));
        return texts;
    }

    /** Names of commands and options that do not exist; of a list only if it begins with two commands. */
    private static Stream<String> unknown(MatchResult named) {
        CommandLine command = COMMANDS.get(named.group(1));
        if (command == null) {
            return Stream.of(named.group(1));
        }
        List<String> others = Pattern.compile("[a-z]+")
                .matcher(named.group(2))
                .results()
                .map(MatchResult::group)
                .filter(word -> !word.equals("and") && !word.equals("or"))
                .toList();
        Stream<String> lost = !others.isEmpty() && COMMANDS.containsKey(others.get(0))
                ? others.stream().filter(name -> !COMMANDS.containsKey(name))
                : Stream.of();
        Set<String> options = Stream.concat(Stream.of(command), command.getSubcommands().values().stream())
                .flatMap(each -> each.getCommandSpec().optionsMap().keySet().stream())
                .collect(Collectors.toSet());
        return Stream.concat(
                lost,
                OPTION.matcher(named.group(3))
                        .results()
                        .map(MatchResult::group)
                        .filter(option -> !options.contains(option))
                        .map(option -> named.group(1) + " " + option));
    }

    @Test
    void tapHasTheCommandsAndOptionsOfItsProgram() {
        Map<String, CommandLine> taps = COMMANDS.get("tap").getSubcommands();

        assertThat(taps).containsOnlyKeys("mcp", "http", "wrap", "unwrap");
        assertThat(taps.get("mcp").getCommandSpec().optionsMap())
                .containsKeys("--url", "--bootstrap-servers", "--client", "--server", "--on-outage", "--state")
                .doesNotContainKey("--listen");
        assertThat(taps.get("http").getCommandSpec().optionsMap()).containsKeys("--listen", "--to", "--url");
        assertThat(taps.get("unwrap").getCommandSpec().optionsMap().keySet()).doesNotContain("--url");
    }

    @Test
    void helpOfParleyFitsATerminalOf80Columns() {
        assertThat(CommandRun.of("--help").out().lines()).allMatch(line -> Table.displayWidth(line) <= WIDTH);
    }

    /** An example that the help had to break could not be copied. */
    @ParameterizedTest
    @MethodSource("commands")
    void noExampleIsBrokenIntoLines(String command) {
        CommandLine line = COMMANDS.get(command);
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
        StringWriter err = new StringWriter();
        PARLEY.setErr(new PrintWriter(err, true));

        assertThat(PARLEY.execute(command, misspelled)).isEqualTo(2);
        assertThat(err.toString()).contains("did you mean " + option + "?", "see parley " + command + " --help");
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
    void aNameWithoutASimilarOneGetsNoSuggestion() {
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
