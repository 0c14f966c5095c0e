package dev.parley.cli;

import dev.parley.cli.export.TopicExport.Selection;
import java.time.Instant;
import java.util.Optional;
import picocli.CommandLine.Option;

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
    private Instant from;

    @Option(names = "--to", paramLabel = "TIME", description = "Time before which the export ends, in ISO 8601.")
    private Instant to;

    Selection read() {
        return new Selection(Optional.ofNullable(chain), Optional.ofNullable(from), Optional.ofNullable(to));
    }
}
