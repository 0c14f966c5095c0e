package dev.parley.cli;

import dev.parley.cli.io.BuildInfo;
import dev.parley.cli.offline.BlameCommand;
import dev.parley.cli.offline.DecodeCommand;
import dev.parley.cli.offline.DiffCommand;
import dev.parley.cli.offline.ExplainCommand;
import dev.parley.cli.offline.HistoryCommand;
import dev.parley.cli.offline.JudgeCommand;
import dev.parley.cli.offline.StateCommand;
import dev.parley.cli.offline.TreeCommand;
import dev.parley.logging.ControlCharacters;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.ScopeType;

/** The parley command. */
@Command(
        name = "parley",
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        versionProvider = Parley.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        description = "Audits agent-to-agent traffic on Apache Kafka: decodes it, judges it, keeps a record that can be"
                + " queried and verified.",
        footer = {"", "Example:", "  parley demo --exit"},
        subcommands = {
            DemoCommand.class,
            RunCommand.class,
            HealthCommand.class,
            CheckCommand.class,
            AclsCommand.class,
            ResetCommand.class,
            CleanCommand.class,
            IngestCommand.class,
            RedriveCommand.class,
            RedactCommand.class,
            VerifyCommand.class,
            ExportCommand.class,
            ManifestCommand.class,
            KeygenCommand.class,
            TokenCommand.class,
            DecodeCommand.class,
            JudgeCommand.class,
            StateCommand.class,
            BlameCommand.class,
            DiffCommand.class,
            HistoryCommand.class,
            TreeCommand.class,
            ExplainCommand.class,
            ConformanceCommand.class,
            TopologyCommand.class
        })
public final class Parley {
    private static final int EXIT_TROUBLE = 1;

    private Parley() {}

    /** Runs a command and leaves with its exit status: 2 for a wrong command line. */
    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    public static CommandLine commandLine() {
        return new CommandLine(new Parley())
                .setParameterExceptionHandler((exception, arguments) -> {
                    CommandLine line = exception.getCommandLine();
                    String name = line.getCommandSpec().qualifiedName();
                    line.getErr()
                            .println(name + ": " + ControlCharacters.escapeLines(exception.getMessage()) + "; see "
                                    + name + " --help");
                    return line.getCommandSpec().exitCodeOnInvalidInput();
                })
                .setExecutionExceptionHandler((exception, line, parsed) -> {
                    line.getErr()
                            .println(line.getCommandSpec().qualifiedName() + ": "
                                    + ControlCharacters.escape(sentence(exception)));
                    return EXIT_TROUBLE;
                });
    }

    private static String sentence(Exception exception) {
        String message = exception.getMessage();
        return message != null ? message : exception.getClass().getName();
    }

    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {BuildInfo.line()};
        }
    }
}
