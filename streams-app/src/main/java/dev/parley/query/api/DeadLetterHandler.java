package dev.parley.query.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.audit.InputPosition;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.DeadLetterSummary;
import dev.parley.avro.Stage;
import dev.parley.protocol.Glosses;
import dev.parley.query.cluster.ViewAnswer;
import dev.parley.query.http.Json;
import dev.parley.query.read.MaskingPolicy;
import dev.parley.query.read.Views;
import dev.parley.topology.setup.Topics;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;

/** Answers about dead letters. */
final class DeadLetterHandler {

    private final Views views;
    private final MaskingPolicy maskingPolicy;
    private final Glosses glosses;

    DeadLetterHandler(Views views, MaskingPolicy maskingPolicy, Glosses glosses) {
        this.views = views;
        this.maskingPolicy = maskingPolicy;
        this.glosses = glosses;
    }

    ViewAnswer.Page list(ViewRequest request) {
        Parameters parameters = Parameters.of(request, "stage", "code", Parameters.LIMIT, Parameters.CURSOR);
        Optional<Stage> stage =
                parameters.text("stage").map(text -> Parameters.oneOf("stage", text, Topics.DEAD_LETTER_STAGES));
        KeyedItems items = new KeyedItems(request.budget());
        MaskingPolicy shown = request.caller().role().seesPrivateMessages() ? MaskingPolicy.NONE : maskingPolicy;
        return items.page(views.deadLetters(
                stage,
                parameters.text("code"),
                request.after(),
                request.limit(),
                (key, deadLetter) -> add(items, key, deadLetter, shown)));
    }

    /** Adds a dead letter; of the first as much as fits. */
    private boolean add(KeyedItems items, Bytes key, DeadLetterSummary deadLetter, MaskingPolicy shown) {
        Optional<InputPosition> position = position(deadLetter);
        Optional<AuditRecord> recorded = shown.hides(deadLetter) ? Optional.empty() : position.flatMap(this::record);
        boolean hidden = shown.hides(deadLetter)
                || position.flatMap(at -> views.redactionOf(at, deadLetter.getSha256()))
                        .isPresent()
                || recorded.filter(record -> record.getRedacted() != null).isPresent();
        String gloss = hidden ? null : new ShownGloss(glosses, shown).of(deadLetter, recorded);
        return items.addIfFits(key, item(deadLetter, hidden, true).put("gloss", gloss))
                || items.addFirst(key, item(deadLetter, hidden, false).putNull("gloss"));
    }

    private static Optional<InputPosition> position(DeadLetterSummary deadLetter) {
        return deadLetter.getSourceTopic() == null
                        || deadLetter.getSourcePartition() == null
                        || deadLetter.getSourceOffset() == null
                ? Optional.empty()
                : Optional.of(new InputPosition(
                        deadLetter.getSourceTopic(), deadLetter.getSourcePartition(), deadLetter.getSourceOffset()));
    }

    /**
     * The audit record, if this instance has it. It also says whether the message was redacted: the redaction topic may
     * have lost the request.
     */
    private Optional<AuditRecord> record(InputPosition position) {
        return views.linkOf(position)
                .flatMap(chainPosition -> views.messages(chainPosition.chain(), chainPosition.sequence(), 1).stream()
                        .filter(record -> record.getSequence() == chainPosition.sequence())
                        .findFirst());
    }

    private static ObjectNode item(DeadLetterSummary deadLetter, boolean hidden, boolean body) {
        ObjectNode node = Json.object()
                .put("stage", deadLetter.getStage().name())
                .put("code", deadLetter.getCode().isEmpty() ? null : deadLetter.getCode())
                .put("detail", hidden || !body ? null : deadLetter.getDetail())
                .put("exception", body ? deadLetter.getException() : null)
                .put("position", deadLetter.getPosition())
                .put("protocol", deadLetter.getProtocol().name())
                .put("conversation", deadLetter.getConversation())
                .put("attempt", deadLetter.getAttempt())
                .put("timestamp", deadLetter.getTimestamp().toString());
        Json.putPlace(
                node.putObject("source"),
                deadLetter.getSourceTopic(),
                deadLetter.getSourcePartition(),
                deadLetter.getSourceOffset());
        Json.putPlace(
                node.putObject("deadLetter"), deadLetter.getTopic(), deadLetter.getPartition(), deadLetter.getOffset());
        node.put("valueSize", deadLetter.getValueSize()).put("sha256", Json.hex(deadLetter.getSha256()));
        if (hidden || !body) {
            node.putNull("preview").putNull("previewEncoding");
        } else {
            Json.putText(node, "preview", deadLetter.getPreview());
        }
        return node.put("redacted", hidden).put("bodyOmitted", !body);
    }
}
