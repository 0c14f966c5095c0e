package dev.parley.query.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.query.cluster.RoutingScope;
import dev.parley.query.cluster.RoutingScope.MergedList;
import dev.parley.query.cluster.ViewAnswer;
import dev.parley.query.cluster.ViewAnswer.Content;
import dev.parley.query.cluster.ViewAnswer.Page;
import dev.parley.query.cluster.ViewQuery;
import dev.parley.query.http.Json;
import dev.parley.query.read.Views;
import java.util.SortedMap;
import java.util.function.Function;

/**
 * An operation on views, which callers reach by a path and peers by its name.
 *
 * @param operation its name
 * @param scope the partitions that a request concerns
 * @param list whether it is a list, in the order of store keys
 * @param reader answers from local views
 */
record ViewRoute(String operation, Function<ViewRequest, RoutingScope> scope, boolean list, Reader reader) {

    /** Answers from local views; {@code lags} as in {@link ViewQuery#read}. */
    interface Reader {
        ViewAnswer read(ViewRequest request, Views views, SortedMap<Integer, Long> lags);
    }

    /** Answers with a page of a list. */
    interface ListHandler {
        Page page(ViewRequest request, Views views);
    }

    /** An operation that answers with a JSON object. */
    static ViewRoute json(String operation, Function<ViewRequest, RoutingScope> scope, ViewHandler handler) {
        return new ViewRoute(operation, scope, false, (request, views, lags) -> {
            ObjectNode body = handler.answer(request, views);
            Staleness.put(body, lags);
            return new Content(Json.bytes(body));
        });
    }

    /** An operation that lists a store. */
    static ViewRoute list(String operation, String store, ListHandler handler) {
        return new ViewRoute(
                operation,
                request -> new MergedList(store),
                true,
                (request, views, lags) -> handler.page(request, views));
    }
}
