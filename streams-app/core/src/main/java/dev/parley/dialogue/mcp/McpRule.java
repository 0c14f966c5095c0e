package dev.parley.dialogue.mcp;

import dev.parley.avro.Provenance;
import dev.parley.avro.Rule;
import dev.parley.codec.Code;
import dev.parley.dialogue.Rules;

/**
 * Rules of MCP that a verdict cites. A place is a page and heading below {@code /specification/VERSION/}, and M or S
 * its MUST or SHOULD.
 */
enum McpRule {
    TRANSPORT("5.1 M4", "a part of HTTP or of the capture without a message → accepted"),
    BATCH("5.1 M5", Code.MCP_BATCH, "no batch from 2025-06-18 on, and none with initialize (M transports, lifecycle)"),
    METHOD("5.2 M7", Code.MCP_WRONG_SIDE, "a method only from the side that the schema gives it"),
    PARAMETER("5.2 M8", Code.MCP_PARAMETER, "a request has the parameters that the schema requires"),
    MEMBER("5.2 M9", Code.MCP_RESULT_MEMBER, "a result has the members that the schema requires"),
    FIRST("5.3 M11", Code.MCP_NOT_INITIALIZED, "initialize is the first interaction (M lifecycle#initialization)"),
    EARLY("5.3 M12", Code.MCP_EARLY, "only ping before initialization is complete (S NOT lifecycle#initialization)"),
    VERSION("5.3 M13", Code.MCP_VERSION, "initialize is answered with a version (M lifecycle#version-negotiation)"),
    CAPABILITY("5.3 M14", Code.MCP_CAPABILITY, "only negotiated capabilities are used (M lifecycle#operation)"),
    UNDECLARED("5.3 M15", Code.MCP_UNDECLARED, "only declared capabilities are used (S, or race)"),
    VERSION_HEADER(
            "5.3 M16",
            Code.MCP_VERSION_HEADER,
            "MCP-Protocol-Version is the negotiated version (S transports#protocol-version-header)"),
    ID_REUSED("5.4 M17", Code.MCP_ID_REUSED, "an ID is used once by its sender in a session (M basic#requests)"),
    RESPONSE("5.4 M19", Code.MCP_NO_REQUEST, "a response has the ID of a request (M basic#responses)"),
    REPEATED("5.4 M20", Code.MCP_ANSWERED_TWICE, "a request has one response"),
    LATE("5.4 M21", Code.MCP_AFTER_CANCEL, "a canceled request is not answered (S NOT cancellation)"),
    ERROR_ID("5.4 M22", Code.MCP_ERROR_WITHOUT_ID, "an error has the ID of its request, if that could be read"),
    TOKEN("5.5 M23", Code.MCP_TOKEN_IN_USE, "a progress token is unique among active requests (M progress)"),
    PROGRESS_TOKEN("5.5 M24", Code.MCP_PROGRESS_TOKEN, "progress has the token of a request (M progress)"),
    PROGRESS_ENDED("5.5 M25", Code.MCP_PROGRESS_ENDED, "progress ends with the response to its request (M progress)"),
    PROGRESS("5.5 M28", Code.MCP_PROGRESS_ORDER, "progress increases with each notification (M progress)"),
    CANCEL_INITIALIZE("5.5 M26", Code.MCP_CANCEL_INITIALIZE, "initialize is never canceled (M cancellation)"),
    CANCEL("5.5 M27", Code.MCP_CANCEL_UNKNOWN, "only a request of the same direction is canceled (M cancellation)"),
    TASK("5.6 M29", Code.MCP_TASK_ENDED, "a task that has ended stays as it is (M tasks)"),
    META("5.7 M30", Code.MCP_META, "a request of 2026-07-28 has _meta with version and capabilities (M basic#_meta)"),
    HEADER(
            "5.7 M31",
            Code.MCP_HEADER_MISMATCH,
            "headers of HTTP agree with the body (M streamable-http#server-validation)"),
    RESULT_TYPE("5.7 M32", Code.MCP_RESULT_TYPE, "a result of 2026-07-28 has a resultType (M basic#resulttype)"),
    INPUT("5.7 M33", Code.MCP_INPUT_REQUIRED, "only some requests ask for input, and say for what (M mrtr)"),
    ERROR_CODE(
            "5.7 M34", Code.MCP_ERROR_CODE, "an error of 2026-07-28 has a code that it allows (M basic#error-codes)"),
    DIRECTION("5.7 M35", Code.MCP_SERVER_REQUEST, "2026-07-28 has no requests of the server (M transports)"),
    CHANGED("5.8 M36", Code.MCP_DEFINITION_CHANGED, "a definition differs from its first sight in the session"),
    OUTPUT("5.8 M37", Code.MCP_OUTPUT_SCHEMA, "structured content conforms to the outputSchema (M tools, or race)"),
    ACCEPTED("5.2 M6", "no rule of this section is broken → accepted");

    private final Code code;
    private final Rule rule;

    McpRule(String section, String text) {
        this.code = null;
        this.rule = Rules.of(text, Provenance.I, section);
    }

    McpRule(String section, Code code, String text) {
        this.code = code;
        boolean isOwn = text.indexOf('(') < 0;
        this.rule = Rules.of(text, isOwn ? Provenance.I : Provenance.S, section);
    }

    Code code() {
        return code;
    }

    Rule rule() {
        return rule;
    }

    /** The rule that a code belongs to. */
    static McpRule of(Code code) {
        for (McpRule rule : values()) {
            if (rule.code == code) {
                return rule;
            }
        }
        return ACCEPTED;
    }
}
