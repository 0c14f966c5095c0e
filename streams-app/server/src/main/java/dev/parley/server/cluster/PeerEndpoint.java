package dev.parley.server.cluster;

import dev.parley.audit.InputPosition;
import dev.parley.server.auth.Caller;
import dev.parley.server.auth.Role;
import dev.parley.server.cluster.PeerResponse.Error;
import dev.parley.server.cluster.PeerResponse.Failure;
import dev.parley.server.cluster.PeerResponse.Success;
import dev.parley.server.cluster.RoutingScope.MergedList;
import dev.parley.topology.views.Views;
import dev.parley.topology.views.read.PositionNotVisibleException;
import dev.parley.topology.views.store.ViewsUnavailableException;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;

/**
 * Answers requests of peers from the views of this instance. It forwards none, so that requests cannot circulate.
 * Thread-safe.
 */
public final class PeerEndpoint {

    /** Maximum bytes of a request. */
    public static final int MAX_REQUEST_BYTES = 256 << 10;

    private final LocalReader reader;

    public PeerEndpoint(Views views) {
        this.reader = new LocalReader(views);
    }

    /**
     * Answers one request.
     *
     * @param message the {@link PeerRequest} of an authenticated peer
     * @param caller the caller asserted by the peer, whose namespaces are in the request
     * @param queries returns the query of a request; empty if the operation is unknown
     * @return the {@link PeerResponse}
     */
    public byte[] answer(byte[] message, Caller caller, BiFunction<PeerRequest, Caller, Optional<ViewQuery>> queries) {
        PeerRequest request;
        try {
            request = PeerJson.read(message, PeerRequest.class);
        } catch (PeerProtocolException e) {
            return PeerJson.bytes(new Failure(Error.MALFORMED_REQUEST, e.getMessage()));
        }
        return PeerJson.bytes(
                response(request, new Caller(caller.name(), caller.role(), request.namespaces()), queries));
    }

    private PeerResponse response(
            PeerRequest request, Caller caller, BiFunction<PeerRequest, Caller, Optional<ViewQuery>> queries) {
        if (!caller.role().includes(Role.READER)) {
            return new Failure(Error.FORBIDDEN, "The caller needs the role " + Role.READER.text() + ".");
        }
        try {
            return read(request, queries.apply(request, caller));
        } catch (ViewsUnavailableException e) {
            return new Failure(Error.VIEWS_UNAVAILABLE, e.getMessage());
        } catch (PositionNotVisibleException e) {
            Set<InputPosition> visible = new LinkedHashSet<>(request.atLeast());
            visible.removeAll(e.missing());
            return new Failure(Error.POSITION_NOT_VISIBLE, e.getMessage(), visible);
        }
    }

    private PeerResponse read(PeerRequest request, Optional<ViewQuery> query) {
        if (query.isEmpty()) {
            return new Failure(Error.UNKNOWN_OPERATION, "Unknown operation " + request.operation() + ".");
        }
        if (query.get().scope() instanceof MergedList != request.limit() > 0
                || request.limit() > PeerRequest.MAX_LIMIT) {
            return new Failure(
                    Error.MALFORMED_REQUEST,
                    "A list needs a limit of at most " + PeerRequest.MAX_LIMIT + ", other operations take none.");
        }
        return new Success(reader.read(query.get(), request.standbys(), request.atLeast()));
    }

    /** The response to a request that failed with a problem of the API. */
    public static byte[] refusal(String code, String detail) {
        return PeerJson.bytes(new Success(
                new ViewResponse(new ViewAnswer.Refusal(code, detail), new TreeSet<>(), new TreeMap<>(), Set.of())));
    }
}
