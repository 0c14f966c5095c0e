package dev.parley.audit;

/** Kinds of faults in an audit trail. The names are a public contract; docs/audit.md explains each. */
public enum FaultCode {
    /** The payload does not match the payload hash. */
    PAYLOAD_CHANGED("the payload does not match the payload hash"),
    /** The content does not match the content hash. */
    CONTENT_CHANGED("the content does not match the content hash"),
    /** The fields do not match the hash. */
    RECORD_CHANGED("the fields do not match the hash"),
    /** The verdict and the deciding code contradict each other. */
    VERDICT_CHANGED("the verdict and the deciding code contradict each other"),
    /** The payload is missing without a reason. */
    PAYLOAD_MISSING("the payload is missing without a redaction"),
    /** The previous hash is not the hash of the previous record. */
    LINK_BROKEN("the previous hash is not the hash of the previous record"),
    /** Records before this one are missing. */
    RECORD_MISSING("records are missing before this one"),
    /** The record comes after a later one of its chain. */
    RECORD_MOVED("the record comes after a later one of its chain"),
    /** The chain already has a record with this sequence. */
    RECORD_REPEATED("the chain already has a record with this sequence"),
    /** The key of the record is not its chain. */
    KEY_CHANGED("the record's key is not its chain"),
    /** The chain ends before its published head. */
    TAIL_CUT("the chain ends before its published head"),
    /** A chain with a published head has no records. */
    CHAIN_MISSING("the chain has a published head but no records"),
    /** The published head and the record have different hashes. */
    HEAD_MISMATCH("the published head has another hash than the record"),
    /** The signature of the head is invalid. */
    HEAD_FORGED("the signature of the head is invalid"),
    /** The head has no signature, or one by an unknown key. */
    HEAD_UNSIGNED("the head is not signed by a given key"),
    /** The head comes after records later than the one that it names. */
    HEAD_MOVED("the head does not directly follow the record that it names"),
    /** An input position has two audit records. */
    INPUT_REPEATED("the input position has another audit record"),
    /** An input record has no audit record. */
    INPUT_MISSING("the input record is in no chain"),
    /** The payload is missing for a redaction that no chain records. */
    REDACTION_UNPROVEN("the payload is missing for a redaction that the chain does not record"),
    /** A redaction names no record of its chain; a notice, because the chain is intact. */
    REDACTION_UNFOUNDED("the redaction names no record of its chain and has no effect"),
    /** A record or entry is unreadable. */
    UNREADABLE("the record or entry is unreadable"),
    /** The export is incomplete. */
    EXPORT_INCOMPLETE("the export is incomplete"),
    /** A chain has no valid head for records that require one. */
    HEAD_MISSING("the chain has no valid published head for records that require one"),
    /** A head of an earlier record follows a published head. */
    HEAD_REPLAYED("an older head was published after a newer one"),
    /** A published head was deleted from its topic. */
    HEAD_REMOVED("the published head was deleted"),
    /** Ordinals of a journal are missing. */
    JOURNAL_GAP("records of the journal are missing"),
    /** An ordinal of a journal appears twice. */
    JOURNAL_REPEATED("the journal already has a record with this ordinal"),
    /** A record is in no journal, although earlier records of its chain are. */
    JOURNAL_ABSENT("the record is in no journal, although earlier records of its chain are"),
    /** A journal ends before its manifest. */
    JOURNAL_CUT("the journal ends before its manifest"),
    /** The journal and the manifest differ in root or number of chains. */
    MANIFEST_MISMATCH("the journal and the manifest differ in root or number of chains"),
    /** The signature of the manifest is invalid. */
    MANIFEST_FORGED("the signature of the manifest is invalid"),
    /** The manifest has no signature, or one by an unknown key. */
    MANIFEST_UNSIGNED("the manifest is not signed by a given key"),
    /** Manifests of a journal are missing. */
    MANIFEST_MISSING("manifests of the journal are missing"),
    /** A manifest follows a later one, or covers less than the previous one. */
    MANIFEST_REPLAYED("an older manifest was published after a newer one"),
    /** The manifest does not contain the hash of the previous one. */
    MANIFEST_BROKEN("the manifest does not contain the hash of the previous one"),
    /** The trail does not continue a stored manifest. */
    NOT_CONTINUED("the trail does not continue the stored manifest");

    private final String meaning;

    FaultCode(String meaning) {
        this.meaning = meaning;
    }

    /** Whether this is information rather than a fault of the trail. */
    public boolean isNotice() {
        return this == REDACTION_UNFOUNDED;
    }

    /** A short description. */
    public String meaning() {
        return meaning;
    }
}
