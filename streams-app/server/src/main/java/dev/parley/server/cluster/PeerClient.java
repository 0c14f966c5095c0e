package dev.parley.server.cluster;

import dev.parley.audit.InputPosition;
import dev.parley.json.model.InputRecord;
import dev.parley.logging.LogThrottle;
import dev.parley.server.auth.Caller;
import dev.parley.server.cluster.PeerResponse.Failure;
import dev.parley.server.cluster.PeerResponse.Success;
import dev.parley.server.cluster.ViewAnswer.Absent;
import dev.parley.server.cluster.ViewAnswer.Content;
import dev.parley.server.cluster.ViewAnswer.Page;
import dev.parley.server.cluster.ViewAnswer.Refusal;
import dev.parley.topology.views.read.PositionNotVisibleException;
import dev.parley.topology.views.store.ChainPosition;
import dev.parley.topology.views.store.ViewStores;
import dev.parley.topology.views.store.ViewsUnavailableException;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.kafka.streams.state.HostInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends requests to peers, and converts failures to {@link ViewsUnavailableException} or
 * {@link PositionNotVisibleException}, which {@link Routing} retries.
 */
final class PeerClient {

    private static final Logger LOG = LoggerFactory.getLogger(PeerClient.class);

    private final DistributedViews views;
    private final LogThrottle failures;

    PeerClient(DistributedViews views, LogThrottle failures) {
        this.views = views;
        this.failures = failures;
    }

    /**
     * Sends a query and waits for the response.
     *
     * @param standbys partitions to read from standbys; empty to read the partitions that the peer owns
     * @throws ViewsUnavailableException if the peer is unavailable or cannot answer now
     * @throws PositionNotVisibleException if an input position is not visible there
     */
    ViewResponse ask(HostInfo peer, ViewQuery query, SortedSet<Integer> standbys, Set<InputPosition> atLeast) {
        return join(send(peer, query, standbys, atLeast));
    }

    /** Sends a query; {@link #join} throws the exceptions of {@link #ask}. */
    CompletableFuture<ViewResponse> send(
            HostInfo peer, ViewQuery query, SortedSet<Integer> standbys, Set<InputPosition> atLeast) {
        return send(peer, query.request().apply(standbys, atLeast), query.caller(), query.result());
    }

    /** Sends a request; {@link #join} throws the exceptions of {@link #ask}. */
    CompletableFuture<ViewResponse> send(HostInfo peer, PeerRequest request, Caller caller, Class<?> result) {
        return views.peers().ask(peer, request, caller, result).handle((response, failure) -> {
            if (failure != null) {
                throw unavailable(peer, failure);
            }
            if (response instanceof Failure failed) {
                throw failed(peer, request, failed);
            }
            if (response instanceof Success success
                    && answers(success.response().answer(), request)) {
                return success.response();
            }
            throw new ViewsUnavailableException("The instance at " + PeerAuthenticator.name(peer)
                    + " sent an answer that does not match the request.");
        });
    }

    static ViewResponse join(CompletableFuture<ViewResponse> response) {
        try {
            return response.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    /** Whether an answer matches its request: a page for a list, content otherwise. */
    private static boolean answers(ViewAnswer answer, PeerRequest request) {
        return answer instanceof Refusal
                || (request.limit() > 0
                        ? answer instanceof Page page && page.items().stream().allMatch(item -> item.result() != null)
                        : answer instanceof Content content && content.result() != null || answer instanceof Absent);
    }

    private ViewsUnavailableException unavailable(HostInfo peer, Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof PeerProtocolException) {
            warn(cause.getMessage());
            return new ViewsUnavailableException(cause.getMessage());
        }
        return new ViewsUnavailableException(
                "The instance at " + PeerAuthenticator.name(peer) + " is unavailable.", failure);
    }

    private RuntimeException failed(HostInfo peer, PeerRequest request, Failure failure) {
        String name = PeerAuthenticator.name(peer);
        return switch (failure.error()) {
            case POSITION_NOT_VISIBLE -> {
                Set<InputPosition> missing = new LinkedHashSet<>(request.atLeast());
                missing.removeAll(failure.visible());
                yield new PositionNotVisibleException(missing);
            }
            case VIEWS_UNAVAILABLE ->
                new ViewsUnavailableException(
                        "The instance at " + name + " cannot read its partitions of the views now.");
            case MALFORMED_REQUEST, UNKNOWN_OPERATION, FORBIDDEN -> {
                String detail = "The peer at " + name + " refused a request: " + failure.error() + ": "
                        + failure.detail() + " Run the same version on all instances.";
                warn(detail);
                yield new ViewsUnavailableException(detail);
            }
        };
    }

    private void warn(String detail) {
        failures.log(repeated -> LOG.warn(
                "Part of the views cannot be read: {} ({} more such failures since the last such line)",
                detail,
                repeated));
    }

    /** The chain of an input record in any partition; empty if no available instance has it for this caller. */
    Optional<String> chainOf(InputPosition position, Caller caller) {
        try {
            Optional<ChainPosition> here =
                    views.local().within(caller.scope()).messages().position(position);
            if (here.isPresent()) {
                return here.map(ChainPosition::chain);
            }
        } catch (ViewsUnavailableException e) {
            // A peer may own the record.
        }
        for (HostInfo peer : views.owningPeers(ViewStores.AUDIT)) {
            try {
                ViewResponse response = join(send(
                        peer, PeerRequest.of("position", PeerRequest.subject(position)), caller, InputRecord.class));
                if (response.answer() instanceof Content content) {
                    return Optional.of(((InputRecord) content.result()).chain());
                }
            } catch (ViewsUnavailableException e) {
                // Another peer may own the record.
            }
        }
        return Optional.empty();
    }
}
