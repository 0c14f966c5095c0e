package dev.parley.topology.config;

import static org.apache.kafka.common.config.ConfigDef.Importance.LOW;
import static org.apache.kafka.common.config.ConfigDef.Importance.MEDIUM;
import static org.apache.kafka.common.config.ConfigDef.Range.atLeast;
import static org.apache.kafka.common.config.ConfigDef.Type.INT;
import static org.apache.kafka.common.config.ConfigDef.Type.LONG;
import static org.apache.kafka.common.config.ConfigDef.Type.STRING;

/** Keys of {@link ParleyConfig} for the audit chains. */
public final class AuditKeys {
    public static final String HEADS_INTERVAL_MS = "audit.heads.interval.ms";
    public static final String HEADS_KEY_FILE = "audit.heads.key.file";
    public static final String MANIFEST_INTERVAL_MS = "audit.manifest.interval.ms";
    public static final String REDACTIONS_LIMIT = "audit.redactions.limit";

    private AuditKeys() {}

    static void addTo(KeyDefinitions definitions) {
        definitions
                .key(HEADS_INTERVAL_MS, LONG, 60_000L, atLeast(100), MEDIUM)
                .doc("Interval at which the heads of changed audit chains are published, in milliseconds.")
                .key(HEADS_KEY_FILE, STRING, null, MEDIUM)
                .doc("File of the Ed25519 key pair that signs the published chain heads, from parley keygen. Without "
                        + "it, they are not signed.")
                .key(MANIFEST_INTERVAL_MS, LONG, 60_000L, atLeast(100), MEDIUM)
                .doc("Minimum time between two manifests of a journal, in milliseconds. A manifest is published after "
                        + "a round of chain heads if the journal has changed.")
                .key(REDACTIONS_LIMIT, INT, 10_000, atLeast(1), LOW)
                .doc("Maximum number of redactions per audit chain; further requests are refused. The pipeline cannot "
                        + "compare a request's payload hash with the record, so this limits how far requests without "
                        + "effect can grow a chain.");
    }
}
