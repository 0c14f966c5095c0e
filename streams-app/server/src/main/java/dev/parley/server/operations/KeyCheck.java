package dev.parley.server.operations;

import dev.parley.topology.config.AuditKeys;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.pipeline.ChainHeadSettings;
import dev.parley.topology.topics.Check;
import dev.parley.topology.topics.Finding;
import java.util.List;
import org.apache.kafka.common.config.ConfigException;

/** Checks the key that signs the chain heads. */
final class KeyCheck {
    private final ParleyConfig config;
    private final List<Finding> findings;

    KeyCheck(ParleyConfig config, List<Finding> findings) {
        this.config = config;
        this.findings = findings;
    }

    void run() {
        if (config.hasRole("pipeline")) {
            try {
                ChainHeadSettings.of(config).signer();
            } catch (ConfigException e) {
                findings.add(new Finding(
                        Check.KEY_UNREADABLE,
                        AuditKeys.HEADS_KEY_FILE,
                        e.getMessage(),
                        "Create a key pair with parley keygen, and set the key to its .key file."));
            }
        }
    }
}
