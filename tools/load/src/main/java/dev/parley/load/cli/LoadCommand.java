package dev.parley.load.cli;

import dev.parley.load.hostile.HostileLoad;
import dev.parley.load.pauses.Pauses;
import dev.parley.load.soak.Soak;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The runs of load. */
@Command(
        name = "tools/load/run",
        mixinStandardHelpOptions = true,
        description = "Runs Parley under load, and checks verdicts, latency and memory.",
        subcommands = {Soak.class, HostileLoad.class, Pauses.class})
public final class LoadCommand {
    private LoadCommand() {}

    /** Runs one of the subcommands; exit status 1 if a check fails. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new LoadCommand())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(arguments));
    }
}
