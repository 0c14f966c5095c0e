package dev.parley.server.api;

import dev.parley.server.access.Caller;
import dev.parley.server.cluster.PeerRequest;
import dev.parley.server.cluster.RoutingScope;
import dev.parley.server.cluster.RoutingScope.AnyPartition;
import dev.parley.server.cluster.ViewAnswer;
import dev.parley.server.cluster.ViewQuery;
import dev.parley.server.http.ProblemException;
import dev.parley.server.http.ProblemException.Code;
import dev.parley.server.http.ProblemHandler;
import dev.parley.server.http.ResponseBudget;
import dev.parley.server.http.SecurityFilter;
import dev.parley.state.StateQueryException;
import dev.parley.topology.topics.ChainPartitioner;
import dev.parley.topology.views.read.InvalidCursorException;
import dev.parley.topology.views.read.Views;
import io.javalin.http.Context;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.common.utils.Bytes;

/** A request to a {@link ViewRoute}, from a caller or from a peer. */
public final class ViewRequest implements ViewQuery {

    private final ViewRoute route;
    private final PeerRequest request;
    private final Caller caller;
    private final ResponseBudget budget;
    private final RoutingScope scope;

    /**
     * @param request operation and arguments
     * @param caller name and role of the caller
     * @param budget memory and bytes of the response
     */
    ViewRequest(ViewRoute route, PeerRequest request, Caller caller, ResponseBudget budget) {
        this.route = route;
        this.request = request;
        this.caller = caller;
        this.budget = budget;
        this.scope = route.scope().apply(this);
    }

    /** The request of a caller. Its {@link Parameters#consistency} is not part of it. */
    static ViewRequest of(Context context, ViewRoute route) {
        return of(context, route, Parameters.values(context));
    }

    /** The request of a caller with other query parameters than those of its URL. */
    static ViewRequest of(Context context, ViewRoute route, Map<String, String> values) {
        Map<String, String> parameters = new TreeMap<>(values);
        parameters.remove(Parameters.STALE);
        parameters.remove(Parameters.AT_LEAST);
        return new ViewRequest(
                route,
                route.list()
                        ? list(context, route, parameters)
                        : PeerRequest.of(route.operation(), context.pathParamMap(), parameters),
                SecurityFilter.caller(context),
                ResponseBudget.current(context));
    }

    private static PeerRequest list(Context context, ViewRoute route, Map<String, String> parameters) {
        Parameters.Page page = Parameters.page(parameters);
        parameters.remove(Parameters.LIMIT);
        parameters.remove(Parameters.CURSOR);
        return PeerRequest.list(route.operation(), context.pathParamMap(), parameters, page.after(), page.limit());
    }

    public String pathParam(String name) {
        String value = request.subject().get(name);
        if (value == null) {
            throw ProblemException.of(Code.INVALID_REQUEST, "The request has no path parameter " + name + ".");
        }
        return value;
    }

    /** The scope of a request whose path names a conversation. */
    public RoutingScope conversation() {
        return new RoutingScope.SinglePartition(
                ChainPartitioner.chainOf(pathParam("namespace"), Parameters.protocol(this), pathParam("conversation")));
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

    ResponseBudget budget() {
        return budget;
    }

    @Override
    public RoutingScope scope() {
        return scope;
    }

    @Override
    public PeerRequest request() {
        return request;
    }

    @Override
    public Caller caller() {
        return caller;
    }

    @Override
    public void beginAttempt() {
        budget.restart();
    }

    @Override
    public ViewAnswer read(Views views, SortedMap<Integer, Long> lags) {
        try {
            return route.reader().read(this, views, lags);
        } catch (ProblemException e) {
            return problem(e);
        } catch (StateQueryException e) {
            return problem(ProblemHandler.of(e));
        } catch (InvalidCursorException e) {
            return problem(ProblemException.of(e));
        }
    }

    private ViewAnswer problem(ProblemException problem) {
        String code = problem.code().name();
        return scope instanceof AnyPartition && problem.code().status() == 404
                ? new ViewAnswer.Absent(code, problem.getMessage())
                : new ViewAnswer.Refusal(code, problem.getMessage());
    }

    @Override
    public void reserve(long bytes) {
        budget.reserve(bytes);
    }

    @Override
    public Optional<ViewAnswer.Item> combine(ViewAnswer.Item first, ViewAnswer.Item second) {
        return route.combiner().map(combiner -> combiner.apply(first, second));
    }

    @Override
    public long pageBytes() {
        return budget.maxItemBytes();
    }
}
