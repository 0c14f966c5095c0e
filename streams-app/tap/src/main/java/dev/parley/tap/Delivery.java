package dev.parley.tap;

import java.io.IOException;
import java.util.List;

/** Delivers the batches of a source in their order, and repeats each one until the receiver has answered. */
final class Delivery {
    private static final long MIN_BACKOFF_MS = 100;
    private static final long MAX_BACKOFF_MS = 5_000;

    /** Time in which records gather: each delivery is a request, and in Parley a transaction. */
    private static final long GATHER_MS = 20;

    private Delivery() {}

    /** Has the batches. */
    interface Source {
        /** Waits for the next batch; null at the end. */
        Batch next() throws InterruptedException;

        /** Notes that a batch was delivered, except records that were refused permanently. */
        void delivered(Batch batch, List<Captured> refused);

        /** Whether it has no record now, and is not at its end. */
        default boolean isIdle() {
            return false;
        }

        /** Waits before another attempt, less at the end. */
        void pause(long ms) throws InterruptedException;
    }

    /** Runs until the source ends, or the thread is interrupted. The source reports what is left then. */
    static void run(Receiver.Opener opener, Source source) {
        Receiver receiver = null;
        try {
            Batch batch = source.next();
            long backoff = MIN_BACKOFF_MS;
            while (batch != null) {
                try {
                    receiver = receiver == null ? opener.open() : receiver;
                    source.delivered(batch, receiver.deliver(batch));
                    if (backoff > MIN_BACKOFF_MS) {
                        Console.say("the receiver is available again");
                    }
                    backoff = MIN_BACKOFF_MS;
                    if (source.isIdle()) {
                        Thread.sleep(GATHER_MS);
                    }
                    batch = source.next();
                } catch (IOException | RuntimeException e) {
                    if (e instanceof RuntimeException && receiver != null) {
                        receiver.close();
                        receiver = null;
                    }
                    if (backoff == MIN_BACKOFF_MS) {
                        Console.say("the receiver is unavailable; it is tried again: " + Console.reason(e));
                    }
                    backoff = Math.min(2 * backoff, MAX_BACKOFF_MS);
                    source.pause(backoff);
                }
            }
        } catch (InterruptedException e) {
            // The bounded wait at the end is over.
        } finally {
            if (receiver != null) {
                receiver.close();
            }
        }
    }
}
