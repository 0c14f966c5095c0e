package dev.parley.cli.offline;

import dev.parley.cli.io.UsageException;
import dev.parley.gloss.LambdaVocabulary;
import dev.parley.logging.FileErrors;
import dev.parley.protocol.Glosses;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The glosses of an offline command. */
final class GlossOptions {
    @Option(
            names = "--vocabulary",
            paramLabel = "FILE",
            description = "Words of Λ atoms for glosses, in addition to the core vocabulary.")
    private Path vocabulary;

    /** The glosses with the vocabulary that the command line names. */
    Glosses glosses() {
        if (vocabulary == null) {
            return Glosses.STANDARD;
        }
        try {
            return Glosses.with(LambdaVocabulary.CORE.with(vocabulary));
        } catch (IllegalArgumentException e) {
            throw new UsageException("--vocabulary " + e.getMessage(), e);
        } catch (IOException e) {
            throw new UsageException("--vocabulary " + vocabulary + ": cannot be read: " + FileErrors.reason(e), e);
        }
    }
}
