package dev.parley.server.cluster;

import dev.parley.audit.InputPosition;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.common.utils.Bytes;

/**
 * A request of the peer protocol; {@link PeerJson} writes it. The {@link PeerAssertion} names the caller, and covers
 * the request.
 *
 * @param operation name of the operation
 * @param subject path parameters, such as namespace and conversation
 * @param parameters query parameters
 * @param after store key after which a list continues; empty for its start
 * @param limit maximum number of items of a list; 0 for other operations
 * @param standbys partitions to read from standbys; empty to read the partitions that the peer owns
 * @param atLeast input positions that must be visible
 * @param namespaces namespaces of the caller; empty for all, and before it is sent {@link #within} them
 */
public record PeerRequest(
        String operation,
        Map<String, String> subject,
        Map<String, String> parameters,
        Optional<Bytes> after,
        int limit,
        SortedSet<Integer> standbys,
        Set<InputPosition> atLeast,
        Optional<Set<String>> namespaces) {

    /** Maximum number of items of a list. */
    public static final int MAX_LIMIT = 1_000;

    /** Maximum number of input positions. */
    public static final int MAX_POSITIONS = 64;

    /**
     * Copies the collections, and sorts the maps.
     *
     * @throws IllegalArgumentException if there are more than {@link #MAX_POSITIONS} input positions
     */
    public PeerRequest {
        if (atLeast.size() > MAX_POSITIONS) {
            throw new IllegalArgumentException("at most " + MAX_POSITIONS + " positions are allowed");
        }
        // An answer may depend on the order: the first unknown parameter is named.
        subject = Collections.unmodifiableMap(new TreeMap<>(subject));
        parameters = Collections.unmodifiableMap(new TreeMap<>(parameters));
        standbys = Collections.unmodifiableSortedSet(new TreeSet<>(standbys));
        atLeast = Collections.unmodifiableSet(new LinkedHashSet<>(atLeast));
    }

    /** A request to an owner, for anything other than a list. */
    public static PeerRequest of(String operation, Map<String, String> subject) {
        return new PeerRequest(
                operation, subject, Map.of(), Optional.empty(), 0, new TreeSet<>(), Set.of(), Optional.empty());
    }

    /** The request on behalf of a caller with these namespaces. */
    PeerRequest within(Optional<Set<String>> bound) {
        return new PeerRequest(operation, subject, parameters, after, limit, standbys, atLeast, bound);
    }

    /** The subject of a request about an input position. */
    public static Map<String, String> subject(InputPosition position) {
        return Map.of(
                "topic", position.topic(),
                "partition", Integer.toString(position.partition()),
                "offset", Long.toString(position.offset()));
    }
}
