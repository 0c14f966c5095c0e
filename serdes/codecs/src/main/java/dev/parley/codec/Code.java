package dev.parley.codec;

import dev.parley.avro.Protocol;
import dev.parley.avro.Stage;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Codes that Parley attaches to messages. The names are a public contract: stable, and never reused for another
 * meaning. Each code has one {@link Kind}. Two codes change theirs, as their meaning says: CSP_FORK by policy and
 * LAMBDA_ERROR_LOOP by repetition.
 */
public enum Code {
    // All protocols
    UNKNOWN_PROTOCOL(
            Kind.MALFORMED,
            "Neither a header nor the topic names the protocol, and the bytes have the structure of none; or the "
                    + "parley-protocol header names an unknown one."),
    NO_CONVERSATION(
            Kind.MALFORMED,
            "The message has no conversation ID, and neither the parley-conversation header nor the record key "
                    + "provides one."),
    NULL_VALUE(
            Kind.MALFORMED,
            "The record has no value (a tombstone). A wire topic is a log of messages; its records cannot be deleted."),
    EMPTY_VALUE(Kind.MALFORMED, "The value of the record is empty or contains only white space."),
    WRAPPED_MESSAGE(Kind.MALFORMED, "The value contains a complete message, but also other text or an envelope."),
    SEVERAL_MESSAGES(Kind.MALFORMED, "The value contains several messages; a record must contain one."),
    BAD_HEADER(
            Kind.MALFORMED,
            "A parley-* record header is not valid UTF-8, contains a control character, or exceeds 4,096 bytes; or "
                    + "parley-expect has none of its forms."),
    EVENT_MALFORMED(
            Kind.MALFORMED,
            "The header content-type names application/cloudevents+json, but the value is not a CloudEvent 1.0 with "
                    + "data."),
    MESSAGE_TOO_LARGE(Kind.MALFORMED, "The message exceeds the maximum size."),
    KEY_TOO_LARGE(Kind.MALFORMED, "The record key exceeds 65,536 bytes."),
    HEADERS_TOO_LARGE(Kind.MALFORMED, "The record has more than 1,000 headers or more than 262,144 header bytes."),
    IDENTIFIER_TOO_LONG(
            Kind.MALFORMED,
            "An identifier in the message exceeds 4,096 bytes: a conversation, an agent, or the name of a task, "
                    + "checkpoint, definition or message."),
    IDENTIFIER_CONTROL(Kind.MALFORMED, "An identifier in the message contains a control character."),
    INPUT_NOT_ALLOWED(
            Kind.MALFORMED,
            "The input policy does not allow this namespace, sender or conversation in this input topic."),
    TOO_MANY_FIELDS(Kind.MALFORMED, "The message exceeds the maximum number of fields, keys or patch operations."),
    TOO_DEEP(Kind.MALFORMED, "The message exceeds the maximum nesting depth."),
    KEY_NOT_CONVERSATION(
            Kind.MALFORMED,
            "The input is configured as keyed by conversation, but the record key is not the message's conversation "
                    + "ID."),
    KEY_MISPLACED(
            Kind.MALFORMED,
            "The input is configured as keyed by conversation, but the record is not in the partition to which Kafka's "
                    + "Java client assigns its key. Another partition has the conversation."),
    REDACTION_MALFORMED(
            Kind.MALFORMED,
            "A record of the redaction topic is neither a redaction nor an approval. Only Parley should write to that "
                    + "topic."),
    INPUT_EXPIRED(
            Kind.MALFORMED,
            "Retention or an administrator deleted records of an input partition before Parley read them. The audit "
                    + "record contains the first offset and the number."),
    REDACTION_REFUSED(
            Kind.VIOLATION,
            "The redaction or approval names a missing chain or sequence, the record of another one, or a chain with "
                    + "their maximum number (audit.redactions.limit)."),
    CONVERSATION_MOVED(
            Kind.VIOLATION,
            "The message expects another position of its conversation (parley-expect), so it was not applied."),
    BYTE_ORDER_MARK(Kind.FORM_WARNING, "The message starts with a byte order mark, which is ignored."),
    SENDER_MISMATCH(
            Kind.WARNING, "The parley-sender header differs from the sender in the message, which takes precedence."),
    INTERNAL_ERROR(
            Kind.VIOLATION, "Parley failed unexpectedly on a record, which is in the internal dead-letter topic."),
    STATE_UNREADABLE(
            Kind.VIOLATION,
            "Another client has written the stored state of the conversation or context. Its messages become internal "
                    + "dead letters until the state is repaired."),

    // SLIP v0.1
    SLIP_MALFORMED(Kind.MALFORMED, "The bytes are not an nSLIP message."),
    SLIP_VERSION(Kind.MALFORMED, "The message starts with 'SLIP v': another protocol with the same name."),
    SLIP_NO_START(Kind.MALFORMED, "The message does not start with '@'."),
    SLIP_UNTERMINATED(Kind.MALFORMED, "The message has no '#' outside quotes."),
    SLIP_TRAILING_DATA(Kind.MALFORMED, "The '#' is followed by more than white space."),
    SLIP_BAD_UTF8(Kind.MALFORMED, "The bytes are not valid UTF-8."),
    SLIP_WHITESPACE(Kind.MALFORMED, "The message contains white space outside quotes."),
    SLIP_BAD_STRING(Kind.MALFORMED, "A string is unterminated, or contains an unknown escape or an unescaped quote."),
    SLIP_MISSING_HEADER(Kind.MALFORMED, "One of the header fields a, f, c, S, d, T is missing."),
    SLIP_DUPLICATE_FIELD(Kind.MALFORMED, "A header field or slot is repeated."),
    SLIP_EMPTY_VALUE(Kind.MALFORMED, "A field has no value."),
    SLIP_SLOT_TYPE(Kind.MALFORMED, "The slot requires a string but has a number, or the reverse."),
    SLIP_BAD_INT(Kind.MALFORMED, "A number contains a character other than 0-9, A-Z and a-z."),
    SLIP_INT_OVERFLOW(Kind.MALFORMED, "A number exceeds 2^63-1."),
    SLIP_UNKNOWN_ACT(Kind.MALFORMED, "The act is not in the range 0 to 10 (base62: 0-9, A)."),
    SLIP_UNKNOWN_FRAME(Kind.MALFORMED, "The frame type is not in the range 0 to 4."),
    SLIP_FIELD_ORDER(Kind.FORM_WARNING, "The fields are not in the order of the specification."),
    SLIP_EMPTY_TOKEN(Kind.FORM_WARNING, "A token between two separators is empty."),
    SLIP_UNKNOWN_PREFIX(Kind.FORM_WARNING, "A field has a prefix that v0.1 does not define; it is kept in place."),
    SLIP_NONCANONICAL_INT(Kind.FORM_WARNING, "A number has leading zeros."),
    SLIP_RANGE(Kind.FORM_WARNING, "PRIORITY is outside 1-3, or SCORE is outside 0-10."),
    SLIP_LONG_STRING(Kind.FORM_WARNING, "A string exceeds 256 bytes."),
    SLIP_SELF_ADDRESSED(Kind.WARNING, "Source and destination are the same agent."),
    SLIP_PARENT_CYCLE(Kind.WARNING, "The task names itself as its parent."),
    SLIP_FRAME_MISMATCH(Kind.WARNING, "The frame type does not match the act."),
    SLIP_DECIMAL(
            Kind.WARNING,
            "A number is probably written in decimal. Numbers are base62: after T9 comes TA, and T10 is 62."),
    SLIP_NAME_AS_NUMBER(
            Kind.WARNING,
            "A number spells a name or a missing value. It is read as a base62 number, usually a huge one."),
    SLIP_SELF_ACCEPT(Kind.WARNING, "The agent accepts its own request, plan or report."),
    SLIP_NOT_ADDRESSED(
            Kind.WARNING,
            "COMMIT from an agent that has not proposed the plan, and to which no message about the task was "
                    + "addressed."),
    SLIP_TURN_GAP(Kind.WARNING, "The turn skips one or more numbers."),
    SLIP_DUPLICATE(Kind.WARNING, "The same message was already accepted on this turn; the state does not change."),
    SLIP_UNSOLICITED_PROPOSAL(Kind.WARNING, "PROPOSE without a preceding REQUEST."),
    SLIP_REPORT_WITHOUT_PLAN(Kind.WARNING, "INFORM on a task without a proposed plan."),
    SLIP_UNEXPECTED(Kind.WARNING, "The act is unusual here, but accepted."),
    SLIP_TURN_REUSED(Kind.VIOLATION, "Another message already has this turn."),
    SLIP_TURN_REGRESSION(Kind.VIOLATION, "The turn is lower than the last accepted one."),
    SLIP_TURN_WORD(
            Kind.VIOLATION,
            "The turn spells a missing value or a placeholder, such as null, and is far above the last one."),
    SLIP_NOTHING_TO_ACCEPT(Kind.VIOLATION, "ACCEPT without a request or a plan to accept."),
    SLIP_NOTHING_TO_REJECT(Kind.VIOLATION, "REJECT without a request or a plan to reject."),
    SLIP_NOTHING_TO_COMMIT(Kind.VIOLATION, "COMMIT without a task or a plan to commit to."),
    SLIP_NOTHING_TO_EVAL(Kind.VIOLATION, "EVAL without a plan or a result to evaluate."),
    SLIP_DUPLICATE_REQUEST(Kind.VIOLATION, "The task was already requested."),
    SLIP_PROPOSE_AFTER_ACCEPT(Kind.VIOLATION, "PROPOSE after the plan was accepted."),
    SLIP_DUPLICATE_ACCEPT(Kind.VIOLATION, "The plan was already accepted."),
    SLIP_REJECT_AFTER_ACCEPT(Kind.VIOLATION, "REJECT after the plan was accepted."),
    SLIP_PROPOSE_AFTER_COMMIT(Kind.VIOLATION, "PROPOSE after a commitment to the task."),
    SLIP_REJECT_AFTER_COMMIT(Kind.VIOLATION, "REJECT after a commitment to the task."),
    SLIP_DUPLICATE_COMMIT(Kind.VIOLATION, "An agent has already committed to the task."),
    SLIP_DUPLICATE_REJECT(Kind.VIOLATION, "The request was already rejected."),
    SLIP_ACT_AFTER_REJECT(Kind.VIOLATION, "The task was rejected; only a new REQUEST or PROPOSE reopens it."),
    SLIP_ACT_AFTER_ERROR(Kind.VIOLATION, "The task is in error; only REQUEST, PROPOSE or INFORM may follow."),
    SLIP_ACT_AFTER_CLOSE(Kind.VIOLATION, "The task is closed."),

    // SUBIT-Agent v1.0
    SUBIT_MALFORMED(Kind.MALFORMED, "The bytes are not a SUBIT packet."),
    SUBIT_NOT_JSON(Kind.MALFORMED, "The bytes are not one JSON object."),
    SUBIT_BAD_UTF8(Kind.MALFORMED, "The bytes are not valid UTF-8."),
    SUBIT_TRAILING_DATA(Kind.MALFORMED, "The JSON object is followed by more than white space."),
    SUBIT_DUPLICATE_KEY(Kind.MALFORMED, "A key is repeated in one object."),
    SUBIT_MISSING_FIELD(Kind.MALFORMED, "type or payload is missing."),
    SUBIT_UNKNOWN_TYPE(
            Kind.MALFORMED, "The type is not one of the strings STATE, INTENT, ACTION, PLAN, TRACE and ERROR."),
    SUBIT_PAYLOAD_TYPE(Kind.MALFORMED, "The payload is not a JSON string."),
    SUBIT_PAYLOAD_CHARACTER(
            Kind.MALFORMED,
            "The payload contains a character other than 0, 1 and single spaces between groups of six."),
    SUBIT_PAYLOAD_LENGTH(Kind.MALFORMED, "The payload is empty or its length is not a multiple of six bits."),
    SUBIT_STATE_LENGTH(Kind.MALFORMED, "A STATE must have one form (6 bits)."),
    SUBIT_INTENT_LENGTH(Kind.MALFORMED, "An INTENT must have at least two forms (12 bits)."),
    SUBIT_ACTION_LENGTH(Kind.MALFORMED, "An ACTION must have two forms (12 bits)."),
    SUBIT_PLAN_TOO_SHORT(Kind.MALFORMED, "A PLAN must have at least two transitions: three forms (18 bits)."),
    SUBIT_TRACE_LENGTH(Kind.MALFORMED, "A TRACE must have at least two forms (12 bits)."),
    SUBIT_ERROR_LENGTH(Kind.MALFORMED, "An ERROR must have one or two forms (6 or 12 bits)."),
    SUBIT_META_TYPE(Kind.MALFORMED, "meta is neither an object nor null."),
    SUBIT_TEMPLATE(Kind.MALFORMED, "The agent, session or time in meta is a placeholder of a template, such as <id>."),
    SUBIT_PAYLOAD_SPACED(Kind.FORM_WARNING, "The payload has spaces between its forms; they are removed."),
    SUBIT_EXTRA_KEY(Kind.FORM_WARNING, "The packet has a top-level key that the protocol does not define; it is kept."),
    SUBIT_LONG_INTENT(Kind.WARNING, "INTENT of more than eight forms."),
    SUBIT_META_VALUE(Kind.WARNING, "A value in meta is not a string and kept as JSON, or spells a missing value."),
    SUBIT_BAD_TIMESTAMP(Kind.WARNING, "meta.timestamp is not an ISO 8601 date and time."),
    SUBIT_ORPHAN_ERROR(Kind.WARNING, "ERROR opens the session."),
    SUBIT_STATE_REPEATED(Kind.WARNING, "STATE after STATE."),
    SUBIT_INTENT_REPEATED(Kind.WARNING, "INTENT after INTENT of the same agent."),
    SUBIT_ACTION_REPEATED(Kind.WARNING, "ACTION after ACTION."),
    SUBIT_INCOMPLETE_DIALOGUE(Kind.WARNING, "The previous dialogue expired in STATE, INTENT or PLAN."),
    SUBIT_UNEXPECTED(Kind.WARNING, "The message is unusual here, but accepted."),
    SUBIT_NO_INITIAL_STATE(Kind.VIOLATION, "A session must start with STATE."),
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
    CSP_VERSION(Kind.MALFORMED, "The first line names an unsupported version of CSP."),
    CSP_TEMPLATE(Kind.MALFORMED, "This is a prompt template, or one that is not filled in, and no message."),
    CSP_BAD_UTF8(Kind.MALFORMED, "The bytes are not valid UTF-8."),
    CSP_MISSING_HEADER(Kind.MALFORMED, "FROM, TO, CTX or INTENT is missing or empty."),
    CSP_UNKNOWN_INTENT(Kind.MALFORMED, "The intent is not one of the eight defined ones."),
    CSP_DUPLICATE_KEY(Kind.MALFORMED, "A key is repeated."),
    CSP_BODY_MISMATCH(Kind.MALFORMED, "The body block is missing or does not match the intent."),
    CSP_MULTIPLE_BODIES(Kind.MALFORMED, "A second body block follows the first."),
    CSP_MISSING_ID(Kind.MALFORMED, "The body block has no ID."),
    CSP_MISSING_REQ(Kind.MALFORMED, "A TASK has no REQ."),
    CSP_STATUS(Kind.MALFORMED, "The STATUS of a RESULT is not OK, PARTIAL or FAIL."),
    CSP_PATCH_LINE(Kind.MALFORMED, "A line of a patch is neither an operation nor APPLY."),
    CSP_PATCH_TARGET(Kind.MALFORMED, "A patch operation targets something other than a DEF."),
    CSP_PATCH_INCOMPLETE(Kind.MALFORMED, "A patch has no BASE or no APPLY."),
    CSP_HEREDOC(Kind.MALFORMED, "CONTENT lacks <<< or >>>, or text follows >>>, which may be a line of the content."),
    CSP_PATCH_OPERATOR(Kind.FORM_WARNING, "'=' is used instead of ':=', or the reverse."),
    CSP_MISSING_FIELD(Kind.FORM_WARNING, "A key that the block should have is missing."),
    CSP_UNKNOWN_KEY(Kind.FORM_WARNING, "CSP/1 does not define a key; it is kept."),
    CSP_NO_BLANK_LINE(Kind.FORM_WARNING, "The blank line between header and body is missing."),
    CSP_EMPTY_PATCH(Kind.FORM_WARNING, "A patch has no operations."),
    CSP_FILE_OPERATION(Kind.FORM_WARNING, "The file operation is not PATCH."),
    CSP_PRIORITY(Kind.FORM_WARNING, "PRIORITY is not P1, P2 or P3."),
    CSP_HEREDOC_INLINE(Kind.FORM_WARNING, "CONTENT and <<< are on one line."),
    CSP_NAME(
            Kind.FORM_WARNING,
            "A name has quotes, punctuation or a remark around or after it, or lists several names."),
    CSP_UNSPECIFIED_BODY(Kind.WARNING, "PLAN, QUERY and MEM have no grammar; their lines are kept as keys and values."),
    CSP_CONTINUATION(Kind.WARNING, "A value continues on further lines."),
    CSP_MANY_RECIPIENTS(Kind.WARNING, "TO is a list."),
    CSP_RESTATE(Kind.WARNING, "A DEF outside a patch repeats a definition of CTX."),
    CSP_DEF_OUTSIDE_PATCH(Kind.WARNING, "A DEF or LAWS line is outside a patch; it does not change the state."),
    CSP_UNRESOLVED_NAME(Kind.WARNING, "A name in IN is not defined at CTX."),
    CSP_UNKNOWN_CTX(Kind.WARNING, "CTX names an unknown checkpoint."),
    CSP_CTX_BASE_MISMATCH(Kind.WARNING, "CTX and BASE differ; BASE takes precedence."),
    CSP_OWNER_NOT_RECIPIENT(Kind.WARNING, "OWNER is not among the recipients."),
    CSP_TARGET_NOT_NEXT(Kind.WARNING, "The number of the target is not the number of the base plus one."),
    CSP_FULL_REWRITE(
            Kind.WARNING, "The patch removes every definition of its base and adds others: a rewrite, not a delta."),
    CSP_DUPLICATE(Kind.WARNING, "The same message was already accepted; the state does not change."),
    CSP_ERROR_AT_UNKNOWN(Kind.WARNING, "ERROR about an unknown task."),
    CSP_TASK_RETRIED(Kind.WARNING, "A TASK repeats a task that is in error."),
    CSP_UNEXPECTED(Kind.WARNING, "The message is unusual here, but accepted."),
    CSP_RESULT_WITHOUT_TASK(Kind.VIOLATION, "RESULT for a task that was not assigned."),
    CSP_DUPLICATE_TASK_ID(Kind.VIOLATION, "The task is already open."),
    CSP_TASK_ID_REUSED(Kind.VIOLATION, "The task was closed; its ID cannot be reused."),
    CSP_RESULT_AFTER_CLOSE(Kind.VIOLATION, "RESULT for a closed task."),
    CSP_ERROR_AFTER_CLOSE(Kind.VIOLATION, "ERROR about a closed task."),
    CSP_RESULT_AFTER_ERROR(Kind.VIOLATION, "RESULT for a task in error."),
    CSP_WRONG_RESPONDER(Kind.VIOLATION, "The response comes from, or goes to, an agent that the task does not name."),
    CSP_FORK(
            Kind.WARNING,
            "The base already has another child: the history forks. A violation under csp.branching=reject."),
    CSP_PATCH_NAME_TWICE(Kind.PATCH_VIOLATION, "A patch contains two operations on one name."),
    CSP_SELF_APPLY(Kind.PATCH_VIOLATION, "The base of the patch is its target."),
    CSP_CHECKPOINT_CONFLICT(
            Kind.PATCH_VIOLATION, "The target already exists with other content; a checkpoint is immutable."),
    CSP_PATCH_ID_REUSED(Kind.PATCH_VIOLATION, "A patch with this ID but other content was already applied."),
    CSP_UNKNOWN_BASE(Kind.PATCH_VIOLATION, "The base did not arrive within the limits of parking."),
    CSP_ADD_EXISTS(Kind.PATCH_VIOLATION, "'+ DEF' of a name that the base already defines."),
    CSP_CHANGE_MISSING(Kind.PATCH_VIOLATION, "'~ DEF' of a name that the base does not define."),
    CSP_REMOVE_MISSING(Kind.PATCH_VIOLATION, "'- DEF' of a name that the base does not define."),
    CSP_STATE_TOO_LARGE(Kind.PATCH_VIOLATION, "The resulting state would exceed the maximum size."),

    // Λ v0.6
    LAMBDA_MALFORMED(Kind.MALFORMED, "The bytes are not a Λ message."),
    LAMBDA_EMPTY(Kind.MALFORMED, "The message is empty or contains only white space."),
    LAMBDA_BAD_UTF8(Kind.MALFORMED, "The bytes are not valid UTF-8."),
    LAMBDA_UNBALANCED(Kind.MALFORMED, "An opening or closing bracket has no counterpart."),
    LAMBDA_BAD_STRING(Kind.MALFORMED, "A string is not closed or has an unknown escape."),
    LAMBDA_NO_TYPE(Kind.MALFORMED, "A statement does not start with a message type."),
    LAMBDA_VERSION(Kind.FORM_WARNING, "The message names a version other than 0.6; the message is read as 0.6."),
    LAMBDA_VERSION_FEATURE(Kind.FORM_WARNING, "The message contains a construct of another version of Λ."),
    LAMBDA_ID_MISMATCH(Kind.FORM_WARNING, "The header and the contexts give different message IDs."),
    LAMBDA_NON_ASCII(Kind.FORM_WARNING, "The message contains a non-ASCII character outside strings."),
    LAMBDA_SENDER_LABEL(Kind.FORM_WARNING, "A transcript's sender label precedes the message; it is removed."),
    LAMBDA_UNLIKELY(
            Kind.WARNING,
            "A header or the topic names Λ, but the text has only its punctuation: it looks like prose, JSON or "
                    + "markup."),
    LAMBDA_UNKNOWN_ERROR_CODE(Kind.FORM_WARNING, "The error code is not pa, un, cx, to or ov."),
    LAMBDA_CHECKSUM_BODY_ONLY(Kind.FORM_WARNING, "The checksum covers the body without its type."),
    LAMBDA_ORDER(Kind.FORM_WARNING, "Header, address, trust and context are not in that order."),
    LAMBDA_CTX_NOT_ACKED(Kind.WARNING, "Statement while a context awaits acknowledgment."),
    LAMBDA_AGREE_TO_QUESTION(Kind.WARNING, "Agreement where an answer is pending."),
    LAMBDA_ERROR_LOOP(Kind.WARNING, "Error in response to a clarification. A violation on the third error in a row."),
    LAMBDA_RESULT_BEFORE_ACK(Kind.WARNING, "Result before the command was acknowledged."),
    LAMBDA_OFFER_OVERLAP(Kind.WARNING, "Offer while another one is pending."),
    LAMBDA_DEF_CHANGED(Kind.WARNING, "The message changes an existing definition."),
    LAMBDA_UNEXPECTED(Kind.WARNING, "The message is unusual here, but accepted."),
    LAMBDA_CHECKSUM(Kind.VIOLATION, "The checksum does not match the message."),
    LAMBDA_TABLE_RAGGED(Kind.VIOLATION, "The rows of a table differ in length."),
    LAMBDA_HANDSHAKE_REPLY_WITHOUT_REQUEST(Kind.VIOLATION, "Handshake reply without a request."),
    LAMBDA_ACK_WITHOUT_ANTECEDENT(Kind.VIOLATION, "Acknowledgment without an item to acknowledge."),
    LAMBDA_ERROR_WITHOUT_ANTECEDENT(Kind.VIOLATION, "Error without an item to refer to."),
    LAMBDA_DISAGREE_AFTER_ACK(Kind.VIOLATION, "Disagreement or counteroffer after the command was acknowledged."),
    LAMBDA_SELF_ACK(Kind.VIOLATION, "Acknowledgment by the sender of the pending item."),
    LAMBDA_FLOOR(Kind.VIOLATION, "Another agent holds the floor."),

    // MCP
    MCP_NOT_JSON(Kind.MALFORMED, "The bytes are not one JSON object or array."),
    MCP_BAD_UTF8(Kind.MALFORMED, "The bytes are not valid UTF-8."),
    MCP_TRAILING_DATA(Kind.MALFORMED, "The JSON is followed by more than white space."),
    MCP_DUPLICATE_KEY(Kind.MALFORMED, "A key is repeated in one object."),
    MCP_NOT_JSONRPC(Kind.MALFORMED, "The JSON is neither a request, a notification, a response nor a batch of them."),
    MCP_JSONRPC_VERSION(Kind.VIOLATION, "jsonrpc is not \"2.0\"."),
    MCP_ID_TYPE(Kind.VIOLATION, "The ID is neither a string nor an integer."),
    MCP_PARAMS_TYPE(Kind.VIOLATION, "The parameters are not an object."),
    MCP_RESPONSE_FORM(
            Kind.VIOLATION,
            "A response must have either a result, which is an object, or an error with an integer code and a message."),
    MCP_TOKEN_TYPE(Kind.VIOLATION, "The progress token is neither a string nor an integer."),
    MCP_WRONG_SIDE(Kind.WARNING, "The schema gives this method to the other side."),
    MCP_EARLY(Kind.WARNING, "The message precedes the end of the initialization."),
    MCP_UNDECLARED(Kind.WARNING, "The message uses a capability that was not declared."),
    MCP_VERSION_HEADER(Kind.WARNING, "MCP-Protocol-Version is absent or not the negotiated version."),
    MCP_NO_REQUEST(Kind.WARNING, "The response has the ID of no known request."),
    MCP_PROGRESS_TOKEN(Kind.WARNING, "No open request has the progress token."),
    MCP_CANCEL_UNKNOWN(Kind.WARNING, "The notification cancels no known request of its sender."),
    MCP_ANSWERED_TWICE(Kind.WARNING, "The request was already answered."),
    MCP_AFTER_CANCEL(Kind.WARNING, "The message concerns a request that was canceled."),
    MCP_ERROR_WITHOUT_ID(Kind.WARNING, "An error has no ID although its request could be read."),
    MCP_DEFINITION_CHANGED(
            Kind.WARNING, "A tool, prompt or resource is declared differently than before in the session."),
    MCP_OUTPUT_SCHEMA(Kind.WARNING, "The structured content does not conform to the output schema of the tool."),
    MCP_BATCH(Kind.VIOLATION, "The version has no batches, or the batch contains initialize."),
    MCP_PARAMETER(Kind.VIOLATION, "A required parameter is absent or has another type."),
    MCP_RESULT_MEMBER(Kind.VIOLATION, "A required member of the result is absent or has another type."),
    MCP_NOT_INITIALIZED(Kind.VIOLATION, "The first request of the session is not initialize."),
    MCP_VERSION(Kind.VIOLATION, "The result of initialize names no version."),
    MCP_CAPABILITY(Kind.VIOLATION, "The message uses a capability that was not negotiated."),
    MCP_ID_REUSED(Kind.VIOLATION, "The sender has already used the ID."),
    MCP_TOKEN_IN_USE(Kind.WARNING, "Another open request has the progress token."),
    MCP_PROGRESS_ENDED(Kind.VIOLATION, "The request of the progress token was already answered."),
    MCP_PROGRESS_ORDER(Kind.VIOLATION, "The progress does not increase."),
    MCP_CANCEL_INITIALIZE(Kind.VIOLATION, "The notification cancels initialize."),
    MCP_TASK_ENDED(Kind.VIOLATION, "The task had ended with another status."),
    MCP_META(Kind.VIOLATION, "_meta lacks the version or the capabilities of the client."),
    MCP_HEADER_MISMATCH(Kind.VIOLATION, "A header of HTTP is absent or differs from the body."),
    MCP_RESULT_TYPE(Kind.VIOLATION, "The result has no resultType."),
    MCP_INPUT_REQUIRED(Kind.VIOLATION, "The result asks for input where it must not, or not for what."),
    MCP_ERROR_CODE(Kind.VIOLATION, "The code of the error is reserved and not defined."),
    MCP_SERVER_REQUEST(Kind.VIOLATION, "The server sends a request to a client of 2026-07-28."),

    EXTENSION_MALFORMED(
            Kind.MALFORMED, "The message of a protocol without codes of its own is malformed; the detail says how."),
    EXTENSION_VIOLATION(
            Kind.VIOLATION, "The message of a protocol without codes of its own is illegal here; the rule says why."),
    EXTENSION_UNEXPECTED(
            Kind.WARNING, "The message of a protocol without codes of its own is unusual here, but accepted.");

    /** The effect of a code on its message. */
    public enum Kind {
        /** Decode error: the bytes are not a message of the protocol. Dead letter of stage DECODE. */
        MALFORMED,
        /** The message is illegal in this dialogue state. Dead letter of stage JUDGE. */
        VIOLATION,
        /** The patch cannot be applied. Dead letter of stage APPLY. */
        PATCH_VIOLATION,
        /**
         * The message deviates from the protocol's form and is accepted; under the strict profile it is
         * {@link #MALFORMED}.
         */
        FORM_WARNING,
        /** Information; accepted under both profiles. */
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
        this.protocol = Symbols.PROTOCOL.of(name().substring(0, name().indexOf('_')));
    }

    public Kind kind() {
        return kind;
    }

    /** A description in one sentence. */
    public String meaning() {
        return meaning;
    }

    /** The stage whose dead letter a message with this deciding code becomes; NONE for warnings. */
    public Stage stage() {
        return switch (kind) {
            case MALFORMED -> Stage.DECODE;
            case VIOLATION -> this == INTERNAL_ERROR || this == STATE_UNREADABLE ? Stage.INTERNAL : Stage.JUDGE;
            case PATCH_VIOLATION -> Stage.APPLY;
            case FORM_WARNING, WARNING -> Stage.NONE;
        };
    }

    /**
     * The protocol of the code, whose name the code's name starts with; UNKNOWN for a code of all protocols.
     */
    public Protocol protocol() {
        return protocol;
    }

    /** Returns whether a code has this name; null has none. */
    public static boolean isName(String name) {
        return name != null && BY_NAME.containsKey(name);
    }

    /**
     * Returns the code with a name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Code of(String name) {
        Code code = BY_NAME.get(name);
        if (code == null) {
            throw new IllegalArgumentException("Unknown code " + name);
        }
        return code;
    }
}
