package dev.parley.server.redrive;

import dev.parley.audit.InputPosition;
import dev.parley.audit.RedactionFields;
import dev.parley.avro.Stage;
import dev.parley.codec.Excerpt;
import dev.parley.json.model.EncodedText;
import dev.parley.json.model.RecordHeader;
import dev.parley.json.model.write.RedriveBody;
import dev.parley.protocol.TopicNames;
import dev.parley.server.api.DeadLetterHandler;
import dev.parley.server.api.DeadLetterQuery;
import dev.parley.server.api.view.Parameters;
import dev.parley.server.http.ApiRequest;
import dev.parley.server.http.Json;
import dev.parley.server.http.ProblemException;
import dev.parley.server.http.ProblemException.Code;
import dev.parley.server.redrive.RedriveOrder.Cursor;
import dev.parley.topology.views.DeadLetterView;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * The body of a redrive.
 *
 * @param dryRun whether to send nothing
 * @param reason reason for the redrive; empty only for a dry run
 * @param ids the dead letters; empty with a query
 * @param query valid filters of the dead letters by name; empty with IDs
 * @param edits what to send instead of the originals, by dead letter
 * @param unwrapping how to unwrap the dead letters; empty to send them as they are
 * @param cursor how far the operation has come
 * @param limit maximum dead letters of this request
 */
record RedriveRequest(
        boolean dryRun,
        String reason,
        Set<InputPosition> ids,
        Optional<Map<String, String>> query,
        Map<InputPosition, RedriveEdit> edits,
        Optional<Unwrapping> unwrapping,
        Cursor cursor,
        int limit) {

    /** Reads the body of a request, or throws a {@link ProblemException}. */
    static RedriveRequest of(ApiRequest request, TopicNames topics) {
        RedriveBody body = Json.body(request, RedriveBody.class, "The body must be a JSON object with ids or query.");
        String reason =
                body.dryRun() && (body.reason() == null || body.reason().isBlank()) ? "" : reason(body.reason());
        if ((body.ids() == null) == (body.query() == null)) {
            throw invalid("The body must have either ids, a list of dead letters, or query.");
        }
        int limit = body.limit() == null ? Redriver.MAX_LETTERS : body.limit();
        if (limit < 1 || limit > Redriver.MAX_LETTERS) {
            throw invalid("limit must be an integer from 1 to " + Redriver.MAX_LETTERS + ".");
        }
        Set<InputPosition> ids = body.ids() == null ? Set.of() : ids(body.ids(), topics);
        Map<InputPosition, RedriveEdit> edits = body.edits() == null ? Map.of() : edits(body.edits(), ids, topics);
        return new RedriveRequest(
                body.dryRun(),
                reason,
                ids,
                Optional.ofNullable(body.query()).map(RedriveRequest::query),
                edits,
                unwrapping(body, edits.values()),
                given(body.cursor()).map(RedriveRequest::cursor).orElseGet(Cursor::start),
                limit);
    }

    /** Checks a reason, or throws a {@link ProblemException}. */
    static String reason(String given) {
        String reason = given == null ? "" : given.strip();
        RedactionFields.checkText(reason).ifPresent(problem -> {
            throw invalid("reason " + problem + "; it is recorded, so it must not quote the message.");
        });
        return reason;
    }

    /** Parses the IDs of dead letters, or throws a {@link ProblemException}. */
    static Set<InputPosition> ids(List<String> names, TopicNames topics) {
        if (names == null || names.isEmpty() || names.size() > Redriver.MAX_LETTERS) {
            throw invalid("ids must be a list of 1 to " + Redriver.MAX_LETTERS + " dead letters.");
        }
        Set<InputPosition> ids = new LinkedHashSet<>();
        names.forEach(id -> ids.add(deadLetter(String.valueOf(id), topics)));
        return ids;
    }

    private static Map<String, String> query(Map<String, ?> members) {
        members.keySet().stream()
                .filter(name -> !DeadLetterQuery.NAMES.contains(name))
                .findFirst()
                .ifPresent(name -> {
                    throw invalid("query." + Excerpt.of(name) + " is unknown; allowed are "
                            + String.join(", ", DeadLetterQuery.NAMES) + ".");
                });
        Map<String, String> query = new LinkedHashMap<>();
        members.forEach((name, value) -> {
            if (value != null && !(value instanceof String)) {
                throw invalid("query." + name + " must be a string.");
            }
            query.put(name, (String) value);
        });
        DeadLetterView.Filter filter = DeadLetterQuery.of(
                new Parameters(query, (name, requirement) -> invalid("query." + name + " " + requirement + ".")));
        query.values().removeIf(text -> given(text).isEmpty());
        // All pages have the same times, also if the query has them relative to now.
        filter.from().ifPresent(time -> query.put("from", time.toString()));
        filter.to().ifPresent(time -> query.put("to", time.toString()));
        return query;
    }

    private static Optional<Unwrapping> unwrapping(RedriveBody body, Collection<RedriveEdit> edits) {
        if (!body.unwrap()) {
            if (body.confirmed() != null) {
                throw invalid("confirmed must not be present without unwrap.");
            }
            return Optional.empty();
        }
        if (body.ids() == null) {
            throw invalid("unwrap must have ids instead of a query.");
        }
        if (edits.stream().anyMatch(edit -> edit.value().isPresent())) {
            throw invalid("unwrap and an edited value are mutually exclusive.");
        }
        if (!body.dryRun() && body.confirmed() == null) {
            throw invalid("unwrap must have confirmed, the SHA-256 of each inner message, which a dry run shows.");
        }
        return Optional.of(new Unwrapping(body.dryRun() ? Optional.empty() : Optional.of(body.confirmed())));
    }

    private static Optional<String> given(String text) {
        return Optional.ofNullable(text).filter(value -> !value.isEmpty());
    }

    private static Cursor cursor(String text) {
        return Cursor.parse(text)
                .orElseThrow(() -> Code.INVALID_CURSOR.problem(
                        "cursor must be the 'next' of an earlier response to this request."));
    }

    private static Map<InputPosition, RedriveEdit> edits(
            Map<String, RedriveBody.Edit> byName, Set<InputPosition> ids, TopicNames topics) {
        Map<InputPosition, RedriveEdit> edits = new LinkedHashMap<>();
        byName.forEach((name, body) -> {
            InputPosition id = deadLetter(name, topics);
            String where = "edits." + Excerpt.of(name);
            if (!ids.contains(id)) {
                throw invalid(where + " must be one of ids.");
            }
            if (body == null || body.value() == null && body.key() == null && body.headers() == null) {
                throw invalid(where + " must have value, key or headers.");
            }
            edits.put(
                    id,
                    new RedriveEdit(
                            Optional.ofNullable(body.value()),
                            Optional.ofNullable(body.key()).map(key -> new RedriveEdit.Key(bytes(where + ".key", key))),
                            Optional.ofNullable(body.headers()).map(headers -> headers(where, headers))));
        });
        return edits;
    }

    private static Headers headers(String where, List<RecordHeader> edited) {
        Headers headers = new RecordHeaders();
        for (int i = 0; i < edited.size(); i++) {
            RecordHeader header = edited.get(i);
            String at = where + ".headers." + i;
            if (header == null || header.name() == null) {
                throw invalid(at + " must have a name.");
            }
            bytes(at + ".name", new EncodedText(header.name(), null));
            headers.add(header.name(), bytes(at, header.value()));
        }
        return headers;
    }

    /** The bytes of a text; null without a text. */
    private static byte[] bytes(String where, EncodedText text) {
        return text.text() == null
                ? null
                : text.decoded()
                        .orElseThrow(() ->
                                invalid(where + " must be a text in UTF-8, or in base64 with the encoding base64."));
    }

    /** Parses the ID of a dead letter, or throws a {@link ProblemException}. */
    static InputPosition deadLetter(String text, TopicNames topics) {
        return DeadLetterHandler.ofId(text)
                .filter(id -> topics.deadLetters().contains(id.topic()))
                .orElseThrow(() -> Code.UNKNOWN_DEAD_LETTER.problem(
                        "The ID of a dead letter is the topic, partition and offset of its record, such as "
                                + topics.deadLetters(Stage.JUDGE) + "/0/17."));
    }

    private static ProblemException invalid(String detail) {
        return Code.INVALID_REQUEST.problem(detail);
    }
}
