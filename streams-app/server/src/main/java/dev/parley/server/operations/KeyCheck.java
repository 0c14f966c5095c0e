package dev.parley.server.operations;

import dev.parley.topology.config.AuditKeys;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.pipeline.LogHeadSettings;
import dev.parley.topology.topics.Check;
import dev.parley.topology.topics.Finding;
import java.util.List;
import org.apache.kafka.common.config.ConfigException;

/** Checks the key that signs the heads of the audit log. */
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
                LogHeadSettings.of(config).notes();
            } catch (ConfigException e) {
                findings.add(new Finding(
                        Check.KEY_UNREADABLE,
                        AuditKeys.HEADS_KEY_FILES,
                        e.getMessage(),
                        "Create a key pair with parley keygen, and name its .key file."));
            }
        }
    }
}
