package dev.parley.cli;

import dev.parley.audit.RedactionFields;
import dev.parley.cli.io.Options;
import dev.parley.cli.io.UsageException;
import picocli.CommandLine.Option;

/** The audit record that a redaction or an approval names, and the reason. */
final class RecordOptions {
    @Option(
            names = "--chain",
            required = true,
            paramLabel = "CHAIN",
            description = "The chain: namespace|PROTOCOL|conversation, as the audit records and the API name it.")
    String chain;

    @Option(
            names = "--sequence",
            required = true,
            paramLabel = "N",
            description = "Sequence of the record in the chain.")
    long sequence;

    @Option(
            names = "--reason",
            required = true,
            paramLabel = "TEXT",
            description = "Reason. It is recorded, so it must not repeat redacted content.")
    String reason;

    /** Requires that the values have the form of those of a record. */
    void require() {
        Options.requireChain(chain);
        if (sequence < 0) {
            throw new UsageException("--sequence must be an integer >= 0, but was " + sequence);
        }
        requireText("--reason", reason);
    }

    /** Requires that an option has the form of a reason. */
    static void requireText(String option, String text) {
        RedactionFields.checkText(text.strip()).ifPresent(problem -> {
            throw new UsageException(option + ' ' + problem);
        });
    }
}
