package dev.parley.load.run;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ScopeType;

/** The runs of load and the measurements of speed. */
@Command(
        name = "tools/load/run",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        scope = ScopeType.INHERIT,
        description = "Runs Parley under load: checks verdicts, latency and memory, and measures speed.",
        subcommands = {Soak.class, HostileLoad.class, Throughput.class, Latency.class, ViewSpeed.class})
public final class LoadCommand {
    private LoadCommand() {}

    /** Runs one of the subcommands; exit status 1 if a check or a required figure fails. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new LoadCommand())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(arguments));
    }
}
