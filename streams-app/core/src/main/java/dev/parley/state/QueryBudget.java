package dev.parley.state;

/** Bounds the memory and the result size of one query. Exceptions of its methods end the query. Not thread-safe. */
public interface QueryBudget {

    /** No bounds, for a conversation in memory. */
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
        public boolean add(Object item, boolean first) {
            return true;
        }
    };

    /** Reserves memory for a state of this many bytes before it is read. */
    void reserve(long bytes);

    /** Reserves memory for a folded state that has grown to this many bytes. */
    void retain(long bytes);

    /** Bytes remaining for items. */
    long left();

    /**
     * Adds an item to the page if it fits.
     *
     * @param first whether this is the first item of the page, which is always added
     * @return whether the item is part of the page
     */
    boolean add(Object item, boolean first);
}
