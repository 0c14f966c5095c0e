package dev.parley.query;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.state.Moment;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.function.Predicate;

/** The states of one conversation, whatever its protocol makes them of. */
interface StateReader {

    /**
     * The state as of a moment.
     *
     * @param asOf what the answer is as of: the last message, or the checkpoint; empty before the first
     * @param entries values by the names of the entries, in order
     * @param by who set an entry that is there
     */
    record Stand(Optional<ObjectNode> asOf, SortedMap<String, String> entries, Function<String, ObjectNode> by) {}

    /**
     * A change of an entry.
     *
     * @param value the new value; empty when the entry was taken away
     * @param by who changed it
     */
    record Step(Optional<String> value, ObjectNode by) {}

    /**
     * Where a part of a history ended.
     *
     * @param next cursor of what was before; empty when this is the beginning, or as far back as is known
     * @param pruned what came before and is no longer known; empty when nothing did
     */
    record Steps(Optional<String> next, Optional<ObjectNode> pruned) {}

    /** What these states are called: definitions, board, forms or terms. */
    String kind();

    Stand at(String parameter, Moment moment);

    /**
     * The changes of an entry, the latest first.
     *
     * @param page takes them one by one, at least the first; the page ends before one that it does not take
     */
    Steps history(String entry, Moment at, Optional<String> cursor, int limit, Predicate<Step> page);

    /** Puts a state as one of this kind is shown. */
    void show(ObjectNode answer, Map<String, String> entries);

    /** Whether something was left out that the caller may not see. To be asked after what was read. */
    boolean redacted();
}
