package dev.parley.server.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.avro.AuditHead;
import dev.parley.server.cluster.ViewAnswer;
import dev.parley.server.health.Readiness;
import dev.parley.server.health.SourceProgress;
import dev.parley.server.http.Json;
import dev.parley.server.http.ResponseBudget;
import dev.parley.topology.views.read.LocalViews;
import dev.parley.topology.views.read.Views;
import dev.parley.topology.views.store.ViewKeys;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
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
    private final ViewRoute heads;

    StatusHandler(LocalViews local, Readiness readiness, ViewApi api, ViewRoute heads) {
        this.local = local;
        this.readiness = readiness;
        this.api = api;
        this.heads = heads;
    }

    /** The head published last in each partition of an instance. */
    static ViewAnswer.Page heads(ViewRequest request, Views views) {
        KeyedItems items = new KeyedItems(request.budget());
        for (AuditHead head : views.latestHeads()) {
            items.add(
                    ViewKeys.latestHead(),
                    Json.object()
                            .put("chain", head.getChain())
                            .put("sequence", head.getSequence())
                            .put("time", head.getTime().toString())
                            .put("keyId", head.getSignature() == null ? null : head.getKeyId()));
        }
        return items.page(Optional.empty());
    }

    CompletableFuture<?> status(Context request) {
        Parameters.of(request);
        return api.items(request, heads)
                .thenAccept(published -> request.contentType("application/json")
                        .result(Json.bytes(ResponseBudget.current(request).addAnswer(status(published)))));
    }

    private ObjectNode status(List<JsonNode> published) {
        List<Readiness.Part> parts = readiness.parts();
        ObjectNode answer =
                Json.object().put("ready", parts.stream().allMatch(part -> part.status() == Readiness.Status.READY));
        ArrayNode array = answer.putArray("parts");
        parts.forEach(part -> array.addObject()
                .put("name", part.name())
                .put("status", part.status().name().toLowerCase(Locale.ROOT))
                .put("detail", part.detail()));
        answer.set("pipeline", AccountingHandler.accounting(local.active(), readiness.progress()));
        answer.set("lag", lag());
        answer.set("heads", heads(published));
        return answer;
    }

    /** Unread records by application, from the last measurement. */
    private ObjectNode lag() {
        ObjectNode lag = Json.object();
        Optional<SourceProgress> progress = readiness.progress();
        lag.put("asOf", progress.map(known -> known.time().toString()).orElse(null));
        Map<String, Long> byApplication = new TreeMap<>();
        progress.ifPresent(known -> known.partitions()
                .forEach(partition -> byApplication.merge(partition.application(), partition.lag(), Long::sum)));
        ObjectNode applications = lag.putObject("applications");
        byApplication.forEach(applications::put);
        return lag;
    }

    private static ObjectNode heads(List<JsonNode> published) {
        Instant last = null;
        Instant signed = null;
        String keyId = null;
        for (JsonNode head : published) {
            Instant time = Instant.parse(head.path("time").asText());
            last = last == null || time.isAfter(last) ? time : last;
            if (!head.path("keyId").isNull() && (signed == null || time.isAfter(signed))) {
                signed = time;
                keyId = head.path("keyId").asText();
            }
        }
        return Json.object()
                .put("lastPublished", last == null ? null : last.toString())
                .put("lastSigned", signed == null ? null : signed.toString())
                .put("keyId", keyId);
    }
}
