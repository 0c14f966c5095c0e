package dev.parley.topology.views.read;

import dev.parley.topology.views.store.ViewsUnavailableException;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;

/** The views on this instance: the partitions that it owns, and its standbys. */
public interface LocalViews {

    /** Views of the partitions that this instance owns, without standbys. */
    Views active();

    /** Views of all partitions on this instance, including standbys and stores that are being restored. */
    Views withStandbys();

    /**
     * Views whose lists read exactly these partitions of a store.
     *
     * @param partitions partitions to read; a list throws {@link ViewsUnavailableException} if one cannot be read
     * @param standbys whether to read standbys too
     */
    Views of(String store, Set<Integer> partitions, boolean standbys);

    /** The partitions of a store that this instance owns and can read now. */
    SortedSet<Integer> readable(String store);

    /** Lag of each partition of a store on this instance, as last measured; in changes. */
    SortedMap<Integer, Long> lags(String store);
}
