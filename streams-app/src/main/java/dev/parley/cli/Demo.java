package dev.parley.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/** What {@code parley demo} runs. The module demo provides it as a service; the container image has none. */
public interface Demo {
    /**
     * Runs the demo until it has reported, or until the process is told to stop.
     *
     * @param out for the report
     * @param err for progress and errors
     * @return exit status of the command
     * @throws IOException when its directory cannot be used
     * @throws InterruptedException when the thread is interrupted
     */
    int run(Options options, PrintWriter out, PrintWriter err) throws IOException, InterruptedException;

    /**
     * Options of one run.
     *
     * @param exit whether it ends after the report
     * @param port port of the HTTP API; empty for the default, or any free one
     * @param data directory that outlives the demo; empty for a temporary one
     */
    record Options(boolean exit, OptionalInt port, Optional<Path> data) {}
}
