package dev.parley.server.api.view;

import dev.parley.audit.InputPosition;
import dev.parley.server.auth.Caller;
import dev.parley.server.auth.MaskingPolicy;
import dev.parley.server.cluster.PeerRequest;
import dev.parley.server.http.ProblemException.Code;
import dev.parley.server.http.ResponseBudget;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import org.apache.kafka.common.utils.Bytes;

/**
 * A request as its handler sees it: it reads local views, whichever instance received the request.
 *
 * @param path path parameters by name
 * @param parameters query parameters by name
 * @param after store key after which a list continues; empty for its start
 * @param limit maximum number of items of a list
 * @param caller name and role of the caller
 * @param masking what to mask for the caller
 * @param budget memory and bytes of the response
 */
public record ViewRequest(
        Map<String, String> path,
        Map<String, String> parameters,
        Optional<Bytes> after,
        int limit,
        Caller caller,
        MaskingPolicy masking,
        ResponseBudget budget) {

    /** The same request to a peer. */
    PeerRequest toPeer(String operation, SortedSet<Integer> standbys, Set<InputPosition> atLeast) {
        return new PeerRequest(operation, path, parameters, after, limit, standbys, atLeast, Optional.empty());
    }

    public String pathParam(String name) {
        String value = path.get(name);
        if (value == null) {
            throw Code.INVALID_REQUEST.problem("The request has no path parameter " + name + ".");
        }
        return value;
    }
}
