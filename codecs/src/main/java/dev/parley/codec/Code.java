package dev.parley.codec;

import dev.parley.avro.Protocol;
import dev.parley.avro.Stage;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Every code that Parley puts on a message. The names are public contract: stable, never reused for another meaning. Each code has one
 * {@link Kind}; two of them change it by circumstance (CSP_FORK by policy, LAMBDA_ERROR_LOOP by repetition), which their meaning says.
 */
public enum Code {
    // Any protocol
    UNKNOWN_PROTOCOL(
            Kind.MALFORMED,
            "No header, topic or first bytes tell which protocol this is, or the parley-protocol header names none that Parley knows."),
    NO_CONVERSATION(
            Kind.MALFORMED,
            "The message carries no conversation, and neither the parley-conversation header nor the record key supplies one."),
    NULL_VALUE(
            Kind.MALFORMED,
            "The record has no value (a tombstone); a wire topic is a log of messages, and nothing can be deleted from it."),
    BAD_HEADER(Kind.MALFORMED, "A parley-* record header is not UTF-8 text, or is longer than 4,096 bytes."),
    MESSAGE_TOO_LARGE(Kind.MALFORMED, "The message has more bytes than the limit."),
    KEY_TOO_LARGE(Kind.MALFORMED, "The record key is longer than 65,536 bytes."),
    HEADERS_TOO_LARGE(Kind.MALFORMED, "The record has more than 1,000 headers, or headers of more than 262,144 bytes."),
    IDENTIFIER_TOO_LONG(
            Kind.MALFORMED,
            "An identifier in the message is longer than 4,096 bytes: a conversation, an agent, or the name of a task, checkpoint, definition or message."),
    INPUT_NOT_ALLOWED(
            Kind.MALFORMED,
            "The input policy does not allow this namespace, sender or conversation in this input topic."),
    TOO_MANY_FIELDS(Kind.MALFORMED, "The message has more fields, keys or patch operations than the limit."),
    TOO_DEEP(Kind.MALFORMED, "The message nests deeper than the limit."),
    KEY_NOT_CONVERSATION(
            Kind.MALFORMED,
            "The input was declared keyed by conversation, but the record key is not the message's conversation."),
    REDACTION_MALFORMED(
            Kind.MALFORMED, "A record of the redaction topic is no redaction; Parley alone should write there."),
    INPUT_EXPIRED(
            Kind.MALFORMED,
            "Records of an input partition were deleted before they were read, by retention or by hand; the audit record tells from which offset and how many."),
    REDACTION_REFUSED(
            Kind.VIOLATION,
            "A redaction names a chain or a sequence that does not exist, the record of a redaction, or a chain that has as many redactions as audit.redactions.limit allows."),
    BYTE_ORDER_MARK(Kind.FORM_WARNING, "The message starts with a byte order mark, which was skipped."),
    SENDER_MISMATCH(Kind.WARNING, "The parley-sender header contradicts the sender in the message; the message wins."),
    INTERNAL_ERROR(
            Kind.VIOLATION,
            "Parley failed on a record in a way nobody foresaw; the record is in the internal dead-letter topic."),

    // SLIP v0.1
    SLIP_MALFORMED(Kind.MALFORMED, "The bytes are not an nSLIP message."),
    SLIP_VERSION(Kind.MALFORMED, "The text starts with 'SLIP v': another protocol of the same name."),
    SLIP_NO_START(Kind.MALFORMED, "The message does not start with '@'."),
    SLIP_UNTERMINATED(Kind.MALFORMED, "The message has no '#' outside quotes."),
    SLIP_TRAILING_DATA(Kind.MALFORMED, "Something other than white space follows the '#'."),
    SLIP_BAD_UTF8(Kind.MALFORMED, "The bytes are not UTF-8."),
    SLIP_WHITESPACE(Kind.MALFORMED, "White space inside the message, outside quotes."),
    SLIP_BAD_STRING(Kind.MALFORMED, "A string is unterminated, has an unknown escape, or an unescaped quote inside."),
    SLIP_MISSING_HEADER(Kind.MALFORMED, "One of the header fields a, f, c, S, d, T is missing."),
    SLIP_DUPLICATE_FIELD(Kind.MALFORMED, "A header field or slot stands twice."),
    SLIP_EMPTY_VALUE(Kind.MALFORMED, "A field has no value."),
    SLIP_SLOT_TYPE(Kind.MALFORMED, "A number where the slot takes a string, or a string where it takes a number."),
    SLIP_BAD_INT(Kind.MALFORMED, "A digit outside 0-9A-Za-z in a number."),
    SLIP_INT_OVERFLOW(Kind.MALFORMED, "A number larger than 2^63-1."),
    SLIP_UNKNOWN_ACT(Kind.MALFORMED, "The act is none of 0 to 10 (base62: 0-9, A)."),
    SLIP_UNKNOWN_FRAME(Kind.MALFORMED, "The frame type is none of 0 to 4."),
    SLIP_FIELD_ORDER(Kind.FORM_WARNING, "The fields do not stand in the order of the specification."),
    SLIP_EMPTY_TOKEN(Kind.FORM_WARNING, "Nothing stands between two separators."),
    SLIP_UNKNOWN_PREFIX(Kind.FORM_WARNING, "A field has a prefix that v0.1 does not define; it is kept in order."),
    SLIP_NONCANONICAL_INT(Kind.FORM_WARNING, "A number has leading zeros."),
    SLIP_RANGE(Kind.FORM_WARNING, "PRIORITY outside 1-3 or SCORE outside 0-10."),
    SLIP_LONG_STRING(Kind.FORM_WARNING, "A string is longer than 256 bytes."),
    SLIP_SELF_ADDRESSED(Kind.WARNING, "Source and destination are the same agent."),
    SLIP_PARENT_CYCLE(Kind.WARNING, "The task names itself as its parent."),
    SLIP_FRAME_MISMATCH(Kind.WARNING, "The frame type is not the one that goes with the act."),
    SLIP_TURN_GAP(Kind.WARNING, "The turn skips at least one number."),
    SLIP_DUPLICATE(Kind.WARNING, "The same bytes were accepted on this turn already; nothing moves."),
    SLIP_UNSOLICITED_PROPOSAL(Kind.WARNING, "A PROPOSE that no REQUEST asked for."),
    SLIP_REPORT_WITHOUT_PLAN(Kind.WARNING, "An INFORM on a task for which no plan was proposed."),
    SLIP_UNEXPECTED(Kind.WARNING, "The act is unusual here, but accepted."),
    SLIP_TURN_REUSED(Kind.VIOLATION, "Another message took this turn already."),
    SLIP_TURN_REGRESSION(Kind.VIOLATION, "The turn is lower than the last one taken."),
    SLIP_NOTHING_TO_ACCEPT(Kind.VIOLATION, "ACCEPT without a request or a plan to accept."),
    SLIP_NOTHING_TO_REJECT(Kind.VIOLATION, "REJECT without a request or a plan to reject."),
    SLIP_NOTHING_TO_COMMIT(Kind.VIOLATION, "COMMIT without a task or a plan to commit to."),
    SLIP_NOTHING_TO_EVAL(Kind.VIOLATION, "EVAL without a plan or a result to evaluate."),
    SLIP_DUPLICATE_REQUEST(Kind.VIOLATION, "The task was requested already."),
    SLIP_PROPOSE_AFTER_ACCEPT(Kind.VIOLATION, "PROPOSE after the plan was accepted."),
    SLIP_DUPLICATE_ACCEPT(Kind.VIOLATION, "The plan was accepted already."),
    SLIP_REJECT_AFTER_ACCEPT(Kind.VIOLATION, "REJECT after the plan was accepted."),
    SLIP_PROPOSE_AFTER_COMMIT(Kind.VIOLATION, "PROPOSE after somebody committed to the task."),
    SLIP_REJECT_AFTER_COMMIT(Kind.VIOLATION, "REJECT after somebody committed to the task."),
    SLIP_DUPLICATE_COMMIT(Kind.VIOLATION, "Somebody committed to the task already."),
    SLIP_DUPLICATE_REJECT(Kind.VIOLATION, "The request was rejected already."),
    SLIP_ACT_AFTER_REJECT(Kind.VIOLATION, "The task was rejected; only a new REQUEST or PROPOSE opens it again."),
    SLIP_ACT_AFTER_ERROR(Kind.VIOLATION, "The task stands in error; REQUEST, PROPOSE or INFORM lead on."),
    SLIP_ACT_AFTER_CLOSE(Kind.VIOLATION, "The task is closed."),

    // SUBIT-Agent v1.0
    SUBIT_MALFORMED(Kind.MALFORMED, "The bytes are not a SUBIT packet."),
    SUBIT_NOT_JSON(Kind.MALFORMED, "The bytes are not one JSON object."),
    SUBIT_BAD_UTF8(Kind.MALFORMED, "The bytes are not UTF-8."),
    SUBIT_TRAILING_DATA(Kind.MALFORMED, "Something other than white space follows the JSON object."),
    SUBIT_DUPLICATE_KEY(Kind.MALFORMED, "A key stands twice in one object."),
    SUBIT_MISSING_FIELD(Kind.MALFORMED, "type or payload is missing."),
    SUBIT_UNKNOWN_TYPE(Kind.MALFORMED, "The type is none of STATE, INTENT, ACTION, PLAN, TRACE, ERROR, or no string."),
    SUBIT_PAYLOAD_TYPE(Kind.MALFORMED, "The payload is no JSON string."),
    SUBIT_PAYLOAD_CHARACTER(
            Kind.MALFORMED, "The payload has a character other than 0, 1 and single spaces between groups of six."),
    SUBIT_PAYLOAD_LENGTH(Kind.MALFORMED, "The payload is empty or its length is no multiple of six bits."),
    SUBIT_STATE_LENGTH(Kind.MALFORMED, "A STATE has one form (6 bits)."),
    SUBIT_INTENT_LENGTH(Kind.MALFORMED, "An INTENT has at least two forms (12 bits)."),
    SUBIT_ACTION_LENGTH(Kind.MALFORMED, "An ACTION has two forms (12 bits)."),
    SUBIT_PLAN_TOO_SHORT(Kind.MALFORMED, "A PLAN has at least two transitions, so three forms (18 bits)."),
    SUBIT_TRACE_LENGTH(Kind.MALFORMED, "A TRACE has at least two forms (12 bits)."),
    SUBIT_ERROR_LENGTH(Kind.MALFORMED, "An ERROR has one or two forms (6 or 12 bits)."),
    SUBIT_META_TYPE(Kind.MALFORMED, "meta is neither an object nor null."),
    SUBIT_PAYLOAD_SPACED(Kind.FORM_WARNING, "The payload has spaces between its forms; they were removed."),
    SUBIT_EXTRA_KEY(Kind.FORM_WARNING, "The packet has a top-level key that the protocol does not define; it is kept."),
    SUBIT_LONG_INTENT(Kind.WARNING, "An INTENT of more than eight forms."),
    SUBIT_META_VALUE(Kind.WARNING, "A value in meta is no string; it is kept as JSON text."),
    SUBIT_BAD_TIMESTAMP(Kind.WARNING, "meta.timestamp is no ISO 8601 date and time."),
    SUBIT_ORPHAN_ERROR(Kind.WARNING, "An ERROR opens the session."),
    SUBIT_STATE_REPEATED(Kind.WARNING, "STATE after STATE."),
    SUBIT_INTENT_REPEATED(Kind.WARNING, "INTENT after INTENT of the same agent."),
    SUBIT_ACTION_REPEATED(Kind.WARNING, "ACTION after ACTION."),
    SUBIT_INCOMPLETE_DIALOGUE(
            Kind.WARNING, "The dialogue before this message was closed by time in STATE, INTENT or PLAN."),
    SUBIT_UNEXPECTED(Kind.WARNING, "The message is unusual here, but accepted."),
    SUBIT_NO_INITIAL_STATE(Kind.VIOLATION, "A session starts with STATE."),
    SUBIT_ACTION_WITHOUT_INTENT(Kind.VIOLATION, "ACTION without an open INTENT or PLAN."),
    SUBIT_STATE_AFTER_INTENT(Kind.VIOLATION, "STATE while the agent's INTENT is open."),
    SUBIT_STATE_AFTER_ACTION(Kind.VIOLATION, "STATE cannot respond to ACTION."),
    SUBIT_INTENT_AFTER_ACTION(Kind.VIOLATION, "INTENT after ACTION; TRACE or ERROR comes first."),
    SUBIT_PLAN_AFTER_ACTION(Kind.VIOLATION, "PLAN after ACTION; TRACE or ERROR comes first."),
    SUBIT_STATE_AFTER_PLAN(Kind.VIOLATION, "STATE while a PLAN is open."),
    SUBIT_INTENT_AFTER_PLAN(Kind.VIOLATION, "INTENT while a PLAN is open."),
    SUBIT_INTENT_AFTER_TRACE(Kind.VIOLATION, "INTENT after TRACE; a new dialogue starts with STATE."),
    SUBIT_ACTION_AFTER_TRACE(Kind.VIOLATION, "ACTION after TRACE; a new dialogue starts with STATE."),
    SUBIT_PLAN_AFTER_TRACE(Kind.VIOLATION, "PLAN after TRACE; a new dialogue starts with STATE."),
    SUBIT_EXPECTED_STATE(Kind.VIOLATION, "After ERROR only STATE or ERROR may follow."),

    // CSP/1
    CSP_MALFORMED(Kind.MALFORMED, "The bytes are not a CSP/1 message."),
    CSP_NOT_CSP(Kind.MALFORMED, "The first line is not CSP/1."),
    CSP_VERSION(Kind.MALFORMED, "The first line names another version of CSP."),
    CSP_TEMPLATE(Kind.MALFORMED, "This is the prompt template for sub-agents, not a message."),
    CSP_BAD_UTF8(Kind.MALFORMED, "The bytes are not UTF-8."),
    CSP_MISSING_HEADER(Kind.MALFORMED, "FROM, TO, CTX or INTENT is missing or empty."),
    CSP_UNKNOWN_INTENT(Kind.MALFORMED, "The intent is none of the eight."),
    CSP_DUPLICATE_KEY(Kind.MALFORMED, "A key stands twice."),
    CSP_BODY_MISMATCH(Kind.MALFORMED, "The body block is missing or is not the one that goes with the intent."),
    CSP_MULTIPLE_BODIES(Kind.MALFORMED, "A second body block follows the first."),
    CSP_MISSING_ID(Kind.MALFORMED, "The body block has no identifier."),
    CSP_MISSING_REQ(Kind.MALFORMED, "A TASK has no REQ."),
    CSP_STATUS(Kind.MALFORMED, "The STATUS of a RESULT is missing or none of OK, PARTIAL, FAIL."),
    CSP_PATCH_LINE(Kind.MALFORMED, "A line of a patch does not read as an operation or as APPLY."),
    CSP_PATCH_TARGET(Kind.MALFORMED, "A patch operation on something other than a DEF."),
    CSP_PATCH_INCOMPLETE(Kind.MALFORMED, "A patch without BASE or APPLY."),
    CSP_HEREDOC(Kind.MALFORMED, "CONTENT without <<<, without >>>, or with text after >>>."),
    CSP_PATCH_OPERATOR(Kind.FORM_WARNING, "'=' where ':=' belongs, or the reverse."),
    CSP_MISSING_FIELD(Kind.FORM_WARNING, "A key that its block should have is missing."),
    CSP_UNKNOWN_KEY(Kind.FORM_WARNING, "A key that CSP/1 does not define; it is kept."),
    CSP_NO_BLANK_LINE(Kind.FORM_WARNING, "No blank line between header and body."),
    CSP_EMPTY_PATCH(Kind.FORM_WARNING, "A patch without operations."),
    CSP_FILE_OPERATION(Kind.FORM_WARNING, "A file operation other than PATCH."),
    CSP_PRIORITY(Kind.FORM_WARNING, "A PRIORITY other than P1, P2, P3."),
    CSP_HEREDOC_INLINE(Kind.FORM_WARNING, "CONTENT and <<< on one line."),
    CSP_UNSPECIFIED_BODY(Kind.WARNING, "PLAN, QUERY and MEM have no grammar; their lines are kept as keys and values."),
    CSP_CONTINUATION(Kind.WARNING, "A value goes on over several lines."),
    CSP_MANY_RECIPIENTS(Kind.WARNING, "TO is a list."),
    CSP_RESTATE(Kind.WARNING, "A DEF outside a patch repeats what CTX defines already."),
    CSP_DEF_OUTSIDE_PATCH(Kind.WARNING, "A DEF or LAWS line outside a patch; it changes no state."),
    CSP_UNRESOLVED_NAME(Kind.WARNING, "A name in IN is not defined at CTX."),
    CSP_UNKNOWN_CTX(Kind.WARNING, "CTX names a checkpoint that is not known here."),
    CSP_CTX_BASE_MISMATCH(Kind.WARNING, "CTX and BASE differ; BASE decides."),
    CSP_OWNER_NOT_RECIPIENT(Kind.WARNING, "OWNER is not among the recipients."),
    CSP_TARGET_NOT_NEXT(Kind.WARNING, "The target's number is not the base's plus one."),
    CSP_FULL_REWRITE(
            Kind.WARNING, "The patch removes every definition of its base and adds others: a rewrite, not a delta."),
    CSP_DUPLICATE(Kind.WARNING, "The same message was accepted already; nothing moves."),
    CSP_ERROR_AT_UNKNOWN(Kind.WARNING, "An ERROR about a task that is not known here."),
    CSP_TASK_RETRIED(Kind.WARNING, "A task that stood in error is given again."),
    CSP_UNEXPECTED(Kind.WARNING, "The message is unusual here, but accepted."),
    CSP_RESULT_WITHOUT_TASK(Kind.VIOLATION, "A RESULT for a task that was not given."),
    CSP_DUPLICATE_TASK_ID(Kind.VIOLATION, "The task is open already."),
    CSP_TASK_ID_REUSED(Kind.VIOLATION, "The task was closed; its id cannot be used again."),
    CSP_RESULT_AFTER_CLOSE(Kind.VIOLATION, "A RESULT for a task that is closed."),
    CSP_ERROR_AFTER_CLOSE(Kind.VIOLATION, "An ERROR about a task that is closed."),
    CSP_RESULT_AFTER_ERROR(Kind.VIOLATION, "A RESULT for a task that stands in error."),
    CSP_WRONG_RESPONDER(Kind.VIOLATION, "The answer comes from, or goes to, an agent that the task does not name."),
    CSP_FORK(
            Kind.WARNING,
            "The base has another child already: the history forks. Under csp.branching=reject a violation."),
    CSP_PATCH_NAME_TWICE(Kind.PATCH_VIOLATION, "A patch touches one name twice."),
    CSP_SELF_APPLY(Kind.PATCH_VIOLATION, "A patch whose base is its target."),
    CSP_CHECKPOINT_CONFLICT(Kind.PATCH_VIOLATION, "The target exists and was made otherwise; a checkpoint is frozen."),
    CSP_PATCH_ID_REUSED(Kind.PATCH_VIOLATION, "The patch id was applied with other content."),
    CSP_UNKNOWN_BASE(Kind.PATCH_VIOLATION, "The base did not arrive before the parking time or number ran out."),
    CSP_ADD_EXISTS(Kind.PATCH_VIOLATION, "'+ DEF' of a name that the base defines already."),
    CSP_CHANGE_MISSING(Kind.PATCH_VIOLATION, "'~ DEF' of a name that the base does not define."),
    CSP_REMOVE_MISSING(Kind.PATCH_VIOLATION, "'- DEF' of a name that the base does not define."),
    CSP_STATE_TOO_LARGE(Kind.PATCH_VIOLATION, "The state that the patch makes would be larger than a state may be."),

    // Λ v0.6
    LAMBDA_MALFORMED(Kind.MALFORMED, "The bytes are not a Λ message."),
    LAMBDA_EMPTY(Kind.MALFORMED, "The message is empty or white space only."),
    LAMBDA_BAD_UTF8(Kind.MALFORMED, "The bytes are not UTF-8."),
    LAMBDA_UNBALANCED(Kind.MALFORMED, "A bracket is not closed, or closes nothing."),
    LAMBDA_BAD_STRING(Kind.MALFORMED, "A string is not closed or has an unknown escape."),
    LAMBDA_NO_TYPE(Kind.MALFORMED, "A statement does not start with a message type."),
    LAMBDA_VERSION(Kind.FORM_WARNING, "The message names a version other than 0.6; the message was read as 0.6."),
    LAMBDA_VERSION_FEATURE(Kind.FORM_WARNING, "A construct of another version of Λ."),
    LAMBDA_ID_MISMATCH(Kind.FORM_WARNING, "The header and the contexts give different message ids."),
    LAMBDA_NON_ASCII(Kind.FORM_WARNING, "A character outside ASCII, outside strings."),
    LAMBDA_SENDER_LABEL(Kind.FORM_WARNING, "A transcript's sender label stands before the message; it was removed."),
    LAMBDA_UNKNOWN_ERROR_CODE(Kind.FORM_WARNING, "An error code other than pa, un, cx, to, ov."),
    LAMBDA_CHECKSUM_BODY_ONLY(Kind.FORM_WARNING, "The checksum counts the body without its type."),
    LAMBDA_ORDER(Kind.FORM_WARNING, "Header, address, trust and context do not stand in that order."),
    LAMBDA_CTX_NOT_ACKED(Kind.WARNING, "A statement while a context awaits its acknowledgement."),
    LAMBDA_AGREE_TO_QUESTION(Kind.WARNING, "An agreement where an answer is pending."),
    LAMBDA_ERROR_LOOP(Kind.WARNING, "An error in answer to a clarification; a violation on the third error in a row."),
    LAMBDA_RESULT_BEFORE_ACK(Kind.WARNING, "A result before the command was acknowledged."),
    LAMBDA_OFFER_OVERLAP(Kind.WARNING, "An offer while another is pending."),
    LAMBDA_DEF_CHANGED(Kind.WARNING, "A definition changes one that is in force."),
    LAMBDA_UNEXPECTED(Kind.WARNING, "The message is unusual here, but accepted."),
    LAMBDA_CHECKSUM(Kind.VIOLATION, "The checksum does not fit the message."),
    LAMBDA_TABLE_RAGGED(Kind.VIOLATION, "The rows of a table differ in length."),
    LAMBDA_HANDSHAKE_REPLY_WITHOUT_REQUEST(Kind.VIOLATION, "A handshake reply that no handshake asked for."),
    LAMBDA_ACK_WITHOUT_ANTECEDENT(Kind.VIOLATION, "An acknowledgement with nothing to acknowledge."),
    LAMBDA_ERROR_WITHOUT_ANTECEDENT(Kind.VIOLATION, "An error with nothing to refer to."),
    LAMBDA_DISAGREE_AFTER_ACK(Kind.VIOLATION, "A disagreement or counter-offer after the command was acknowledged."),
    LAMBDA_SELF_ACK(Kind.VIOLATION, "An acknowledgement by the sender of the pending item."),
    LAMBDA_FLOOR(Kind.VIOLATION, "Somebody else holds the floor."),

    EXTENSION_MALFORMED(
            Kind.MALFORMED, "The message of a protocol without codes of its own is malformed; the detail says how."),
    EXTENSION_VIOLATION(
            Kind.VIOLATION, "The message of a protocol without codes of its own is illegal here; the rule says why."),
    EXTENSION_UNEXPECTED(
            Kind.WARNING, "The message of a protocol without codes of its own is unusual here, but accepted.");

    /** What a code does to the message that carries it. */
    public enum Kind {
        /** The bytes are not a message of the protocol: dead letter of stage DECODE. */
        MALFORMED,
        /** A message that is illegal where it stands: dead letter of stage DIALOGUE. */
        VIOLATION,
        /** A patch that cannot be applied: dead letter of stage PATCH. */
        PATCH_VIOLATION,
        /** The message departs from the protocol's form and is accepted; under the strict profile it is {@link #MALFORMED}. */
        FORM_WARNING,
        /** Worth knowing; accepted under both profiles. */
        WARNING
    }

    private static final Map<String, Code> BY_NAME =
            Stream.of(values()).collect(Collectors.toUnmodifiableMap(Code::name, Function.identity()));

    private final Kind kind;
    private final String meaning;
    private final Protocol protocol;

    Code(Kind kind, String meaning) {
        this.kind = kind;
        this.meaning = meaning;
        this.protocol = protocolOf(name());
    }

    /** What the code does to the message. */
    public Kind kind() {
        return kind;
    }

    /** One sentence in plain words. */
    public String meaning() {
        return meaning;
    }

    /** The stage at which a message with this code as its fault leaves the pipeline; NONE for warnings. */
    public Stage stage() {
        return switch (kind) {
            case MALFORMED -> Stage.DECODE;
            case VIOLATION -> this == INTERNAL_ERROR ? Stage.INTERNAL : Stage.DIALOGUE;
            case PATCH_VIOLATION -> Stage.PATCH;
            case FORM_WARNING, WARNING -> Stage.NONE;
        };
    }

    /**
     * The protocol whose code this is, whose name its own starts with; UNKNOWN for those that any message can carry.
     */
    public Protocol protocol() {
        return protocol;
    }

    private static Protocol protocolOf(String name) {
        String prefix = name.substring(0, name.indexOf('_'));
        for (Protocol protocol : Protocol.values()) {
            if (protocol.name().equals(prefix)) {
                return protocol;
            }
        }
        return Protocol.UNKNOWN;
    }

    /**
     * The code of that name.
     *
     * @throws IllegalArgumentException when there is none
     */
    public static Code of(String name) {
        Code code = BY_NAME.get(name);
        if (code == null) {
            throw new IllegalArgumentException("no code is named " + name);
        }
        return code;
    }
}
