package dev.parley.dialogue.mcp;

import dev.parley.avro.CaptureDirection;
import dev.parley.avro.McpItem;
import dev.parley.avro.McpItemKind;
import dev.parley.avro.McpItemState;
import dev.parley.dialogue.RememberedItems.Found;
import dev.parley.dialogue.RememberedItems.Touch;
import dev.parley.dialogue.StoredText;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Rules of what a side declares once and keeps: definitions of tools, prompts and resources, and states of tasks. */
final class McpDeclarations {
    /** Instead of the sequence of a request: the other side may have reported the task before. */
    static final long ANY_TIME = -1;

    private final McpSession session;
    private final McpOutputSchemas schemas;

    McpDeclarations(McpSession session, McpOutputSchemas schemas) {
        this.session = session;
        this.schemas = schemas;
    }

    /** Returns the key of a definition; null without a name. */
    static String key(McpItemKind kind, String name) {
        return name == null ? null : kind.name().charAt(0) + "." + StoredText.key(name);
    }

    /**
     * Compares definitions with the last ones of their names.
     *
     * @param nameMember member with the name
     * @param definitions array of definitions as JSON; null for none
     */
    void define(McpItemKind kind, String nameMember, String definitions) {
        List<String> elements = McpJson.elements(definitions);
        List<Touch<McpItem>> touches = new ArrayList<>(elements.size());
        Set<String> keys = new HashSet<>();
        int number = 0;
        for (String json : elements) {
            number++;
            Map<String, String> members = McpJson.members(json);
            String key = key(kind, McpJson.string(members.get(nameMember)));
            if (key == null || !keys.add(key)) {
                continue;
            }
            McpItem item = new McpItem();
            item.setKind(kind);
            item.setKey(key);
            item.setHash(StoredText.key(McpDefinitions.text(members)));
            item.setState(McpItemState.OPEN);
            item.setOutputSchema(McpOutputSchemas.stored(members.get("outputSchema")));
            item.setSequence(session.sequence());
            Found<McpItem> found = session.find(key);
            McpItem before = found.item();
            if (before != null && !before.getHash().equals(item.getHash())) {
                session.warn(
                        McpRule.CHANGED,
                        "Definition " + number + " differs from the one at sequence " + before.getSequence() + '.');
            } else if (before != null) {
                item.setSequence(before.getSequence());
            }
            touches.add(new Touch<>(found, item));
        }
        session.touch(touches);
    }

    /**
     * Compares the content of a result with the schema of its tool.
     *
     * @param tool key of the tool; null if the result is not that of a call
     * @param content structured content as JSON; null without any
     */
    void output(String tool, String content) {
        McpItem definition = tool == null ? null : session.find(tool).item();
        if (definition == null || definition.getOutputSchema() == null) {
            return;
        }
        String broken = schemas.broken(definition.getOutputSchema(), content);
        if (broken != null) {
            session.warn(
                    McpRule.OUTPUT,
                    "It breaks " + broken + " of the outputSchema at sequence " + definition.getSequence() + '.');
        }
    }

    /**
     * Follows a task of the side that reports it: both sides may give their tasks the same ID.
     *
     * @param asked sequence of the request that the report answers, or {@link #ANY_TIME}
     */
    void task(CaptureDirection owner, String id, String status, long asked) {
        if (id == null || status == null) {
            return;
        }
        String key = "t." + StoredText.key(owner + " " + id);
        Found<McpItem> found = session.find(key);
        McpItem before = found.item();
        boolean isEnded = before != null && before.getState() == McpItemState.CLOSED;
        if (isEnded && !status.equals(before.getDetail()) && asked > before.getSequence() && session.isExact()) {
            session.violate(McpRule.TASK, "The task has ended as " + before.getDetail() + '.');
        }
        McpItem item = new McpItem();
        item.setKind(McpItemKind.TASK);
        item.setKey(key);
        item.setHash("");
        boolean ends = switch (status) {
            case "completed", "failed", "cancelled" -> true;
            default -> false;
        };
        boolean isKnown = ends || status.equals("working") || status.equals("input_required");
        item.setState(ends || isEnded ? McpItemState.CLOSED : McpItemState.OPEN);
        item.setDetail(isEnded ? before.getDetail() : isKnown ? status : null);
        item.setSequence(isEnded ? before.getSequence() : session.sequence());
        session.touch(found, item);
    }
}
