package dev.parley.server.cluster;

import dev.parley.audit.InputPosition;
import dev.parley.server.access.Caller;
import dev.parley.server.access.Role;
import dev.parley.server.cluster.PeerResponse.Error;
import dev.parley.server.cluster.PeerResponse.Failure;
import dev.parley.server.cluster.PeerResponse.Success;
import dev.parley.server.cluster.RoutingScope.MergedList;
import dev.parley.server.cluster.ViewAnswer.Absent;
import dev.parley.server.cluster.ViewAnswer.Content;
import dev.parley.topology.views.read.PositionNotVisibleException;
import dev.parley.topology.views.store.ViewKeys.ChainPosition;
import dev.parley.topology.views.store.ViewsUnavailableException;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/** Answers requests of peers from the views of this instance. Thread-safe. */
public final class PeerEndpoint {

    /** Maximum bytes of a request. */
    public static final int MAX_REQUEST_BYTES = 2 << 20;

    private final DistributedViews views;
    private final Routing routing;

    public PeerEndpoint(DistributedViews views) {
        this.views = views;
        this.routing = new Routing(views);
    }

    /**
     * Answers one request.
     *
     * @param message an encoded {@link PeerRequest} of an authenticated peer
     * @param caller the caller asserted by the peer
     * @param queries returns the query of a request; empty if the operation is unknown
     * @return an encoded {@link PeerResponse}
     */
    public byte[] answer(byte[] message, Caller caller, Function<PeerRequest, Optional<ViewQuery>> queries) {
        return PeerCodec.encode(response(message, caller, queries));
    }

    private PeerResponse response(byte[] message, Caller caller, Function<PeerRequest, Optional<ViewQuery>> queries) {
        PeerRequest request;
        try {
            request = PeerCodec.request(message);
        } catch (PeerProtocolException e) {
            return new Failure(e.error(), e.getMessage());
        }
        if (!caller.role().includes(Role.READER)) {
            return new Failure(Error.FORBIDDEN, "The caller needs the role " + Role.READER.text() + ".");
        }
        try {
            if (request.operation().equals(PeerRequest.LOCATE)) {
                return locate(request);
            }
            Optional<ViewQuery> query = queries.apply(request);
            if (query.isEmpty()) {
                return new Failure(Error.UNKNOWN_OPERATION, "Unknown operation " + request.operation() + ".");
            }
            if (query.get().scope() instanceof MergedList != request.limit() > 0) {
                return new Failure(Error.MALFORMED_REQUEST, "A list needs a limit; other operations take none.");
            }
            return new Success(routing.readLocal(query.get(), request.standbys(), request.atLeast()));
        } catch (ViewsUnavailableException e) {
            return new Failure(Error.VIEWS_UNAVAILABLE, e.getMessage());
        } catch (PositionNotVisibleException e) {
            Set<InputPosition> visible = new LinkedHashSet<>(request.atLeast());
            visible.removeAll(e.missing());
            return new Failure(Error.POSITION_NOT_VISIBLE, e.getMessage(), visible);
        }
    }

    private PeerResponse locate(PeerRequest request) {
        Optional<InputPosition> position =
                InputPosition.parse(request.subject().getOrDefault(PeerRequest.POSITION, ""));
        if (position.isEmpty()) {
            return new Failure(Error.MALFORMED_REQUEST, "The request has no input position.");
        }
        ViewAnswer answer = views.local()
                .active()
                .chainPosition(position.get())
                .map(ChainPosition::toBytes)
                .<ViewAnswer>map(Content::new)
                .orElseGet(() -> new Absent("", "The input position is not visible here."));
        return success(answer);
    }

    /** Encodes the response to a request that failed with a problem of the API. */
    public static byte[] refusal(String code, String detail) {
        return PeerCodec.encode(success(new ViewAnswer.Refusal(code, detail)));
    }

    private static Success success(ViewAnswer answer) {
        return new Success(new ViewResponse(answer, new TreeSet<>(), new TreeMap<>(), Set.of()));
    }
}
