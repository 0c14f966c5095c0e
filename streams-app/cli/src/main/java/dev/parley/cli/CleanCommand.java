package dev.parley.cli;

import dev.parley.cli.io.PlanCommand;
import dev.parley.server.deployment.Deployment;
import dev.parley.server.operations.StateCleanup;
import java.io.IOException;
import picocli.CommandLine.Command;

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
final class CleanCommand extends PlanCommand {
    @Override
    public Integer call() throws IOException {
        return run(StateCleanup.plan(Deployment.of(settings())));
    }
}
