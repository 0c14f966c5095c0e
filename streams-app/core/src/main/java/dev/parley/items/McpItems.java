package dev.parley.items;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.CallerProof;
import dev.parley.avro.Capture;
import dev.parley.avro.CaptureDirection;
import dev.parley.avro.CaptureMark;
import dev.parley.avro.JsonRpcKind;
import dev.parley.avro.JsonRpcMessage;
import dev.parley.avro.McpMessage;
import dev.parley.avro.TrackedItem;
import dev.parley.dialogue.StoredText;
import java.util.List;

/**
 * Items of MCP: a request is open until its response, or until an HTTP error refuses its exchange. A canceled request
 * stays stored for a late response. Requests that are open at the end of the capture are hung, unless messages were
 * lost since. Calls of tools and models are tasks, and other requests are queries; subscriptions and the requests of a
 * batch are no items. The ID of an item is that of the request, after {@code server} if the server sent it.
 */
public final class McpItems implements ItemRules {
    private static final String CANCELLED = "notifications/cancelled";
    private static final String LISTEN = "subscriptions/listen";
    private static final int HTTP_ERROR = 400;
    private static final Capture NO_CAPTURE = new Capture(
            CaptureDirection.UNKNOWN,
            null,
            CaptureMark.NONE,
            null,
            null,
            null,
            null,
            List.of(),
            null,
            CallerProof.CLAIM,
            List.of());

    @Override
    public boolean areIdleAlone() {
        return true;
    }

    @Override
    public boolean includesViolations() {
        return true;
    }

    @Override
    public String follow(OpenItems items, AuditRecord audit, String state) {
        McpMessage message = audit.getMessage().getMcp();
        Capture capture = message.getCapture() == null ? NO_CAPTURE : message.getCapture();
        boolean isNewProcess = capture.getMark() == CaptureMark.START && capture.getExchange() == null;
        if (capture.getMark() == CaptureMark.GAP || isNewProcess) {
            items.lose();
        }
        follow(items, audit.getMessage(), message, capture);
        if (capture.getMark() == CaptureMark.END) {
            items.endIf(item -> true);
        }
        return null;
    }

    private static void follow(OpenItems items, AgentMessage envelope, McpMessage message, Capture capture) {
        JsonRpcMessage rpc = message.getMessage();
        String sender = envelope.getSender();
        boolean isResponse = rpc.getMethod() == null;
        CaptureDirection asking = isResponse ? opposite(capture.getDirection()) : capture.getDirection();
        // Both sides may send requests in one exchange.
        String exchange =
                capture.getExchange() == null ? null : StoredText.key(asking.name() + ' ' + capture.getExchange());
        switch (rpc.getKind()) {
            case REQUEST -> {
                if (!LISTEN.equals(rpc.getMethod())) {
                    open(items, message, exchange, asking, sender);
                }
            }
            case RESULT, ERROR -> {
                if (rpc.getId() != null && !rpc.getId().equals("null")) {
                    answer(items, message, id(asking, rpc.getId()), exchange, sender);
                } else if (rpc.getKind() == JsonRpcKind.ERROR) {
                    closeExchange(items, exchange, ItemOutcome.ERROR, sender);
                }
            }
            case NOTIFICATION -> {
                if (CANCELLED.equals(rpc.getMethod()) && message.getRequestId() != null) {
                    StoredText id = new StoredText(id(asking, message.getRequestId()));
                    items.cancel(items.latest(item -> !item.getCanceled() && id.matches(item.getItem())), sender);
                }
            }
            case NONE, OTHER -> {
                if (capture.getHttpStatus() != null && capture.getHttpStatus() >= HTTP_ERROR) {
                    closeExchange(items, exchange, ItemOutcome.REFUSED, sender);
                }
            }
            case BATCH, UNKNOWN -> {
                // No request or response by itself.
            }
        }
    }

    private static void open(
            OpenItems items, McpMessage message, String exchange, CaptureDirection asking, String sender) {
        TrackedItem item = new TrackedItem();
        item.setItem(OpenItems.stored(id(asking, message.getMessage().getId())));
        item.setName(OpenItems.stored(message.getName()));
        item.setRequester(OpenItems.stored(sender));
        item.setExchange(exchange);
        item.setMayHang(asking != CaptureDirection.UNKNOWN);
        items.open(kind(message.getMessage().getMethod()), item);
    }

    /** Closes the request of the exchange with the ID, otherwise the latest one with it. */
    private static void answer(OpenItems items, McpMessage message, String id, String exchange, String sender) {
        StoredText wanted = new StoredText(id);
        TrackedItem own = exchange == null
                ? null
                : items.latest(item -> exchange.equals(item.getExchange()) && wanted.matches(item.getItem()));
        TrackedItem request = own == null ? items.named(id) : own;
        ItemOutcome outcome = message.getMessage().getKind() == JsonRpcKind.ERROR
                ? ItemOutcome.ERROR
                : Boolean.TRUE.equals(message.getIsError()) ? ItemOutcome.FAILED : ItemOutcome.RESULT;
        items.close(request, request != null && request.getCanceled() ? ItemOutcome.LATE : outcome, sender);
    }

    /** Closes the requests that an HTTP response answers together. */
    private static void closeExchange(OpenItems items, String exchange, ItemOutcome outcome, String sender) {
        for (TrackedItem item : List.copyOf(items.all())) {
            if (exchange != null && exchange.equals(item.getExchange()) && !item.getCanceled()) {
                items.close(item, outcome, sender);
            }
        }
    }

    private static CaptureDirection opposite(CaptureDirection direction) {
        return switch (direction) {
            case CLIENT_TO_SERVER -> CaptureDirection.SERVER_TO_CLIENT;
            case SERVER_TO_CLIENT -> CaptureDirection.CLIENT_TO_SERVER;
            case UNKNOWN -> direction;
        };
    }

    /** Returns the ID of the item of a side; of a client, if the side is unknown. */
    private static String id(CaptureDirection asking, String id) {
        return asking == CaptureDirection.SERVER_TO_CLIENT ? "server " + id : id;
    }

    private static ItemKind kind(String method) {
        return "tools/call".equals(method) || "sampling/createMessage".equals(method) ? ItemKind.TASK : ItemKind.QUERY;
    }
}
