package dev.parley.fuzz;

import static dev.parley.fuzz.Promise.require;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.Supplier;

/**
 * A bound on what the work on one input may allocate: a constant and so many bytes for each byte of the input. What it catches is memory by a number that the input merely
 * names, and growth faster than the input's.
 */
final class Allocation {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final long constant;
    private final long perByte;

    Allocation(long constant, long perByte) {
        this.constant = constant;
        this.perByte = perByte;
    }

    /**
     * The bound of decoders. Records of many short parts weigh most: up to 75 bytes for each byte of "{a:b}{a:b}…". Under the fuzzer the bound is wider, since its probes
     * allocate on the same thread.
     */
    static Allocation ofDecoders() {
        return Seeds.FUZZING ? new Allocation(64 << 10, 4_096) : new Allocation(4 << 10, 128);
    }

    /** Does the work, and fails when it allocates beyond the bound; what loading classes costs the first time does not count. */
    <T> T within(int inputBytes, Supplier<T> work) {
        long most = constant + perByte * inputBytes;
        long before = THREADS.getCurrentThreadAllocatedBytes();
        T result = work.get();
        if (THREADS.getCurrentThreadAllocatedBytes() - before > most) {
            before = THREADS.getCurrentThreadAllocatedBytes();
            result = work.get();
            long again = THREADS.getCurrentThreadAllocatedBytes() - before;
            require(again <= most, "%d bytes of input cost %d bytes of memory; at most %d", inputBytes, again, most);
        }
        return result;
    }
}
