package dev.parley.load.cost;

import java.lang.management.ManagementFactory;
import java.util.Arrays;

/** Samples of the processor time of this thread in microseconds, which excludes other programs. */
final class CpuSamples {
    private final double[] samples;
    private int count;

    CpuSamples(int most) {
        this.samples = new double[most];
    }

    static long now() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    void add(long since) {
        samples[count++] = (now() - since) / 1_000.0;
    }

    /** The quantile of the samples for a share. */
    double quantile(double share) {
        double[] sorted = Arrays.copyOf(samples, count);
        Arrays.sort(sorted);
        return sorted[(int) Math.min(count - 1L, Math.round(share * count))];
    }

    double mean() {
        return Arrays.stream(samples, 0, count).average().orElse(0);
    }
}
