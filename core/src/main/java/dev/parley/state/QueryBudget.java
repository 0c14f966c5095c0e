package dev.parley.state;

/** Bounds the memory and the answer of one query. What its methods throw ends the query. For one thread. */
public interface QueryBudget {

    /** No bounds, for a conversation that is in memory anyway. */
    QueryBudget UNLIMITED = new QueryBudget() {
        @Override
        public void reserve(long bytes) {}

        @Override
        public void retain(long bytes) {}

        @Override
        public long left() {
            return Long.MAX_VALUE;
        }

        @Override
        public boolean add(Item item, boolean first) {
            return true;
        }
    };

    /** An item of a page. */
    sealed interface Item permits StateEntry, EntryChange, CheckpointSummary, Head {}

    /**
     * A branch head.
     *
     * @param id ID of the checkpoint
     */
    record Head(String id) implements Item {}

    /** Reserves memory for a state of this many bytes that is about to be read. */
    void reserve(long bytes);

    /** Reserves memory for a folded state that has grown to this many bytes. */
    void retain(long bytes);

    /** Bytes that are left for items. */
    long left();

    /**
     * Adds an item to the page if it fits.
     *
     * @param first whether the page cannot do without it, because the next page would start with it again
     * @return whether it is part of the page; true if it is the first
     */
    boolean add(Item item, boolean first);
}
