package dev.parley.server.cluster;

import dev.parley.audit.InputPosition;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Consistency that a caller requires of a read.
 *
 * @param stale whether standbys may answer if the owner is unavailable
 * @param atLeast input positions that must be visible in the answer
 */
public record ReadConsistency(boolean stale, Set<InputPosition> atLeast) {

    /** Reads from owners only, without required positions. */
    public static final ReadConsistency OWNER = new ReadConsistency(false, Set.of());

    /** Copies the set, in its order. */
    public ReadConsistency {
        atLeast = Collections.unmodifiableSet(new LinkedHashSet<>(atLeast));
    }
}
