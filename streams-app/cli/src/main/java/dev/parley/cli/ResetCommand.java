package dev.parley.cli;

import dev.parley.cli.io.PlanCommand;
import dev.parley.cli.io.UsageException;
import dev.parley.server.deployment.Deployment;
import dev.parley.server.operations.Reset;
import dev.parley.state.TimeText;
import dev.parley.topology.kafka.StreamsSettings;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code parley reset}: resets the input offsets, so that the next start reprocesses the input. */
@Command(
        name = "reset",
        description = "Resets input offsets and deletes recorded output, so the next start reprocesses the input.",
        footer = {
            "",
            "Stop every instance first. A views-only instance has no group and cannot be detected.",
            "",
            "Without --execute it prints what it would do. Refused while a group has members, while an instance uses"
                    + " the local state, and, without --empty-outputs, while the outputs have records. Run parley"
                    + " clean --execute on every other machine.",
            "",
            "Exit status: 0; 1 if refused; 2 for a wrong command line.",
            "",
            "Example:",
            "  parley reset --config parley.properties --empty-outputs --execute"
        })
final class ResetCommand extends PlanCommand {
    private static final String BEGINNING = "beginning";

    @Option(
            names = "--from",
            paramLabel = "WHERE",
            defaultValue = BEGINNING,
            description = "Start of the input: beginning, or a time (parley help export). Default: ${DEFAULT-VALUE}.")
    private String from;

    @Option(
            names = "--empty-outputs",
            description =
                    "Deletes the records of the output topics, including the audit. First copy what you must keep.")
    private boolean emptyOutputs;

    @Override
    public Integer call() throws IOException {
        Optional<Instant> start = from();
        Deployment deployment = Deployment.of(connected());
        try (Admin admin = StreamsSettings.admin(StreamsSettings.clientSettings(settings()))) {
            return run(Reset.plan(admin, deployment, start, emptyOutputs));
        }
    }

    private Optional<Instant> from() {
        try {
            return from.equals(BEGINNING)
                    ? Optional.empty()
                    : Optional.of(TimeText.parse(from, Clock.systemDefaultZone()));
        } catch (IllegalArgumentException e) {
            throw new UsageException("--from must be beginning or " + TimeText.FORMS + ", but was '" + from + "'", e);
        }
    }
}
