package dev.parley.server.api;

import dev.parley.avro.AuditRecord;
import dev.parley.codec.ClaimedTime;
import dev.parley.json.ApiJson;
import dev.parley.json.model.SearchLine;
import dev.parley.json.model.SearchLine.Hit;
import dev.parley.json.model.SearchPage;
import dev.parley.server.api.view.KeyedItems;
import dev.parley.server.api.view.Parameters;
import dev.parley.server.api.view.ViewApi;
import dev.parley.server.api.view.ViewRequest;
import dev.parley.server.auth.MaskingPolicy;
import dev.parley.server.http.ApiRequest;
import dev.parley.server.http.Route;
import dev.parley.topology.topics.ChainNames;
import dev.parley.topology.views.Views;
import dev.parley.topology.views.search.SearchKeys;
import dev.parley.topology.views.search.SearchQuery;
import dev.parley.topology.views.search.SearchTerms;
import dev.parley.topology.views.search.SearchText;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Bytes;

/** Answers searches for audit records. One response examines a bounded part of the index, so that it arrives soon. */
final class SearchHandler {

    private static final String CONTENT_TYPE = "application/x-ndjson";

    /** Characters of an excerpt before and after the beginning of a word. */
    private static final int BEFORE = 60;

    private static final int AFTER = 140;

    private SearchHandler() {}

    static KeyedItems search(ViewRequest request, Views views) {
        Parameters parameters = Parameters.ofList(
                request,
                "clock",
                "code",
                "from",
                "namespace",
                "protocol",
                "q",
                "recipient",
                "reference",
                "sender",
                "to",
                "verdict");
        Optional<Instant> from = parameters.time("from");
        Optional<Instant> to = parameters.time("to");
        boolean isClaimed = parameters.symbol("clock", List.of(Clock.values())).equals(Optional.of(Clock.CLAIMED));
        SearchText text = text(parameters);
        SearchQuery query = new SearchQuery(
                text,
                isClaimed ? Optional.empty() : from,
                isClaimed ? Optional.empty() : to,
                request.masking().content());
        KeyedItems items = new KeyedItems(request.budget());
        BiPredicate<Bytes, AuditRecord> page =
                (document, record) -> items.add(document, hit(record, text, request.masking()));
        Predicate<AuditRecord> claimed = record -> isIn(from, to, claimedTime(record, request.masking()));
        return items.endAt(views.search()
                .list(query, isClaimed ? claimed : record -> true, request.after(), request.limit(), page));
    }

    /** The times of a range: those of receipt, or those that senders claim, which no index has. */
    private enum Clock {
        RECEIVED,
        CLAIMED
    }

    private static boolean isIn(Optional<Instant> from, Optional<Instant> to, Instant time) {
        return time != null
                && from.filter(time::isBefore).isEmpty()
                && to.filter(time::isAfter).isEmpty();
    }

    /** The time that the sender claims in what the caller may see; null if there is none. */
    static Instant claimedTime(AuditRecord record, MaskingPolicy masking) {
        AuditRecord visible = masking.visible(record);
        return ClaimedTime.of(record.getSource(), visible == null ? null : visible.getMessage());
    }

    /** The conditions that the parameters of a search contain. */
    private static SearchText text(Parameters parameters) {
        SearchText text = asked(parameters)
                .and(Stream.of(
                                parameters.code().map(SearchTerms::code),
                                parameters.text("sender").map(SearchTerms::sender),
                                parameters.text("recipient").map(SearchTerms::recipient),
                                reference(parameters).map(SearchTerms::reference),
                                parameters.verdict().map(SearchTerms::verdict),
                                parameters.protocol().map(SearchTerms::protocol),
                                parameters.text("namespace").map(SearchTerms::namespace))
                        .flatMap(Optional::stream)
                        .toList());
        if (text.clauses().isEmpty() && !text.excluded().isEmpty()) {
            throw Parameters.invalid("q", "must have a word, phrase or field to find besides those that it excludes");
        }
        return text;
    }

    private static SearchText asked(Parameters parameters) {
        return parameters
                .text("q")
                .map(text -> parameters.parsed("q", text, SearchText::parse))
                .orElse(SearchText.ALL);
    }

    private static Optional<String> reference(Parameters parameters) {
        Optional<String> reference = parameters.text("reference");
        if (reference.filter(text -> text.indexOf(':') <= 0).isPresent()) {
            throw Parameters.invalid("reference", "must be a kind, a colon, and a name, such as tool:add");
        }
        return reference;
    }

    private static Hit hit(AuditRecord record, SearchText text, MaskingPolicy masking) {
        ChainNames names = ChainNames.of(record.getChain());
        AuditRecord visible = masking.visible(record);
        MessageOutline outline = MessageOutline.of(record);
        return new Hit(
                names.namespace(),
                names.protocol().name(),
                names.conversation(),
                record.getChain(),
                record.getSequence(),
                outline.time(),
                claimedTime(record, masking),
                outline.sender(),
                masking.claims(record),
                outline.performative(),
                outline.verdict(),
                record.getCode(),
                visible == null ? null : excerpt(SearchTerms.textOf(visible), text),
                visible == null || record.getRedacted() != null,
                visible != null && visible != record);
    }

    /** The text around the first part of a search that it contains, or its beginning; null for null. */
    private static String excerpt(ByteBuffer content, SearchText search) {
        if (content == null) {
            return null;
        }
        String text = SearchTerms.readable(content);
        int at = search.find(text);
        int start = boundary(text, Math.max(0, at - BEFORE));
        int end = boundary(text, Math.min(text.length(), at + AFTER));
        return (start > 0 ? "…" : "")
                + text.substring(start, Math.max(start, end))
                + (end < text.length() || content.remaining() > SearchTerms.MAX_BYTES ? "…" : "");
    }

    /** The index, or the one before it if it would cut a surrogate pair. */
    private static int boundary(String text, int index) {
        return index > 0 && index < text.length() && Character.isLowSurrogate(text.charAt(index)) ? index - 1 : index;
    }

    /** A page for tools. */
    static SearchPage page(ApiRequest request, ViewApi.Items<Hit> hits) {
        return new SearchPage(hits.results(), hits.next(), asked(request).ignored());
    }

    private static SearchText asked(ApiRequest request) {
        return asked(new Parameters(Parameters.values(request), Parameters::invalid));
    }

    /** The lines of a response: the hits, how far the search is, and whether it is complete. */
    static Route.Content lines(ApiRequest request, ViewApi.Items<Hit> hits) {
        SearchText asked = asked(request);
        List<SearchLine> lines = new ArrayList<>();
        hits.results().forEach(hit -> lines.add(new SearchLine(hit, null, null)));
        hits.end().ifPresent(end -> {
            long time = Math.min(SearchKeys.time(end.get()), System.currentTimeMillis());
            // In seconds: the document may be that of a record that the caller may not see.
            Instant seconds = Instant.ofEpochMilli(time).truncatedTo(ChronoUnit.SECONDS);
            lines.add(new SearchLine(null, new SearchLine.Progress(seconds), null));
        });
        lines.add(new SearchLine(
                null, null, new SearchLine.Done(hits.next(), hits.end().isEmpty(), asked.words(), asked.ignored())));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        lines.forEach(line -> {
            bytes.writeBytes(ApiJson.bytes(line));
            bytes.write('\n');
        });
        return new Route.Content(CONTENT_TYPE, bytes.toByteArray());
    }
}
