package dev.parley.audit;

/** Kinds of faults in an audit trail. The names are a public contract; docs/audit.md explains each. */
public enum FaultCode {
    PAYLOAD_CHANGED("the payload does not match the payload hash"),
    CONTENT_CHANGED("the content does not match the content hash"),
    RECORD_CHANGED("the fields do not match the hash"),
    VERDICT_CHANGED("the verdict and the deciding code contradict each other"),
    PAYLOAD_MISSING("the payload is missing without a redaction"),
    LINK_BROKEN("the previous hash is not the hash of the previous record"),
    RECORD_MISSING("records are missing before this one"),
    RECORD_MOVED("the record comes after a later one of its chain"),
    RECORD_REPEATED("the chain already has a record with this sequence"),
    KEY_CHANGED("the record's key is not its chain"),
    TAIL_CUT("the chain ends before its published head"),
    CHAIN_MISSING("the chain has a published head but no records"),
    HEAD_MISMATCH("the published head has another hash than the record"),
    HEAD_FORGED("the signature of the head is invalid"),
    HEAD_UNSIGNED("the head is not signed by a given key"),
    HEAD_MOVED("the head does not directly follow the record that it names"),
    INPUT_REPEATED("the input position has another audit record"),
    INPUT_MISSING("the input record is in no chain"),
    REDACTION_UNPROVEN("the payload is missing for a redaction that the chain does not record"),
    REDACTION_UNFOUNDED("the redaction names no record of its chain and has no effect"),
    UNREADABLE("the record or entry is unreadable"),
    EXPORT_INCOMPLETE("the export is incomplete"),
    HEAD_MISSING("the chain has no valid published head for records that require one"),
    HEAD_REPLAYED("an older head was published after a newer one"),
    HEAD_REMOVED("the published head was deleted"),
    JOURNAL_GAP("records of the journal are missing"),
    JOURNAL_REPEATED("the journal already has a record with this ordinal"),
    JOURNAL_CUT("the journal ends before its manifest"),
    MANIFEST_MISMATCH("the journal and the manifest differ in root or number of chains"),
    MANIFEST_FORGED("the signature of the manifest is invalid"),
    MANIFEST_UNSIGNED("the manifest is not signed by a given key"),
    MANIFEST_MISSING("manifests of the journal are missing"),
    MANIFEST_REPLAYED("an older manifest was published after a newer one"),
    MANIFEST_BROKEN("the manifest does not contain the hash of the previous one"),
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
