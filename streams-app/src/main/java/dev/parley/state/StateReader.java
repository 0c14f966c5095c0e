package dev.parley.state;

import dev.parley.state.StateAnswer.Pruned;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Function;

/** Reads the states of one conversation for one query. For one thread. */
interface StateReader {

    /**
     * A state.
     *
     * @param asOf the point that it is as of
     * @param entries values by the names of the entries
     * @param origins what set a present entry
     */
    record StateAsOf(StatePoint asOf, SortedMap<String, String> entries, Function<String, ChangeOrigin> origins) {}

    /**
     * A page of a history.
     *
     * @param changes the changes, latest first
     * @param next cursor of the next page; empty when this is the last
     * @param pruned the pruned checkpoint at which the history ends; empty when it does not
     */
    record HistoryPage(List<EntryChange> changes, Optional<String> next, Optional<Pruned> pruned) {}

    /** The state as of a moment. */
    StateAsOf at(Moment moment);

    /** The changes of an entry up to a moment. */
    HistoryPage history(String entry, Moment at, Optional<String> cursor, int limit);

    /** Whether hidden or redacted messages were left out of what was read so far. */
    boolean redacted();
}
