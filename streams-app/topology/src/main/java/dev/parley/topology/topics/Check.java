package dev.parley.topology.topics;

/** The preflight checks. The names are a public contract. */
public enum Check {
    /** The kafka.* settings are invalid: no client can be created from them. */
    CLIENT_SETTINGS(Severity.ERROR),
    /** No Kafka client has a setting of this name. */
    CLIENT_SETTING_UNKNOWN(Severity.WARNING),
    /** No broker is available. */
    BROKERS_SILENT(Severity.ERROR),
    /** The brokers reject this client: TLS or the credentials are wrong. */
    BROKERS_REFUSE(Severity.ERROR),
    /** Fewer brokers are up than the replication factor needs. */
    CLUSTER_SMALL(Severity.WARNING),
    /** Transactions are impossible: the transaction log cannot be created. */
    TRANSACTIONS_IMPOSSIBLE(Severity.ERROR),
    /** The replication factor is 1 although the cluster has several brokers. */
    REPLICATION_LOW(Severity.WARNING),
    /** A broker's request limit is below the maximum record size. */
    REQUESTS_SMALL(Severity.WARNING),
    /** This machine's clock differs from the cluster's. */
    CLOCK_SKEW(Severity.WARNING),
    /** A topic is missing and cannot be created. */
    TOPIC_REFUSED(Severity.ERROR),
    /** Retention or compaction would delete records of a topic. */
    TOPIC_CLEANUP(Severity.ERROR),
    /** An output topic rejects records of the maximum size. */
    TOPIC_SMALL(Severity.ERROR),
    /** An input topic accepts records that are too large for a dead letter. */
    INPUT_LARGE(Severity.ERROR),
    /** Producers choose the timestamps of an input topic, although timestamps are evidence. */
    INPUT_TIME(Severity.ERROR),
    /** The input topics differ in their number of partitions. */
    INPUTS_DIFFER(Severity.ERROR),
    /** The setting input.keyed-by-conversation differs from the one with which the deployment has run. */
    KEYED_CHANGED(Severity.ERROR),
    /** With input.keyed-by-conversation, a record is not in the partition of its key. */
    INPUT_MISPLACED(Severity.WARNING),
    /** The audit topic and the checkpoint topic differ in their number of partitions. */
    VIEWS_DIFFER(Severity.ERROR),
    /** A partition has no leader, or too few in-sync replicas for writes. */
    TOPIC_OFFLINE(Severity.WARNING),
    /** The retention of a topic differs from the configuration. */
    RETENTION_DIFFERS(Severity.WARNING),
    /** The audit topic has records, but this application has never run. */
    OUTPUTS_TAKEN(Severity.ERROR),
    /** The application has run, but its committed offsets are missing. */
    OFFSETS_MISSING(Severity.WARNING),
    /** An input topic is not the one that was read: it was deleted and created again, or lost records. */
    INPUT_RECREATED(Severity.ERROR),
    /** Input was deleted before it was read. */
    INPUT_LOST(Severity.WARNING),
    /** The authorizer denies an operation that Parley needs. */
    ACCESS_DENIED(Severity.ERROR),
    /** The registry is unavailable. */
    REGISTRY_SILENT(Severity.ERROR),
    /** The registry rejects this client. */
    REGISTRY_REFUSES(Severity.ERROR),
    /** The registry holds a schema that is incompatible with Parley's. */
    SCHEMA_INCOMPATIBLE(Severity.ERROR),
    /** The registry lacks a schema, and Parley must not register it. */
    SCHEMA_MISSING(Severity.ERROR),
    /** A file of the keys of the deployment contains no key pair. */
    KEY_UNREADABLE(Severity.ERROR),
    /** Heads are signed, but what leads to them has no codes. */
    INTERNAL_KEY_MISSING(Severity.WARNING),
    /** The internal records have codes of another key than this instance, or only one of both has any. */
    INTERNAL_KEY_DIFFERS(Severity.ERROR),
    /** A witness is unavailable. */
    WITNESS_SILENT(Severity.WARNING),
    /** The settings of the HTTP API are invalid, its files unreadable, or its port taken. */
    HTTP_SETTINGS(Severity.ERROR),
    /** The settings of the HTTP API are allowed but unsafe. */
    HTTP_UNSAFE(Severity.WARNING),
    /** The state directory is not writable. */
    STATE_UNWRITABLE(Severity.ERROR),
    /** Another process uses the state directory. */
    STATE_LOCKED(Severity.ERROR),
    /** The state directory belongs to topics that no longer exist. */
    STATE_STALE(Severity.ERROR),
    /** The state directory does not survive a restart of the machine or container. */
    STATE_VOLATILE(Severity.WARNING),
    /** The state directory is on a network file system. */
    STATE_REMOTE(Severity.WARNING),
    /** The disk of the state directory has too little free space. */
    DISK_LOW(Severity.ERROR),
    /** The authorizer denies redrives; all else works. */
    REDRIVE_DENIED(Severity.INFO),
    /** A check could not run. */
    NOT_CHECKED(Severity.INFO);

    private final Severity severity;

    Check(Severity severity) {
        this.severity = severity;
    }

    public Severity severity() {
        return severity;
    }

    /** A finding of this check. */
    public Finding finding(String subject, String problem, String remedy) {
        return new Finding(this, subject, problem, remedy);
    }
}
