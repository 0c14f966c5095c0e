package dev.parley.query.api;

import dev.parley.access.Caller;
import dev.parley.query.cluster.PeerRequest;
import dev.parley.query.http.ProblemException;
import dev.parley.query.http.ResponseBudget;
import dev.parley.query.http.SecurityFilter;
import io.javalin.http.Context;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.common.utils.Bytes;

/**
 * A request that views answer, from a caller or passed on by a peer.
 *
 * @param request operation and arguments
 * @param caller name and role of the caller
 * @param budget memory and bytes of the response
 */
record ViewRequest(PeerRequest request, Caller caller, ResponseBudget budget) {

    /** The request of a caller for a route; {@code stale} and {@code at-least} are not part of it. */
    static ViewRequest of(Context context, ViewRoute route) {
        Map<String, String> parameters = new TreeMap<>(Parameters.values(context));
        parameters.remove(Parameters.STALE);
        parameters.remove(Parameters.AT_LEAST);
        return new ViewRequest(
                route.list()
                        ? list(context, route, parameters)
                        : PeerRequest.of(route.operation(), context.pathParamMap(), parameters),
                SecurityFilter.caller(context),
                ResponseBudget.held(context));
    }

    private static PeerRequest list(Context context, ViewRoute route, Map<String, String> parameters) {
        Parameters.Page page = Parameters.page(parameters);
        parameters.remove(Parameters.LIMIT);
        parameters.remove(Parameters.CURSOR);
        return PeerRequest.list(route.operation(), context.pathParamMap(), parameters, page.after(), page.limit());
    }

    /** A name in the path. */
    String pathParam(String name) {
        String value = request.subject().get(name);
        if (value == null) {
            throw ProblemException.of(
                    ProblemException.Code.INVALID_REQUEST, "The request does not name a " + name + ".");
        }
        return value;
    }

    /** Query parameters by name. */
    Map<String, String> parameters() {
        return request.parameters();
    }

    /** Store key after which a list continues; empty for its start. */
    Optional<Bytes> after() {
        return request.after();
    }

    /** Maximum number of items of a list. */
    int limit() {
        return request.limit();
    }
}
