package dev.parley.server.api.view;

import dev.parley.log.LogNotes;
import dev.parley.server.cluster.RoutingScope;
import dev.parley.server.cluster.RoutingScope.AnyPartition;
import dev.parley.server.cluster.RoutingScope.MergedList;
import dev.parley.server.cluster.ViewAnswer;
import dev.parley.server.cluster.ViewQuery;
import dev.parley.server.http.ProblemException;
import dev.parley.server.http.ProblemHandler;
import dev.parley.state.StateQueryException;
import dev.parley.topology.topics.ChainPartitioner;
import dev.parley.topology.views.Views;
import dev.parley.topology.views.read.InvalidCursorException;
import dev.parley.topology.views.store.ViewStores;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Function;

/**
 * An operation on views. Callers reach it by a path, and peers by its name.
 *
 * @param operation its name
 * @param result class of its result, or of the items of a list
 * @param scope the partitions that a request reads
 * @param list whether it is a list, in the order of store keys
 * @param reader answers from local views, without side effects: it may run several times for one request, and on
 *     several instances
 * @param combiner combines items of a list that have one key; empty if there are none
 * @param chain the audit chain that only the result names, for the access log; empty if the scope names it, or none
 */
public record ViewRoute<R>(
        String operation,
        Class<R> result,
        Function<ViewRequest, RoutingScope> scope,
        boolean list,
        BiFunction<ViewRequest, Views, ViewAnswer> reader,
        Optional<BinaryOperator<R>> combiner,
        Optional<Function<R, String>> chain) {

    /** The scope of a request whose path names a conversation. */
    public static RoutingScope conversation(ViewRequest request) {
        return RoutingScope.SinglePartition.ofChain(ChainPartitioner.chainOf(
                request.pathParam("namespace"), Parameters.protocol(request), request.pathParam("conversation")));
    }

    /** The instance that owns the audit log of a partition. */
    public static RoutingScope log(int partition) {
        return new RoutingScope.SinglePartition(ViewStores.LOG, LogNotes.key(partition));
    }

    /** An operation with one result. */
    public static <R> ViewRoute<R> of(
            String operation,
            Class<R> result,
            Function<ViewRequest, RoutingScope> scope,
            BiFunction<ViewRequest, Views, R> handler) {
        BiFunction<ViewRequest, Views, ViewAnswer> reader =
                (request, views) -> new ViewAnswer.Content(handler.apply(request, views));
        return new ViewRoute<>(operation, result, scope, false, reader, Optional.empty(), Optional.empty());
    }

    /** An operation on an input position, which only the owner of its partition has. */
    public static <R> ViewRoute<R> ofPosition(
            String operation, Class<R> result, BiFunction<ViewRequest, Views, R> handler) {
        return of(operation, result, request -> new AnyPartition(), handler);
    }

    /** A list of the items of a store, from all instances. */
    public static <R> ViewRoute<R> list(
            String operation, Class<R> item, String store, BiFunction<ViewRequest, Views, KeyedItems> handler) {
        BiFunction<ViewRequest, Views, ViewAnswer> reader =
                (request, views) -> handler.apply(request, views).page();
        Function<ViewRequest, RoutingScope> scope = request -> new MergedList(store);
        return new ViewRoute<>(operation, item, scope, true, reader, Optional.empty(), Optional.empty());
    }

    /** The same list with combined items. */
    public ViewRoute<R> combining(BinaryOperator<R> items) {
        return new ViewRoute<>(operation, result, scope, list, reader, Optional.of(items), chain);
    }

    /** The same operation, whose result names the audit chain that was read. */
    public ViewRoute<R> reading(Function<R, String> named) {
        return new ViewRoute<>(operation, result, scope, list, reader, combiner, Optional.of(named));
    }

    /** A query of this operation, from a caller or from a peer. */
    ViewQuery query(ViewRequest request) {
        RoutingScope partitions = scope.apply(request);
        return new ViewQuery(
                partitions,
                request.limit(),
                request.caller(),
                result,
                views -> read(request, views, partitions),
                (standbys, atLeast) -> request.toPeer(operation, standbys, atLeast),
                combiner.map(items -> (first, second) -> items.apply(result.cast(first), result.cast(second))),
                request.budget());
    }

    private ViewAnswer read(ViewRequest request, Views views, RoutingScope partitions) {
        ProblemException problem;
        try {
            return reader.apply(request, views);
        } catch (ProblemException e) {
            problem = e;
        } catch (StateQueryException e) {
            problem = ProblemHandler.of(e);
        } catch (InvalidCursorException e) {
            problem = ProblemException.of(e);
        }
        String code = problem.code().name();
        return partitions instanceof AnyPartition && problem.code().status() == 404
                ? new ViewAnswer.Absent(code, problem.getMessage())
                : new ViewAnswer.Refusal(code, problem.getMessage());
    }
}
