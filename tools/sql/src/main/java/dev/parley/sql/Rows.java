package dev.parley.sql;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

/** Appends records to a table. Not thread-safe; close it before the table is read. */
final class Rows<T> implements AutoCloseable {
    /** DuckDB's timestamps are microseconds; the last value of each sign means infinity. */
    private static final long MAX_MILLIS = Long.MAX_VALUE / 1_000 - 1;

    /** Rows after which the appender writes, so that large values do not fill memory. */
    private static final int FLUSH_ROWS = 1_024;

    private static final long FLUSH_BYTES = 1 << 24;

    private final DuckDBAppender appender;
    private final List<Column<T>> columns;
    private long rows;
    private long bytes;

    Rows(Database database, String table, List<Column<T>> columns) throws IOException {
        this.columns = columns;
        try {
            this.appender = database.connection().createAppender(DuckDBConnection.DEFAULT_SCHEMA, table);
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    private static IOException failed(SQLException cause) {
        return new IOException("cannot fill a table: " + cause.getMessage(), cause);
    }

    void add(T record) throws IOException {
        try {
            appender.beginRow();
            for (Column<T> column : columns) {
                append(column, column.value().apply(record));
            }
            appender.endRow();
            rows++;
            if (rows % FLUSH_ROWS == 0 || bytes > FLUSH_BYTES) {
                bytes = 0;
                appender.flush();
            }
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    private void append(Column<T> column, Object value) throws SQLException {
        if (value == null) {
            appender.appendNull();
        } else if (value instanceof String text) {
            bytes += text.length();
            appender.append(text);
        } else if (value instanceof Integer number) {
            appender.append(number.intValue());
        } else if (value instanceof Long number) {
            appender.append(number.longValue());
        } else if (value instanceof Boolean flag) {
            appender.append(flag.booleanValue());
        } else if (value instanceof Instant time) {
            appender.appendEpochMicros(micros(time));
        } else if (value instanceof byte[] some) {
            bytes += some.length;
            appender.append(some);
        } else if (value instanceof Collection<?> items) {
            appender.append(items);
        } else {
            throw new IllegalArgumentException("column " + column.name() + " cannot have a " + value.getClass());
        }
    }

    /** The nearest time that DuckDB can represent. */
    private static long micros(Instant time) {
        long millis = Math.max(-MAX_MILLIS, Math.min(MAX_MILLIS, time.toEpochMilli()));
        return millis * 1_000;
    }

    @Override
    public void close() throws IOException {
        try {
            appender.close();
        } catch (SQLException e) {
            throw failed(e);
        }
    }
}
