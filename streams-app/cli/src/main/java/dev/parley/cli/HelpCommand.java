package dev.parley.cli;

import dev.parley.cli.io.BaseCommand;
import dev.parley.cli.io.UsageException;
import dev.parley.topology.config.NearestNames;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code parley help}: prints the help of a command. */
@Command(
        name = "help",
        description = "Prints the help of a command, or of parley.",
        footer = {"", "Example:", "  parley help judge"})
final class HelpCommand extends BaseCommand {
    @Spec
    private CommandSpec spec;

    @Parameters(arity = "0..1", paramLabel = "COMMAND", description = "The command. Default: all commands.")
    private String name;

    @Override
    public Integer call() {
        CommandLine parley = spec.parent().commandLine();
        CommandLine command = name == null ? parley : parley.getSubcommands().get(name);
        if (command == null) {
            throw new UsageException("unknown command '" + name + "'"
                    + NearestNames.didYouMean(name, parley.getSubcommands().keySet(), ""));
        }
        command.usage(out());
        return 0;
    }
}
