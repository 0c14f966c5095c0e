package dev.parley.sql;

import dev.parley.cli.SqlEngine.Limits;
import dev.parley.cli.io.NewDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBDriver;

/**
 * A DuckDB database in a temporary directory that only this user can read, deleted at the end, also after Ctrl-C. It
 * loads no extensions. Not thread-safe.
 */
record Database(NewDirectory directory, DuckDBConnection connection) implements AutoCloseable {
    private static final List<String> NO_EXTENSIONS = List.of(
            "SET autoinstall_known_extensions = false",
            "SET autoload_known_extensions = false",
            "SET allow_community_extensions = false",
            "SET allow_unsigned_extensions = false");

    /** Creates an empty database. */
    static Database open(Limits limits) throws IOException, SQLException {
        NewDirectory directory = NewDirectory.temporary("parley-sql-");
        // The driver unpacks its library into a temporary file, and then has the JVM delete it at its end.
        directory.uninterrupted(Database::loadLibrary);
        try {
            Properties settings = new Properties();
            settings.setProperty(DuckDBDriver.JDBC_STREAM_RESULTS, "true");
            settings.setProperty("allow_unsigned_extensions", "false");
            DuckDBConnection connection = DriverManager.getConnection(
                            "jdbc:duckdb:" + directory.path("tables.duckdb"), settings)
                    .unwrap(DuckDBConnection.class);
            Database database = new Database(directory, connection);
            try {
                for (String statement : NO_EXTENSIONS) {
                    database.execute(statement);
                }
                database.execute("SET extension_directory = " + literal(database.file("none")));
                database.execute("SET temp_directory = " + literal(database.file("spilled")));
                database.execute("SET max_temp_directory_size = '" + limits.diskMegabytes() + "MiB'");
                database.execute("SET memory_limit = '" + limits.memoryMegabytes() + "MiB'");
                database.execute("SET threads = " + limits.threads());
                database.execute("SET TimeZone = 'UTC'");
                return database;
            } catch (SQLException e) {
                database.close();
                throw e;
            }
        } catch (SQLException e) {
            directory.close();
            throw e;
        }
    }

    private static void loadLibrary() {
        try {
            Class.forName("org.duckdb.DuckDBNative");
        } catch (ClassNotFoundException e) {
            throw new LinkageError("the driver of DuckDB has another structure", e);
        }
    }

    /** A string in SQL. */
    static String literal(Object value) {
        return '\'' + value.toString().replace("'", "''") + '\'';
    }

    /** A path for a file of this database. */
    Path file(String name) {
        return directory.path(name);
    }

    void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Allows statements to read this file, besides the database. Call before {@link #lock}. */
    void allow(Path file) throws SQLException {
        execute("SET allowed_paths = [" + literal(file.toAbsolutePath()) + "]");
    }

    /** Denies all later statements other files, the network, extensions, and changes of settings. */
    void lock() throws SQLException {
        execute("SET enable_external_access = false");
        execute("SET lock_configuration = true");
    }

    @Override
    public void close() throws IOException, SQLException {
        try (directory) {
            connection.close();
        }
    }
}
