package dev.parley.query;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.avro.DeadLetterSummary;
import dev.parley.avro.Stage;
import dev.parley.query.Views.Page;
import dev.parley.topology.ViewStores;
import io.javalin.http.Context;
import java.util.Optional;

/** Answers about dead letters. */
final class DeadLetters {

    private final Views views;
    private final Redaction redaction;

    DeadLetters(Views views, Redaction redaction) {
        this.views = views;
        this.redaction = redaction;
    }

    ObjectNode list(Context request) {
        Parameters parameters = Parameters.of(request, "stage", "code", "limit", "cursor");
        Optional<Stage> stage =
                parameters.text("stage").map(text -> Parameters.oneOf("stage", text, ViewStores.DEAD_LETTER_STAGES));
        Page<DeadLetterSummary> page =
                views.deadLetters(stage, parameters.text("code"), parameters.cursor(), parameters.limit());
        ObjectNode answer = Json.object();
        ArrayNode items = answer.putArray("items");
        Redaction shown = Gate.caller(request).role().seesPrivateMessages() ? Redaction.NONE : redaction;
        page.items()
                .forEach(deadLetter -> items.add(item(deadLetter, shown.hides(deadLetter) || isRedacted(deadLetter))));
        return answer.put("next", page.next().orElse(null));
    }

    private boolean isRedacted(DeadLetterSummary deadLetter) {
        if (deadLetter.getSourceTopic() == null
                || deadLetter.getSourcePartition() == null
                || deadLetter.getSourceOffset() == null) {
            return false;
        }
        Position position = new Position(
                deadLetter.getSourceTopic(), deadLetter.getSourcePartition(), deadLetter.getSourceOffset());
        return views.redactionOf(position, deadLetter.getSha256()).isPresent() || isRedactedInAudit(position);
    }

    /** What the audit says, where this instance has the record: the redaction topic may have lost the request. */
    private boolean isRedactedInAudit(Position position) {
        return views.linkOf(position)
                .filter(link -> views.messages(link.chain(), link.sequence(), 1).stream()
                        .anyMatch(record -> record.getSequence() == link.sequence() && record.getRedacted() != null))
                .isPresent();
    }

    private static ObjectNode item(DeadLetterSummary deadLetter, boolean hidden) {
        ObjectNode node = Json.object()
                .put("stage", deadLetter.getStage().name())
                .put("code", deadLetter.getCode().isEmpty() ? null : deadLetter.getCode())
                .put("detail", hidden ? null : deadLetter.getDetail())
                .put("exception", deadLetter.getException())
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
        if (hidden) {
            node.putNull("preview").putNull("previewEncoding");
        } else {
            Json.putText(node, "preview", deadLetter.getPreview());
        }
        return node.put("redacted", hidden);
    }
}
