package dev.parley.query.http;

import dev.parley.query.read.InvalidCursorException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Why a request was not answered: RFC 9457 members, as an exception so that handlers read straight down. It has no
 * stack trace.
 */
public final class ProblemException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Value of Retry-After where no better one is known. */
    public static final String RETRY_AFTER_SECONDS = "2";

    private static final int UNAVAILABLE = 503;

    private final transient Code code;
    private final transient Map<String, String> headers;

    private ProblemException(Code code, String detail, Map<String, String> headers) {
        super(detail, null, false, false);
        this.code = code;
        this.headers = headers;
    }

    /** Kinds of problems; their names are public contract. */
    public enum Code {
        INVALID_REQUEST(400, "The request cannot be read"),
        INVALID_PARAMETER(400, "A parameter is not allowed or has no such value"),
        INVALID_CURSOR(400, "The cursor was not given by this query"),
        TOKEN_MISSING(401, "Who asks is not known"),
        TOKEN_INVALID(401, "The token is not accepted"),
        ROLE_MISSING(403, "The caller may not do this"),
        PEER_REFUSED(403, "The caller is no process of this deployment"),
        UNKNOWN_PATH(404, "There is nothing at this path"),
        UNKNOWN_CONVERSATION(404, "No such conversation"),
        UNKNOWN_MESSAGE(404, "No such message"),
        UNKNOWN_CHECKPOINT(404, "No such checkpoint"),
        UNKNOWN_POSITION(404, "No record of the input is shown of this place"),
        UNKNOWN_DEAD_LETTER(404, "No such dead letter"),
        METHOD_NOT_ALLOWED(405, "The path does not take this method"),
        NOT_REDRIVABLE(409, "The dead letter cannot be sent again"),
        NOT_REDACTABLE(409, "The message has nothing that could be redacted"),
        CHECKPOINT_PRUNED(410, "The content of the checkpoint was pruned"),
        MESSAGES_PRUNED(410, "The views have not kept the message"),
        BODY_TOO_LARGE(413, "The body is too large"),
        ANSWER_TOO_LARGE(422, "The answer is larger than a response may be"),
        URI_TOO_LONG(414, "The request's line is too long"),
        RATE_LIMITED(429, "The caller asks too often"),
        CONCURRENCY_LIMITED(429, "The caller has too many requests in progress"),
        HEADERS_TOO_LARGE(431, "The request's headers are too large"),
        VIEWS_UNAVAILABLE(503, "The views cannot be read now"),
        POSITION_NOT_SHOWN(503, "The views do not show this record of the input yet"),
        TOKENS_UNAVAILABLE(503, "The token cannot be checked now"),
        BROKERS_UNAVAILABLE(503, "The brokers do not answer"),
        TOO_BUSY(503, "Parley has too much to answer"),
        INTERNAL(500, "Parley failed");

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

        /** URN of the kind. */
        public String type() {
            return "urn:parley:problem:" + name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    public static ProblemException of(Code code, String detail) {
        return new ProblemException(code, detail, Map.of());
    }

    static ProblemException of(Code code, String detail, Map<String, String> headers) {
        return new ProblemException(code, detail, headers);
    }

    /** The problem of a code's name, as a peer gives it. */
    public static ProblemException named(String code, String detail) {
        Code known;
        try {
            known = Code.valueOf(code);
        } catch (IllegalArgumentException e) {
            known = Code.VIEWS_UNAVAILABLE;
        }
        return known.status() == UNAVAILABLE ? unavailable(known, detail) : of(known, detail);
    }

    /** A problem that passes: the caller may retry soon. */
    static ProblemException unavailable(Code code, String detail) {
        return of(code, detail, Map.of("Retry-After", RETRY_AFTER_SECONDS));
    }

    public static ProblemException of(InvalidCursorException invalid) {
        return of(
                Code.INVALID_CURSOR,
                "Parameter cursor is not the next of an earlier page of this query: " + invalid.getMessage() + ".");
    }

    /** That a record could not be written, or nobody knows whether it was. */
    public static ProblemException brokersUnavailable(String detail) {
        return unavailable(Code.BROKERS_UNAVAILABLE, detail);
    }

    /** The same, with these headers too. */
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
