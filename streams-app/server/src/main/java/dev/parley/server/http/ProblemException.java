package dev.parley.server.http;

import dev.parley.codec.Excerpt;
import dev.parley.topology.views.read.InvalidCursorException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * A problem (RFC 9457) that ends a request, such as an invalid parameter. It is an exception so that handlers need not
 * return it; it has no stack trace.
 */
public final class ProblemException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Default value of Retry-After. */
    public static final String RETRY_AFTER_SECONDS = "2";

    private static final int UNAVAILABLE = 503;

    private final transient Code code;
    private final transient Map<String, String> headers;

    private ProblemException(Code code, String detail, Map<String, String> headers) {
        super(Excerpt.cut(detail, Excerpt.MAX_DETAIL_CHARACTERS), null, false, false);
        this.code = code;
        this.headers = headers;
    }

    /** Problem codes; their names are public contract. */
    public enum Code {
        INVALID_REQUEST(400, "Invalid request"),
        INVALID_PARAMETER(400, "Invalid parameter"),
        INVALID_CURSOR(400, "The cursor does not belong to this query"),
        TOKEN_MISSING(401, "Authentication required"),
        TOKEN_INVALID(401, "Invalid token"),
        ROLE_MISSING(403, "The caller's role does not allow this request"),
        NAMESPACE_NOT_ALLOWED(403, "The token does not allow this namespace"),
        ORIGIN_NOT_ALLOWED(403, "The web page may not use this path"),
        PEER_REFUSED(403, "The caller is not an instance of this deployment"),
        UNKNOWN_PATH(404, "No such path"),
        UNKNOWN_CONVERSATION(404, "No such conversation"),
        UNKNOWN_MESSAGE(404, "No such message"),
        UNKNOWN_CHECKPOINT(404, "No such checkpoint"),
        UNKNOWN_POSITION(404, "No audit record at this input position"),
        UNKNOWN_DEAD_LETTER(404, "No such dead letter"),
        UNKNOWN_LOG(404, "No such audit log"),
        UNKNOWN_TILE(404, "No such tile"),
        METHOD_NOT_ALLOWED(405, "Method not allowed"),
        NOT_REDACTABLE(409, "The message cannot be redacted"),
        NOT_APPROVABLE(409, "The message cannot be approved"),
        LOG_NOT_SIGNED(409, "The audit log is not signed"),
        CHECKPOINT_PRUNED(410, "The content of the checkpoint was pruned"),
        MESSAGES_PRUNED(410, "The message was pruned from the views"),
        CONVERSATION_MOVED(409, "The conversation has another position"),
        IDEMPOTENCY_KEY_REUSED(409, "The idempotency key belongs to another message"),
        BODY_TOO_LARGE(413, "Request body too large"),
        UNSUPPORTED_CONTENT_TYPE(415, "Unsupported content type"),
        HOST_NOT_ALLOWED(421, "The API is not served at this host name"),
        ANSWER_TOO_LARGE(422, "Response too large"),
        URI_TOO_LONG(414, "Request line too long"),
        RATE_LIMITED(429, "Rate limit exceeded"),
        CONCURRENCY_LIMITED(429, "Too many concurrent requests from the caller"),
        INGEST_LIMITED(429, "Too many unacknowledged messages"),
        HEADERS_TOO_LARGE(431, "Request headers too large"),
        VIEWS_UNAVAILABLE(503, "Views temporarily unavailable"),
        POSITION_NOT_SHOWN(503, "Input position not visible yet"),
        PROOF_PENDING(503, "No head of the audit log contains the message yet"),
        TOKENS_UNAVAILABLE(503, "Token verification temporarily unavailable"),
        BROKERS_UNAVAILABLE(503, "Brokers unavailable"),
        ACCESS_NOT_LOGGED(503, "The read cannot be logged"),
        TOO_BUSY(503, "Too many requests in progress"),
        INTERNAL(500, "Internal error");

        private final int status;
        private final String title;

        Code(int status, String title) {
            this.status = status;
            this.title = title;
        }

        public int status() {
            return status;
        }

        public String title() {
            return title;
        }

        /** A problem with this code; if it is temporary, with the time after which the caller may retry. */
        public ProblemException problem(String detail) {
            boolean isTemporary = status == UNAVAILABLE || this == INGEST_LIMITED;
            return new ProblemException(
                    this, detail, isTemporary ? Map.of("Retry-After", RETRY_AFTER_SECONDS) : Map.of());
        }

        /** URN of the code. */
        public String type() {
            return "urn:parley:problem:" + name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** The problem with the code that a peer returned, by name. */
    public static ProblemException named(String code, String detail) {
        try {
            return Code.valueOf(code).problem(detail);
        } catch (IllegalArgumentException e) {
            return Code.VIEWS_UNAVAILABLE.problem(detail);
        }
    }

    public static ProblemException of(InvalidCursorException invalid) {
        return Code.INVALID_CURSOR.problem("Query parameter 'cursor' must come from an earlier response to this query: "
                + invalid.getMessage() + ".");
    }

    static ProblemException tooBusy() {
        return Code.TOO_BUSY.problem(
                "Too many concurrent requests (http.limits.requests), or the instance is shutting down.");
    }

    /** A copy with additional headers. */
    public ProblemException with(Map<String, String> more) {
        Map<String, String> all = new HashMap<>(headers);
        all.putAll(more);
        return new ProblemException(code, getMessage(), Map.copyOf(all));
    }

    public Code code() {
        return code;
    }

    Map<String, String> headers() {
        return headers;
    }
}
