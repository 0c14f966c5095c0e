package dev.parley.server.http;

import dev.parley.codec.Excerpt;
import dev.parley.json.ApiJson;
import dev.parley.json.model.Problem;
import dev.parley.server.http.ProblemException.Code;
import dev.parley.state.StateQueryException;
import dev.parley.topology.kafka.ExceptionSummary;
import dev.parley.topology.views.read.InvalidCursorException;
import dev.parley.topology.views.read.PositionNotVisibleException;
import dev.parley.topology.views.store.ViewsUnavailableException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Converts failures of requests to problems, and writes them as RFC 9457 objects. */
public final class ProblemHandler {

    private static final Logger LOG = LoggerFactory.getLogger(ProblemHandler.class);

    /** Attribute of a request with the prefix that was removed from its path. */
    static final String PREFIX = ProblemHandler.class.getName() + ".prefix";

    /** The path of a request that Jetty could not read. */
    private static final String UNREADABLE = "/badMessage";

    private static final int MAX_PATH_CHARACTERS = 1_000;
    private static final int ESCAPE_LENGTH = 3;

    private final ProblemMeter problems;
    private final String hint;

    /** @param views whether this instance has views */
    public ProblemHandler(ProblemMeter problems, boolean views) {
        this.problems = problems;
        this.hint = views ? "" : " This instance has no views. Send /v1 requests to one with roles=views.";
    }

    /**
     * Converts a failed query about states.
     *
     * @throws ViewsUnavailableException if the query may succeed later
     */
    public static ProblemException of(StateQueryException failure) {
        String detail = failure.getMessage();
        return switch (failure.code()) {
            case UNKNOWN_CONVERSATION -> ProblemException.of(Code.UNKNOWN_CONVERSATION, detail);
            case UNKNOWN_CHECKPOINT -> ProblemException.of(Code.UNKNOWN_CHECKPOINT, detail);
            case CHECKPOINT_PRUNED -> ProblemException.of(Code.CHECKPOINT_PRUNED, detail);
            case MESSAGES_PRUNED -> ProblemException.of(Code.MESSAGES_PRUNED, detail);
            case TOO_FAR_BACK -> ProblemException.of(Code.INVALID_PARAMETER, detail);
            case INVALID_CURSOR -> ProblemException.of(new InvalidCursorException(detail));
            case INCOMPLETE -> throw new ViewsUnavailableException(detail, failure);
        };
    }

    /** Converts a failure to a problem. An unexpected failure is logged with an error ID. */
    ProblemException problem(Throwable failure, String method, String path) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof ProblemException problem) {
            return problem;
        }
        if (cause instanceof InvalidCursorException invalid) {
            return ProblemException.of(invalid);
        }
        if (cause instanceof ViewsUnavailableException) {
            return ProblemException.of(Code.VIEWS_UNAVAILABLE, cause.getMessage() + " See /health/ready.");
        }
        if (cause instanceof PositionNotVisibleException) {
            return ProblemException.of(Code.POSITION_NOT_SHOWN, cause.getMessage());
        }
        String id = UUID.randomUUID().toString();
        LOG.error("Request {} {} failed; error ID {}: {}", method, path, id, ExceptionSummary.of(cause));
        LOG.debug("Full stack trace of error ID {}:", id, cause);
        return ProblemException.of(Code.INTERNAL, "Search the log for error ID " + id + ".");
    }

    /** The problem of a path that no route has. */
    ProblemException unknownPath(ApiRequest request) {
        return ProblemException.of(
                Code.UNKNOWN_PATH,
                "Nothing at " + Excerpt.of(path(request)) + "; GET " + prefix(request.attribute(PREFIX))
                        + "/ lists the paths." + hint);
    }

    /** Refuses a request before a route handles it: counts the problem and writes it. Returns true. */
    static boolean refuse(
            Request request, Response response, Callback callback, ProblemException problem, ProblemMeter problems) {
        problems.count(problem.code());
        write(request, response, callback, problem);
        return true;
    }

    /** Writes a problem to a request that no route handles. */
    static void write(Request request, Response response, Callback callback, ProblemException problem) {
        HttpURI uri = request.getHttpURI();
        String path = uri == null || uri.getPath() == null || uri.getPath().equals(UNREADABLE)
                ? null
                : instance(prefix(request.getAttribute(PREFIX)) + uri.getPath());
        response.setStatus(problem.code().status());
        problem.headers().forEach(response.getHeaders()::put);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/problem+json");
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
        response.getHeaders().put("X-Content-Type-Options", "nosniff");
        response.write(true, ByteBuffer.wrap(body(problem, path)), callback);
    }

    /** Answers a request with the problem of a failure. */
    void answer(ApiRequest request, Throwable failure, Callback callback) {
        ProblemException problem = problem(failure, request.method(), request.path());
        refuse(request.jetty(), request.response(), callback, problem, problems);
    }

    /** The path that the client requested. */
    static String path(ApiRequest request) {
        return prefix(request.attribute(PREFIX)) + request.path();
    }

    /** The member {@code instance}: a path without the rest of a long one. */
    private static String instance(String path) {
        int end = Math.min(path.length(), MAX_PATH_CHARACTERS);
        // Not within an escape such as %2F.
        int escape = path.lastIndexOf('%', end - 1);
        boolean splits = end < path.length() && escape >= 0 && escape > end - ESCAPE_LENGTH;
        return RequestTarget.encode(path.substring(0, splits ? escape : end));
    }

    private static String prefix(Object attribute) {
        return Objects.requireNonNullElse(attribute, "").toString();
    }

    /** @param instance path of the request; null if it is unreadable */
    private static byte[] body(ProblemException problem, String instance) {
        ProblemException.Code code = problem.code();
        return ApiJson.bytes(
                new Problem(code.type(), code.title(), code.status(), problem.getMessage(), instance, code.name()));
    }
}
