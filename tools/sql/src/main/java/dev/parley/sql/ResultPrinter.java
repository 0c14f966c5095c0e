package dev.parley.sql;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.cli.io.OutputOptions;
import dev.parley.cli.io.Table;
import dev.parley.codec.ControlCharacters;
import dev.parley.json.ApiJson;
import java.math.BigDecimal;
import java.sql.Array;
import java.sql.Blob;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TimeZone;
import org.duckdb.DuckDBStruct;

/** Prints the rows of a query while DuckDB computes them. */
final class ResultPrinter {
    private static final ObjectMapper JSON = new ObjectMapper();

    private ResultPrinter() {}

    /** Prints all rows. */
    static void print(String sql, Database database, OutputOptions output) throws SQLException {
        // The driver returns times as java.sql.Timestamp, which has no times that the default time zone skips.
        TimeZone before = TimeZone.getDefault();
        TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
        try {
            printInUtc(sql, database, output);
        } finally {
            TimeZone.setDefault(before);
        }
    }

    private static void printInUtc(String sql, Database database, OutputOptions output) throws SQLException {
        try (Statement statement = database.connection().createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            List<String> names = names(result.getMetaData());
            List<Table.Column<Map<String, Object>>> columns = names.stream()
                    .map(name -> Table.Column.<Map<String, Object>>of(
                            ControlCharacters.escape(name), row -> cell(row.get(name))))
                    .toList();
            try (OutputOptions.Rows<Map<String, Object>> rows = output.rows(columns)) {
                while (result.next()) {
                    Map<String, Object> row = new LinkedHashMap<>();
                    for (int i = 0; i < names.size(); i++) {
                        row.put(names.get(i), plain(result.getObject(i + 1)));
                    }
                    rows.accept(row);
                }
            }
        }
    }

    /** The names of the columns, each of which becomes a key: a repeated one gets a number. */
    private static List<String> names(ResultSetMetaData metadata) throws SQLException {
        Set<String> names = new LinkedHashSet<>();
        for (int i = 1; i <= metadata.getColumnCount(); i++) {
            String name = metadata.getColumnLabel(i);
            for (int number = 2; !names.add(name); number++) {
                name = metadata.getColumnLabel(i) + '_' + number;
            }
        }
        return new ArrayList<>(names);
    }

    private static Object cell(Object value) {
        return value instanceof Collection<?> || value instanceof Map<?, ?> ? ApiJson.text(value) : value;
    }

    /** A value that Jackson writes: times in UTC as ISO 8601, bytes as lower-case hexadecimal. */
    private static Object plain(Object value) throws SQLException {
        if (value instanceof Timestamp time) {
            return plain(time.toLocalDateTime());
        } else if (value instanceof LocalDateTime time) {
            return time.toInstant(ZoneOffset.UTC).toString();
        } else if (value instanceof OffsetDateTime time) {
            return time.toInstant().toString();
        } else if (value instanceof Blob blob) {
            return plain(blob.getBytes(1, (int) blob.length()));
        } else if (value instanceof byte[] bytes) {
            return HexFormat.of().formatHex(bytes);
        } else if (value instanceof Array array) {
            List<Object> items = new ArrayList<>();
            for (Object item : (Object[]) array.getArray()) {
                items.add(plain(item));
            }
            return items;
        } else if (value instanceof DuckDBStruct struct) {
            return plain(struct.getMap());
        } else if (value instanceof Map<?, ?> map) {
            Map<String, Object> object = new LinkedHashMap<>();
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                object.put(String.valueOf(entry.getKey()), plain(entry.getValue()));
            }
            return object;
        } else if (value instanceof org.duckdb.JsonNode json) {
            return json(json.toString());
        } else if (value instanceof BigDecimal number) {
            BigDecimal shortest = number.stripTrailingZeros();
            return shortest.scale() < 0 ? shortest.setScale(0) : shortest;
        }
        boolean isNumber = value instanceof Number number && Double.isFinite(number.doubleValue());
        // JSON has neither NaN nor infinity.
        return value == null || value instanceof Boolean || isNumber ? value : value.toString();
    }

    private static Object json(String text) {
        try {
            return JSON.readValue(text, Object.class);
        } catch (JsonProcessingException e) {
            return text;
        }
    }
}
