package dev.parley.query.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.query.read.InvalidCursorException;
import dev.parley.query.read.PositionNotVisibleException;
import dev.parley.query.read.ViewsUnavailableException;
import dev.parley.state.StateQueryException;
import dev.parley.topology.setup.ExceptionSummary;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What went wrong with a request, as RFC 9457 has it. */
public final class ProblemHandler {

    private static final Logger LOG = LoggerFactory.getLogger(ProblemHandler.class);

    private final Metrics metrics;
    private final String elsewhere;

    /** @param views whether the process has views */
    public ProblemHandler(Metrics metrics, boolean views) {
        this.metrics = metrics;
        this.elsewhere = views
                ? ""
                : " This process runs without the role views: what stands under /v1 is answered by one that has it.";
    }

    /** What a client is told of a query about states that has no answer. */
    public static RuntimeException of(StateQueryException unanswered) {
        String detail = unanswered.getMessage();
        return switch (unanswered.code()) {
            case UNKNOWN_CONVERSATION -> ProblemException.of(ProblemException.Code.UNKNOWN_CONVERSATION, detail);
            case UNKNOWN_CHECKPOINT -> ProblemException.of(ProblemException.Code.UNKNOWN_CHECKPOINT, detail);
            case CHECKPOINT_PRUNED -> ProblemException.of(ProblemException.Code.CHECKPOINT_PRUNED, detail);
            case MESSAGES_PRUNED -> ProblemException.of(ProblemException.Code.MESSAGES_PRUNED, detail);
            case INVALID_CURSOR -> new InvalidCursorException(detail);
            case INCOMPLETE -> new ViewsUnavailableException(detail, unanswered);
        };
    }

    public void configure(JavalinConfig config) {
        config.routes.exception(
                HttpResponseException.class, (refused, request) -> answer(request, refusal(refused, request)));
        config.routes.exception(
                Exception.class,
                (failure, request) ->
                        answer(request, problem(failure, request.method().name(), request.path())));
    }

    /** The problem that a failure is. A failure that is not foreseen is logged with an id. */
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
            return ProblemException.unavailable(
                    ProblemException.Code.VIEWS_UNAVAILABLE, cause.getMessage() + " /health/ready tells when.");
        }
        if (cause instanceof PositionNotVisibleException) {
            return ProblemException.unavailable(ProblemException.Code.POSITION_NOT_SHOWN, cause.getMessage());
        }
        String id = UUID.randomUUID().toString();
        LOG.error("Request {} {} failed; id {}: {}", method, path, id, ExceptionSummary.of(cause));
        LOG.debug("The whole story:", cause);
        return ProblemException.of(
                ProblemException.Code.INTERNAL, "The log of the application tells more under the id " + id + ".");
    }

    private ProblemException refusal(HttpResponseException refused, Context request) {
        return switch (refused.getStatus()) {
            case 404 ->
                ProblemException.of(
                        ProblemException.Code.UNKNOWN_PATH,
                        "There is nothing at " + request.path() + "; / lists what there is." + elsewhere);
            case 405 -> {
                String allowed = allowed(refused);
                yield ProblemException.of(
                        ProblemException.Code.METHOD_NOT_ALLOWED,
                        request.path() + " takes " + allowed.replace(", ", " and ") + ", not " + request.method() + ".",
                        Map.of("Allow", allowed));
            }
            default -> ProblemException.of(ProblemException.Code.INVALID_REQUEST, refused.getMessage());
        };
    }

    private static String allowed(HttpResponseException refused) {
        return refused.getDetails().getOrDefault("availableMethods", "").contains("POST") ? "POST" : "GET, HEAD";
    }

    private void answer(Context request, ProblemException problem) {
        metrics.count(problem.code());
        problem.headers().forEach(request::header);
        request.status(problem.code().status())
                .contentType("application/problem+json")
                .result(Json.bytes(body(problem, RequestTarget.encode(request.path()))));
    }

    /** The RFC 9457 object. */
    static ObjectNode body(ProblemException problem, String instance) {
        return Json.object()
                .put("type", problem.code().type())
                .put("title", problem.code().title())
                .put("status", problem.code().status())
                .put("detail", problem.getMessage())
                .put("instance", instance)
                .put("code", problem.code().name());
    }
}
