package dev.parley.audit;

/** What can be wrong with a record of audit chains. The names are public contract; docs/audit.md explains each. */
public enum FaultCode {
    /** The payload does not have the payload hash. */
    PAYLOAD_CHANGED("the payload does not have the payload hash"),
    /** What the record says does not have the content hash. */
    CONTENT_CHANGED("what the record says does not have its content hash"),
    /** The hash does not fit the fields. */
    RECORD_CHANGED("the hash does not fit the fields"),
    /** Verdict and deciding code contradict each other. */
    VERDICT_CHANGED("verdict and code contradict each other"),
    /** There is no payload, and nothing says why. */
    PAYLOAD_MISSING("there is no payload, and no redaction says why"),
    /** The previous hash is not the hash of the record before. */
    LINK_BROKEN("the previous hash is not the hash of the record before"),
    /** Records that should come before this one are not there. */
    RECORD_MISSING("records are missing before this one"),
    /** The record stands behind a later one. */
    RECORD_MOVED("the record stands behind a later one of its chain"),
    /** A record of that sequence has come already. */
    RECORD_REPEATED("the chain has had a record of this sequence already"),
    /** The key of the record is not its chain. */
    KEY_CHANGED("the record's key is not its chain"),
    /** The chain ends before its published head. */
    TAIL_CUT("the chain ends before its published head"),
    /** No record is there of a chain that has a published head. */
    CHAIN_MISSING("no record is there of a chain that has a published head"),
    /** The published head has another hash than the record. */
    HEAD_MISMATCH("the published head has another hash than the record"),
    /** The signature of the head is wrong. */
    HEAD_FORGED("the signature of the head is wrong"),
    /** The head is not signed, or by a key that was not given. */
    HEAD_UNSIGNED("the head is not signed by a key that was given"),
    /** The head stands behind records that are later than the one it names. */
    HEAD_MOVED("the head does not stand behind the record that it names"),
    /** An input offset appears twice. */
    INPUT_REPEATED("the input record was recorded before"),
    /** An input record appears in no chain. */
    INPUT_MISSING("the input record is in no chain"),
    /** The payload is left out for a redaction that no chain records. */
    REDACTION_UNPROVEN("the payload is left out for a redaction that the chain does not record"),
    /** A redaction of which the chain has no record; a notice, because the chain is as it should be. */
    REDACTION_UNFOUNDED("the redaction names no record of its chain, so it redacts nothing"),
    /** Something that cannot be read. */
    UNREADABLE("it cannot be read"),
    /** The export is not whole. */
    EXPORT_INCOMPLETE("the export is not whole"),
    /** A chain has no valid head for records that must have one. */
    HEAD_MISSING("the chain has no valid published head for records that must have one"),
    /** A published head is followed by one of an earlier record. */
    HEAD_REPLAYED("an older head was published after a newer one"),
    /** A published head was removed from its topic. */
    HEAD_REMOVED("the published head was removed"),
    /** Ordinals of a journal are missing. */
    JOURNAL_GAP("records of the journal are missing"),
    /** An ordinal of a journal appears twice. */
    JOURNAL_REPEATED("the journal has had a record of this ordinal already"),
    /** A record is in no journal though earlier records of its chain are. */
    JOURNAL_ABSENT("the record is in no journal, and earlier records of its chain are"),
    /** A journal ends before its manifest. */
    JOURNAL_CUT("the journal ends before its manifest"),
    /** The journal has another root, or number of chains, than the manifest. */
    MANIFEST_MISMATCH("the journal has another root than the manifest"),
    /** The signature of the manifest is wrong. */
    MANIFEST_FORGED("the signature of the manifest is wrong"),
    /** The manifest is not signed, or by a key that was not given. */
    MANIFEST_UNSIGNED("the manifest is not signed by a key that was given"),
    /** Manifests of a journal are missing. */
    MANIFEST_MISSING("manifests of the journal are missing"),
    /** A manifest comes after a later one, or says less than the one before. */
    MANIFEST_REPLAYED("an older manifest was published after a newer one"),
    /** The manifest does not follow the one before. */
    MANIFEST_BROKEN("the manifest does not have the hash of the one before"),
    /** The trail does not continue a stored manifest. */
    NOT_CONTINUED("the trail does not continue the stored manifest");

    private final String meaning;

    FaultCode(String meaning) {
        this.meaning = meaning;
    }

    /** Whether it is worth knowing without anything being wrong with the trail. */
    public boolean isNotice() {
        return this == REDACTION_UNFOUNDED;
    }

    /** What is wrong, in a few words. */
    public String meaning() {
        return meaning;
    }
}
