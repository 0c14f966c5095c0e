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
 * One operation is the whole sample conversation of a protocol, message by message. So every ratio weights the kinds of
 * messages as traffic does, and no branch sees the same message twice in a row.
 *
 * <p>The collector stops the thread to copy live data, which is almost none here, so its cost is proportional to
 * allocation. A concurrent collector would affect only one side of a ratio.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
        value = 3,
        jvmArgsAppend = {"-XX:+UseParallelGC", "-Xms1g", "-Xmx1g", "-Xmn768m"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 4, time = 1)
public abstract class ConversationBenchmark {}
