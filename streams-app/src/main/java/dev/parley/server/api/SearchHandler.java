package dev.parley.server.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.codec.Symbols;
import dev.parley.server.access.MaskingPolicy;
import dev.parley.server.cluster.ViewAnswer;
import dev.parley.server.cluster.ViewAnswer.Page;
import dev.parley.server.http.Json;
import dev.parley.stage.ByteBuffers;
import dev.parley.topology.views.read.Cursor;
import dev.parley.topology.views.read.Views;
import dev.parley.topology.views.search.SearchKeys;
import dev.parley.topology.views.search.SearchQuery;
import dev.parley.topology.views.search.SearchTerms;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Answers searches for audit records. One response examines a bounded part of the index, so that it arrives soon. */
final class SearchHandler {

    static final String CONTENT_TYPE = "application/x-ndjson";

    /** Characters of an excerpt before and after the beginning of a word. */
    private static final int BEFORE = 60;

    private static final int AFTER = 140;

    private final Views views;
    private final MaskingPolicy masking;

    /** @param masking policy for the role of the caller */
    SearchHandler(Views views, MaskingPolicy masking) {
        this.views = views;
        this.masking = masking;
    }

    Page search(ViewRequest request) {
        Parameters parameters = Parameters.of(
                request,
                "code",
                Parameters.CURSOR,
                "from",
                Parameters.LIMIT,
                "namespace",
                "protocol",
                "q",
                "sender",
                "to",
                "verdict");
        SearchQuery query = new SearchQuery(
                words(parameters),
                parameters.text("code"),
                parameters.text("sender"),
                parameters.text("verdict").map(text -> Parameters.oneOf("verdict", text, ConversationHandler.VERDICTS)),
                parameters.protocol(),
                parameters.text("namespace"),
                parameters.time("from"),
                parameters.time("to"),
                masking == MaskingPolicy.NONE);
        KeyedItems items = new KeyedItems(request.budget());
        return items.page(views.search(
                query,
                request.after(),
                request.limit(),
                (document, record) -> items.add(document, hit(record, query.words()))));
    }

    private static List<String> words(Parameters parameters) {
        Optional<String> text = parameters.text("q");
        List<String> words = text.map(q -> List.copyOf(SearchTerms.words(q, SearchQuery.MAX_WORDS + 1)))
                .orElse(List.of());
        if (text.isPresent() && words.isEmpty()) {
            throw Parameters.invalid(
                    "q", "must have a word of at least " + SearchTerms.MIN_WORD + " letters or digits");
        }
        if (words.size() > SearchQuery.MAX_WORDS) {
            throw Parameters.invalid("q", "must have at most " + SearchQuery.MAX_WORDS + " different words");
        }
        return words;
    }

    private ObjectNode hit(AuditRecord record, List<String> words) {
        AgentMessage message = record.getMessage();
        SearchTerms.Names names = SearchTerms.Names.of(record.getChain());
        boolean masked = masking.masks(record);
        ByteBuffer raw = message == null ? record.getRaw() : message.getRaw();
        return Json.object()
                .put("namespace", names.namespace())
                .put("protocol", names.protocol().name())
                .put("conversation", names.conversation())
                .put("chain", record.getChain())
                .put("sequence", record.getSequence())
                .put("time", record.getSource().getTimestamp().toString())
                .put("sender", message == null ? null : message.getSender())
                .put(
                        "performative",
                        message == null
                                ? null
                                : Symbols.PERFORMATIVE
                                        .of(message.getPerformative())
                                        .name())
                .put("verdict", Symbols.VERDICT.of(record.getVerdict()).name())
                .put("code", record.getCode())
                .put("excerpt", masked || raw == null ? null : excerpt(raw, words))
                .put("redacted", masked || record.getRedacted() != null);
    }

    /** The text around the first word that it contains, or its beginning. */
    private static String excerpt(ByteBuffer raw, List<String> words) {
        byte[] bytes = ByteBuffers.of(raw);
        String text = new String(bytes, 0, Math.min(bytes.length, SearchTerms.MAX_BYTES), StandardCharsets.UTF_8);
        String lower = text.toLowerCase(Locale.ROOT);
        int at = words.stream()
                .mapToInt(lower::indexOf)
                .filter(index -> index >= 0)
                .min()
                .orElse(0);
        int start = boundary(text, Math.min(text.length(), Math.max(0, at - BEFORE)));
        int end = boundary(text, Math.min(text.length(), at + AFTER));
        return (start > 0 ? "…" : "")
                + text.substring(start, Math.max(start, end))
                + (end < text.length() || bytes.length > SearchTerms.MAX_BYTES ? "…" : "");
    }

    /** The index, or the one before it if it would cut a surrogate pair. */
    private static int boundary(String text, int index) {
        return index > 0 && index < text.length() && Character.isLowSurrogate(text.charAt(index)) ? index - 1 : index;
    }

    /** Writes a page as JSON lines: the hits, how far the search is, and whether it is complete. */
    static byte[] lines(Page page) {
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        for (ViewAnswer.Item item : page.items()) {
            lines.writeBytes("{\"hit\":".getBytes(StandardCharsets.UTF_8));
            lines.writeBytes(item.payload());
            lines.writeBytes("}\n".getBytes(StandardCharsets.UTF_8));
        }
        page.end().ifPresent(end -> {
            ObjectNode progress = Json.object();
            long time = Math.min(SearchKeys.time(end.get()), System.currentTimeMillis());
            progress.putObject("progress")
                    .put("through", Instant.ofEpochMilli(time).toString());
            line(lines, progress);
        });
        ObjectNode done = Json.object();
        done.putObject("done")
                .put("cursor", page.end().map(Cursor::of).orElse(null))
                .put("complete", page.end().isEmpty());
        line(lines, done);
        return lines.toByteArray();
    }

    private static void line(ByteArrayOutputStream lines, ObjectNode node) {
        lines.writeBytes(Json.bytes(node));
        lines.write('\n');
    }
}
