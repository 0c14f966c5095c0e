package dev.parley.query;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.access.Caller;
import dev.parley.audit.InputPosition;
import dev.parley.query.HttpPeers.UnauthenticatedPeerException;
import dev.parley.query.Peers.Question;
import dev.parley.query.Peers.Reply;
import dev.parley.topology.ViewKeys.Link;
import dev.parley.topology.ViewStores;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.kafka.streams.state.HostInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks peers, and says what their answers mean. */
final class Asking {

    /** Says beside an answer from copies how many changes they lacked. */
    static final String STALENESS = "Parley-Staleness";

    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int UNAVAILABLE = 503;
    private static final int FORBIDDEN = 403;

    private static final Logger LOG = LoggerFactory.getLogger(Asking.class);
    private static final LogThrottle UNAUTHENTICATED = new LogThrottle();

    private final Instances instances;

    Asking(Instances instances) {
        this.instances = instances;
    }

    /**
     * What a peer answers, be it good or a problem of the caller's.
     *
     * @throws ViewsUnavailable when it does not answer, or cannot now
     * @throws NotShown when it does not show what it must
     */
    Reply one(HostInfo peer, Question question) {
        return join(ask(peer, question));
    }

    /** The same, later; {@link #join} throws what went wrong. */
    CompletableFuture<Reply> ask(HostInfo peer, Question question) {
        return instances.peers().ask(peer, question).handle((reply, failure) -> {
            if (failure != null && unwrapped(failure) instanceof UnauthenticatedPeerException refused) {
                UNAUTHENTICATED.log(repeated -> LOG.warn(
                        "Part of the views cannot be read: {} ({} more such failures since the last such line)",
                        refused.getMessage(),
                        repeated));
                throw new ViewsUnavailable(refused.getMessage(), null);
            }
            if (failure != null) {
                throw new ViewsUnavailable("The process at " + name(peer) + " does not answer.", failure);
            }
            return understood(peer, question, reply);
        });
    }

    static Reply join(CompletableFuture<Reply> reply) {
        try {
            return reply.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    private static Reply understood(HostInfo peer, Question question, Reply reply) {
        String code = reply.status() == OK
                ? ""
                : Json.parse(reply.body()).path("code").asText();
        if (reply.status() == UNAVAILABLE && code.equals(Problem.Code.POSITION_NOT_SHOWN.name())) {
            Set<InputPosition> missing = new LinkedHashSet<>(question.atLeast());
            missing.removeAll(reply.shown());
            throw new NotShown(missing);
        }
        if (reply.status() == UNAVAILABLE && code.equals(Problem.Code.VIEWS_UNAVAILABLE.name())) {
            throw new ViewsUnavailable(
                    "The process at " + name(peer) + " cannot read its share of the views now.", null);
        }
        if (reply.status() == FORBIDDEN && code.equals(Problem.Code.PEER_REFUSED.name())) {
            throw new ViewsUnavailable(
                    "The peer at " + name(peer)
                            + " refuses this instance; set the same http.peers.secret on all instances.",
                    null);
        }
        return reply;
    }

    private static Throwable unwrapped(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    private static String name(HostInfo peer) {
        return peer.host() + ":" + peer.port();
    }

    /** The chain of a record of the input, wherever it is; empty when no process that answers shows it. */
    Optional<String> chainOf(InputPosition position, Caller caller) {
        try {
            Optional<Link> here = instances.local().fresh().linkOf(position);
            if (here.isPresent()) {
                return here.map(Link::chain);
            }
        } catch (ViewsUnavailable e) {
            // Perhaps a peer has it.
        }
        Question question = new Question(Paths.position(position), caller, new TreeSet<>(), Set.of());
        for (HostInfo peer : instances.cluster().owners(ViewStores.AUDIT)) {
            if (!peer.equals(instances.cluster().self())) {
                try {
                    Reply reply = one(peer, question);
                    if (reply.status() == OK) {
                        return Optional.of(
                                Json.parse(reply.body()).path("chain").asText());
                    }
                } catch (ViewsUnavailable e) {
                    // Perhaps another one has it.
                }
            }
        }
        return Optional.empty();
    }

    /** How many changes the copies here of a partition of the chains lack; empty when there are none. */
    OptionalLong lag(int partition) {
        Long audit = instances.local().lags(ViewStores.AUDIT).get(partition);
        Long checkpoints = instances.local().lags(ViewStores.CHECKPOINTS).get(partition);
        return audit == null || checkpoints == null ? OptionalLong.empty() : OptionalLong.of(audit + checkpoints);
    }

    static boolean isMissing(Reply reply) {
        return reply.status() == NOT_FOUND;
    }

    static boolean isGood(Reply reply) {
        return reply.status() == OK;
    }

    Reply json(ObjectNode body) {
        return json(body, new TreeSet<>(), new TreeMap<>(), Set.of());
    }

    /** A good answer; one from copies says so. */
    Reply json(
            ObjectNode body, SortedSet<Integer> partitions, SortedMap<Integer, Long> lags, Set<InputPosition> shown) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Content-Type", "application/json");
        if (!lags.isEmpty()) {
            ObjectNode staleness = body.putObject("staleness").put("records", records(lags));
            ArrayNode each = staleness.putArray("partitions");
            lags.forEach((partition, lag) ->
                    each.addObject().put("partition", partition).put("records", lag));
            headers.putAll(staleness(lags));
        }
        return new Reply(OK, headers, Json.bytes(body), partitions, lags, shown);
    }

    /** The header beside an answer that is from copies; none beside one that is not. */
    static Map<String, String> staleness(SortedMap<Integer, Long> lags) {
        return lags.isEmpty() ? Map.of() : Map.of(STALENESS, Long.toString(records(lags)));
    }

    private static long records(SortedMap<Integer, Long> lags) {
        return lags.values().stream().mapToLong(Long::longValue).sum();
    }

    /** That the partitions here do not have what is looked for. */
    Reply missing(Problem problem, String path, SortedSet<Integer> partitions, SortedMap<Integer, Long> lags) {
        Map<String, String> headers = new LinkedHashMap<>(staleness(lags));
        headers.put("Content-Type", "application/problem+json");
        return new Reply(NOT_FOUND, headers, Json.bytes(Problems.body(problem, path)), partitions, lags, Set.of());
    }

    static JsonNode body(Reply reply) {
        return Json.parse(reply.body());
    }
}
