package dev.parley.state;

import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Function;

/** Reads the states of one conversation for one query. Not thread-safe. */
interface StateReader {

    /**
     * A state.
     *
     * @param asOf the resolved point in time; null before the first message
     * @param entries values by entry name
     * @param origins origins of existing entries
     */
    record StateAsOf(StatePoint asOf, SortedMap<String, String> entries, Function<String, ChangeOrigin> origins) {}

    StateAsOf at(PointInTime moment);

    /** Returns the point that a point in time resolves to; null before the first message. */
    default StatePoint point(PointInTime moment) {
        return at(moment).asOf();
    }

    /** Returns the other branch heads of a state, as {@link StateAnswer.State#otherHeads} describes. */
    default List<String> otherHeads(PointInTime moment, StatePoint asOf) {
        return List.of();
    }

    /** Returns a page of the changes of an entry up to a point in time. */
    StateAnswer.History history(String entry, PointInTime at, Optional<String> cursor, int limit);

    /** Whether hidden or redacted messages were excluded so far. */
    boolean redacted();
}
