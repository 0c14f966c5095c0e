package dev.parley.server.api;

import dev.parley.server.auth.Caller;
import dev.parley.server.cluster.PeerRequest;
import dev.parley.server.cluster.RoutingScope;
import dev.parley.server.cluster.RoutingScope.AnyPartition;
import dev.parley.server.cluster.ViewAnswer;
import dev.parley.server.cluster.ViewAnswer.Item;
import dev.parley.server.cluster.ViewQuery;
import dev.parley.server.http.ProblemException;
import dev.parley.server.http.ProblemHandler;
import dev.parley.server.http.ResponseBudget;
import dev.parley.server.http.ResultSize;
import dev.parley.state.StateQueryException;
import dev.parley.topology.views.read.InvalidCursorException;
import dev.parley.topology.views.read.Views;
import java.util.Optional;

/** A request to a {@link ViewRoute}, from a caller or from a peer. */
final class RoutedQuery<R> implements ViewQuery {

    private final ViewRoute<R> route;
    private final PeerRequest request;
    private final ViewRequest local;
    private final RoutingScope scope;

    /**
     * @param request operation and arguments
     * @param caller name and role of the caller
     * @param budget memory and bytes of the response
     */
    RoutedQuery(ViewRoute<R> route, PeerRequest request, Caller caller, ResponseBudget budget) {
        this.route = route;
        this.request = request;
        this.local = new ViewRequest(
                request.subject(), request.parameters(), request.after(), request.limit(), caller, budget);
        this.scope = route.scope().apply(local);
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
        return local.caller();
    }

    @Override
    public Class<?> result() {
        return route.result();
    }

    @Override
    public void beginAttempt() {
        local.budget().restart();
    }

    @Override
    public ViewAnswer read(Views views) {
        try {
            return route.reader().apply(local, views);
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
        local.budget().reserve(bytes);
    }

    @Override
    public long size(Object result) {
        return ResultSize.of(result).json();
    }

    @Override
    public long memory(Object result) {
        return ResultSize.of(result).memory();
    }

    @Override
    public Optional<Item> combine(Item first, Item second) {
        return route.combiner()
                .map(combiner -> new Item(
                        first.key(),
                        combiner.apply(
                                route.result().cast(first.result()),
                                route.result().cast(second.result()))));
    }

    @Override
    public long pageBytes() {
        return local.budget().maxItemBytes();
    }
}
