package dev.parley.query;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import dev.parley.audit.InputPosition;
import dev.parley.query.Peers.Question;
import dev.parley.query.Peers.Reply;
import dev.parley.topology.ViewStores;
import io.javalin.http.Context;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.LinkedHashMap;
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
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.HostInfo;

/**
 * Answers that every process has a part of. Each says of which partitions its part is; the whole is the whole when every partition is in exactly one part. A page is
 * merged in the order of the store's keys, and its cursor is the last of them: so partitions may move between two pages, and no item is lost or comes twice.
 */
final class Merging {

    private static final JsonFactory JSON = JsonMapper.builder().build().getFactory();

    private final Instances instances;
    private final Asking asking;

    Merging(Instances instances, Asking asking) {
        this.instances = instances;
        this.asking = asking;
    }

    /**
     * The part of this process.
     *
     * @param copies the partitions of which copies do, and no others; empty for those that this process is the owner of
     */
    Reply here(Context request, About about, Answer answer, SortedSet<Integer> copies, Set<InputPosition> atLeast) {
        String store = store(about);
        SortedSet<Integer> partitions = new TreeSet<>(copies);
        SortedMap<Integer, Long> lags = new TreeMap<>();
        if (copies.isEmpty()) {
            partitions = instances.local().readable(store);
        } else {
            lags.putAll(instances.local().lags(store));
            lags.keySet().retainAll(copies);
            partitions.retainAll(lags.keySet());
        }
        if (partitions.isEmpty()) {
            throw new ViewsUnavailable("Nothing of the store " + store + " can be read here now.", null);
        }
        Views views = instances.local().of(store, partitions, !copies.isEmpty());
        Set<InputPosition> shown = Shown.in(store, views, atLeast);
        try {
            return asking.json(answer.to(request, views), partitions, lags, shown);
        } catch (Problem problem) {
            if (about instanceof About.Found && problem.code().status() == 404) {
                return asking.missing(problem, PeerTarget.encode(request.path()), partitions, lags);
            }
            throw problem;
        }
    }

    /** The whole, or {@link ViewsUnavailable} or {@link NotShown}, which {@link Routing} tries again. */
    Reply once(Context request, About about, Answer answer, Demands demands) {
        String store = store(about);
        Gathered gathered = new Gathered(instances.cluster().partitions(store));
        HostInfo self = instances.cluster().self();
        Set<HostInfo> peers = new LinkedHashSet<>(instances.cluster().owners(store));
        peers.remove(self);
        Function<SortedSet<Integer>, Question> question =
                copies -> Routing.question(request, copies, demands.atLeast());
        Map<HostInfo, CompletableFuture<Reply>> asked = new LinkedHashMap<>();
        // All at once; this process works while they do.
        peers.forEach(peer -> asked.put(peer, asking.ask(peer, question.apply(new TreeSet<>()))));
        gathered.add(() -> here(request, about, answer, new TreeSet<>(), demands.atLeast()));
        ResponseBudget budget = ResponseBudget.held(request);
        asked.values().forEach(reply -> gathered.add(() -> counted(budget, Asking.join(reply))));
        if (demands.stale() && !gathered.missing().isEmpty()) {
            gathered.add(() -> here(request, about, answer, gathered.missing(), demands.atLeast()));
            instances.cluster().standbys(store).forEach((peer, partitions) -> {
                SortedSet<Integer> wanted = gathered.missing();
                wanted.retainAll(partitions);
                if (!peer.equals(self) && !wanted.isEmpty()) {
                    gathered.add(() -> counted(budget, asking.one(peer, question.apply(wanted))));
                }
            });
        }
        if (gathered.refusal().isPresent()) {
            return gathered.refusal().get();
        }
        Optional<Reply> found = about instanceof About.Found ? gathered.good() : Optional.empty();
        if (found.isPresent()) {
            return found.get();
        }
        gathered.requireWhole(store);
        Set<InputPosition> missing = new LinkedHashSet<>(demands.atLeast());
        missing.removeAll(gathered.shown());
        if (!missing.isEmpty()) {
            throw new NotShown(missing);
        }
        return about instanceof About.Listed list && gathered.parts().size() > 1
                ? page(request, list, gathered)
                : gathered.first();
    }

    private static Reply counted(ResponseBudget budget, Reply reply) {
        budget.reserve(reply.body().length);
        return reply;
    }

    static String store(About about) {
        return about instanceof About.Listed list ? list.store() : ViewStores.AUDIT;
    }

    /** An item as it came from a process: not read into a tree, which takes many times the memory. */
    private record Item(Bytes key, byte[] body, int start, int end) {

        int size() {
            return end - start;
        }

        RawValue raw() {
            return new RawValue(new String(body, start, end - start, StandardCharsets.UTF_8));
        }
    }

    /** Items up to where every part has been looked through, or as many as are wanted. */
    private Reply page(Context request, About.Listed list, Gathered gathered) {
        int limit = Parameters.limitOf(request);
        List<Item> items = new ArrayList<>();
        Optional<Bytes> seen = Optional.empty();
        ObjectNode body = Json.object();
        ArrayNode array = body.putArray("items");
        for (Reply part : gathered.parts()) {
            ObjectNode page = read(part.body(), list, items);
            String next = page.path("next").textValue();
            if (next != null) {
                Bytes end = Bytes.wrap(Base64.getUrlDecoder().decode(next));
                seen = Optional.of(
                        seen.filter(other -> other.compareTo(end) < 0).orElse(end));
            }
            page.fieldNames().forEachRemaining(name -> body.set(name, page.get(name)));
        }
        body.remove("staleness");
        Optional<Bytes> horizon = seen;
        items.sort(Comparator.comparing(Item::key));
        List<Item> certain = items.stream()
                .filter(item -> horizon.isEmpty() || item.key().compareTo(horizon.get()) <= 0)
                .toList();
        long left = ResponseBudget.held(request).items();
        List<Item> shown = new ArrayList<>();
        for (Item item : certain) {
            left -= item.size();
            if (shown.size() == limit || (left < 0 && !shown.isEmpty())) {
                break;
            }
            shown.add(item);
            array.addRawValue(item.raw());
        }
        if (shown.size() < certain.size()) {
            body.put("next", Scan.cursor(shown.get(shown.size() - 1).key()));
        } else {
            body.put("next", horizon.map(Scan::cursor).orElse(null));
        }
        return asking.json(body, new TreeSet<>(), gathered.lags(), Set.of());
    }

    /** The page of a process but for its items, which are added to others. */
    private static ObjectNode read(byte[] body, About.Listed list, List<Item> items) {
        ObjectNode page = Json.object();
        try (JsonParser parser = JSON.createParser(body)) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                boolean listed = parser.nextToken() == JsonToken.START_ARRAY && name.equals("items");
                while (listed && parser.nextToken() != JsonToken.END_ARRAY) {
                    int start = (int) parser.currentTokenLocation().getByteOffset();
                    Bytes key = list.key().apply(parser.readValueAsTree());
                    items.add(new Item(
                            key, body, start, (int) parser.currentLocation().getByteOffset()));
                }
                if (!listed) {
                    page.set(name, parser.<JsonNode>readValueAsTree());
                }
            }
            return page;
        } catch (IOException | IllegalArgumentException e) {
            throw new ViewsUnavailable("A peer answered with an unreadable page.", e);
        }
    }

    /** The parts as they come in. */
    private static final class Gathered {

        private final int count;
        private final List<Reply> parts = new ArrayList<>();
        private final List<RuntimeException> failures = new ArrayList<>();
        private final SortedSet<Integer> covered = new TreeSet<>();
        private boolean twice;
        private Optional<Reply> refusal = Optional.empty();

        Gathered(int count) {
            this.count = count;
        }

        void add(Supplier<Reply> part) {
            Reply reply;
            try {
                reply = part.get();
            } catch (ViewsUnavailable e) {
                failures.add(e);
                return;
            }
            if (!Asking.isGood(reply)
                    && !(Asking.isMissing(reply) && !reply.partitions().isEmpty())) {
                refusal = Optional.of(reply);
                return;
            }
            twice |= reply.partitions().stream().anyMatch(covered::contains);
            covered.addAll(reply.partitions());
            parts.add(reply);
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

        void requireWhole(String store) {
            if (twice) {
                throw new ViewsUnavailable("Partitions of the store " + store + " move between processes.", null);
            }
            if (!missing().isEmpty()) {
                throw new ViewsUnavailable(
                        failures.isEmpty()
                                ? "Nobody has the partitions " + missing() + " of the store " + store + " now."
                                : failures.get(0).getMessage(),
                        null);
            }
        }

        Optional<Reply> good() {
            return parts.stream().filter(Asking::isGood).findFirst();
        }

        Optional<Reply> refusal() {
            return refusal;
        }

        List<Reply> parts() {
            return parts;
        }

        /** The first part, as the whole: as stale as all of them. */
        Reply first() {
            Reply first = parts.get(0);
            Map<String, String> headers = new LinkedHashMap<>(first.headers());
            headers.putAll(Asking.staleness(lags()));
            return new Reply(first.status(), headers, first.body(), covered, lags(), shown());
        }

        Set<InputPosition> shown() {
            Set<InputPosition> shown = new LinkedHashSet<>();
            parts.forEach(part -> shown.addAll(part.shown()));
            return shown;
        }

        SortedMap<Integer, Long> lags() {
            SortedMap<Integer, Long> lags = new TreeMap<>();
            parts.forEach(part -> lags.putAll(part.lags()));
            return lags;
        }
    }
}
