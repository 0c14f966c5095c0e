package dev.parley.topology.analytics;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.OpenItem;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * An independent account of the requests of one session of MCP and their outcomes. It reads the bytes of each message
 * with Jackson, and the facts of its transport; a request and its answer are compared by their JSON values.
 */
final class CallOracle {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** All requests of the session, the latest first. */
    private final List<Call> calls = new ArrayList<>();

    private static final class Call {
        private final OpenItem item;
        private final String side;
        private final String exchange;
        private final JsonNode id;
        private final long bytes;
        private boolean isCanceled;
        private boolean isEnded;
        private boolean isUnsure;

        private Call(OpenItem item, String side, String exchange, JsonNode id, long bytes) {
            this.item = item;
            this.side = side;
            this.exchange = exchange;
            this.id = id;
            this.bytes = bytes;
        }
    }

    /** The requests that await their results. */
    Stream<OpenItem> open() {
        return calls.stream().filter(call -> !call.isEnded && !call.isCanceled).map(call -> call.item);
    }

    /** Follows a message; returns the requests that end with it. */
    List<ItemOracle.Closed> add(AuditRecord audit) {
        AgentMessage message = audit.getMessage();
        String exchange = message.getMcp().getCapture().getExchange();
        String mark = message.getMcp().getCapture().getMark().name();
        String side = message.getMcp().getCapture().getDirection().name();
        Integer status = message.getMcp().getCapture().getHttpStatus();
        JsonNode json = json(message);
        List<ItemOracle.Closed> closed = new ArrayList<>();
        if (mark.equals("GAP") || mark.equals("START") && exchange == null) {
            calls.forEach(call -> call.isUnsure = true);
        }
        boolean isRpc = json.has("jsonrpc");
        Predicate<Call> isAsked = call -> !call.isEnded && !call.side.equals(side);
        if (isRpc && json.has("method") && json.has("id")) {
            request(audit, json, side, exchange);
        } else if (isRpc && json.path("method").asText().equals("notifications/cancelled")) {
            JsonNode id = json.at("/params/requestId");
            first(call -> !call.isEnded && !call.isCanceled && call.side.equals(side) && call.id.equals(id))
                    .ifPresent(call -> {
                        call.isCanceled = true;
                        end(call, "CANCELED", audit, true, closed);
                    });
        } else if (isRpc && json.hasNonNull("id")) {
            Predicate<Call> isSame = call -> isAsked.test(call) && call.id.equals(json.get("id"));
            first(call -> isSame.test(call) && exchange != null && exchange.equals(call.exchange))
                    .or(() -> first(isSame))
                    .ifPresent(call -> {
                        call.isEnded = true;
                        boolean isFailure = json.at("/result/isError").asBoolean();
                        String outcome = json.has("error") ? "ERROR" : isFailure ? "FAILED" : "RESULT";
                        end(call, call.isCanceled ? "LATE" : outcome, audit, true, closed);
                    });
        } else if (exchange != null && (isRpc && json.has("error") || !isRpc && status != null && status >= 400)) {
            calls.stream()
                    .filter(call -> isAsked.test(call) && !call.isCanceled && exchange.equals(call.exchange))
                    .forEach(call -> {
                        call.isEnded = true;
                        end(call, isRpc ? "ERROR" : "REFUSED", audit, true, closed);
                    });
        }
        if (mark.equals("END")) {
            for (Call call : calls) {
                if (!call.isEnded && !call.isCanceled && !call.isUnsure) {
                    end(call, "HUNG", audit, false, closed);
                }
                call.isEnded = true;
            }
        }
        return closed;
    }

    private void request(AuditRecord audit, JsonNode json, String side, String exchange) {
        String method = json.get("method").asText();
        boolean isTask = Set.of("tools/call", "sampling/createMessage").contains(method);
        String id = (side.equals("SERVER_TO_CLIENT") ? "server " : "") + json.get("id");
        String sender = audit.getMessage().getSender();
        OpenItem item = ItemOracle.item(isTask ? "TASK" : "QUERY", id, null, sender, audit);
        item.setName(json.at("/params/name").textValue());
        calls.add(0, new Call(item, side, exchange, json.get("id"), size(audit)));
    }

    private Optional<Call> first(Predicate<Call> which) {
        return calls.stream().filter(which).findFirst();
    }

    private static void end(
            Call call, String outcome, AuditRecord audit, boolean isByMessage, List<ItemOracle.Closed> closed) {
        Duration turnaround =
                Duration.between(call.item.getSince(), audit.getSource().getTimestamp());
        closed.add(new ItemOracle.Closed(
                call.item,
                outcome,
                isByMessage ? audit.getMessage().getSender() : null,
                turnaround,
                call.bytes,
                isByMessage && !outcome.equals("CANCELED") ? size(audit) : 0));
    }

    private static JsonNode json(AgentMessage message) {
        String raw = StandardCharsets.UTF_8.decode(message.getRaw().duplicate()).toString();
        try {
            return raw.startsWith("{") ? JSON.readTree(raw) : JSON.createObjectNode();
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static long size(AuditRecord audit) {
        return audit.getMessage().getRaw().remaining();
    }
}
