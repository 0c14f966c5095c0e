package dev.parley.codec.jsonrpc;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.avro.JsonMember;
import dev.parley.avro.JsonRpcMessage;
import dev.parley.codec.json.JsonWriter;
import dev.parley.encoding.ByteBuffers;
import java.util.List;

/**
 * Writes JSON-RPC messages in canonical form: compact JSON with the members in the order of the record, then the extras
 * in theirs. A message without a body has no bytes, and a body that is no JSON-RPC message keeps its own.
 */
public final class JsonRpcWriter {
    private static final int CAPACITY = 256;

    private final JsonWriter out = new JsonWriter(CAPACITY);
    private boolean isFirst = true;

    private JsonRpcWriter() {}

    /**
     * Writes a message.
     *
     * @throws IllegalArgumentException if it has no kind, or lacks a member that its order names
     */
    public static byte[] write(JsonRpcMessage message) {
        return switch (message.getKind()) {
            case UNKNOWN -> throw new IllegalArgumentException("message.kind: must not be UNKNOWN");
            case NONE -> new byte[0];
            case OTHER -> {
                if (message.getBody() == null) {
                    throw new IllegalArgumentException("message.body: must not be null in a message of kind OTHER");
                }
                yield ByteBuffers.of(message.getBody());
            }
            case BATCH -> ("[" + String.join(",", message.getBatch()) + "]").getBytes(UTF_8);
            case REQUEST, NOTIFICATION, RESULT, ERROR -> new JsonRpcWriter().object(message);
        };
    }

    private byte[] object(JsonRpcMessage message) {
        out.octet('{');
        List<String> order = message.getOrder();
        for (String name : order.isEmpty() ? JsonRpcReader.MEMBERS : order) {
            String json = json(message, name);
            if (json != null) {
                member(name, json);
            } else if (!order.isEmpty()) {
                throw new IllegalArgumentException("message.order: must name only members, but names " + name);
            }
        }
        for (JsonMember extra : message.getExtras()) {
            member(extra.getName(), extra.getJson());
        }
        out.octet('}');
        return out.toBytes();
    }

    private void member(String name, String json) {
        if (!isFirst) {
            out.octet(',');
        }
        isFirst = false;
        out.string(name);
        out.octet(':');
        byte[] utf8 = json.getBytes(UTF_8);
        out.raw(utf8, 0, utf8.length);
    }

    private static String json(JsonRpcMessage message, String name) {
        return switch (name) {
            case "jsonrpc" -> JsonRpcReader.VERSION;
            case "id" -> message.getId();
            case "method" -> message.getMethod() == null ? null : quoted(message.getMethod());
            case "params" -> message.getParams();
            case "result" -> message.getResult();
            case "error" -> message.getError();
            default -> null;
        };
    }

    static String quoted(String text) {
        JsonWriter quoted = new JsonWriter(text.length() + 2);
        quoted.string(text);
        return new String(quoted.toBytes(), UTF_8);
    }
}
