package dev.parley.state;

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

    /** The state as of a moment. */
    StateAsOf at(Moment moment);

    /** A page of the changes of an entry up to a moment. */
    StateAnswer.History history(String entry, Moment at, Optional<String> cursor, int limit);

    /** Whether hidden or redacted messages were left out of what was read so far. */
    boolean redacted();
}
