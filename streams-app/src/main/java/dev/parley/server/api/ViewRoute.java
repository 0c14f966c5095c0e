package dev.parley.server.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.server.cluster.RoutingScope;
import dev.parley.server.cluster.RoutingScope.MergedList;
import dev.parley.server.cluster.ViewAnswer;
import dev.parley.server.cluster.ViewQuery;
import dev.parley.server.http.Json;
import dev.parley.topology.views.read.Views;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Function;

/**
 * An operation on views. Callers reach it by a path, see {@link Routes}, and peers by its name.
 *
 * @param operation its name
 * @param scope the partitions that a request reads
 * @param list whether it is a list, in the order of store keys
 * @param reader answers from local views
 * @param combiner combines items of a list that have one key; empty if there are none
 */
public record ViewRoute(
        String operation,
        Function<ViewRequest, RoutingScope> scope,
        boolean list,
        Reader reader,
        Optional<BinaryOperator<ViewAnswer.Item>> combiner) {

    /**
     * Answers a request from local views, without side effects: it may run several times for one request, and on
     * several instances. {@code lags} as in {@link ViewQuery#read}.
     */
    public interface Reader {
        ViewAnswer read(ViewRequest request, Views views, SortedMap<Integer, Long> lags);
    }

    /** An operation whose answer is a JSON object. */
    static ViewRoute json(
            String operation,
            Function<ViewRequest, RoutingScope> scope,
            BiFunction<ViewRequest, Views, ObjectNode> handler) {
        return new ViewRoute(
                operation,
                scope,
                false,
                (request, views, lags) -> {
                    ObjectNode body = handler.apply(request, views);
                    Staleness.put(body, lags);
                    return new ViewAnswer.Content(Json.bytes(body));
                },
                Optional.empty());
    }

    static ViewRoute list(String operation, String store, BiFunction<ViewRequest, Views, ViewAnswer.Page> handler) {
        return new ViewRoute(
                operation,
                request -> new MergedList(store),
                true,
                (request, views, lags) -> handler.apply(request, views),
                Optional.empty());
    }

    /** The same list with combined items. */
    ViewRoute combining(BinaryOperator<ViewAnswer.Item> items) {
        return new ViewRoute(operation, scope, list, reader, Optional.of(items));
    }
}
