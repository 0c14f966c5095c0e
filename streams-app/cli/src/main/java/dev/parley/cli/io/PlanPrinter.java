package dev.parley.cli.io;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.parley.logging.ControlCharacters;
import dev.parley.server.operations.ChangePlan;
import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine.Model.CommandSpec;

/** Prints a plan, one line per step, and executes it if requested. */
public final class PlanPrinter {
    private final CommandSpec spec;
    private final boolean execute;
    private final boolean json;

    public PlanPrinter(CommandSpec spec, boolean execute, boolean json) {
        this.spec = spec;
        this.execute = execute;
        this.json = json;
    }

    /** Prints and executes; returns the exit status: 0, or 1 if the plan was refused. */
    public int run(ChangePlan plan) throws IOException {
        PrintWriter err = spec.commandLine().getErr();
        boolean refused = !plan.refusals().isEmpty();
        boolean doing = execute && !refused;
        if (json) {
            printJson(plan, doing);
        } else {
            PrintWriter out = spec.commandLine().getOut();
            for (ChangePlan.Step step : plan.steps()) {
                if (doing) {
                    step.run();
                }
                out.println(ControlCharacters.escape((doing ? "done: " : "would ") + step.action() + " "
                        + step.subject() + " (" + step.detail() + ")"));
                out.flush();
            }
            if (plan.steps().isEmpty()) {
                out.println("nothing to do");
            }
        }
        String name = spec.qualifiedName();
        plan.refusals().forEach(refusal -> err.println(name + ": " + ControlCharacters.escape(refusal)));
        if (!execute && !refused && !plan.steps().isEmpty()) {
            err.println(name + ": Nothing was changed. Pass --execute to execute this plan.");
        }
        err.flush();
        return refused ? 1 : 0;
    }

    private static void printJson(ChangePlan plan, boolean doing) throws IOException {
        try (JsonGenerator out = JsonLines.generator(System.out)) {
            for (ChangePlan.Step step : plan.steps()) {
                if (doing) {
                    step.run();
                }
                out.writeStartObject();
                out.writeStringField("action", step.action());
                out.writeStringField("subject", step.subject());
                out.writeStringField("detail", step.detail());
                out.writeBooleanField("done", doing);
                JsonLines.end(out);
                out.flush();
            }
        }
    }
}
