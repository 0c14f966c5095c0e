package dev.parley.state;

import dev.parley.checkpoint.StateDiff;
import dev.parley.decode.ConversationKey;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Result of a query about the states of one conversation. Immutable. In all results, {@code kind} is the kind of the
 * states, {@code at} the requested point in time, {@code asOf} the point that it resolved to, {@code next} the cursor
 * of the next page (empty on the last), and {@code redacted} whether messages were excluded because they are redacted
 * or hidden from the caller.
 */
public sealed interface StateAnswer {

    ConversationKey conversation();

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
            StatePoint asOf,
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
    record Point(ConversationKey conversation, StateKind kind, PointInTime at, StatePoint asOf, boolean redacted)
            implements StateAnswer {}

    /**
     * A page of the entries of a state, with their origins.
     *
     * @param entries the entries by name
     */
    record Blame(
            ConversationKey conversation,
            StateKind kind,
            PointInTime at,
            StatePoint asOf,
            List<StateEntry> entries,
            Optional<String> next,
            boolean redacted)
            implements StateAnswer {

        public Blame {
            entries = List.copyOf(entries);
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
     * @param pruned the checkpoint at which the history ends because it was pruned; empty otherwise
     */
    record History(
            ConversationKey conversation,
            StateKind kind,
            String entry,
            PointInTime at,
            List<EntryChange> changes,
            Optional<String> next,
            Optional<Pruned> pruned,
            boolean redacted)
            implements StateAnswer {

        public History {
            changes = List.copyOf(changes);
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
            ConversationKey conversation,
            List<CheckpointSummary> checkpoints,
            List<String> heads,
            Optional<String> next)
            implements StateAnswer {

        public Tree {
            checkpoints = List.copyOf(checkpoints);
            heads = List.copyOf(heads);
        }
    }

    /**
     * The entries that a conversation had shown an agent up to a time.
     *
     * @param entries entries by name
     * @param partial whether entries may be missing, because messages or checkpoints were pruned or exceed the bounds
     * @param bytesRead approximate bytes of the messages and states that were read
     */
    record Knowledge(
            ConversationKey conversation,
            SortedMap<String, ShownEntry> entries,
            boolean redacted,
            boolean partial,
            long bytesRead)
            implements StateAnswer {

        public Knowledge {
            entries = Collections.unmodifiableSortedMap(entries);
        }

        /** Whether the conversation showed nothing, and nothing was omitted. */
        public boolean isEmpty() {
            return entries.isEmpty() && !redacted && !partial;
        }
    }
}
