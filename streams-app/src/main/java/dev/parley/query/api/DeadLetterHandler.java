package dev.parley.query.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.audit.InputPosition;
import dev.parley.avro.DeadLetterSummary;
import dev.parley.avro.Stage;
import dev.parley.query.cluster.ViewAnswer;
import dev.parley.query.http.Json;
import dev.parley.query.read.MaskingPolicy;
import dev.parley.query.read.Views;
import dev.parley.topology.setup.Topics;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;

/** Answers requests about dead letters. */
final class DeadLetterHandler {

    private final Views views;
    private final MaskingPolicy masking;

    /** @param masking policy for the role of the caller */
    DeadLetterHandler(Views views, MaskingPolicy masking) {
        this.views = views;
        this.masking = masking;
    }

    ViewAnswer.Page list(ViewRequest request) {
        Parameters parameters = Parameters.of(request, "stage", "code", Parameters.LIMIT, Parameters.CURSOR);
        Optional<Stage> stage =
                parameters.text("stage").map(text -> Parameters.oneOf("stage", text, Topics.DEAD_LETTER_STAGES));
        KeyedItems items = new KeyedItems(request.budget());
        return items.page(views.deadLetters(
                stage,
                parameters.text("code"),
                request.after(),
                request.limit(),
                (key, deadLetter) -> add(items, key, deadLetter, masking.masks(deadLetter) || isRedacted(deadLetter))));
    }

    /** Adds a dead letter if it fits; of the first, as much as fits. */
    private static boolean add(KeyedItems items, Bytes key, DeadLetterSummary deadLetter, boolean masked) {
        return items.addIfFits(key, item(deadLetter, masked, true))
                || items.addFirst(key, item(deadLetter, masked, false));
    }

    private boolean isRedacted(DeadLetterSummary deadLetter) {
        if (deadLetter.getSourceTopic() == null
                || deadLetter.getSourcePartition() == null
                || deadLetter.getSourceOffset() == null) {
            return false;
        }
        InputPosition position = new InputPosition(
                deadLetter.getSourceTopic(), deadLetter.getSourcePartition(), deadLetter.getSourceOffset());
        return views.redactionOf(position, deadLetter.getSha256()).isPresent() || isRedactedInAudit(position);
    }

    /** Whether the audit record is redacted, if it is on this instance: its topic may no longer have the request. */
    private boolean isRedactedInAudit(InputPosition position) {
        return views.chainPosition(position)
                .filter(found -> views.messages(found.chain(), found.sequence(), 1).stream()
                        .anyMatch(record -> record.getSequence() == found.sequence() && record.getRedacted() != null))
                .isPresent();
    }

    private static ObjectNode item(DeadLetterSummary deadLetter, boolean masked, boolean body) {
        ObjectNode node = Json.object()
                .put("stage", deadLetter.getStage().name())
                .put("code", deadLetter.getCode().isEmpty() ? null : deadLetter.getCode())
                .put("detail", masked || !body ? null : deadLetter.getDetail())
                .put("exception", body ? deadLetter.getException() : null)
                .put("position", deadLetter.getPosition())
                .put("protocol", deadLetter.getProtocol().name())
                .put("conversation", deadLetter.getConversation())
                .put("attempt", deadLetter.getAttempt())
                .put("timestamp", deadLetter.getTimestamp().toString());
        Json.putPosition(
                node.putObject("source"),
                deadLetter.getSourceTopic(),
                deadLetter.getSourcePartition(),
                deadLetter.getSourceOffset());
        Json.putPosition(
                node.putObject("deadLetter"), deadLetter.getTopic(), deadLetter.getPartition(), deadLetter.getOffset());
        node.put("valueSize", deadLetter.getValueSize()).put("sha256", Json.hex(deadLetter.getSha256()));
        if (masked || !body) {
            node.putNull("preview").putNull("previewEncoding");
        } else {
            Json.putText(node, "preview", deadLetter.getPreview());
        }
        return node.put("redacted", masked).put("bodyOmitted", !body);
    }
}
