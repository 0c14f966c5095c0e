package dev.parley.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/** Compares the times that two sizes of an input take. */
public final class LinearTime {
    private static final int SMALL = 1 << 13;
    private static final int LARGE = 1 << 17;
    /** A quarter of the ratio of a quadratic cost, and four times that of a linear one. */
    private static final int MAX_RATIO = 64;

    private LinearTime() {}

    /** Fails if the time grows faster than the size of the input, in bytes. */
    public static void check(String name, IntFunction<byte[]> input, Consumer<byte[]> action) {
        byte[] small = input.apply(SMALL);
        byte[] large = input.apply(LARGE);
        long ofSmall = Long.MAX_VALUE;
        long ofLarge = Long.MAX_VALUE;
        // Other load on the machine only adds to a time, so the shortest of each counts.
        for (int round = 0; round < 2 || round < 50 && ofLarge >= MAX_RATIO * ofSmall; round++) {
            ofSmall = Math.min(ofSmall, nanos(action, small));
            ofLarge = Math.min(ofLarge, nanos(action, large));
        }
        assertThat(ofLarge).as(name).isLessThan(MAX_RATIO * ofSmall);
    }

    /** A text with as many copies of a piece between two others as the size allows. */
    public static byte[] repeated(String opening, String piece, String end, int size) {
        int copies = (size - opening.length() - end.length()) / piece.getBytes(UTF_8).length;
        return Arrays.copyOf((opening + piece.repeat(copies) + end).getBytes(UTF_8), size);
    }

    private static long nanos(Consumer<byte[]> action, byte[] input) {
        long start = System.nanoTime();
        action.accept(input);
        return System.nanoTime() - start;
    }
}
