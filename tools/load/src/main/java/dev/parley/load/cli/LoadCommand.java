package dev.parley.load.cli;

import dev.parley.load.cost.Pauses;
import dev.parley.load.cost.StatesCost;
import dev.parley.load.cost.VerifyCost;
import dev.parley.load.hostile.HostileLoad;
import dev.parley.load.soak.Soak;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Runs of load, and the costs of states, verification and long transactions. */
@Command(
        name = "tools/load/run",
        mixinStandardHelpOptions = true,
        description = "Runs Parley under load, and measures what parts of it cost.",
        subcommands = {Soak.class, HostileLoad.class, StatesCost.class, VerifyCost.class, Pauses.class})
public final class LoadCommand {
    private LoadCommand() {}

    /** Runs one of the subcommands; exit status 1 if a check fails. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new LoadCommand()).execute(arguments));
    }
}
