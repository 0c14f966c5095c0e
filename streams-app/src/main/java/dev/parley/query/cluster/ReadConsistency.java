package dev.parley.query.cluster;

import dev.parley.audit.InputPosition;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * How fresh an answer must be.
 *
 * @param stale whether standbys may answer where the owner cannot
 * @param atLeast input positions that must be visible in the answer
 */
public record ReadConsistency(boolean stale, Set<InputPosition> atLeast) {

    /** Owners only, whatever is visible. */
    public static final ReadConsistency OWNER = new ReadConsistency(false, Set.of());

    /** Copies the set, in its order. */
    public ReadConsistency {
        atLeast = Collections.unmodifiableSet(new LinkedHashSet<>(atLeast));
    }
}
