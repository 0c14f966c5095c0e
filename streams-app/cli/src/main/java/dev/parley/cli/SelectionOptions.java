package dev.parley.cli;

import dev.parley.cli.export.TopicExport.Selection;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Selects the audit records that a command reads from the topics. */
final class SelectionOptions {
    @Option(
            names = "--chain",
            paramLabel = "CHAIN",
            description = "One chain: namespace|protocol|conversation, as the audit records and the API name it.")
    private String chain;

    @Option(
            names = "--from",
            paramLabel = "TIME",
            description = "First time, in ISO 8601, for example 2026-01-31T00:00:00Z.")
    private String from;

    @Option(names = "--to", paramLabel = "TIME", description = "Time before which the export ends, in ISO 8601.")
    private String to;

    /** Reads the selection; an invalid time is a wrong command line. */
    Selection read(CommandSpec spec) {
        return new Selection(Optional.ofNullable(chain), time(spec, "--from", from), time(spec, "--to", to));
    }

    private static Optional<Instant> time(CommandSpec spec, String option, String text) {
        try {
            return Optional.ofNullable(text).map(Instant::parse);
        } catch (DateTimeException e) {
            throw new ParameterException(
                    spec.commandLine(),
                    option + " must be a time such as 2026-01-31T00:00:00Z, but was '" + text + "'",
                    e);
        }
    }
}
