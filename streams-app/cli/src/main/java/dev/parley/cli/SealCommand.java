package dev.parley.cli;

import dev.parley.cli.io.PlanCommand;
import dev.parley.server.operations.Sealing;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.StreamsSettings;
import java.io.IOException;
import org.apache.kafka.clients.admin.Admin;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code parley seal}: writes the internal records of a stopped deployment again, with codes of its first key. */
@Command(
        name = "seal",
        description = "Writes internal records again with codes of the first key of audit.internal.key.files: when a"
                + " deployment gets its first key, before an old key goes, or to restore values that another client"
                + " replaced.",
        footer = {
            "",
            "Stop every instance first. Without --execute it prints what it would do. Refused while a group has"
                    + " members.",
            "",
            "Exit status: 0; 1 if refused; 2 for a wrong command line.",
            "",
            "Example:",
            "  parley seal --config parley.properties --trust-all --execute"
        })
final class SealCommand extends PlanCommand {

    @Option(
            names = "--trust-all",
            description =
                    "Also writes records without a valid code, from any client: for the first key, or if all keys are"
                            + " lost. First run parley verify.")
    private boolean trustAll;

    @Override
    public Integer call() throws IOException {
        ParleyConfig config = connected();
        try (Admin admin = StreamsSettings.admin(StreamsSettings.clientSettings(config))) {
            return run(Sealing.plan(admin, config, trustAll));
        }
    }
}
