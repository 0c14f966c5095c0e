package dev.parley.state;

import java.util.function.BiPredicate;

/**
 * A budget with memory for everything, whose pages have only some items.
 *
 * @param fits whether an item is part of the page; its second argument is whether it would be the first
 */
record PageBudget(BiPredicate<Object, Boolean> fits) implements QueryBudget {
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
        return fits.test(item, first);
    }
}
