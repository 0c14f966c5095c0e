package dev.parley.trail;

import dev.parley.audit.Fault;

/** Hears how a verification or an export goes. */
public interface Watcher {

    /** Something is wrong. */
    void found(Fault fault);

    /**
     * How far it is.
     *
     * @param done records, or bytes, done
     * @param total how many there are
     */
    void progress(long done, long total);
}
