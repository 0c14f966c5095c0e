package dev.parley.json;

import java.util.List;

/** A page of a list. */
public interface Paged<T> {

    List<T> items();

    /** Cursor of the next page; null if this is the last. */
    String next();
}
