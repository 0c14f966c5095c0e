package dev.parley.codec.mcp;

import dev.parley.avro.McpMessage;
import dev.parley.avro.Performative;
import java.util.Map;

/** Speech acts of MCP messages (docs/protocols.md 5.1). */
final class McpPerformatives {
    private static final Map<String, Performative> BY_METHOD = Map.ofEntries(
            Map.entry("tools/call", Performative.REQUEST),
            Map.entry("sampling/createMessage", Performative.REQUEST),
            Map.entry("elicitation/create", Performative.ASK),
            Map.entry("initialize", Performative.CONTROL),
            Map.entry("ping", Performative.CONTROL),
            Map.entry("subscriptions/listen", Performative.CONTROL),
            Map.entry("logging/setLevel", Performative.CONTROL),
            Map.entry("resources/subscribe", Performative.CONTROL),
            Map.entry("resources/unsubscribe", Performative.CONTROL),
            Map.entry("tasks/cancel", Performative.CONTROL),
            Map.entry("tasks/update", Performative.ASSERT),
            Map.entry("notifications/initialized", Performative.CONTROL),
            Map.entry("notifications/cancelled", Performative.CONTROL),
            Map.entry("notifications/subscriptions/acknowledged", Performative.ACKNOWLEDGE));

    private McpPerformatives() {}

    static Performative of(McpMessage message) {
        return switch (message.getMessage().getKind()) {
            case REQUEST -> BY_METHOD.getOrDefault(message.getMessage().getMethod(), Performative.ASK);
            case NOTIFICATION -> BY_METHOD.getOrDefault(message.getMessage().getMethod(), Performative.ASSERT);
            case RESULT -> result(message);
            case ERROR -> Performative.FAILURE;
            case BATCH, NONE, OTHER -> Performative.CONTROL;
            case UNKNOWN -> Performative.UNSPECIFIED;
        };
    }

    private static Performative result(McpMessage message) {
        boolean isEmpty = "{}".equals(message.getMessage().getResult());
        return Boolean.TRUE.equals(message.getIsError())
                ? Performative.FAILURE
                : isEmpty ? Performative.ACKNOWLEDGE : Performative.RESULT;
    }
}
