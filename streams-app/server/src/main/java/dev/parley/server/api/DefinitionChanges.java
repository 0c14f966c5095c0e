package dev.parley.server.api;

import dev.parley.audit.Redactions;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.JsonRpcMessage;
import dev.parley.codec.Excerpt;
import dev.parley.codec.json.JsonWriter;
import dev.parley.dialogue.StoredText;
import dev.parley.dialogue.mcp.McpDefinitions;
import dev.parley.dialogue.mcp.McpJson;
import dev.parley.json.model.Unapproved.Definition;
import dev.parley.server.auth.MaskingPolicy;
import dev.parley.state.Change;
import dev.parley.state.McpChanges;
import dev.parley.topology.topics.PublicContent;
import dev.parley.topology.views.Views;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * What messages of MCP sessions changed, by a comparison of definitions as in the rule M36. Reads each session from its
 * beginning, once, and a bounded number of messages of all sessions. For one answer.
 */
final class DefinitionChanges {
    /** Maximum messages that are read for one answer. */
    static final int MAX_MESSAGES = 2_000;

    /** Bytes of messages after which no further ones are read for one answer. */
    static final long MAX_BYTES = 16L << 20;

    /** Maximum definitions of one message. */
    static final int MAX_DEFINITIONS = 16;

    private static final int MAX_NAME = 300;
    private static final Set<String> KINDS = Set.of("tool", "prompt", "resource");

    /**
     * What a message changed.
     *
     * @param server name that the server claims; null if unknown
     * @param definitions changed definitions, at most {@link #MAX_DEFINITIONS}; empty if unknown
     */
    record Changes(String server, List<Definition> definitions) {}

    private final Views views;
    private final MaskingPolicy masking;
    private final Map<String, Map<Long, Changes>> sessions = new HashMap<>();
    private int messages;
    private long bytes;

    DefinitionChanges(Views views, MaskingPolicy masking) {
        this.views = views;
        this.masking = masking;
    }

    /** What a message with a changed definition changed. */
    Changes of(AuditRecord record) {
        return sessions.computeIfAbsent(record.getChain(), this::read)
                .getOrDefault(record.getSequence(), new Changes(null, List.of()));
    }

    private Map<Long, Changes> read(String chain) {
        Map<Long, Changes> found = new HashMap<>();
        McpChanges session = new McpChanges();
        Map<String, String> definitions = new HashMap<>();
        String server = null;
        Iterator<AuditRecord> records = views.records(chain, 0, Long.MAX_VALUE);
        while (messages < MAX_MESSAGES && bytes < MAX_BYTES && records.hasNext()) {
            AuditRecord record = records.next();
            messages++;
            if (record.getMessage() == null || record.getMessage().getMcp() == null) {
                continue;
            }
            bytes += record.getMessage().getRaw().remaining();
            List<Definition> changed = changed(session.of(record), definitions);
            String claimed = server(record);
            server = claimed == null ? server : shown(record).apply(claimed);
            if (Redactions.isApprovable(record)) {
                UnaryOperator<String> shown = shown(record);
                changed.replaceAll(one -> new Definition(one.kind(), shown.apply(one.name())));
                found.put(record.getSequence(), new Changes(server, changed));
            }
        }
        return found;
    }

    /**
     * The definitions that differ from the last ones of their names.
     *
     * @param last hashes of the last definitions by entry; updated
     */
    private static List<Definition> changed(List<Change> changes, Map<String, String> last) {
        List<Definition> changed = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (Change change : changes) {
            String entry = change.entry();
            String kind = entry.substring(0, Math.max(0, entry.indexOf('/')));
            if (KINDS.contains(kind) && change.value().isPresent() && seen.add(entry)) {
                String hash = StoredText.key(
                        McpDefinitions.text(McpJson.members(change.value().get())));
                String before = last.put(entry, hash);
                if (before != null && !before.equals(hash) && changed.size() < MAX_DEFINITIONS) {
                    changed.add(new Definition(kind, entry.substring(kind.length() + 1)));
                }
            }
        }
        return changed;
    }

    private static String server(AuditRecord record) {
        String result = record.getMessage().getMcp().getMessage().getResult();
        return McpJson.string(
                McpJson.members(McpJson.members(result).get("serverInfo")).get("name"));
    }

    /** Replaces the names that the caller does not see in a message by a marker. */
    private UnaryOperator<String> shown(AuditRecord record) {
        AuditRecord visible = masking.visible(record);
        String results = visible == null ? "" : results(visible);
        return name -> visible == record || results.contains(JsonWriter.quoted(name))
                ? Excerpt.cut(name, MAX_NAME)
                : PublicContent.MARKER;
    }

    /** The result of a message, or its elements if it is a batch. */
    private static String results(AuditRecord record) {
        JsonRpcMessage message = record.getMessage().getMcp().getMessage();
        return message.getResult() == null ? String.join("", message.getBatch()) : message.getResult();
    }
}
