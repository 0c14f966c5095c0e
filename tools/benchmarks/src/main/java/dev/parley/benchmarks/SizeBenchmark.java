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
 * Configuration of the benchmarks over single messages of several sizes. The young generation holds many records of the
 * largest messages. Otherwise the collector would repeatedly copy the incomplete record of a large message but never of
 * a small one, and the benchmark would measure the growth of that cost.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
        value = 1,
        jvmArgsAppend = {"-XX:+UseParallelGC", "-Xms4g", "-Xmx4g", "-Xmn3g"})
@Warmup(iterations = 3, time = 600, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 20, time = 150, timeUnit = TimeUnit.MILLISECONDS)
public abstract class SizeBenchmark {}
