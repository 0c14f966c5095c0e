package dev.parley.server.api;

import dev.parley.audit.AuditChain;
import dev.parley.audit.Redactions;
import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.ClaimedRecord;
import dev.parley.avro.ConversationSummary;
import dev.parley.avro.Omitted;
import dev.parley.avro.Protocol;
import dev.parley.avro.Verdict;
import dev.parley.codec.Symbols;
import dev.parley.decode.ConversationKey;
import dev.parley.decode.WireProtocol;
import dev.parley.json.ApiJson;
import dev.parley.json.AvroJson;
import dev.parley.json.JsonText;
import dev.parley.json.model.Conversation;
import dev.parley.json.model.EncodedText;
import dev.parley.json.model.Message;
import dev.parley.json.model.MessageDetail;
import dev.parley.json.model.MessageDetail.Dialogue;
import dev.parley.json.model.MessageDetail.Integrity;
import dev.parley.json.model.MessageItem;
import dev.parley.json.model.MessagePage;
import dev.parley.json.model.MessageRow;
import dev.parley.protocol.Glosses;
import dev.parley.protocol.Protocols;
import dev.parley.server.api.view.KeyedItems;
import dev.parley.server.api.view.Parameters;
import dev.parley.server.api.view.ViewRequest;
import dev.parley.server.auth.MaskingPolicy;
import dev.parley.server.http.ProblemException;
import dev.parley.stage.StageSettings;
import dev.parley.state.StateQueryException;
import dev.parley.state.StateSource.Beginning;
import dev.parley.topology.views.ClaimView;
import dev.parley.topology.views.ConversationOrder;
import dev.parley.topology.views.ConversationView;
import dev.parley.topology.views.Views;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import org.apache.avro.Schema;
import org.apache.kafka.common.utils.Bytes;

/**
 * Answers requests about conversations and their messages.
 *
 * @param settings settings of the pipeline, with which a replay judges
 * @param links builds links to conversations
 */
public record ConversationHandler(Glosses glosses, StageSettings settings, ResponseLinks links) {

    /** Fields that a message in an answer has elsewhere, or not at all. */
    private static final Set<String> RAW_FIELDS = Set.of("raw", "source");

    /** Parameter of a proof: whether it omits the content. */
    static final String METADATA = "metadata";

    /** Maximum recipients in a row of a timeline. */
    private static final int MAX_RECIPIENTS = 16;

    /** Parameters that select conversations. */
    private static final String[] FILTERS = {"namespace", "protocol", "verdict", "code"};

    /** Parameters of a list of conversations. */
    private static final String[] LISTED = {"namespace", "protocol", "verdict", "code", "sort", "order"};

    KeyedItems list(ViewRequest request, Views views) {
        Parameters parameters = Parameters.ofList(request, LISTED);
        ConversationView.Filter filter = filter(parameters);
        KeyedItems items = new KeyedItems(request.budget());
        Optional<Bytes> claim = request.after().filter(ClaimView::isClaim);
        BiPredicate<Bytes, ConversationSummary> page = (key, summary) -> items.add(key, summary(summary, views));
        Optional<Bytes> end = claim.isPresent()
                ? Optional.empty()
                : views.conversations().list(filter, order(parameters), request.after(), request.limit(), page);
        if (end.isPresent() || !listsClaims(filter)) {
            return items.endAt(end);
        }
        if (items.size() == request.limit()) {
            return items.endAt(items.lastKey());
        }
        GroupedItems<ClaimedRecord> claimed =
                new GroupedItems<>(items, request.limit(), first -> new ClaimedConversation(first, links));
        return claimed.page(views.claims()
                .list(
                        filter.namespace().get(),
                        filter.protocol(),
                        filter.code(),
                        request.masking().content().isEmpty(),
                        claim,
                        GroupedItems.MAX_RECORDS,
                        claimed::add));
    }

    private enum Direction {
        DESC,
        ASC
    }

    private static ConversationOrder order(Parameters parameters) {
        return new ConversationOrder(
                parameters
                        .symbol("sort", List.of(ConversationOrder.By.values()))
                        .orElse(ConversationOrder.By.LAST),
                parameters.symbol("order", List.of(Direction.values())).equals(Optional.of(Direction.ASC)));
    }

    private static ConversationView.Filter filter(Parameters parameters) {
        return new ConversationView.Filter(
                parameters.text("namespace"), parameters.protocol(), parameters.verdict(), parameters.code());
    }

    /** Counts the conversations of {@link #list}, without the claimed ones: one item, which adds up. */
    static KeyedItems total(ViewRequest request, Views views) {
        KeyedItems items = new KeyedItems(request.budget());
        items.add(
                Bytes.wrap(new byte[0]),
                new Conversation.Total(views.conversations().total(filter(Parameters.of(request, FILTERS)))));
        return items;
    }

    /** Whether undecodable records match: then the conversations of the namespace that they claim are listed too. */
    private static boolean listsClaims(ConversationView.Filter filter) {
        return filter.namespace().isPresent()
                && filter.verdict()
                        .map(verdict -> verdict == Verdict.UNDECODABLE)
                        .orElse(filter.code().isPresent());
    }

    Conversation one(ViewRequest request, Views views) {
        Parameters.of(request);
        return request.budget().addAnswer(summary(find(request, views), views));
    }

    /**
     * Answers with one message and its chain status; with {@code dialogue=true}, also with the states before and after
     * it.
     */
    MessageDetail message(ViewRequest request, Views views) {
        boolean dialogue = Parameters.of(request, "dialogue").flag("dialogue");
        ConversationSummary summary = find(request, views);
        AuditRecord record = find(request, summary, views);
        List<MessageItem> items = new ArrayList<>();
        add(items, request, record, views, Part.BODY);
        Message message = (Message) items.get(0);
        String proof = links.conversation(summary.getNamespace(), summary.getProtocol(), summary.getConversation())
                + "/messages/" + record.getSequence() + "/proof";
        Integrity integrity =
                request.budget().addAnswer(new ChainStatus(record, views).status(summary.getLastSequence(), proof));
        Dialogue states = null;
        if (dialogue) {
            states = new DialogueStates(views, request, settings).around(record, StateHandler.conversation(request));
        }
        return new MessageDetail(message, record.getChain(), integrity, states);
    }

    /** The audit record of a message as its proof contains it: without content that the caller may not see. */
    static AuditRecord evidence(ViewRequest request, Views views) {
        boolean metadata = Parameters.of(request, METADATA).flag(METADATA);
        AuditRecord record = find(request, find(request, views), views);
        return request.budget()
                .addAnswer(
                        metadata || request.masking().visible(record) != record
                                ? Redactions.redact(record, record.getRedacted())
                                : record);
    }

    /** The audit record of a message, by its sequence. */
    public static AuditRecord record(ViewRequest request, Views views) {
        Parameters.of(request);
        return find(request, find(request, views), views);
    }

    private static AuditRecord find(ViewRequest request, ConversationSummary summary, Views views) {
        long sequence = Parameters.number("sequence", request.pathParam("sequence"), 0, Long.MAX_VALUE);
        Optional<AuditRecord> found = views.message(summary.getChain(), sequence);
        if (found.isEmpty()) {
            requireKept(sequence, summary, views);
            throw ProblemException.Code.UNKNOWN_MESSAGE.problem("The conversation has no message with sequence "
                    + sequence + "; its last sequence is " + summary.getLastSequence() + ".");
        }
        return found.get();
    }

    MessagePage messages(ViewRequest request, Views views) {
        Parameters parameters = Parameters.of(request, "bodies", "from", "limit", "view");
        Optional<Long> requested = parameters.from();
        Part part = part(parameters);
        int limit = parameters.limit();
        ConversationSummary summary = find(request, views);
        long from = requested.orElseGet(() -> firstOf(summary, views));
        List<MessageItem> items = new ArrayList<>();
        long after = from;
        Iterator<AuditRecord> slice =
                views.messages(summary.getChain(), from, limit).iterator();
        requireKept(from, summary, views);
        while (slice.hasNext()) {
            AuditRecord record = slice.next();
            if (!add(items, request, record, views, part)) {
                break;
            }
            after = record.getSequence() + 1;
            if (!slice.hasNext() && items.size() < limit) {
                slice = views.messages(summary.getChain(), after, limit - items.size())
                        .iterator();
            }
        }
        Long next = items.isEmpty() || after > summary.getLastSequence() ? null : (Long) after;
        long total = summary.getLastSequence() + 1;
        return new MessagePage(summary.getChain(), total, firstOf(summary, views), items, next);
    }

    /** How much of a message an answer contains, most first. */
    private enum Part {
        BODY,
        ENVELOPE,
        VERDICT,
        /** A row of a timeline. */
        SUMMARY
    }

    /** Adds a message if it fits; of the first, as much as fits. */
    private boolean add(List<MessageItem> items, ViewRequest request, AuditRecord record, Views views, Part part) {
        MessageItem message =
                part == Part.SUMMARY ? row(record, request.masking()) : message(record, part, request.masking(), views);
        boolean least = part == Part.VERDICT || part == Part.SUMMARY;
        if (request.budget().add(message, least && items.isEmpty())) {
            return items.add(message);
        }
        return items.isEmpty() && add(items, request, record, views, Part.values()[part.ordinal() + 1]);
    }

    /** Sequence at which the list of messages starts by default: the first that is kept, or 0 if none is. */
    static long firstOf(ConversationSummary summary, Views views) {
        return views.beginning(summary.getChain())
                .map(Beginning::first)
                .filter(first -> first <= summary.getLastSequence())
                .orElse(0L);
    }

    /** Throws if messages from a sequence on were pruned. Checked after reading them, because pruning is concurrent. */
    static void requireKept(long sequence, ConversationSummary summary, Views views) {
        views.beginning(summary.getChain())
                .filter(beginning -> sequence < beginning.first())
                .ifPresent(beginning -> {
                    throw StateQueryException.messagesPruned(beginning);
                });
    }

    static ConversationSummary find(ViewRequest request, Views views) {
        String namespace = request.pathParam("namespace");
        Protocol protocol = Parameters.protocol(request);
        String conversation = request.pathParam("conversation");
        return views.conversation(namespace, protocol, conversation)
                .orElseThrow(() ->
                        StateQueryException.unknown(new ConversationKey(namespace, protocol.name(), conversation)));
    }

    private Conversation summary(ConversationSummary summary, Views views) {
        String path = links.conversation(summary.getNamespace(), summary.getProtocol(), summary.getConversation());
        return new Conversation(
                summary.getNamespace(),
                summary.getProtocol().name(),
                summary.getConversation(),
                false,
                summary.getChain(),
                summary.getFirstTime(),
                summary.getLastTime(),
                summary.getLastSequence() + 1,
                summary.getAccepted(),
                summary.getRejected(),
                summary.getFlagged(),
                summary.getUndecodable(),
                views.beginning(summary.getChain()).map(Beginning::first).orElse(0L),
                summary.getLastSequence(),
                AvroJson.hex(summary.getLastHash()),
                summary.getLastVerdict().name(),
                summary.getLastCode(),
                new Conversation.Links(path, path + "/messages"));
    }

    private static Part part(Parameters parameters) {
        boolean bodies = parameters.flag("bodies");
        boolean summary = parameters.symbol("view", List.of(Part.SUMMARY)).isPresent();
        if (summary && bodies) {
            throw Parameters.invalid("bodies", "must not be true with view=summary");
        }
        return summary ? Part.SUMMARY : bodies ? Part.BODY : Part.ENVELOPE;
    }

    /** A row of a timeline: neither the content of the message nor, if it is private, any text that may quote it. */
    private MessageRow row(AuditRecord record, MaskingPolicy masking) {
        MessageOutline outline = MessageOutline.of(record);
        AuditRecord visible = masking.visible(record);
        return new MessageRow(
                record.getSequence(),
                outline.time(),
                SearchHandler.claimedTime(record, masking),
                outline.sender(),
                masking.claims(record),
                outline.recipients().stream().limit(MAX_RECIPIENTS).toList(),
                outline.performative(),
                outline.verdict(),
                record.getCode(),
                record.getWarnings().size(),
                outline.bytes(),
                new MaskedGloss(glosses, masking).brief(record),
                visible == null || record.getRedacted() != null,
                visible != null && visible != record);
    }

    private Message message(AuditRecord record, Part part, MaskingPolicy masking, Views views) {
        AuditRecord visible = masking.visible(record);
        boolean masked = visible == null;
        AuditRecord shown = masked ? record : visible;
        ByteBuffer raw = AuditChain.raw(shown);
        EncodedText body = raw == null || masked || part != Part.BODY ? EncodedText.NONE : EncodedText.of(raw);
        return new Message(
                record.getSequence(),
                Symbols.VERDICT.of(record.getVerdict()).name(),
                Symbols.STAGE.of(record.getStage()).name(),
                record.getCode(),
                record.getPosition(),
                masked || part == Part.VERDICT ? null : shown.getDetail(),
                record.getAllowed(),
                record.getWarnings(),
                record.getRule(),
                Symbols.PROFILE.of(record.getProfile()).name(),
                AvroJson.hex(record.getHash()),
                AvroJson.hex(record.getPreviousHash()),
                shown.getPayloadHash() == null ? null : AvroJson.hex(shown.getPayloadHash()),
                record.getSource(),
                part == Part.VERDICT ? null : new MaskedGloss(glosses, masking).of(record),
                part == Part.VERDICT || record.getMessage() == null ? null : decoded(shown.getMessage(), masked, part),
                body.text(),
                body.encoding(),
                masking.claims(record),
                masked ? List.of() : shown.getInnerMessages(),
                record.getOmitted() == null ? null : omitted(record.getOmitted()),
                record.getRedacted(),
                views.approvals().of(record).orElse(null),
                record.getRedaction(),
                masked || record.getRedacted() != null,
                shown != record,
                part != Part.BODY && raw != null);
    }

    /** The sizes of a record that was too large; its hash is the payload hash. */
    private static Message.Omitted omitted(Omitted omitted) {
        return new Message.Omitted(
                omitted.getValueBytes(), omitted.getKeyBytes(), omitted.getHeaderCount(), omitted.getHeaderBytes());
    }

    /** A whole message without its bytes. */
    static JsonText decoded(AgentMessage message) {
        return decoded(message, false, Part.BODY);
    }

    private static JsonText decoded(AgentMessage from, boolean masked, Part part) {
        boolean body = part == Part.BODY;
        AgentMessage message = new AgentMessage();
        for (Schema.Field field : from.getSchema().getFields()) {
            if (!RAW_FIELDS.contains(field.name()) && (body && !masked || !isContent(field))) {
                message.put(field.pos(), from.get(field.pos()));
            }
        }
        WireProtocol<?> protocol = Protocols.STANDARD.wire().of(from);
        if (body && masked && protocol != null) {
            protocol.copyPublic(from, message);
        }
        message.setProtocol(Symbols.PROTOCOL.of(message.getProtocol()).name());
        message.setPerformative(
                Symbols.PERFORMATIVE.of(message.getPerformative()).name());
        return new JsonText(ApiJson.text(message));
    }

    /** Whether a field of the envelope has the content of a message, such as the message of its protocol. */
    private static boolean isContent(Schema.Field field) {
        return field.name().equals("references")
                || field.schema().isUnion()
                        && field.schema().getTypes().stream().anyMatch(type -> type.getType() == Schema.Type.RECORD);
    }
}
