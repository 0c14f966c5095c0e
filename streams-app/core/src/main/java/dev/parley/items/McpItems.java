package dev.parley.items;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.CaptureDirection;
import dev.parley.avro.JsonRpcKind;
import dev.parley.avro.JsonRpcMessage;
import dev.parley.avro.McpMessage;
import dev.parley.avro.TrackedItem;

/**
 * Items of MCP: a request is open until its response, or until it is canceled. Calls of tools and models are tasks, and
 * other requests are queries. The name of an item is the ID of the request, after {@code server} if the server sent it.
 */
public final class McpItems implements ItemRules {
    private static final String CANCELLED = "notifications/cancelled";

    @Override
    public boolean areIdleAlone() {
        return true;
    }

    @Override
    public String follow(OpenItems items, AuditRecord audit, String state) {
        AgentMessage envelope = audit.getMessage();
        McpMessage message = envelope.getMcp();
        JsonRpcMessage rpc = message.getMessage();
        boolean isServers = message.getCapture() != null
                && message.getCapture().getDirection() == CaptureDirection.SERVER_TO_CLIENT;
        switch (rpc.getKind()) {
            case REQUEST ->
                items.open(kind(rpc.getMethod()), name(isServers, rpc.getId()), null, envelope.getSender(), null);
            case RESULT, ERROR -> {
                boolean isFailure = rpc.getKind() == JsonRpcKind.ERROR || Boolean.TRUE.equals(message.getIsError());
                ItemOutcome outcome = isFailure ? ItemOutcome.FAILED : ItemOutcome.RESULT;
                items.close(named(items, !isServers, rpc.getId()), outcome, envelope.getSender());
            }
            case NOTIFICATION -> {
                TrackedItem canceled =
                        CANCELLED.equals(rpc.getMethod()) ? named(items, isServers, message.getRequestId()) : null;
                if (canceled != null) {
                    items.close(canceled, ItemOutcome.REFUSED, envelope.getSender());
                }
            }
            case BATCH, NONE, OTHER, UNKNOWN -> {
                // No request or response by itself.
            }
        }
        return null;
    }

    private static TrackedItem named(OpenItems items, boolean isServers, String id) {
        return id == null ? null : items.named(name(isServers, id));
    }

    private static String name(boolean isServers, String id) {
        return isServers ? "server " + id : id;
    }

    private static ItemKind kind(String method) {
        return switch (method) {
            case "tools/call", "sampling/createMessage" -> ItemKind.TASK;
            default -> ItemKind.QUERY;
        };
    }
}
