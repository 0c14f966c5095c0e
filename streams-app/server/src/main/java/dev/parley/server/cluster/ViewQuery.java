package dev.parley.server.cluster;

import dev.parley.audit.InputPosition;
import dev.parley.server.auth.Caller;
import dev.parley.topology.views.Views;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Function;

/**
 * One query of one caller: how to answer it from local views, and how to ask a peer instead. It is used for every
 * attempt at the query. Not thread-safe.
 *
 * @param scope the partitions that the query concerns
 * @param limit maximum number of items of a list; 0 for other operations
 * @param caller name and role of the caller
 * @param result class of the result, or of the items of a list
 * @param reader answers from local views, with a {@link ViewAnswer.Page} only if the scope is a list
 * @param request the request to a peer that reads standbys of partitions, or its own partitions if there are none, and
 *     requires input positions
 * @param combiner combines results with one key from two instances; empty to keep one, as only an insider makes two
 * @param budget bounds of the response
 */
public record ViewQuery(
        RoutingScope scope,
        int limit,
        Caller caller,
        Class<?> result,
        Function<Views, ViewAnswer> reader,
        BiFunction<SortedSet<Integer>, Set<InputPosition>, PeerRequest> request,
        Optional<BinaryOperator<Object>> combiner,
        Budget budget) {

    /** Bounds of a response. An exception of its methods ends the query. */
    public interface Budget {

        /** Releases the memory that an earlier attempt reserved. */
        void restart();

        /** Reserves memory for the answer of a peer. */
        void reserve(long bytes);

        /** Maximum bytes of the results of a merged page, unless the first alone is larger. */
        long maxItemBytes();
    }
}
