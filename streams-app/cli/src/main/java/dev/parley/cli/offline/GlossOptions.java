package dev.parley.cli.offline;

import dev.parley.gloss.LambdaVocabulary;
import dev.parley.protocol.Glosses;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The glosses of an offline command. */
final class GlossOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

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
            throw new ParameterException(spec.commandLine(), "--vocabulary " + e.getMessage(), e);
        } catch (IOException e) {
            throw new ParameterException(
                    spec.commandLine(), "--vocabulary " + vocabulary + ": cannot be read: " + e, e);
        }
    }
}
