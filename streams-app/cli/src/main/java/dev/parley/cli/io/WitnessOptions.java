package dev.parley.cli.io;

import dev.parley.log.tlog.VerifierKey;
import dev.parley.log.tlog.WitnessPolicy;
import java.util.List;
import picocli.CommandLine.Option;

/** The witnesses whose cosignatures a head must have. */
public final class WitnessOptions {
    @Option(
            names = "--witness",
            paramLabel = "KEY",
            description = "Verifier key of a witness, or a file with one per line. Only heads that witnesses cosigned"
                    + " count. Repeatable.")
    private List<String> keys = List.of();

    @Option(
            names = "--quorum",
            paramLabel = "K",
            description = "Number of the given witnesses that must have cosigned a head. Default: all.")
    private Integer quorum;

    /** The policy; {@link WitnessPolicy#NONE} without witnesses. */
    public WitnessPolicy read() {
        List<VerifierKey> witnesses = VerifierKeys.ofWitnesses("--witness", keys);
        if (quorum != null && (quorum < 1 || quorum > witnesses.size())) {
            throw new UsageException("--quorum must be an integer from 1 to the number of witnesses, "
                    + witnesses.size() + ", but was " + quorum);
        }
        try {
            return new WitnessPolicy(witnesses, quorum == null ? witnesses.size() : quorum);
        } catch (IllegalArgumentException e) {
            throw new UsageException("--witness: " + e.getMessage(), e);
        }
    }
}
