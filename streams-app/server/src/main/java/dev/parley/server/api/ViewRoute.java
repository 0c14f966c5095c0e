package dev.parley.server.api;

import dev.parley.server.cluster.RoutingScope;
import dev.parley.server.cluster.RoutingScope.MergedList;
import dev.parley.server.cluster.ViewAnswer;
import dev.parley.topology.topics.ChainPartitioner;
import dev.parley.topology.views.read.Views;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Function;

/**
 * An operation on views. Callers reach it by a path, see {@link Routes}, and peers by its name.
 *
 * @param operation its name
 * @param result class of its result, or of the items of a list
 * @param scope the partitions that a request reads
 * @param list whether it is a list, in the order of store keys
 * @param reader answers from local views, without side effects: it may run several times for one request, and on
 *     several instances
 * @param combiner combines items of a list that have one key; empty if there are none
 */
public record ViewRoute<R>(
        String operation,
        Class<R> result,
        Function<ViewRequest, RoutingScope> scope,
        boolean list,
        BiFunction<ViewRequest, Views, ViewAnswer> reader,
        Optional<BinaryOperator<R>> combiner) {

    /** The scope of a request whose path names a conversation. */
    public static RoutingScope conversation(ViewRequest request) {
        return new RoutingScope.SinglePartition(ChainPartitioner.chainOf(
                request.pathParam("namespace"), Parameters.protocol(request), request.pathParam("conversation")));
    }

    /** An operation with one result. */
    public static <R> ViewRoute<R> of(
            String operation,
            Class<R> result,
            Function<ViewRequest, RoutingScope> scope,
            BiFunction<ViewRequest, Views, R> handler) {
        return new ViewRoute<>(
                operation,
                result,
                scope,
                false,
                (request, views) -> new ViewAnswer.Content(handler.apply(request, views)),
                Optional.empty());
    }

    static <R> ViewRoute<R> list(
            String operation, Class<R> item, String store, BiFunction<ViewRequest, Views, KeyedItems> handler) {
        return new ViewRoute<>(
                operation,
                item,
                request -> new MergedList(store),
                true,
                (request, views) -> handler.apply(request, views).page(),
                Optional.empty());
    }

    /** The same list with combined items. */
    ViewRoute<R> combining(BinaryOperator<R> items) {
        return new ViewRoute<>(operation, result, scope, list, reader, Optional.of(items));
    }
}
