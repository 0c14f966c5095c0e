package dev.parley.server.http;

import java.time.Instant;
import java.util.Optional;

/** Records who reads what. Thread-safe. Its methods do not block, because they are called by requests. */
public interface AccessLog {

    /**
     * Reserves room for the entry of one read, before anything is read.
     *
     * @return the entry, which must be written or released; empty if there is no room, so that the read must be refused
     */
    Optional<Entry> reserve();

    /** A reserved entry. */
    interface Entry {

        /** Writes the entry in the background. Only the first call has an effect. */
        void write(Access access);
    }

    /**
     * One read.
     *
     * @param time when the request arrived
     * @param principal name of the caller
     * @param role role of the caller
     * @param route path of the route, with names in braces
     * @param target path and query of the request, as sent and possibly cut
     * @param conversation name of the audit chain of the conversation that was read; null if the read is not about one
     *     conversation
     * @param status HTTP status of the answer; 0 if the client received none
     */
    record Access(
            Instant time,
            String principal,
            String role,
            String route,
            String target,
            String conversation,
            int status) {}
}
