package dev.parley.state;

import dev.parley.checkpoint.StateDiff;
import dev.parley.decode.ConversationKey;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;

/**
 * Result of a query about the states of one conversation. Immutable. In all results, {@code protocol} is the symbol of
 * the protocol, {@code kind} the kind of the states, {@code at} the requested point in time, {@code asOf} the point
 * that it resolved to (null before the first message), {@code next} the cursor of the next page (null on the last), and
 * {@code redacted} whether messages were excluded because they are redacted or hidden from the caller.
 *
 * <p>Components of {@link Blame}, {@link History}, {@link Tree}, {@link Knowledge} and their items have the names and
 * order of the keys of the HTTP API, which writes them as they are.
 */
public sealed interface StateAnswer {

    /** A page of a list. */
    sealed interface Page<T> extends StateAnswer {

        List<T> items();

        /** Cursor of the next page; null if this is the last. */
        String next();
    }

    /**
     * The state as of a point in time.
     *
     * @param otherHeads IDs of branch heads besides {@code asOf}, at most {@link #MAX_OTHER_HEADS}; empty unless the
     *     point in time is the latest one of a CSP context
     * @param entries values by the names of the entries
     */
    record State(
            ConversationKey conversation,
            StateKind kind,
            PointInTime at,
            @Nullable StatePoint asOf,
            List<String> otherHeads,
            SortedMap<String, String> entries,
            boolean redacted)
            implements StateAnswer {

        /** Maximum number of other branch heads; agents choose their number. */
        public static final int MAX_OTHER_HEADS = 16;

        /** Makes the entries unmodifiable. */
        public State {
            otherHeads = List.copyOf(otherHeads);
            entries = Collections.unmodifiableSortedMap(entries);
        }
    }

    /** The point that a point in time resolves to. */
    record Point(
            ConversationKey conversation,
            StateKind kind,
            PointInTime at,
            @Nullable StatePoint asOf,
            boolean redacted) implements StateAnswer {}

    /**
     * A page of the entries of a state, with their origins.
     *
     * @param items the entries by name
     */
    record Blame(
            String namespace,
            String protocol,
            String conversation,
            String kind,
            String at,
            @Nullable StatePoint asOf,
            List<StateEntry> items,
            @Nullable String next,
            boolean redacted)
            implements Page<StateEntry> {

        public Blame {
            items = copy(items);
        }
    }

    /**
     * Difference between the states as of two points in time.
     *
     * @param from first requested point in time
     * @param to second requested point in time
     * @param fromAsOf point that the first resolved to
     * @param toAsOf point that the second resolved to
     * @param diff difference from the first state to the second
     */
    record Difference(
            ConversationKey conversation,
            StateKind kind,
            PointInTime from,
            PointInTime to,
            StatePoint fromAsOf,
            StatePoint toAsOf,
            StateDiff diff,
            boolean redacted)
            implements StateAnswer {}

    /**
     * A page of the changes of one entry, latest first.
     *
     * @param entry name of the entry
     * @param at point in time at which the history ends
     * @param pruned the checkpoint at which the history ends because it was pruned; null otherwise
     */
    record History(
            String namespace,
            String protocol,
            String conversation,
            String kind,
            String entry,
            String at,
            List<EntryChange> items,
            @Nullable String next,
            @Nullable Pruned pruned,
            boolean redacted)
            implements Page<EntryChange> {

        public History {
            items = copy(items);
        }
    }

    /**
     * A pruned checkpoint.
     *
     * @param checkpoint its ID
     * @param at record time at which it was pruned
     */
    record Pruned(String checkpoint, Instant at) {}

    /**
     * A page of the checkpoints of a CSP context, in the order of application.
     *
     * @param heads IDs of the branch heads of the context, as many as fit
     */
    record Tree(
            String namespace,
            String protocol,
            String conversation,
            List<CheckpointSummary> items,
            List<String> heads,
            @Nullable String next)
            implements Page<CheckpointSummary> {

        public Tree {
            items = copy(items);
            heads = copy(heads);
        }
    }

    /**
     * The entries that a conversation had shown an agent up to a time, or as many as fit on a page.
     *
     * @param entries entries by name
     * @param partial whether entries may be missing, because messages or checkpoints were pruned or exceed the bounds
     */
    record Knowledge(
            String namespace,
            String protocol,
            String conversation,
            List<ShownEntry> entries,
            boolean redacted,
            boolean partial)
            implements StateAnswer {

        public Knowledge {
            entries = copy(entries);
        }

        /** Whether the conversation showed something, or something was omitted. */
        public boolean hasContent() {
            return !entries.isEmpty() || redacted || partial;
        }

        /** Returns this answer with some of the entries. */
        public Knowledge with(List<ShownEntry> part) {
            return new Knowledge(namespace, protocol, conversation, part, redacted, partial);
        }
    }

    /** Copies a list; a reader of JSON may lack one. */
    private static <T> List<T> copy(List<T> list) {
        return list == null ? List.of() : List.copyOf(list);
    }
}
