package dev.parley.query;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.audit.InputPosition;
import dev.parley.query.Cluster.Owner;
import dev.parley.query.Peers.Question;
import dev.parley.query.Peers.Reply;
import dev.parley.query.RequestExecutor.Pool;
import dev.parley.topology.ChainPartitions;
import dev.parley.topology.ViewStores;
import io.javalin.http.Context;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.kafka.streams.state.HostInfo;

/**
 * Lets whoever has the data answer a request: this process, another one, or all of them. What moves, or is not shown yet, is tried again for a while; only then the
 * caller is told to come again. A question that a peer has passed on is answered from what is here, at once, and not passed on again: so no request
 * runs in circles, and peers do not wait for each other.
 */
final class Routing {

    private final Instances instances;
    private final RequestExecutor executor;
    private final Merging merging;
    private final Asking asking;

    Routing(Instances instances, RequestExecutor executor) {
        this.instances = instances;
        this.executor = executor;
        this.asking = new Asking(instances);
        this.merging = new Merging(instances, asking);
    }

    /**
     * Answers a request that the gate has let in. Between two tries it holds no thread.
     *
     * @return completes when the answer is ready to be sent; fails as a {@link Problem}, {@link ViewsUnavailable} or {@link NotShown}
     */
    CompletableFuture<?> answer(Context request, About about, Answer answer) {
        if (about instanceof About.Whole) {
            return executor.run(
                    Pool.LOCAL,
                    () -> write(
                            request,
                            asking.json(answer.to(request, instances.local().fresh()))));
        }
        Demands demands = Demands.of(request);
        if (Hop.is(request)) {
            return executor.run(Pool.PEERS, () -> hop(request, about, answer));
        }
        Supplier<Reply> attempt;
        if (about instanceof About.Chain chain) {
            String name = chain.chain().apply(request);
            Set<InputPosition> demanded = new LinkedHashSet<>(demands.atLeast());
            attempt = () -> attempt(request, name, answer, demands.stale(), demanded);
        } else {
            attempt = () -> merging.once(request, about, answer, demands);
        }
        Exchange exchange = request.attribute(Exchange.attribute());
        return executor.retry(
                        () -> pool(request, about, demands),
                        attempt,
                        new Patience(instances.patience()),
                        () -> exchange == null || exchange.isOpen())
                .thenAccept(reply -> write(request, reply));
    }

    /** Requests that may wait for peers have threads of their own, so that a peer that hangs does not delay what is here. */
    private Pool pool(Context request, About about, Demands demands) {
        Cluster cluster = instances.cluster();
        Set<HostInfo> self = Set.of(cluster.self());
        try {
            if (about instanceof About.Chain chain
                    && !demands.stale()
                    && demands.atLeast().isEmpty()) {
                Optional<HostInfo> active =
                        cluster.ownerOf(chain.chain().apply(request)).active();
                return active.isPresent() && !self.contains(active.get()) ? Pool.REMOTE : Pool.LOCAL;
            }
            String store = Merging.store(about);
            boolean others = !self.containsAll(cluster.owners(store))
                    || demands.stale()
                            && !self.containsAll(cluster.standbys(store).keySet());
            return others ? Pool.REMOTE : Pool.LOCAL;
        } catch (ViewsUnavailable e) {
            return Pool.REMOTE;
        }
    }

    /**
     * Reads something of a conversation for a request that wants something else done with it.
     *
     * @param request its path parameters are those of {@link About#CONVERSATION}
     * @param target path at which a peer answers the same
     * @param answer from what is here
     * @throws Problem as a GET at that path would end
     */
    JsonNode read(Context request, String target, Answer answer) {
        Demands.aim(request, target);
        String chain = ((About.Chain) About.CONVERSATION).chain().apply(request);
        Reply reply = chain(request, chain, answer, new Demands(false, Set.of()));
        JsonNode body = Asking.body(reply);
        if (!Asking.isGood(reply)) {
            throw Problem.of(
                    Problem.Code.valueOf(body.path("code").asText()),
                    body.path("detail").asText());
        }
        return body;
    }

    /** For a peer: what is here. */
    private void hop(Context request, About about, Answer answer) {
        SortedSet<Integer> copies = Hop.copies(request);
        Set<InputPosition> atLeast = Hop.atLeast(request);
        try {
            Reply reply = about instanceof About.Chain
                    ? here(request, answer, copies, atLeast)
                    : merging.here(request, about, answer, copies, atLeast);
            Hop.tell(request, reply);
            write(request, reply);
        } catch (NotShown late) {
            atLeast.removeAll(late.missing());
            Hop.tell(request, atLeast);
            throw late;
        }
    }

    /** Holds its thread while it waits; for operators alone. */
    private Reply chain(Context request, String chain, Answer answer, Demands demands) {
        Patience patience = new Patience(instances.patience());
        Set<InputPosition> demanded = new LinkedHashSet<>(demands.atLeast());
        while (true) {
            try {
                return attempt(request, chain, answer, demands.stale(), demanded);
            } catch (ViewsUnavailable | NotShown later) {
                if (!patience.pause()) {
                    throw later;
                }
            }
        }
    }

    private Reply attempt(Context request, String chain, Answer answer, boolean stale, Set<InputPosition> demanded) {
        while (true) {
            try {
                return once(request, chain, answer, stale, demanded);
            } catch (NotShown late) {
                if (!demanded.removeAll(elsewhere(request, chain, late.missing()))) {
                    throw late;
                }
            }
        }
    }

    private Reply once(Context request, String chain, Answer answer, boolean stale, Set<InputPosition> demanded) {
        Owner owner = instances.cluster().ownerOf(chain);
        try {
            return ofOwner(request, owner, answer, demanded);
        } catch (ViewsUnavailable unavailable) {
            return stale ? ofCopy(request, owner, answer, demanded, unavailable) : rethrow(unavailable);
        }
    }

    private static Reply rethrow(ViewsUnavailable unavailable) {
        throw unavailable;
    }

    private Reply ofOwner(Context request, Owner owner, Answer answer, Set<InputPosition> demanded) {
        HostInfo active = owner.active()
                .orElseThrow(() ->
                        new ViewsUnavailable("Nobody has partition " + owner.partition() + " of the views now.", null));
        return active.equals(instances.cluster().self())
                ? here(request, answer, new TreeSet<>(), demanded)
                : asking.one(active, question(request, new TreeSet<>(), demanded));
    }

    /** From a copy here, else from one elsewhere. */
    private Reply ofCopy(
            Context request, Owner owner, Answer answer, Set<InputPosition> demanded, ViewsUnavailable unavailable) {
        SortedSet<Integer> partition = new TreeSet<>(Set.of(owner.partition()));
        if (asking.lag(owner.partition()).isPresent()) {
            try {
                return here(request, answer, partition, demanded);
            } catch (ViewsUnavailable notHere) {
                unavailable.addSuppressed(notHere);
            }
        }
        for (HostInfo standby : owner.standbys()) {
            if (!standby.equals(instances.cluster().self())) {
                try {
                    return asking.one(standby, question(request, partition, demanded));
                } catch (ViewsUnavailable notThere) {
                    unavailable.addSuppressed(notThere);
                }
            }
        }
        throw unavailable;
    }

    /**
     * What this process has.
     *
     * @param copies the partition, when a copy of it does; else empty
     */
    private Reply here(Context request, Answer answer, SortedSet<Integer> copies, Set<InputPosition> demanded) {
        SortedMap<Integer, Long> lags = new TreeMap<>();
        for (int partition : copies) {
            lags.put(
                    partition,
                    asking.lag(partition)
                            .orElseThrow(() -> new ViewsUnavailable(
                                    "There is no copy of partition " + partition + " here.", null)));
        }
        Views views =
                copies.isEmpty() ? instances.local().fresh() : instances.local().copies();
        Set<InputPosition> missing = new LinkedHashSet<>(demanded);
        missing.removeAll(Shown.in(ViewStores.AUDIT, views, demanded));
        if (!missing.isEmpty()) {
            throw new NotShown(missing);
        }
        try {
            return asking.json(answer.to(request, views), copies, lags, demanded);
        } catch (Problem problem) {
            // What is not in a copy may be in what the copy lacks.
            throw problem.with(Asking.staleness(lags));
        }
    }

    /** Those that are shown, but in partitions that this chain has nothing to do with. */
    private Set<InputPosition> elsewhere(Context request, String chain, Set<InputPosition> missing) {
        int partitions = instances.cluster().partitions(ViewStores.AUDIT);
        int own = ChainPartitions.of(chain, partitions);
        Set<InputPosition> elsewhere = new LinkedHashSet<>();
        for (InputPosition position : missing) {
            Optional<String> found = asking.chainOf(position, Gate.caller(request));
            if (found.filter(other -> ChainPartitions.of(other, partitions) != own)
                    .isPresent()) {
                elsewhere.add(position);
            }
        }
        return elsewhere;
    }

    static Question question(Context request, SortedSet<Integer> copies, Set<InputPosition> demanded) {
        return new Question(Demands.target(request), Gate.caller(request), copies, demanded);
    }

    private static void write(Context request, Reply reply) {
        reply.headers().forEach(request::header);
        request.status(reply.status()).result(reply.body());
    }
}
