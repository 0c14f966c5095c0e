package dev.parley.server.http;

import dev.parley.codec.Excerpt;
import dev.parley.json.ApiJson;
import dev.parley.json.model.Problem;
import dev.parley.server.http.ProblemException.Code;
import dev.parley.server.metrics.Metrics;
import dev.parley.state.StateQueryException;
import dev.parley.topology.kafka.ExceptionSummary;
import dev.parley.topology.views.read.InvalidCursorException;
import dev.parley.topology.views.read.PositionNotVisibleException;
import dev.parley.topology.views.store.ViewsUnavailableException;
import io.micrometer.core.instrument.Counter;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import org.eclipse.jetty.http.HttpHeader;
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

    private final Map<Code, Counter> problems;
    private final String hint;

    /**
     * @param metrics counts the responses with a problem
     * @param views whether this instance has views
     */
    public ProblemHandler(Metrics metrics, boolean views) {
        this.problems = metrics.counters(
                "parley.http.problems", "Responses with a problem", "code", List.of(Code.values()), Code::name);
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
            case UNKNOWN_CONVERSATION -> Code.UNKNOWN_CONVERSATION.problem(detail);
            case UNKNOWN_CHECKPOINT -> Code.UNKNOWN_CHECKPOINT.problem(detail);
            case CHECKPOINT_PRUNED -> Code.CHECKPOINT_PRUNED.problem(detail);
            case MESSAGES_PRUNED -> Code.MESSAGES_PRUNED.problem(detail);
            case TOO_FAR_BACK -> Code.INVALID_PARAMETER.problem(detail);
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
            return Code.VIEWS_UNAVAILABLE.problem(cause.getMessage() + " See /health/ready.");
        }
        if (cause instanceof PositionNotVisibleException) {
            return Code.POSITION_NOT_SHOWN.problem(cause.getMessage());
        }
        String id = UUID.randomUUID().toString();
        LOG.error("Request {} {} failed; error ID {}: {}", method, path, id, ExceptionSummary.of(cause));
        LOG.debug("Full stack trace of error ID {}:", id, cause);
        return Code.INTERNAL.problem("Search the log for error ID " + id + ".");
    }

    /** The problem of a path that no route has. */
    ProblemException unknownPath(ApiRequest request) {
        return Code.UNKNOWN_PATH.problem("Nothing at " + Excerpt.of(path(request)) + "; GET "
                + prefix(request.attribute(PREFIX)) + "/ lists the paths." + hint);
    }

    /** @param allowed the supported methods, separated by a comma and a space */
    static ProblemException methodNotAllowed(ApiRequest request, String allowed) {
        return Code.METHOD_NOT_ALLOWED
                .problem(Excerpt.of(path(request)) + " supports " + allowed.replace(", ", " and ") + ", not "
                        + Excerpt.of(request.method()) + ".")
                .with(Map.of("Allow", allowed));
    }

    /** Refuses a request before a route handles it: counts the problem and writes it. Returns true. */
    boolean refuse(Response response, Callback callback, ProblemException problem) {
        problems.get(problem.code()).increment();
        write(response, callback, problem);
        return true;
    }

    /** Writes a problem to a request that no route handles. */
    static void write(Response response, Callback callback, ProblemException problem) {
        response.setStatus(problem.code().status());
        problem.headers().forEach(response.getHeaders()::put);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/problem+json");
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
        response.getHeaders().put("X-Content-Type-Options", "nosniff");
        response.write(true, ByteBuffer.wrap(body(problem)), callback);
    }

    /** Answers a request that Jetty rejects before any route, such as one with an invalid path. Returns true. */
    static boolean rejected(Request request, Response response, Callback callback) {
        ProblemException problem = switch (response.getStatus()) {
            case 414 -> Code.URI_TOO_LONG.problem("The request's line is longer than http.limits.header.bytes.");
            case 431 ->
                Code.HEADERS_TOO_LARGE.problem(
                        "The request's line and headers are larger than http.limits.header.bytes.");
            case 503 -> ProblemException.tooBusy();
            case 500 -> Code.INTERNAL.problem("The request could not be answered.");
            // Also 501 and 505: a transfer coding or a version of HTTP that is not supported.
            default -> Code.INVALID_REQUEST.problem("The request is not valid HTTP/1.1, or its path is not valid.");
        };
        write(response, callback, problem);
        return true;
    }

    /** Answers a request with the problem of a failure. */
    void answer(ApiRequest request, Throwable failure, Callback callback) {
        ProblemException problem = problem(failure, request.method(), request.path());
        refuse(request.response(), callback, problem);
    }

    /** The path that the client requested. */
    static String path(ApiRequest request) {
        return prefix(request.attribute(PREFIX)) + request.path();
    }

    private static String prefix(Object attribute) {
        return Objects.requireNonNullElse(attribute, "").toString();
    }

    private static byte[] body(ProblemException problem) {
        ProblemException.Code code = problem.code();
        return ApiJson.bytes(new Problem(code.type(), code.title(), code.status(), problem.getMessage(), code.name()));
    }
}
