package dev.parley.query.read;

import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** The views of this process. */
public interface LocalViews {

    /** What this process is the owner of, as it is when it is read. */
    Views active();

    /**
     * What lies here in whatever state: also copies for the case that an owner fails, and stores that are being
     * restored.
     */
    Views withStandbys();

    /**
     * Views whose lists have exactly these partitions of a store.
     *
     * @param store the store
     * @param partitions each is read, or the method that reads throws {@link ViewsUnavailableException}
     * @param copies whether copies do
     */
    Views of(String store, Set<Integer> partitions, boolean copies);

    /** The partitions of a store that this process is the owner of and can read. */
    SortedSet<Integer> readable(String store);

    /** The partitions of a store that lie here, and how many changes each lacked when that was measured last. */
    SortedMap<Integer, Long> lags(String store);

    /** Views that are whole, and always here. */
    static LocalViews whole(Views views) {
        return new LocalViews() {
            @Override
            public Views active() {
                return views;
            }

            @Override
            public Views withStandbys() {
                return views;
            }

            @Override
            public Views of(String store, Set<Integer> partitions, boolean copies) {
                return views;
            }

            @Override
            public SortedSet<Integer> readable(String store) {
                return new TreeSet<>(Set.of(0));
            }

            @Override
            public SortedMap<Integer, Long> lags(String store) {
                return new TreeMap<>();
            }
        };
    }
}
