package dev.parley.benchmarks.speed;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The harness. Each part is a command, and measures all systems it compares in one run on one broker. */
@Command(
        name = "tools/benchmarks/speed",
        mixinStandardHelpOptions = true,
        description = "Measures the speed of Parley next to topologies without its logic.",
        subcommands = {Throughput.class, Latency.class, ViewSpeed.class, Capacity.class})
public final class Speed {
    private Speed() {}

    /** Runs one part; exit status 1 if a required ratio or latency is missed. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Speed())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(arguments));
    }
}
