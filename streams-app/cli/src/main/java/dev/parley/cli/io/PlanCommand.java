package dev.parley.cli.io;

import dev.parley.codec.ControlCharacters;
import dev.parley.server.operations.ChangePlan;
import java.io.IOException;
import picocli.CommandLine.Option;

/** A command that prints a plan, one line per step, and executes it if requested. */
public abstract class PlanCommand extends ConfigCommand {
    @Option(names = "--execute", description = "Executes the plan.")
    private boolean execute;

    @Option(names = "--json", description = "Prints a JSON object per step.")
    private boolean json;

    private record Line(String action, String subject, String detail, boolean done) {}

    /** Prints and executes; returns the exit status: 0, or 1 if the plan was refused. */
    protected final int run(ChangePlan plan) throws IOException {
        boolean refused = !plan.refusals().isEmpty();
        boolean doing = execute && !refused;
        for (ChangePlan.Step step : plan.steps()) {
            if (doing) {
                step.work().run();
            }
            if (json) {
                JsonLines.print(new Line(step.action(), step.subject(), step.detail(), doing));
            } else {
                out().println(ControlCharacters.escape((doing ? "done: " : "would ") + step.action() + " "
                        + step.subject() + " (" + step.detail() + ")"));
            }
        }
        if (!json && plan.steps().isEmpty()) {
            out().println("nothing to do");
        }
        plan.refusals().forEach(this::report);
        if (!execute && !refused && !plan.steps().isEmpty()) {
            report("Nothing was changed. Pass --execute to execute this plan.");
        }
        return refused ? 1 : 0;
    }
}
