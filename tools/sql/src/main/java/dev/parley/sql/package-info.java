/**
 * SQL over the audit trail, and Parquet files, with DuckDB. Nothing depends on it; {@code parley sql} and {@code parley
 * export} find it as a service. Start reading at {@link dev.parley.sql.Tables}, the list of tables, and
 * {@link dev.parley.sql.DuckDbEngine}, which runs a query.
 */
package dev.parley.sql;
