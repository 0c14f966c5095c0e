package dev.parley.log;

import java.util.Set;

/** Kinds of faults in an audit trail. The names are a public contract; docs/audit.md explains each. */
public enum FaultCode {
    PAYLOAD_CHANGED("the payload does not match the payload hash"),
    CONTENT_CHANGED("the content does not match the content hash, or a redacted record has content"),
    RECORD_CHANGED("the fields do not match the hash"),
    VERDICT_CHANGED("the verdict and the deciding code contradict each other"),
    PAYLOAD_MISSING("the payload is missing without a redaction"),
    LINK_BROKEN("the previous hash is not the hash of the previous record"),
    RECORD_MISSING("records are missing before this one"),
    RECORD_MOVED("the record comes after a later one of its chain"),
    RECORD_REPEATED("the chain already has a record with this sequence"),
    KEY_CHANGED("the record's key is not its chain"),
    INPUT_REPEATED("the input position has another audit record"),
    INPUT_MISSING("the input record is in no chain"),
    INPUT_UNKNOWN("the input record of the audit record does not exist"),
    INPUT_CHANGED("the input record has another payload or time than the audit record"),
    REDACTION_UNPROVEN("the payload is missing for a redaction that the chain does not record"),
    REDACTION_UNFOUNDED("the redaction or approval names no record that it can concern, and has no effect"),
    UNREADABLE("the record or entry is unreadable"),
    EXPORT_INCOMPLETE("the export is incomplete"),
    LOG_GAP("records of the log are missing"),
    LOG_REPEATED("the log already has a record with this index"),
    LOG_CUT("the log ends before its head, or the head before the stated one"),
    LOG_OMITTED("only a hash stands for records of the log"),
    LOG_MISSING("a log that the statement lists has no head"),
    NOT_COVERED("no signed head covers records of the log"),
    HEAD_MISMATCH("the log has another root than its head"),
    HEAD_FORGED("the signature of the note is invalid"),
    HEAD_MALFORMED("the note is not a head or statement of this log"),
    HEAD_REPLAYED("an older head was published after a newer one"),
    HEAD_REMOVED("the published head was deleted"),
    HEAD_SPLIT("two heads of the same size have different roots"),
    STATEMENT_MISSING("no statement lists the partitions of the log"),
    CHAIN_CUT("the chain ends before its signed end"),
    STATE_CHANGED("the API returns another state than follows from the audit records"),
    STATES_COMPARED("conversations were compared with the API"),
    NOT_CONTINUED("the trail does not continue the stored head"),
    TIME_IMPOSSIBLE("the time is in the future, or after the head that covers the record"),
    TIME_REVERSED("the time is weeks before that of an earlier record of the log"),
    NOTE_IGNORED("no given key signed the note");

    private final String meaning;

    FaultCode(String meaning) {
        this.meaning = meaning;
    }

    /** A fault with this code that concerns no single chain and location. */
    public AuditFault fault(String detail) {
        return at(RecordLocation.NONE, detail);
    }

    /** A fault with this code that concerns no single chain. */
    public AuditFault at(RecordLocation location, String detail) {
        return new AuditFault(this, location, "", -1, detail);
    }

    /** Whether this is information rather than a fault of the trail. */
    public boolean isNotice() {
        return Set.of(REDACTION_UNFOUNDED, HEAD_FORGED, STATES_COMPARED, TIME_REVERSED, NOTE_IGNORED)
                .contains(this);
    }

    /** A short description. */
    public String meaning() {
        return meaning;
    }
}
