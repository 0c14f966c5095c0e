package dev.parley.cli;

import dev.parley.cli.io.ConfigOptions;
import dev.parley.cli.io.PlanPrinter;
import dev.parley.operations.Deployment;
import dev.parley.operations.StateCleanup;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code parley clean}: removes the local state. */
@Command(
        name = "clean",
        description = "Removes the local state of this machine. Nothing is lost by it: the next start restores it from"
                + " Kafka, which takes its time.",
        footer = {
            "",
            "Without --execute it says what it would remove. Refused while a process uses the state.",
            "Exit status: 0; 1 when refused.",
            "",
            "Example:",
            "  parley clean --config parley.properties --execute"
        })
final class CleanCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ConfigOptions config;

    @Option(names = "--execute", description = "Does it.")
    private boolean execute;

    @Option(names = "--json", description = "Prints a JSON object for each step, one on a line.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        return new PlanPrinter(spec, execute, json).run(StateCleanup.plan(Deployment.of(config.read(spec))));
    }
}
