package dev.parley.cli;

import dev.parley.cli.io.ConfigOptions;
import dev.parley.cli.io.PlanPrinter;
import dev.parley.config.ParleyConfig;
import dev.parley.operations.Deployment;
import dev.parley.operations.Reset;
import dev.parley.topology.setup.StreamsSettings;
import java.io.IOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code parley reset}: back in the input, and everything made again. */
@Command(
        name = "reset",
        description =
                "Goes back in the input topics, so that the next start judges them again and makes every output anew."
                        + " What was recorded before is deleted.",
        footer = {
            "",
            "Stop every process first; one with the role views alone is in no group, so nobody can see it.",
            "Without --execute it says what it would do. Refused while a group has members, while the outputs hold"
                    + " records that --empty-outputs does not",
            "allow to delete, and while a process uses the local state. On every other machine run parley clean"
                    + " --execute.",
            "Exit status: 0; 1 when refused; 2 for a wrong command line.",
            "",
            "Example:",
            "  parley reset --config parley.properties --empty-outputs --execute"
        })
final class ResetCommand implements Callable<Integer> {
    private static final String BEGINNING = "beginning";

    @Spec
    private CommandSpec spec;

    @Mixin
    private ConfigOptions config;

    @Option(
            names = "--from",
            paramLabel = "WHERE",
            defaultValue = BEGINNING,
            description = "Where the input is read again: beginning, or a time such as 2026-01-31T12:00:00Z. Default:"
                    + " ${DEFAULT-VALUE}.")
    private String from;

    @Option(
            names = "--offset",
            paramLabel = "PARTITION=N",
            description = "Begins at that offset in one partition, for example parley.wire-0=1200. May be repeated.")
    private Map<String, Long> offsets = new LinkedHashMap<>();

    @Option(
            names = "--empty-outputs",
            description = "Deletes what the output topics hold, the audit too. Copy first what you must keep.")
    private boolean emptyOutputs;

    @Option(names = "--execute", description = "Does it.")
    private boolean execute;

    @Option(names = "--json", description = "Prints a JSON object for each step, one on a line.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        ParleyConfig settings = config.read(spec);
        Reset.Options options = new Reset.Options(from(), places(), emptyOutputs);
        try (Admin admin = Admin.create(StreamsSettings.clientSettings(settings))) {
            return new PlanPrinter(spec, execute, json).run(Reset.plan(admin, Deployment.of(settings), options));
        }
    }

    private Optional<Instant> from() {
        if (from.equals(BEGINNING)) {
            return Optional.empty();
        }
        try {
            return Optional.of(Instant.parse(from));
        } catch (DateTimeParseException e) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--from is beginning or a time such as 2026-01-31T12:00:00Z, not '" + from + "'",
                    e);
        }
    }

    private Map<TopicPartition, Long> places() {
        Map<TopicPartition, Long> places = new HashMap<>();
        offsets.forEach((name, offset) -> {
            int dash = name.lastIndexOf('-');
            try {
                places.put(
                        new TopicPartition(name.substring(0, dash), Integer.parseInt(name.substring(dash + 1))),
                        offset);
            } catch (IndexOutOfBoundsException | NumberFormatException e) {
                throw new ParameterException(
                        spec.commandLine(), "--offset names a partition such as parley.wire-0, not '" + name + "'", e);
            }
        });
        return places;
    }
}
