package dev.parley.topology.config;

import static org.apache.kafka.common.config.ConfigDef.Range.atLeast;

/** Keys of {@link ParleyConfig} for the audit trail. */
public final class AuditKeys {
    public static final String HEADS_INTERVAL_MS = "audit.heads.interval.ms";
    public static final String HEADS_KEY_FILES = "audit.heads.key.files";
    public static final String INTERNAL_KEY_FILES = "audit.internal.key.files";
    public static final String HEADS_KEYS = "audit.heads.keys";
    public static final String ORIGIN = "audit.origin";
    public static final String REDACTIONS_LIMIT = "audit.redactions.limit";

    private AuditKeys() {}

    static void addTo(KeyDefinitions definitions) {
        definitions
                .key(HEADS_INTERVAL_MS, 10_000L, atLeast(100))
                .doc(
                        "Interval at which the head of the log of each partition is published, in milliseconds, if the log "
                                + "has grown.")
                .list(HEADS_KEY_FILES, "")
                .doc("Files of the Ed25519 key pairs that sign the heads, from parley keygen. Each signs every head: "
                        + "give the old and the new key while a key is replaced. Without a file, heads are not signed.")
                .list(INTERNAL_KEY_FILES, "")
                .doc("Files of the keys, from parley keygen, of the codes (HMAC) in what Parley writes for itself: "
                        + "changelogs, repartition topics, accounting, redrives and redaction requests. Records without a "
                        + "valid code are refused. The first key writes, all verify. Every instance needs the same. "
                        + "Without a file, there are no codes.")
                .list(HEADS_KEYS, "")
                .doc(
                        "Verifier keys of the deployment, for instances that do not sign. The views accept only heads that "
                                + "one of these keys, or of audit.heads.key.files, signed. Without any of both, they accept "
                                + "the heads of every writer of the topic.")
                .text(ORIGIN)
                .doc("Identity of this deployment in every signed note: a URL without a scheme, such as "
                        + "example.com/parley/audit. The log of partition 3 has the origin example.com/parley/audit/3. "
                        + "Default: the topics prefix without its last dot, and /audit.")
                .key(REDACTIONS_LIMIT, 10_000, atLeast(1))
                .doc(
                        "Maximum number of redactions and approvals per audit chain; further requests are refused. The pipeline cannot "
                                + "compare a request's hash with the record, so this limits how far requests without "
                                + "effect can grow a chain.");
    }
}
