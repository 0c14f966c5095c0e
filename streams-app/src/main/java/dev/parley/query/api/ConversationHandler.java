package dev.parley.query.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.ConversationSummary;
import dev.parley.avro.Omitted;
import dev.parley.avro.Protocol;
import dev.parley.codec.Code;
import dev.parley.protocol.Glosses;
import dev.parley.query.cluster.ViewAnswer;
import dev.parley.query.http.Json;
import dev.parley.query.http.ProblemException;
import dev.parley.query.http.ProblemHandler;
import dev.parley.query.read.MaskingPolicy;
import dev.parley.query.read.Views;
import dev.parley.state.StateQueryException;
import dev.parley.state.StateSource.Beginning;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.Schema;

/** Answers about conversations and their messages. */
final class ConversationHandler {

    /** What a hidden Λ message keeps: who speaks to whom, not what. */
    private static final Set<String> SHOWN_OF_HIDDEN = Set.of(
            "kind",
            "version",
            "id",
            "headerId",
            "handshake",
            "handshakeReply",
            "address",
            "relay",
            "trust",
            "label",
            "encryption");

    /** The content of a message, but for Λ, of which {@link #SHOWN_OF_HIDDEN} stays. */
    private static final Set<String> CONTENT = Set.of("references", "slip", "subit", "csp");

    private final Views views;
    private final MaskingPolicy maskingPolicy;
    private final Glosses glosses;

    ConversationHandler(Views views, MaskingPolicy maskingPolicy, Glosses glosses) {
        this.views = views;
        this.maskingPolicy = maskingPolicy;
        this.glosses = glosses;
    }

    ViewAnswer.Page list(ViewRequest request) {
        Parameters parameters = Parameters.of(request, "namespace", "protocol", Parameters.LIMIT, Parameters.CURSOR);
        KeyedItems items = new KeyedItems(request.budget());
        return items.page(views.conversations(
                parameters.text("namespace"),
                parameters.protocol(),
                request.after(),
                request.limit(),
                (key, summary) -> items.add(key, summary(summary, begin(summary)))));
    }

    ObjectNode one(ViewRequest request) {
        Parameters.of(request);
        ConversationSummary summary = find(request);
        return request.budget().whole(summary(summary, begin(summary)));
    }

    /** One message, by its sequence. */
    ObjectNode message(ViewRequest request) {
        AuditRecord record = record(request);
        ObjectNode answer = Json.object();
        ItemList items = new ItemList(answer.putArray("items"), request.budget());
        add(items, record, redaction(request), Part.BODY);
        return ((ObjectNode) answer.get("items").get(0)).put("chain", record.getChain());
    }

    /** The audit record of a message, by its sequence. */
    AuditRecord record(ViewRequest request) {
        Parameters.of(request);
        long sequence = Parameters.number("sequence", request.pathParam("sequence"), 0, Long.MAX_VALUE);
        ConversationSummary summary = find(request);
        Optional<AuditRecord> found = views.messages(summary.getChain(), sequence, 1).stream()
                .filter(record -> record.getSequence() == sequence)
                .findFirst();
        if (found.isEmpty()) {
            require(sequence, summary);
            throw ProblemException.of(
                    ProblemException.Code.UNKNOWN_MESSAGE,
                    "The conversation has no message of sequence " + sequence + "; its last has "
                            + summary.getLastSequence() + ".");
        }
        return found.get();
    }

    ObjectNode messages(ViewRequest request) {
        Parameters parameters = Parameters.of(request, "from", "limit", "bodies");
        Optional<Long> wanted = parameters.from();
        Part part = parameters.flag("bodies") ? Part.BODY : Part.ENVELOPE;
        int limit = parameters.limit();
        ConversationSummary summary = find(request);
        long from = wanted.orElseGet(() -> firstOf(summary));
        ObjectNode answer = Json.object().put("chain", summary.getChain());
        ItemList items = new ItemList(answer.putArray("items"), request.budget());
        MaskingPolicy maskingPolicy = redaction(request);
        long after = from;
        List<AuditRecord> slice = views.messages(summary.getChain(), from, limit);
        require(from, summary);
        boolean fits = true;
        while (fits && !slice.isEmpty()) {
            for (AuditRecord record : slice) {
                fits = add(items, record, maskingPolicy, part);
                if (!fits) {
                    break;
                }
                after = record.getSequence() + 1;
            }
            int rest = limit - items.size();
            slice = !fits || rest == 0 ? List.of() : views.messages(summary.getChain(), after, rest);
        }
        boolean more = items.size() > 0 && after <= summary.getLastSequence();
        return more ? answer.put("next", after) : answer.putNull("next");
    }

    /** What of a message stands in an answer. */
    private enum Part {
        BODY,
        ENVELOPE,
        VERDICT
    }

    /** Adds a message; of the first as much as fits. */
    private boolean add(ItemList items, AuditRecord record, MaskingPolicy maskingPolicy, Part part) {
        boolean fits = items.addIfFits(message(record, maskingPolicy, part));
        if (!fits && items.size() == 0) {
            return part == Part.VERDICT
                    ? items.add(message(record, maskingPolicy, part))
                    : add(items, record, maskingPolicy, Part.values()[part.ordinal() + 1]);
        }
        return fits;
    }

    private Optional<Beginning> begin(ConversationSummary summary) {
        return views.beginning(summary.getChain());
    }

    /**
     * Where the list of messages begins if nobody says where: at the first that there is. Where none is left, at one
     * that is not.
     */
    private long firstOf(ConversationSummary summary) {
        return begin(summary)
                .map(Beginning::first)
                .filter(first -> first <= summary.getLastSequence())
                .orElse(0L);
    }

    /** That the messages are kept from there on. To be asked when they were read: they may be pruned meanwhile. */
    private void require(long sequence, ConversationSummary summary) {
        begin(summary).filter(beginning -> sequence < beginning.first()).ifPresent(beginning -> {
            throw ProblemHandler.of(StateQueryException.messagesPruned(beginning));
        });
    }

    private ConversationSummary find(ViewRequest request) {
        String namespace = request.pathParam("namespace");
        Protocol protocol = Parameters.protocol(request);
        String conversation = request.pathParam("conversation");
        return views.conversation(namespace, protocol, conversation)
                .orElseThrow(() -> ProblemException.of(
                        ProblemException.Code.UNKNOWN_CONVERSATION,
                        "Namespace " + namespace + " has no " + protocol + " conversation " + conversation + "."));
    }

    private static ObjectNode summary(ConversationSummary summary, Optional<Beginning> beginning) {
        String path =
                Paths.conversation(summary.getNamespace(), summary.getProtocol().name(), summary.getConversation());
        ObjectNode node = Json.object()
                .put("namespace", summary.getNamespace())
                .put("protocol", summary.getProtocol().name())
                .put("conversation", summary.getConversation())
                .put("chain", summary.getChain())
                .put("firstTime", summary.getFirstTime().toString())
                .put("lastTime", summary.getLastTime().toString())
                .put("messages", summary.getLastSequence() + 1)
                .put("accepted", summary.getAccepted())
                .put("rejected", summary.getRejected())
                .put("flagged", summary.getFlagged())
                .put("undecodable", summary.getUndecodable())
                .put("firstSequence", beginning.map(Beginning::first).orElse(0L))
                .put("lastSequence", summary.getLastSequence())
                .put("lastHash", Json.hex(summary.getLastHash()))
                .put("lastVerdict", summary.getLastVerdict().name())
                .put("lastCode", summary.getLastCode());
        node.putObject("links").put("self", path).put("messages", path + "/messages");
        return node;
    }

    private MaskingPolicy redaction(ViewRequest request) {
        return request.caller().role().seesPrivateMessages() ? MaskingPolicy.NONE : maskingPolicy;
    }

    private ObjectNode message(AuditRecord record, MaskingPolicy maskingPolicy, Part part) {
        boolean hidden = maskingPolicy.hides(record);
        ObjectNode node = Json.object()
                .put("sequence", record.getSequence())
                .put("verdict", record.getVerdict().name())
                .put("stage", record.getStage().name())
                .put("code", record.getCode())
                .put("position", record.getPosition())
                .put("detail", hidden || part == Part.VERDICT ? null : record.getDetail());
        node.set("warnings", Json.of(record.getWarnings()));
        node.put("rule", maskingPolicy.hidesRule(record) || quotesEarlier(record) ? null : record.getRule())
                .put("profile", record.getProfile().name())
                .put("hash", Json.hex(record.getHash()))
                .put("previousHash", Json.hex(record.getPreviousHash()))
                .put("payloadHash", Json.hex(record.getPayloadHash()));
        node.set("source", Json.of(record.getSource()));
        node.put("gloss", part == Part.VERDICT ? null : new ShownGloss(glosses, maskingPolicy).of(record));
        node.set("message", part == Part.VERDICT ? Json.of(null) : decoded(record, hidden, part));
        ByteBuffer raw = record.getMessage() == null
                ? record.getRaw()
                : record.getMessage().getRaw();
        if (raw == null || hidden || part != Part.BODY) {
            node.putNull("raw").putNull("rawEncoding");
        } else {
            Json.putText(node, "raw", raw);
        }
        if (record.getOmitted() != null) {
            node.set("omitted", omitted(record.getOmitted()));
        }
        if (record.getRedacted() != null) {
            node.set("redactedBy", Json.of(record.getRedacted()));
        }
        if (record.getRedaction() != null) {
            node.set("redaction", Json.of(record.getRedaction()));
        }
        return node.put("redacted", hidden || record.getRedacted() != null)
                .put("bodyOmitted", part != Part.BODY && raw != null);
    }

    /** What is known of a record that was too large; its hash is the payload hash. */
    private static ObjectNode omitted(Omitted omitted) {
        return Json.object()
                .put("valueBytes", omitted.getValueBytes())
                .put("keyBytes", omitted.getKeyBytes())
                .put("headerCount", omitted.getHeaderCount())
                .put("headerBytes", omitted.getHeaderBytes());
    }

    /**
     * Early builds quoted the value of an earlier message in the citation of a changed definition; that message may be
     * redacted.
     */
    private static boolean quotesEarlier(AuditRecord record) {
        return record.getRule() != null
                && record.getWarnings().contains(Code.LAMBDA_DEF_CHANGED.name())
                && record.getRule().contains(" redefined from \"");
    }

    private static JsonNode decoded(AuditRecord record, boolean hidden, Part part) {
        if (record.getMessage() == null) {
            return Json.of(null);
        }
        boolean body = part == Part.BODY;
        ObjectNode message = (ObjectNode) Json.of(without(
                record.getMessage(),
                body && !hidden ? Set.of() : CONTENT,
                body ? Set.of("raw", "source") : Set.of("raw", "source", "lambda")));
        if (hidden && message.get("lambda") instanceof ObjectNode lambda) {
            lambda.retain(SHOWN_OF_HIDDEN);
        }
        return message;
    }

    /** The message without some of its fields; what is large is not copied. */
    private static AgentMessage without(AgentMessage message, Set<String> omitted, Set<String> alsoOmitted) {
        AgentMessage shown = new AgentMessage();
        for (Schema.Field field : message.getSchema().getFields()) {
            if (!omitted.contains(field.name()) && !alsoOmitted.contains(field.name())) {
                shown.put(field.pos(), message.get(field.pos()));
            }
        }
        return shown;
    }
}
