package dev.parley.cli.api;

import java.time.Instant;
import picocli.CommandLine.Option;

/** Options that select dead letters. */
public final class DeadLetterOptions extends FilterOptions {
    /** The paragraph about the filters in the help of each command. */
    public static final String HELP = "Filters also select undecodable records that claim what they name.";

    @Option(
            names = "--stage",
            paramLabel = "STAGE",
            description = "Only of this stage: decode, judge, apply or internal.")
    String stage;

    @Option(
            names = "--from",
            paramLabel = "TIME",
            description = "Only from this time on, in the forms of parley export.")
    Instant from;

    @Option(names = "--to", paramLabel = "TIME", description = "Only before this time.")
    Instant to;

    @Option(
            names = "--state",
            paramLabel = "STATE",
            description = "Only in this state: open, returned by a redrive, or closed.")
    String state;
}
