package dev.parley.server.cluster;

import dev.parley.audit.InputPosition;
import dev.parley.json.ResultSize;
import dev.parley.server.cluster.RoutingScope.MergedList;
import dev.parley.server.cluster.ViewAnswer.Absent;
import dev.parley.server.cluster.ViewAnswer.Content;
import dev.parley.server.cluster.ViewAnswer.Item;
import dev.parley.server.cluster.ViewAnswer.Page;
import dev.parley.server.cluster.ViewAnswer.Refusal;
import dev.parley.topology.views.read.PositionNotVisibleException;
import dev.parley.topology.views.store.ViewsUnavailableException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.HostInfo;

/**
 * Answers queries that concern all partitions. Each instance answers for its partitions and reports which they are; the
 * answer is complete if it covers every partition exactly once. Pages are merged in the order of store keys and end at
 * a key. Therefore partitions may move between two pages, and no item is lost or repeated.
 */
final class ScatterGather {

    private final DistributedViews views;
    private final LocalReader here;
    private final PeerClient client;

    ScatterGather(DistributedViews views, LocalReader here, PeerClient client) {
        this.views = views;
        this.here = here;
        this.client = client;
    }

    /** Plans an attempt at the complete answer, from the present owners and, for a stale read, standbys. */
    Attempt plan(ViewQuery query, ReadConsistency consistency) {
        String store = query.scope().store();
        Set<HostInfo> owners = views.owningPeers(store);
        Map<HostInfo, Set<Integer>> standbys = consistency.stale() ? views.standbyPeers(store) : Map.of();
        return new Attempt(
                !owners.isEmpty() || !standbys.isEmpty(), () -> answer(query, consistency, owners, standbys));
    }

    private ViewResponse answer(
            ViewQuery query, ReadConsistency consistency, Set<HostInfo> owners, Map<HostInfo, Set<Integer>> standbys) {
        String store = query.scope().store();
        Set<InputPosition> atLeast = consistency.atLeast();
        Gathered gathered = new Gathered(views.metadata().partitions(store));
        List<CompletableFuture<ViewResponse>> responses = new ArrayList<>();
        // Peers work in parallel with each other and with this instance.
        owners.forEach(peer -> responses.add(client.send(peer, query, new TreeSet<>(), atLeast)));
        gathered.add(() -> here.read(query, new TreeSet<>(), atLeast));
        responses.forEach(response -> gathered.add(() -> reserve(query, PeerClient.join(response))));
        if (consistency.stale() && !gathered.missing().isEmpty()) {
            gathered.add(() -> here.read(query, gathered.missing(), atLeast));
            standbys.forEach((peer, partitions) -> {
                SortedSet<Integer> wanted = gathered.missing();
                wanted.retainAll(partitions);
                if (!wanted.isEmpty()) {
                    gathered.add(() -> reserve(query, client.ask(peer, query, wanted, atLeast)));
                }
            });
        }
        Optional<ViewResponse> decisive = gathered.decisive();
        if (decisive.isPresent()) {
            return decisive.get();
        }
        gathered.requireComplete(store);
        Set<InputPosition> missing = new LinkedHashSet<>(atLeast);
        missing.removeAll(gathered.visible());
        if (!missing.isEmpty()) {
            throw new PositionNotVisibleException(missing);
        }
        return gathered.combine(query.scope() instanceof MergedList ? merge(query, gathered) : gathered.absent());
    }

    private static ViewResponse reserve(ViewQuery query, ViewResponse response) {
        if (response.answer() instanceof Page page) {
            query.budget()
                    .reserve(page.items().stream()
                            .mapToLong(item -> item.key().get().length
                                    + ResultSize.of(item.result()).memory())
                            .sum());
        } else if (response.answer() instanceof Content content) {
            query.budget().reserve(ResultSize.of(content.result()).memory());
        }
        return response;
    }

    /** Merges items up to the first key at which a page ends, at most the limit and the bytes of a page. */
    private static Page merge(ViewQuery query, Gathered gathered) {
        List<Page> pages = gathered.pages();
        Optional<Bytes> horizon =
                pages.stream().flatMap(page -> page.end().stream()).min(Comparator.naturalOrder());
        List<Item> complete = pages.stream()
                .flatMap(page -> page.items().stream())
                .filter(item -> horizon.isEmpty() || item.key().compareTo(horizon.get()) <= 0)
                .sorted(Comparator.comparing(Item::key))
                .toList();
        long remaining = query.budget().maxItemBytes();
        List<Item> items = new ArrayList<>();
        for (Item item : complete) {
            Item last = items.isEmpty() ? null : items.get(items.size() - 1);
            if (last != null && last.key().equals(item.key())) {
                query.combiner()
                        .ifPresent(combiner -> items.set(
                                items.size() - 1, new Item(item.key(), combiner.apply(last.result(), item.result()))));
                continue;
            }
            remaining -= ResultSize.of(item.result()).json();
            if (items.size() == query.limit() || (remaining < 0 && !items.isEmpty())) {
                return new Page(items, Optional.of(last.key()));
            }
            items.add(item);
        }
        return new Page(items, horizon);
    }

    /** Collects the parts of an answer. */
    private static final class Gathered {

        private final int count;
        private final List<ViewResponse> parts = new ArrayList<>();
        private final List<RuntimeException> failures = new ArrayList<>();
        private final SortedSet<Integer> covered = new TreeSet<>();
        private boolean repeated;

        Gathered(int count) {
            this.count = count;
        }

        void add(Supplier<ViewResponse> part) {
            try {
                ViewResponse response = part.get();
                repeated |= !Collections.disjoint(covered, response.partitions());
                covered.addAll(response.partitions());
                parts.add(response);
            } catch (ViewsUnavailableException e) {
                failures.add(e);
            }
        }

        /** A part that decides the answer regardless of the others: a refusal, or the content. */
        Optional<ViewResponse> decisive() {
            return first(Refusal.class).or(() -> first(Content.class));
        }

        private Optional<ViewResponse> first(Class<? extends ViewAnswer> answer) {
            return parts.stream()
                    .filter(part -> answer.isInstance(part.answer()))
                    .findFirst();
        }

        SortedSet<Integer> missing() {
            SortedSet<Integer> missing = new TreeSet<>();
            for (int partition = 0; partition < count; partition++) {
                if (!covered.contains(partition)) {
                    missing.add(partition);
                }
            }
            return missing;
        }

        void requireComplete(String store) {
            if (repeated) {
                throw new ViewsUnavailableException(
                        "Partitions of the store " + store + " are moving between instances.");
            }
            if (!missing().isEmpty()) {
                throw new ViewsUnavailableException(
                        failures.isEmpty()
                                ? "No instance owns the partitions " + missing() + " of the store " + store + " now."
                                : failures.get(0).getMessage());
            }
        }

        List<Page> pages() {
            return parts.stream()
                    .flatMap(part -> part.answer() instanceof Page page ? Stream.of(page) : Stream.empty())
                    .toList();
        }

        ViewAnswer absent() {
            return first(Absent.class)
                    .orElseThrow(() -> new IllegalStateException("a complete answer has a part"))
                    .answer();
        }

        Set<InputPosition> visible() {
            Set<InputPosition> visible = new LinkedHashSet<>();
            parts.forEach(part -> visible.addAll(part.visible()));
            return visible;
        }

        /** The response with this answer that covers all parts. */
        ViewResponse combine(ViewAnswer answer) {
            SortedMap<Integer, Long> lags = new TreeMap<>();
            parts.forEach(part -> lags.putAll(part.lags()));
            return new ViewResponse(answer, covered, lags, visible());
        }
    }
}
