package dev.parley.server.http;

import dev.parley.codec.Excerpt;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/** Records who reads what. Thread-safe. Its methods do not block, because they are called by requests. */
public interface AccessLog {

    /**
     * Reserves room for the entry of one read, before anything is read.
     *
     * @return writes the entry in the background, and must be called once; empty if there is no room, so that the read
     *     must be refused
     */
    Optional<Consumer<Access>> reserve();

    /**
     * One read.
     *
     * @param time when the request arrived
     * @param principal name of the caller
     * @param role role of the caller
     * @param route path of the route, with names in braces
     * @param target path and query of the request, as sent and possibly cut
     * @param conversation name of the audit chain of the conversation that was read, possibly cut; null if the read is
     *     not about one conversation
     * @param status HTTP status of the answer; 0 if the client received none
     */
    record Access(
            Instant time, String principal, String role, String route, String target, String conversation, int status) {

        /** Maximum characters of a target, and of the name of a conversation. */
        private static final int MAX_NAME = 2_000;

        /** Cuts names that clients choose. */
        public Access {
            target = Excerpt.cut(target, MAX_NAME);
            conversation = Excerpt.cut(conversation, MAX_NAME);
        }
    }
}
