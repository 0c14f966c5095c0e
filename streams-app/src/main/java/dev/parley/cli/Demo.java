package dev.parley.cli;

import dev.parley.config.ParleyConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;

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
     * @param config what command line, environment and configuration file set; its addresses are those to listen on
     * @param exit whether it ends after the report
     * @param verbose whether the report has tables of all conversations and dead letters
     * @param token whether the HTTP API requires a token, of which the demo creates one
     * @param data directory that outlives the demo; empty for a temporary one
     */
    record Options(ParleyConfig config, boolean exit, boolean verbose, boolean token, Optional<Path> data) {}
}
