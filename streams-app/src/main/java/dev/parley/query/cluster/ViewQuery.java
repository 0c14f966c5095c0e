package dev.parley.query.cluster;

import dev.parley.access.Caller;
import dev.parley.query.read.Views;
import dev.parley.query.read.ViewsUnavailableException;
import java.util.SortedMap;

/**
 * One query of one caller: its arguments as peers get them, and how to answer it from local views. It serves every
 * attempt at the query. For one thread at a time.
 */
public interface ViewQuery {

    /** The partitions that the query concerns. */
    RoutingScope scope();

    /** Operation and arguments, without standbys and input positions. */
    PeerRequest request();

    /** Name and role of the caller. */
    Caller caller();

    /** Starts an attempt at the answer: gives back what an earlier one reserved. */
    void begin();

    /**
     * Answers from local views: with {@link ViewAnswer.Page} if the scope is a list, and with the other kinds
     * otherwise.
     *
     * @param lags changes that each standby read lacks, by partition; empty if only owned partitions are read
     * @throws ViewsUnavailableException if the views cannot be read now
     */
    ViewAnswer read(Views views, SortedMap<Integer, Long> lags);

    /**
     * Reserves memory for the answer of a peer.
     *
     * @throws RuntimeException if the query must not go on
     */
    void reserve(long bytes);

    /** Maximum bytes of the payloads of a merged page, unless the first alone is larger. */
    long pageBytes();
}
