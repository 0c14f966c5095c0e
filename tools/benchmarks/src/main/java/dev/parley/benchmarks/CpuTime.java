package dev.parley.benchmarks;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Measures the processor time of the measuring thread per operation. Unlike wall-clock time, it excludes the time of
 * other programs, so ratios are meaningful on a busy machine. It also excludes pauses of garbage collection.
 */
public final class CpuTime implements InternalProfiler {
    /** Name of the metric in the results. */
    public static final String METRIC = "cpu.time.norm";

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private long before;

    /** For JMH, which creates profilers by class name. */
    public CpuTime() {}

    @Override
    public String getDescription() {
        return "processor time of the measuring thread for each operation";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        before = workersTime();
    }

    @Override
    public Collection<? extends Result<?>> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        double nanos = (double) (workersTime() - before) / result.getMetadata().getAllOps();
        return List.of(new ScalarResult(METRIC, nanos, "ns/op", AggregationPolicy.AVG));
    }

    private long workersTime() {
        long nanos = 0;
        for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
            if (thread != null && thread.getThreadName().contains("jmh-worker")) {
                nanos += threads.getThreadCpuTime(thread.getThreadId());
            }
        }
        return nanos;
    }
}
