package dev.parley.operations;

/** What the preflight looks for. The names are public contract. */
public enum Check {
    /** No client can be made of the kafka.* settings. */
    CLIENT_SETTINGS(Severity.ERROR),
    /** No broker answers. */
    BROKERS_SILENT(Severity.ERROR),
    /** The brokers do not let this client in: TLS or the credentials are wrong. */
    BROKERS_REFUSE(Severity.ERROR),
    /** Fewer brokers are up than replicas wanted. */
    CLUSTER_SMALL(Severity.WARNING),
    /** The cluster cannot have transactions: their log cannot be created. */
    TRANSACTIONS_IMPOSSIBLE(Severity.ERROR),
    /** The cluster could keep several copies, and keeps one. */
    REPLICATION_LOW(Severity.WARNING),
    /** A broker's request limit is below the largest record. */
    REQUESTS_SMALL(Severity.WARNING),
    /** This machine's clock differs from the cluster's. */
    CLOCK_SKEW(Severity.WARNING),
    /** A topic is missing and cannot be created. */
    TOPIC_REFUSED(Severity.ERROR),
    /** Records of a topic would expire or be compacted away. */
    TOPIC_CLEANUP(Severity.ERROR),
    /** An output topic does not take every record. */
    TOPIC_SMALL(Severity.ERROR),
    /** An input topic takes records for which no dead letter is made. */
    INPUT_LARGE(Severity.ERROR),
    /** Producers choose the times of an input topic's records, and times are evidence. */
    INPUT_TIME(Severity.ERROR),
    /** The input topics differ in their number of partitions. */
    INPUTS_DIFFER(Severity.ERROR),
    /** The topics of audit and checkpoints differ in their number of partitions. */
    VIEWS_DIFFER(Severity.ERROR),
    /** A partition has no leader, or too few replicas to be written to. */
    TOPIC_OFFLINE(Severity.WARNING),
    /** Nobody has decided how long the audit is kept. */
    AUDIT_EXPIRES(Severity.WARNING),
    /** A topic keeps its records for another time than the configuration says. */
    RETENTION_DIFFERS(Severity.WARNING),
    /** The audit has records, but this application has never run. */
    OUTPUTS_TAKEN(Severity.ERROR),
    /** The application has run, but its position in the input is gone. */
    OFFSETS_MISSING(Severity.WARNING),
    /** An input topic is not the one that was read: it was deleted and created again, or lost records that were read. */
    INPUT_RECREATED(Severity.ERROR),
    /** Input was deleted before it was read. */
    INPUT_LOST(Severity.WARNING),
    /** The authorizer does not allow what Parley must do. */
    ACCESS_DENIED(Severity.ERROR),
    /** The registry does not answer. */
    REGISTRY_SILENT(Severity.ERROR),
    /** The registry does not let this client in. */
    REGISTRY_REFUSES(Severity.ERROR),
    /** The registry holds a schema that Parley's is not compatible with. */
    SCHEMA_INCOMPATIBLE(Severity.ERROR),
    /** The registry lacks a schema, and Parley shall not register it. */
    SCHEMA_MISSING(Severity.ERROR),
    /** There is no key pair in the file that is to sign the heads of the audit chains. */
    KEY_UNREADABLE(Severity.ERROR),
    /** The state directory cannot be written. */
    STATE_UNWRITABLE(Severity.ERROR),
    /** Another process has the state directory. */
    STATE_LOCKED(Severity.ERROR),
    /** The state directory belongs to topics that are gone. */
    STATE_STALE(Severity.ERROR),
    /** The state directory does not survive a restart of the machine or container. */
    STATE_VOLATILE(Severity.WARNING),
    /** The state directory is on a network file system. */
    STATE_REMOTE(Severity.WARNING),
    /** Too little space is left for the state directory. */
    DISK_LOW(Severity.ERROR),
    /** Something could not be looked at. */
    NOT_CHECKED(Severity.INFO);

    private final Severity severity;

    Check(Severity severity) {
        this.severity = severity;
    }

    /** How bad it is. */
    public Severity severity() {
        return severity;
    }
}
