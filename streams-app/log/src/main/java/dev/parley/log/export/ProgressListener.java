package dev.parley.log.export;

import dev.parley.log.AuditFault;

/** Listener of a verification or an export. */
public interface ProgressListener {

    void found(AuditFault auditFault);

    /**
     * Reports progress.
     *
     * @param done records or bytes done
     * @param total records or bytes in total
     */
    default void progress(long done, long total) {}
}
