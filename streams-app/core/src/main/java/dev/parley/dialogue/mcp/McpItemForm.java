package dev.parley.dialogue.mcp;

import dev.parley.avro.ConversationItem;
import dev.parley.avro.McpItem;
import dev.parley.avro.McpItemState;
import dev.parley.dialogue.RememberedItems;
import dev.parley.dialogue.StateBytes;

/** Stored requests, tasks and definitions. */
final class McpItemForm implements RememberedItems.Form<McpItem> {
    /** Bytes of the kind, the state, the sequence and the lengths. */
    private static final int BYTES = 24;

    @Override
    public String key(McpItem item) {
        return item.getKey();
    }

    @Override
    public ConversationItem write(McpItem item, long order) {
        return new ConversationItem(null, null, null, withText(item, null), null, order);
    }

    @Override
    public String text(McpItem item) {
        return item.getOutputSchema();
    }

    @Override
    public McpItem withText(McpItem item, String text) {
        McpItem changed = McpSession.copy(item);
        changed.setOutputSchema(text);
        return changed;
    }

    @Override
    public McpItem read(ConversationItem stored) {
        return stored.getMcp();
    }

    @Override
    public int bytes(McpItem item) {
        return BYTES
                + StateBytes.of(item.getKey())
                + StateBytes.of(item.getHash())
                + StateBytes.of(item.getMethod())
                + StateBytes.of(item.getExchange())
                + StateBytes.of(item.getToken())
                + StateBytes.of(item.getProgress())
                + StateBytes.of(item.getDetail())
                + StateBytes.of(item.getTool())
                + StateBytes.of(item.getOutputSchema());
    }

    @Override
    public boolean isAwaited(McpItem item) {
        return item.getState() != McpItemState.CLOSED;
    }
}
