package dev.parley.benchmarks;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How the benchmarks over a story are run. The collector stops the thread to copy what lives, which is next to nothing here, so that collecting costs by what was
 * allocated; one that works beside the thread would weigh on one side of a ratio and not on the other.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
        value = 3,
        jvmArgsAppend = {"-XX:+UseParallelGC", "-Xms1g", "-Xmx1g", "-Xmn768m"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 4, time = 1)
public abstract class StoryBenchmark {}
