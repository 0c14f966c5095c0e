package dev.parley.cli;

import dev.parley.cli.io.ConfigOptions;
import dev.parley.cli.io.PlanPrinter;
import dev.parley.server.operations.Deployment;
import dev.parley.server.operations.StateCleanup;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code parley clean}: removes the local state of this machine. */
@Command(
        name = "clean",
        description = "Removes the local state of this machine. Nothing is lost: the next start restores it from Kafka,"
                + " which takes time.",
        footer = {
            "",
            "Without --execute it prints what it would remove. Refused while an instance uses the state.",
            "Exit status: 0; 1 if refused.",
            "",
            "Example:",
            "  parley clean --config parley.properties --execute"
        })
final class CleanCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ConfigOptions config;

    @Option(names = "--execute", description = "Removes the state.")
    private boolean execute;

    @Option(names = "--json", description = "Prints a JSON object per step.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        return new PlanPrinter(spec, execute, json).run(StateCleanup.plan(Deployment.of(config.read(spec))));
    }
}
