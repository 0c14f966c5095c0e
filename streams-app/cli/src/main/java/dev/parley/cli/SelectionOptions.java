package dev.parley.cli;

import dev.parley.cli.export.TopicExport.Selection;
import dev.parley.cli.io.Options;
import java.time.Instant;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Selects the audit records that a command reads from the topics. */
final class SelectionOptions {
    private static final String TIMES = "2026-01-31T00:00:00Z, 2026-01-31 (its beginning), 14:00 (today), -15m, -1h or"
            + " -2d, in the time zone of this machine, or milliseconds since the epoch.";

    @Option(
            names = "--chain",
            paramLabel = "CHAIN",
            description = "One chain: namespace|PROTOCOL|conversation, as the audit records and the API name it.")
    private String chain;

    @Option(names = "--from", paramLabel = "TIME", description = "First time: " + TIMES)
    private Instant from;

    @Option(names = "--to", paramLabel = "TIME", description = "Time before which the export ends.")
    private Instant to;

    Selection read() {
        if (chain != null) {
            Options.requireChain(chain);
        }
        Options.requireOrder(from, to);
        return new Selection(Optional.ofNullable(chain), Optional.ofNullable(from), Optional.ofNullable(to));
    }
}
