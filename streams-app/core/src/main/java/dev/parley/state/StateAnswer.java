package dev.parley.state;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.parley.decode.ConversationKey;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Result of a query about the states of one conversation. Immutable. In all results, {@code protocol} is the symbol of
 * the protocol, {@code kind} the kind of the states, {@code at} the requested point in time, {@code asOf} the point
 * that it resolved to (null before the first message), {@code next} the cursor of the next page (null on the last), and
 * {@code redacted} whether messages were excluded because they are redacted or hidden from the caller.
 *
 * <p>The components have the names and the order of the keys of the HTTP API, which writes the answers as they are.
 */
public sealed interface StateAnswer {

    /**
     * What a query asks about.
     *
     * @param protocol symbol of the protocol
     * @param kind kind of its states
     */
    record Subject(String namespace, String protocol, String conversation, String kind) {
        static Subject of(ConversationKey key, StateKind kind) {
            return new Subject(key.namespace(), key.symbol().name(), key.nameInViews(), kind.name());
        }
    }

    /** A page of a list. */
    sealed interface Page<T> extends StateAnswer {

        List<T> items();

        /** Cursor of the next page; null if this is the last. */
        String next();
    }

    /** The state as of a point in time: all of it, or a page of its entries. */
    sealed interface StateResult extends StateAnswer permits State, StatePage {}

    /**
     * The state as of a point in time.
     *
     * @param otherHeads IDs of branch heads besides {@code asOf}, at most {@link #MAX_OTHER_HEADS}; empty unless the
     *     point in time is the latest one of a CSP context
     * @param members the entries in the structure of their protocol, whose keys are keys of this object
     */
    record State(
            String namespace,
            String protocol,
            String conversation,
            String kind,
            String at,
            @Nullable StatePoint asOf,
            @JsonInclude(Include.NON_EMPTY) List<String> otherHeads,
            @JsonAnyGetter @JsonAnySetter Map<String, Object> members,
            boolean redacted)
            implements StateResult {
        /** Maximum number of other branch heads; agents choose their number. */
        public static final int MAX_OTHER_HEADS = 16;

        public State {
            otherHeads = copy(otherHeads);
        }
    }

    /**
     * A page of the entries of a state.
     *
     * @param otherHeads as in {@link State}
     * @param total number of entries in the state
     * @param items the entries by name
     */
    record StatePage(
            @JsonUnwrapped Subject about,
            String at,
            @Nullable StatePoint asOf,
            @JsonInclude(Include.NON_EMPTY) List<String> otherHeads,
            boolean redacted,
            long total,
            List<Entry> items,
            @Nullable String next)
            implements StateResult, Page<Entry> {

        public StatePage {
            otherHeads = copy(otherHeads);
            items = copy(items);
        }
    }

    /** An entry of a state. */
    record Entry(String entry, String value) {}

    /**
     * A page of the entries of a state, with their origins.
     *
     * @param items the entries by name
     */
    record Blame(
            @JsonUnwrapped Subject about,
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

    /** The difference between the states as of two points in time: all of it, or a page of its changes. */
    sealed interface DiffResult extends StateAnswer permits Diff, DiffPage {}

    /**
     * Difference between the states as of two points in time. All lists are in the order of the entries' names.
     *
     * @param from first requested point in time
     * @param to second requested point in time
     * @param fromAsOf point that the first resolved to
     * @param toAsOf point that the second resolved to
     * @param added entries only in the second state
     * @param changed entries with different values
     * @param removed entries only in the first state
     */
    record Diff(
            @JsonUnwrapped Subject about,
            String from,
            String to,
            @Nullable StatePoint fromAsOf,
            @Nullable StatePoint toAsOf,
            List<Entry> added,
            List<Changed> changed,
            List<Entry> removed,
            boolean redacted)
            implements DiffResult {}

    /** An entry with different values. */
    record Changed(
            String entry,
            @JsonProperty("old") String before,
            @JsonProperty("new") String after) {}

    /**
     * A page of the changes from one state to another.
     *
     * @param counts numbers of all changes
     * @param items the changes in the order of the entries' names
     */
    record DiffPage(
            @JsonUnwrapped Subject about,
            String from,
            String to,
            @Nullable StatePoint fromAsOf,
            @Nullable StatePoint toAsOf,
            boolean redacted,
            Counts counts,
            List<Difference> items,
            @Nullable String next)
            implements DiffResult, Page<Difference> {

        public DiffPage {
            items = copy(items);
        }
    }

    /** Numbers of changes. */
    record Counts(int added, int changed, int removed) {}

    /**
     * A change of one entry between two states.
     *
     * @param change ADDED, CHANGED or REMOVED
     */
    record Difference(
            String entry,
            String change,
            @JsonProperty("old") @Nullable String before,
            @JsonProperty("new") @Nullable String after) {}

    /**
     * A page of the changes of one entry, latest first.
     *
     * @param entry name of the entry
     * @param at point in time at which the history ends
     * @param pruned the checkpoint at which the history ends because it was pruned; null otherwise
     */
    record History(
            @JsonUnwrapped Subject about,
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
