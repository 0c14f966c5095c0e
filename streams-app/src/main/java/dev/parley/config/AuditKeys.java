package dev.parley.config;

import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.Type;

/** Keys of {@link ParleyConfig} for the audit chains. */
public final class AuditKeys {
    /** {@value}. */
    public static final String HEADS_INTERVAL_MS = "audit.heads.interval.ms";
    /** {@value}. */
    public static final String HEADS_KEY_FILE = "audit.heads.key.file";

    /** {@value}. */
    public static final String MANIFEST_INTERVAL_MS = "audit.manifest.interval.ms";

    public static final String REDACTIONS_LIMIT = "audit.redactions.limit";

    private AuditKeys() {}

    static void addTo(ConfigDef definition) {
        definition
                .define(
                        HEADS_INTERVAL_MS,
                        Type.LONG,
                        60_000L,
                        Range.atLeast(100),
                        Importance.MEDIUM,
                        "Interval at which the heads of changed audit chains are published, in milliseconds.")
                .define(
                        HEADS_KEY_FILE,
                        Type.STRING,
                        null,
                        Importance.MEDIUM,
                        "File of the Ed25519 key pair that signs the published chain heads, from parley keygen. "
                                + "Without it, they are not signed.")
                .define(
                        MANIFEST_INTERVAL_MS,
                        Type.LONG,
                        60_000L,
                        Range.atLeast(100),
                        Importance.MEDIUM,
                        "Minimum time between two manifests of a journal, in milliseconds. A manifest is published "
                                + "after a round of chain heads if the journal has changed.")
                .define(
                        REDACTIONS_LIMIT,
                        Type.INT,
                        10_000,
                        Range.atLeast(1),
                        Importance.LOW,
                        "Maximum number of redactions per audit chain; further requests are refused. The pipeline "
                                + "cannot compare a request's payload hash with the record, so this limits how far "
                                + "requests without effect can grow a chain.");
    }
}
