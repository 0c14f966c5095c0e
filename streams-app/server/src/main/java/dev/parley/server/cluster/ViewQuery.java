package dev.parley.server.cluster;

import dev.parley.server.auth.Caller;
import dev.parley.topology.views.read.Views;
import dev.parley.topology.views.store.ViewsUnavailableException;
import java.util.Optional;

/**
 * One query of one caller: its arguments as sent to peers, and how to answer it from local views. It is used for every
 * attempt at the query. Not thread-safe.
 */
public interface ViewQuery {

    /** The partitions that the query concerns. */
    RoutingScope scope();

    /** Operation and arguments, without standbys and input positions. */
    PeerRequest request();

    /** Name and role of the caller. */
    Caller caller();

    /** Class of the result, or of the items of a list. */
    Class<?> result();

    /** Starts an attempt: releases the memory that an earlier one reserved. */
    void beginAttempt();

    /**
     * Answers from local views, with a {@link ViewAnswer.Page} only if the scope is a list.
     *
     * @throws ViewsUnavailableException if the views cannot be read now
     */
    ViewAnswer read(Views views);

    /**
     * Reserves memory for the answer of a peer.
     *
     * @throws RuntimeException if the limit is reached, which ends the query
     */
    void reserve(long bytes);

    /** Approximate bytes of a result as JSON. */
    long size(Object result);

    /** Approximate bytes of a result in memory. */
    long memory(Object result);

    /** Combines items with one key from two instances; empty if both belong to the list. */
    default Optional<ViewAnswer.Item> combine(ViewAnswer.Item first, ViewAnswer.Item second) {
        return Optional.empty();
    }

    /** Maximum bytes of the results of a merged page, unless the first alone is larger. */
    long pageBytes();
}
