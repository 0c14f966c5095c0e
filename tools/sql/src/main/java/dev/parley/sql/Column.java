package dev.parley.sql;

import java.util.function.Function;

/**
 * A column of a table that is filled from records.
 *
 * @param type its type in DuckDB
 * @param value returns null, a Boolean, Integer, Long, String, Instant, byte array, or list of strings
 */
record Column<T>(String name, String type, Function<T, Object> value) {

    /** The same column of another kind of record, which contains this one. */
    <S> Column<S> within(Function<S, T> part) {
        return new Column<>(name, type, record -> {
            T found = part.apply(record);
            return found == null ? null : value.apply(found);
        });
    }

    /** Declaration in CREATE TABLE. */
    String declaration() {
        return quotedName() + ' ' + type;
    }

    String quotedName() {
        return '"' + name + '"';
    }
}
