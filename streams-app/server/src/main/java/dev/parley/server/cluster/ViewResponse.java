package dev.parley.server.cluster;

import dev.parley.audit.InputPosition;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * An answer, and the partitions from which it was read.
 *
 * @param partitions partitions of the store that it covers
 * @param lags lag of each standby that was read, in changes by partition; empty if only owners were read
 * @param visible those of the requested input positions that are visible in these partitions
 */
public record ViewResponse(
        ViewAnswer answer, SortedSet<Integer> partitions, SortedMap<Integer, Long> lags, Set<InputPosition> visible) {

    public ViewResponse {
        partitions = Collections.unmodifiableSortedSet(new TreeSet<>(partitions));
        lags = Collections.unmodifiableSortedMap(new TreeMap<>(lags));
        visible = Collections.unmodifiableSet(new LinkedHashSet<>(visible));
    }
}
