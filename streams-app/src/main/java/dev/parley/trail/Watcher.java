package dev.parley.trail;

import dev.parley.audit.Fault;

/** Listener of a verification or an export. */
public interface Watcher {

    /** Reports a fault. */
    void found(Fault fault);

    /**
     * Reports progress.
     *
     * @param done records or bytes done
     * @param total records or bytes in total
     */
    void progress(long done, long total);
}
