package dev.parley.tap;

import java.io.IOException;
import java.util.List;

/** Takes records to Parley. Used by one thread. */
interface Receiver extends AutoCloseable {

    /** Opens a receiver. */
    @FunctionalInterface
    interface Opener {
        /** @throws IOException if it cannot be opened now */
        Receiver open() throws IOException;
    }

    /**
     * Delivers records in their order, and waits until each is acknowledged or refused.
     *
     * @return the records that were refused permanently
     * @throws IOException if the receiver is unavailable; the batch may be delivered again. After a
     *     {@link RuntimeException}, only by another receiver
     */
    List<Captured> deliver(Batch batch) throws IOException, InterruptedException;

    /** Closes it. May wait for deliveries until the thread is interrupted. */
    @Override
    default void close() {}
}
