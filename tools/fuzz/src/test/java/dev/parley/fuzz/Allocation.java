package dev.parley.fuzz;

import static dev.parley.fuzz.Promise.require;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.Supplier;

/**
 * Limits the memory that the work on one input may allocate to a constant plus a number of bytes per input byte. Finds
 * memory that depends on a number in the input, and growth faster than the input's.
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
     * The limit of decoders. Records of many short parts need most: up to 75 bytes per byte of "{a:b}{a:b}…". Under the
     * fuzzer the limit is wider, because its probes allocate on the same thread: for each lookup in a map, they go
     * through up to 100 keys.
     */
    static Allocation ofDecoders() {
        return Seeds.FUZZING ? new Allocation(64 << 10, 16_384) : new Allocation(4 << 10, 128);
    }

    /**
     * Does the work, and fails if it allocates beyond the limit. Repeats it once, because loading classes costs memory
     * the first time.
     */
    <T> T within(int inputBytes, Supplier<T> work) {
        long most = constant + perByte * inputBytes;
        long before = THREADS.getCurrentThreadAllocatedBytes();
        T result = work.get();
        if (THREADS.getCurrentThreadAllocatedBytes() - before > most) {
            before = THREADS.getCurrentThreadAllocatedBytes();
            result = work.get();
            long again = THREADS.getCurrentThreadAllocatedBytes() - before;
            require(
                    again <= most,
                    "%d bytes of input cost %d bytes of memory; the maximum is %d",
                    inputBytes,
                    again,
                    most);
        }
        return result;
    }
}
