package dev.parley.cli.io;

import dev.parley.codec.ControlCharacters;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** What all commands have: their output, their errors, and checks of their options. */
public abstract class BaseCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    /** Standard output, for text. */
    protected final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    /** The error output. */
    protected final PrintWriter err() {
        return spec.commandLine().getErr();
    }

    /** Prints a table that fits the terminal. */
    protected final <T> void printTable(Iterable<T> rows, List<Table.Column<T>> columns) {
        Table<T> table = new Table<>(out(), Terminal.width(), Terminal.hasColor(), columns);
        rows.forEach(table::add);
        table.flush();
    }

    /** Prints a table that fits the terminal. */
    @SafeVarargs
    protected final <T> void printTable(Iterable<T> rows, Table.Column<T>... columns) {
        printTable(rows, List.of(columns));
    }

    /** Prints an error or a note on one line, with the name of the command before it. */
    public final void report(String message) {
        err().println(spec.qualifiedName() + ": " + ControlCharacters.escape(message));
    }

    /** Prints an error on one line; returns the exit status 1. */
    protected final int failed(String message) {
        report(message);
        return 1;
    }

    /** What failed, for a person. */
    public String describe(Throwable failure) {
        return ErrorMessages.of(failure);
    }

    /** The exit status after a failure. */
    public int failedStatus() {
        return 1;
    }

    /**
     * Checks the value of an option.
     *
     * @param value null if the option is absent
     */
    protected static void requireAtLeast(String option, long minimum, Number value) {
        if (value != null && value.longValue() < minimum) {
            throw new UsageException(option + " must be an integer >= " + minimum + ", but was " + value);
        }
    }
}
