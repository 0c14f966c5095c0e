package dev.parley.server.redrive;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.audit.InputPosition;
import dev.parley.avro.Protocol;
import dev.parley.avro.Stage;
import dev.parley.protocol.TopicNames;
import dev.parley.server.http.Json;
import dev.parley.server.http.ProblemException;
import dev.parley.server.http.ProblemException.Code;
import dev.parley.server.redrive.RedriveOrder.Cursor;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The body of a redrive.
 *
 * @param dryRun whether to send nothing
 * @param reason reason for the redrive; empty only for a dry run
 * @param ids the dead letters; empty with a query
 * @param query the dead letters; empty with IDs
 * @param edits values to send instead of the originals, by dead letter
 * @param cursor how far the operation has come
 * @param limit maximum dead letters of this request
 */
record RedriveRequest(
        boolean dryRun,
        String reason,
        Set<InputPosition> ids,
        Optional<Query> query,
        Map<InputPosition, byte[]> edits,
        Cursor cursor,
        int limit) {

    private static final Set<String> MEMBERS =
            new TreeSet<>(Set.of("dryRun", "reason", "ids", "query", "edits", "cursor", "limit"));

    /**
     * A query for dead letters; an empty part matches all.
     *
     * @param from earliest time
     * @param to time before which they must be
     */
    record Query(
            Optional<Stage> stage,
            Optional<String> code,
            Optional<Protocol> protocol,
            Optional<Instant> from,
            Optional<Instant> to) {

        private static final Set<String> MEMBERS = new TreeSet<>(Set.of("stage", "code", "protocol", "from", "to"));

        private static Query of(JsonNode node) {
            requireObject(node, "query", MEMBERS);
            return new Query(
                    text(node, "stage").map(text -> symbol("query.stage", text, TopicNames.DEAD_LETTER_STAGES)),
                    text(node, "code"),
                    text(node, "protocol").map(text -> symbol("query.protocol", text, List.of(Protocol.values()))),
                    text(node, "from").map(text -> time("query.from", text)),
                    text(node, "to").map(text -> time("query.to", text)));
        }

        boolean matches(String otherProtocol, Instant time) {
            return protocol.filter(wanted -> !wanted.name().equals(otherProtocol))
                            .isEmpty()
                    && from.filter(earliest -> time.isBefore(earliest)).isEmpty()
                    && to.filter(end -> !time.isBefore(end)).isEmpty();
        }
    }

    /** Parses a body, or throws a {@link ProblemException}. */
    static RedriveRequest of(byte[] body, TopicNames topics) {
        JsonNode node = Json.read(body).orElseThrow(() -> invalid("The body must be a JSON object."));
        requireObject(node, "The body", MEMBERS);
        boolean dryRun = node.path("dryRun").asBoolean(false);
        if (node.has("dryRun") && !node.get("dryRun").isBoolean()) {
            throw invalid("dryRun must be true or false.");
        }
        String reason = text(node, "reason").map(String::strip).orElse("");
        if (reason.isEmpty() && !dryRun || reason.length() > Redriver.MAX_REASON_CHARACTERS) {
            throw invalid("reason must have 1 to " + Redriver.MAX_REASON_CHARACTERS
                    + " characters; it is recorded, so it must not quote the message.");
        }
        if (node.has("ids") == node.has("query")) {
            throw invalid("The body must have either ids, a list of dead letters, or query.");
        }
        Set<InputPosition> ids = ids(node.path("ids"), topics);
        Optional<Query> query = node.has("query") ? Optional.of(Query.of(node.get("query"))) : Optional.empty();
        int limit = node.path("limit").asInt(Redriver.MAX_LETTERS);
        if (node.has("limit") && !node.get("limit").isInt() || limit < 1 || limit > Redriver.MAX_LETTERS) {
            throw invalid("limit must be an integer from 1 to " + Redriver.MAX_LETTERS + ".");
        }
        Cursor cursor = text(node, "cursor")
                .map(text -> Cursor.parse(text)
                        .orElseThrow(() -> ProblemException.of(
                                Code.INVALID_CURSOR,
                                "cursor must be the 'next' of an earlier response to this request.")))
                .orElseGet(Cursor::start);
        return new RedriveRequest(dryRun, reason, ids, query, edits(node.path("edits"), ids, topics), cursor, limit);
    }

    private static Set<InputPosition> ids(JsonNode list, TopicNames topics) {
        Set<InputPosition> ids = new LinkedHashSet<>();
        if (list.isMissingNode()) {
            return ids;
        }
        if (!list.isArray() || list.isEmpty() || list.size() > Redriver.MAX_LETTERS) {
            throw invalid("ids must be a list of 1 to " + Redriver.MAX_LETTERS + " dead letters.");
        }
        list.forEach(id -> ids.add(deadLetter(id.asText(), topics)));
        return ids;
    }

    /** Parses the ID of a dead letter, or throws a {@link ProblemException}. */
    static InputPosition deadLetter(String text, TopicNames topics) {
        int second = text.lastIndexOf('/');
        int first = text.lastIndexOf('/', second - 1);
        return Optional.of(text)
                .filter(id -> first > 0)
                .flatMap(id -> InputPosition.parse(id.substring(0, first)
                        + '-'
                        + id.substring(first + 1, second)
                        + '@'
                        + id.substring(second + 1)))
                .filter(id -> topics.deadLetters().contains(id.topic()))
                .orElseThrow(() -> ProblemException.of(
                        Code.UNKNOWN_DEAD_LETTER,
                        "The ID of a dead letter is the topic, partition and offset of its record, such as "
                                + topics.deadLetters(Stage.DIALOGUE) + "/0/17."));
    }

    private static Map<InputPosition, byte[]> edits(JsonNode node, Set<InputPosition> ids, TopicNames topics) {
        Map<InputPosition, byte[]> edits = new LinkedHashMap<>();
        if (node.isMissingNode()) {
            return edits;
        }
        if (!node.isObject()) {
            throw invalid("edits must be an object: the base64 of the bytes to send, by dead letter.");
        }
        node.fields().forEachRemaining(edit -> {
            InputPosition id = deadLetter(edit.getKey(), topics);
            if (!ids.contains(id)) {
                throw invalid("edits must name dead letters of ids, but names " + edit.getKey() + ".");
            }
            try {
                edits.put(
                        id,
                        Base64.getDecoder()
                                .decode(
                                        edit.getValue().isTextual()
                                                ? edit.getValue().textValue()
                                                : "?"));
            } catch (IllegalArgumentException e) {
                throw invalid("The edit of " + edit.getKey() + " must be base64.");
            }
        });
        return edits;
    }

    private static void requireObject(JsonNode node, String name, Set<String> members) {
        if (!node.isObject()) {
            throw invalid(name + " must be a JSON object.");
        }
        node.fieldNames().forEachRemaining(member -> {
            if (!members.contains(member)) {
                throw invalid(name + " must have no other members than " + String.join(", ", members) + ".");
            }
        });
    }

    private static Optional<String> text(JsonNode node, String name) {
        JsonNode value = node.path(name);
        if (!value.isMissingNode() && !value.isTextual() && !value.isNull()) {
            throw invalid(name + " must be a string.");
        }
        return Optional.ofNullable(value.textValue()).filter(text -> !text.isEmpty());
    }

    private static <E extends Enum<E>> E symbol(String name, String text, List<E> allowed) {
        return allowed.stream()
                .filter(value -> value.name().equalsIgnoreCase(text))
                .findFirst()
                .orElseThrow(() -> invalid(name + " must be one of "
                        + String.join(", ", allowed.stream().map(Enum::name).toList()) + "."));
    }

    private static Instant time(String name, String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeException e) {
            throw invalid(name + " must be a time such as 2026-01-31T12:00:00Z.");
        }
    }

    private static ProblemException invalid(String detail) {
        return ProblemException.of(Code.INVALID_REQUEST, detail);
    }
}
