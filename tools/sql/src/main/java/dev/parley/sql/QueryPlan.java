package dev.parley.sql;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * A query that only reads.
 *
 * @param tables lower-case names of the tables that it may read, and perhaps of others
 */
record QueryPlan(Set<String> tables) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Functions that run the SQL in their arguments, which may name more tables. */
    private static final Set<String> OF_SQL =
            Set.of("query", "query_table", "json_execute_serialized_sql", "sql_auto_complete");

    /** A query that is not one SELECT statement. */
    static final class InvalidQueryException extends Exception {
        private static final long serialVersionUID = 1L;

        InvalidQueryException(String message) {
            super(message);
        }
    }

    /**
     * Parses a query, and checks its names. Runs nothing.
     *
     * @throws InvalidQueryException if it is something else than one SELECT statement
     * @throws SQLException if its syntax or a name is wrong
     */
    static QueryPlan of(String sql, Database database) throws SQLException, InvalidQueryException {
        JsonNode parsed = parse(sql, database);
        if (parsed.path("error").asBoolean()
                && !parsed.path("error_type").asText().equals("parser")) {
            throw new InvalidQueryException("the query must be a SELECT statement. It cannot change anything");
        }
        if (parsed.path("statements").size() > 1) {
            throw new InvalidQueryException("the query must be one statement, but has "
                    + parsed.path("statements").size());
        }
        Set<String> tables = new TreeSet<>();
        collect(parsed, tables);
        // Reports syntax errors and unknown names at their position.
        try (PreparedStatement prepared = database.connection().prepareStatement(sql)) {
            return new QueryPlan(tables);
        }
    }

    private static JsonNode parse(String sql, Database database) throws SQLException {
        try (PreparedStatement parse =
                database.connection().prepareStatement("SELECT json_serialize_sql(?::VARCHAR)::VARCHAR")) {
            parse.setString(1, sql);
            try (ResultSet parsed = parse.executeQuery()) {
                parsed.next();
                return JSON.readTree(parsed.getString(1));
            }
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("DuckDB's form of the query is not JSON", e);
        }
    }

    private static void collect(JsonNode node, Set<String> tables) throws InvalidQueryException {
        String function = node.path("function_name").asText().toLowerCase(Locale.ROOT);
        if (OF_SQL.contains(function)) {
            throw new InvalidQueryException("the query must not use the function " + function);
        }
        if (node.path("table_name").isTextual()) {
            tables.add(node.path("table_name").asText().toLowerCase(Locale.ROOT));
        }
        for (JsonNode child : node) {
            collect(child, tables);
        }
    }
}
