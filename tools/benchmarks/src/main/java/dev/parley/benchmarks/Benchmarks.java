package dev.parley.benchmarks;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** Runs JMH with the options of its command line and {@code -prof gc}, and prints ratios of the results. */
public final class Benchmarks {
    private Benchmarks() {}

    /** Runs the benchmarks. */
    public static void main(String[] arguments) throws CommandLineOptionException, RunnerException {
        Options options = new OptionsBuilder()
                .parent(new CommandLineOptions(arguments))
                .addProfiler(GCProfiler.class)
                .build();
        new PrintStream(System.out, true, StandardCharsets.UTF_8)
                .print(new Ratios(new Runner(options).run()).markdown());
    }
}
