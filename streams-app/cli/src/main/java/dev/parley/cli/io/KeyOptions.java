package dev.parley.cli.io;

import dev.parley.log.TrustedKey;
import dev.parley.topology.config.AuditKeys;
import java.util.List;
import picocli.CommandLine.Option;

/** The keys whose notes a command believes. */
public final class KeyOptions {
    @Option(
            names = "--key",
            paramLabel = "KEY",
            description =
                    "Verifier key of the deployment, or a file with one per line, such as the .vkey file of parley"
                            + " keygen. With it, only notes that it signed count. Repeatable for retired keys, which end with"
                            + " ' until TIME', when the key was replaced.")
    private List<String> keys = List.of();

    /**
     * The keys; empty without the option, so that every note counts.
     *
     * @throws UsageException if a value is neither key nor file, or keys have different names
     */
    public List<TrustedKey> read() {
        return VerifierKeys.read(keys);
    }

    /**
     * The keys; without the option, those of the configuration.
     *
     * @param configured values of audit.heads.keys
     * @throws UsageException as {@link #read()}
     */
    public List<TrustedKey> readOr(List<String> configured) {
        return keys.isEmpty() ? TrustedKey.present(VerifierKeys.read(AuditKeys.HEADS_KEYS, configured)) : read();
    }
}
