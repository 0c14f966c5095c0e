package dev.parley.query;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.state.StateQueryException;
import dev.parley.topology.FailureTrace;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import java.util.Map;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What went wrong with a request, as RFC 9457 has it. */
final class Problems {

    private static final Logger LOG = LoggerFactory.getLogger(Problems.class);

    private final Metrics metrics;
    private final String elsewhere;

    /** @param views whether the process has views */
    Problems(Metrics metrics, boolean views) {
        this.metrics = metrics;
        this.elsewhere = views
                ? ""
                : " This process runs without the role views: what stands under /v1 is answered by one that has it.";
    }

    /** What a client is told of a query about states that has no answer. */
    static RuntimeException of(StateQueryException unanswered) {
        String detail = unanswered.getMessage();
        return switch (unanswered.code()) {
            case UNKNOWN_CONVERSATION -> Problem.of(Problem.Code.UNKNOWN_CONVERSATION, detail);
            case UNKNOWN_CHECKPOINT -> Problem.of(Problem.Code.UNKNOWN_CHECKPOINT, detail);
            case CHECKPOINT_PRUNED -> Problem.of(Problem.Code.CHECKPOINT_PRUNED, detail);
            case MESSAGES_PRUNED -> Problem.of(Problem.Code.MESSAGES_PRUNED, detail);
            case INVALID_CURSOR -> new InvalidCursor(detail);
            case INCOMPLETE -> new ViewsUnavailable(detail, unanswered);
        };
    }

    void configure(JavalinConfig config) {
        config.routes.exception(Problem.class, (problem, request) -> answer(request, problem));
        config.routes.exception(
                InvalidCursor.class,
                (invalid, request) -> answer(
                        request,
                        Problem.of(
                                Problem.Code.INVALID_CURSOR,
                                "Parameter cursor is not the next of an earlier page of this query: "
                                        + invalid.getMessage() + ".")));
        config.routes.exception(
                ViewsUnavailable.class,
                (unavailable, request) -> answer(
                        request,
                        Problem.of(
                                Problem.Code.VIEWS_UNAVAILABLE,
                                unavailable.getMessage() + " /health/ready tells when.",
                                Map.of("Retry-After", QueryServer.RETRY_AFTER_SECONDS))));
        config.routes.exception(
                NotShown.class,
                (late, request) -> answer(
                        request,
                        Problem.of(
                                Problem.Code.POSITION_NOT_SHOWN,
                                late.getMessage(),
                                Map.of("Retry-After", QueryServer.RETRY_AFTER_SECONDS))));
        config.routes.exception(
                HttpResponseException.class, (refused, request) -> answer(request, refusal(refused, request)));
        config.routes.exception(Exception.class, (failure, request) -> {
            String id = UUID.randomUUID().toString();
            LOG.error(
                    "Request {} {} failed; id {}: {}", request.method(), request.path(), id, FailureTrace.of(failure));
            LOG.debug("The whole story:", failure);
            answer(
                    request,
                    Problem.of(
                            Problem.Code.INTERNAL, "The log of the application tells more under the id " + id + "."));
        });
    }

    private Problem refusal(HttpResponseException refused, Context request) {
        return switch (refused.getStatus()) {
            case 404 ->
                Problem.of(
                        Problem.Code.UNKNOWN_PATH,
                        "There is nothing at " + request.path() + "; / lists what there is." + elsewhere);
            case 405 -> {
                String allowed = allowed(refused);
                yield Problem.of(
                        Problem.Code.METHOD_NOT_ALLOWED,
                        request.path() + " takes " + allowed.replace(", ", " and ") + ", not " + request.method() + ".",
                        Map.of("Allow", allowed));
            }
            default -> Problem.of(Problem.Code.INVALID_REQUEST, refused.getMessage());
        };
    }

    private static String allowed(HttpResponseException refused) {
        return refused.getDetails().getOrDefault("availableMethods", "").contains("POST") ? "POST" : "GET, HEAD";
    }

    private void answer(Context request, Problem problem) {
        metrics.count(problem.code());
        problem.headers().forEach(request::header);
        request.status(problem.code().status())
                .contentType("application/problem+json")
                .result(Json.bytes(body(problem, PeerTarget.encode(request.path()))));
    }

    /** The RFC 9457 object. */
    static ObjectNode body(Problem problem, String instance) {
        return Json.object()
                .put("type", problem.code().type())
                .put("title", problem.code().title())
                .put("status", problem.code().status())
                .put("detail", problem.getMessage())
                .put("instance", instance)
                .put("code", problem.code().name());
    }
}
