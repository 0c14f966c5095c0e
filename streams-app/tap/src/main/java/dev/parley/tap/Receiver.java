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
     * @param batch one or more records
     * @return the records that were refused for good
     * @throws IOException if the receiver is unavailable; the same batch may be delivered again. After a
     *     {@link RuntimeException}, only by another receiver
     */
    List<Captured> deliver(List<Captured> batch) throws IOException, InterruptedException;

    /** Closes it without waiting. */
    @Override
    void close();
}
