package dev.parley.cli;

import dev.parley.topology.config.ParleyConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;

/** The implementation of {@code parley demo}: a service of the module demo, which the container image does not have. */
public interface Demo {
    /**
     * Runs the demo until it has printed its report, or until a request to stop the process.
     *
     * @param out for the report
     * @param err for progress and errors
     * @return exit status of the command
     * @throws IOException if its directory cannot be used
     * @throws InterruptedException if the thread is interrupted
     */
    int run(Options options, PrintWriter out, PrintWriter err) throws IOException, InterruptedException;

    /**
     * Options of one run.
     *
     * @param config configuration from command line, environment and file, including the addresses to listen on
     * @param exit whether it ends after the report
     * @param token whether the HTTP API requires a token, which the demo creates
     * @param data directory that outlives the demo; empty for a temporary one
     */
    record Options(ParleyConfig config, boolean exit, boolean token, Optional<Path> data) {}
}
