package dev.parley.server.api;

import dev.parley.avro.AuditHead;
import dev.parley.json.model.Status;
import dev.parley.json.model.Status.Head;
import dev.parley.server.health.Readiness;
import dev.parley.server.health.SourceProgress;
import dev.parley.server.http.ResponseBudget;
import dev.parley.topology.views.read.LocalViews;
import dev.parley.topology.views.read.Views;
import dev.parley.topology.views.store.ViewKeys;
import io.javalin.http.Context;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * Answers how the deployment is: the components and the lag of this instance, the accounting, and when chain heads were
 * last published and signed, over all instances.
 */
final class StatusHandler {

    private final LocalViews local;
    private final Readiness readiness;
    private final ViewApi api;
    private final ViewRoute<Head> heads;

    StatusHandler(LocalViews local, Readiness readiness, ViewApi api, ViewRoute<Head> heads) {
        this.local = local;
        this.readiness = readiness;
        this.api = api;
        this.heads = heads;
    }

    /** The head published last in each partition of an instance. */
    static KeyedItems heads(ViewRequest request, Views views) {
        KeyedItems items = new KeyedItems(request.budget());
        for (AuditHead head : views.latestHeads()) {
            items.add(
                    ViewKeys.latestHead(),
                    new Head(
                            head.getChain(),
                            head.getSequence(),
                            head.getTime(),
                            head.getSignature() == null ? null : head.getKeyId()));
        }
        return items;
    }

    CompletableFuture<?> status(Context request) {
        Parameters.of(request);
        return api.items(request, heads, Map.of(), Optional.empty())
                .thenApply(published -> ResponseBudget.current(request).addAnswer(status(published.results())));
    }

    private Status status(List<Head> published) {
        List<Readiness.Part> parts = readiness.parts();
        Optional<SourceProgress> progress = readiness.progress();
        return new Status(
                parts.stream().allMatch(part -> part.status() == Readiness.Status.READY),
                HealthHandler.parts(parts),
                AccountingHandler.accounting(local.active(), progress),
                lag(progress),
                heads(published));
    }

    /** Unread records by application, from the last measurement. */
    private static Status.Lag lag(Optional<SourceProgress> progress) {
        Map<String, Long> applications = new TreeMap<>();
        Map<String, Long> overdue = new TreeMap<>();
        progress.ifPresent(known -> known.partitions().forEach(partition -> {
            applications.merge(partition.application(), partition.lag(), Long::sum);
            overdue.merge(partition.application(), partition.overdue(), Long::sum);
        }));
        return new Status.Lag(progress.map(SourceProgress::time).orElse(null), applications, overdue);
    }

    private static Status.Heads heads(List<Head> published) {
        Comparator<Head> byTime = Comparator.comparing(Head::time);
        Optional<Head> signed =
                published.stream().filter(head -> head.keyId() != null).max(byTime);
        return new Status.Heads(
                published.stream().max(byTime).map(Head::time).orElse(null),
                signed.map(Head::time).orElse(null),
                signed.map(Head::keyId).orElse(null));
    }
}
