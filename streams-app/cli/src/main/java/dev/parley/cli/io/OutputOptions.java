package dev.parley.cli.io;

import java.io.PrintWriter;
import java.util.List;
import java.util.function.Consumer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The output format of a command: a table on a terminal, JSON lines elsewhere. */
public final class OutputOptions {
    /** The sentence about both formats in the help of each command. */
    public static final String HELP = "Prints a table on a terminal and JSON lines elsewhere.";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(names = "--json", description = "Prints JSON lines even on a terminal.")
    private boolean json;

    @Option(names = "--table", description = "Prints a table even without a terminal.")
    private boolean table;

    private Rows<?> printed;

    /** Whether {@code --json} was given. */
    public boolean isJson() {
        return json;
    }

    /** Whether a person reads the output. */
    public boolean isTable() {
        return !json && (table || Terminal.isOutput());
    }

    /** A printer of objects, as rows of a table or as JSON lines; close it after the last one. */
    public <T> Rows<T> rows(List<Table.Column<T>> columns) {
        if (!isTable()) {
            JsonLines lines = new JsonLines();
            return new Rows<>(lines::write, lines::flush);
        }
        PrintWriter out = spec.commandLine().getOut();
        Table<T> table = new Table<>(out, Terminal.width(), Terminal.hasColor(), columns);
        Rows<T> rows = new Rows<>(table::add, table::flush);
        printed = rows;
        return rows;
    }

    /** Whether the command printed a table without rows, which shows nothing. */
    public boolean isEmptyTable() {
        return printed != null && printed.count() == 0;
    }

    /** Prints objects one by one, and counts them. */
    public static final class Rows<T> implements Consumer<T>, AutoCloseable {
        private final Consumer<T> each;
        private final Runnable flush;
        private long count;

        private Rows(Consumer<T> each, Runnable flush) {
            this.each = each;
            this.flush = flush;
        }

        /** Number of the printed objects. */
        public long count() {
            return count;
        }

        @Override
        public void accept(T object) {
            count++;
            each.accept(object);
        }

        /** Shows the objects so far. */
        public void flush() {
            flush.run();
        }

        @Override
        public void close() {
            flush();
        }
    }
}
