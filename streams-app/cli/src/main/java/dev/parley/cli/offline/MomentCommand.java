package dev.parley.cli.offline;

import dev.parley.state.PointInTime;
import picocli.CommandLine.Option;

/** A command about a state at one moment. */
abstract class MomentCommand extends StateQueryCommand {
    @Option(
            names = "--at",
            paramLabel = "MOMENT",
            defaultValue = "latest",
            description = "The moment. Default: ${DEFAULT-VALUE}.")
    private String at;

    /** The moment as the command line names it. */
    final String at() {
        return at;
    }

    final PointInTime moment() {
        return moment("--at", at);
    }
}
