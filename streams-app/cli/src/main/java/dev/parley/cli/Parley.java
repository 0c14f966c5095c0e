package dev.parley.cli;

import dev.parley.cli.io.BaseCommand;
import dev.parley.cli.io.BuildInfo;
import dev.parley.cli.io.ErrorMessages;
import dev.parley.cli.io.Options;
import dev.parley.cli.io.OutputOptions;
import dev.parley.cli.io.StandardOutput;
import dev.parley.cli.io.UsageException;
import dev.parley.cli.offline.BlameCommand;
import dev.parley.cli.offline.DecodeCommand;
import dev.parley.cli.offline.DiffCommand;
import dev.parley.cli.offline.ExplainCommand;
import dev.parley.cli.offline.HistoryCommand;
import dev.parley.cli.offline.JudgeCommand;
import dev.parley.cli.offline.StateCommand;
import dev.parley.cli.offline.TreeCommand;
import dev.parley.codec.ControlCharacters;
import dev.parley.codec.Excerpt;
import dev.parley.server.auth.Role;
import dev.parley.server.deployment.AclRole;
import dev.parley.tap.Tap;
import dev.parley.topology.config.NearestNames;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.TypeConversionException;

/** The parley command. */
@Command(
        name = "parley",
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        versionProvider = BuildInfo.class,
        synopsisSubcommandLabel = "COMMAND",
        description =
                "Audits agent-to-agent traffic on Apache Kafka: decodes it, judges it, and records it in an audit trail"
                        + " that can be queried and verified.",
        footer = {"", "Example:", "  parley demo --exit"},
        subcommands = {
            DemoCommand.class,
            RunCommand.class,
            StatusCommand.class,
            HealthCommand.class,
            CheckCommand.class,
            AclsCommand.class,
            ResetCommand.class,
            CleanCommand.class,
            SealCommand.class,
            IngestCommand.class,
            TapCommand.class,
            DlqCommand.class,
            TailCommand.class,
            RedactCommand.class,
            ApproveCommand.class,
            McpCommand.class,
            VerifyCommand.class,
            ExportCommand.class,
            SqlCommand.class,
            HeadsCommand.class,
            ProveCommand.class,
            EvidenceCommand.class,
            RejudgeCommand.class,
            KeygenCommand.class,
            WitnessCommand.class,
            TokenCommand.class,
            CapacityCommand.class,
            DecodeCommand.class,
            JudgeCommand.class,
            StateCommand.class,
            BlameCommand.class,
            DiffCommand.class,
            HistoryCommand.class,
            TreeCommand.class,
            ExplainCommand.class,
            ConformanceCommand.class,
            HelpCommand.class
        })
public final class Parley {
    private static final int EXIT_FAILED = 1;
    private static final char REPLACEMENT = '\uFFFD';

    private Parley() {}

    /** Runs a command and exits with its status: 2 for a wrong command line. */
    public static void main(String[] arguments) {
        if (arguments.length > 0 && arguments[0].equals("tap")) {
            Tap.main(Arrays.copyOfRange(arguments, 1, arguments.length));
        }
        StandardOutput.install();
        CommandLine line = commandLine();
        Optional<String> garbled = garbled(arguments, System.getProperty("sun.jnu.encoding", ""));
        if (garbled.isPresent()) {
            line.getErr().println("parley: " + garbled.get());
            System.exit(line.getCommandSpec().exitCodeOnInvalidInput());
        }
        System.exit(line.execute(arguments));
    }

    /** The error if Java could not decode an argument: it replaces characters outside the encoding of the locale. */
    static Optional<String> garbled(String[] arguments, String encoding) {
        return encoding.equalsIgnoreCase("UTF-8")
                ? Optional.empty()
                : Stream.of(arguments)
                        .filter(argument -> argument.indexOf(REPLACEMENT) >= 0)
                        .findFirst()
                        .map(argument -> "an argument is not in the encoding of the locale (" + encoding
                                + "); use a UTF-8 locale, such as LC_ALL=C.UTF-8");
    }

    /** The command line, which writes to {@link System#out} and {@link System#err} in UTF-8. */
    public static CommandLine commandLine() {
        CommandLine parley = new CommandLine(new Parley())
                .setOut(new PrintWriter(System.out, true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(System.err, true, StandardCharsets.UTF_8))
                .setExecutionStrategy(Parley::run)
                .setParameterExceptionHandler(
                        (exception, arguments) -> refuse(exception.getCommandLine(), wrong(exception, arguments)))
                .setExecutionExceptionHandler((exception, line, parsed) -> {
                    if (exception instanceof UsageException) {
                        return refuse(line, exception.getMessage());
                    }
                    if (exception instanceof FileAlreadyExistsException exists) {
                        return refuse(line, exists.getFile() + " exists. Name another file or directory.");
                    }
                    BaseCommand command = line.getCommand();
                    if (StandardOutput.failure().isEmpty()) {
                        command.report(command.describe(exception));
                    }
                    return outputStatus(line, command.failedStatus());
                });
        Options.register(parley);
        return parley.registerConverter(AclRole.class, AclsCommand::role)
                .registerConverter(Role.class, text -> Options.known(Role.of(text), "one of " + Role.names(), text));
    }

    /** Prints the error in a command line; returns the exit status. */
    private static int refuse(CommandLine line, String message) {
        String name = line.getCommandSpec().qualifiedName();
        String wrong = Excerpt.withoutPeriod(ControlCharacters.escapeLines(message));
        line.getErr()
                .println(name + ": " + wrong
                        + (wrong.endsWith("?") ? " (see " + name + " --help)" : "; see " + name + " --help"));
        return line.getCommandSpec().exitCodeOnInvalidInput();
    }

    /** The error in a command line, with a suggestion of a command or option. */
    private static String wrong(ParameterException exception, String[] arguments) {
        CommandLine line = exception.getCommandLine();
        if (exception.getArgSpec() instanceof OptionSpec option
                && exception.getCause() instanceof TypeConversionException refused
                && refused.getMessage().startsWith("must ")) {
            return option.longestName() + ' ' + refused.getMessage();
        }
        if (line.getParent() == null && arguments.length > 0 && !arguments[0].startsWith("-")) {
            return "unknown command '" + arguments[0] + "'"
                    + NearestNames.didYouMean(
                            arguments[0], line.getSubcommands().keySet(), "");
        }
        Set<String> options = line.getCommandSpec().optionsMap().keySet();
        // picocli repeats the word for a value that is not KEY=VALUE.
        return exception.getMessage().replace("option option", "option")
                + Stream.of(arguments)
                        .filter(argument -> argument.startsWith("-") && argument.length() > 2)
                        .map(argument -> argument.split("=", 2)[0])
                        .filter(argument -> !options.contains(argument))
                        .findFirst()
                        .map(argument -> NearestNames.didYouMean(argument, options, ""))
                        .orElse("");
    }

    private static int run(ParseResult parsed) {
        int status = new CommandLine.RunLast().execute(parsed);
        List<CommandLine> lines = parsed.asCommandLineList();
        CommandLine line = lines.get(lines.size() - 1);
        if (status == 0 && hasEmptyTable(line.getCommandSpec())) {
            line.getErr().println("No rows.");
        }
        return outputStatus(line, status);
    }

    private static boolean hasEmptyTable(CommandSpec command) {
        return command.mixins().values().stream()
                .anyMatch(mixin -> mixin.userObject() instanceof OutputOptions output && output.isEmptyTable());
    }

    /** The exit status, or 1 in place of 0 if output was lost. */
    private static int outputStatus(CommandLine line, int status) {
        line.getOut().flush();
        Optional<IOException> failure = StandardOutput.failure();
        if (failure.isEmpty()) {
            return status;
        }
        if (!StandardOutput.isBrokenPipe(failure.get())) {
            line.getErr()
                    .println(line.getCommandSpec().qualifiedName() + ": cannot write standard output: "
                            + ControlCharacters.escape(ErrorMessages.reason(failure.get())));
        }
        return status == 0 ? EXIT_FAILED : status;
    }
}
