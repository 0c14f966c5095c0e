package dev.parley.server.redrive;

import dev.parley.audit.InputPosition;
import dev.parley.avro.Protocol;
import dev.parley.avro.Stage;
import dev.parley.codec.Excerpt;
import dev.parley.protocol.TopicNames;
import dev.parley.server.http.Json;
import dev.parley.server.http.ProblemException;
import dev.parley.server.http.ProblemException.Code;
import dev.parley.server.redrive.RedriveOrder.Cursor;
import dev.parley.state.TimeText;
import io.javalin.http.Context;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

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

        private static Query of(BodyQuery body) {
            return new Query(
                    given(body.stage()).map(text -> symbol("query.stage", text, TopicNames.DEAD_LETTER_STAGES)),
                    given(body.code()),
                    given(body.protocol()).map(text -> symbol("query.protocol", text, List.of(Protocol.values()))),
                    given(body.from()).map(text -> time("query.from", text)),
                    given(body.to()).map(text -> time("query.to", text)));
        }

        boolean matches(String otherProtocol, Instant time) {
            return protocol.filter(wanted -> !wanted.name().equals(otherProtocol))
                            .isEmpty()
                    && from.filter(earliest -> time.isBefore(earliest)).isEmpty()
                    && to.filter(end -> !time.isBefore(end)).isEmpty();
        }
    }

    /** The body as it is sent; absent members are null. */
    private record Body(
            boolean dryRun,
            String reason,
            List<String> ids,
            BodyQuery query,
            Map<String, byte[]> edits,
            String cursor,
            Integer limit) {}

    /** The query of a body. */
    private record BodyQuery(String stage, String code, String protocol, String from, String to) {}

    /** Reads the body of a request, or throws a {@link ProblemException}. */
    static RedriveRequest of(Context request, TopicNames topics) {
        Body body = Json.body(request, Body.class, "The body must be a JSON object with ids or query.");
        String reason = body.reason() == null ? "" : body.reason().strip();
        if (reason.isEmpty() && !body.dryRun() || reason.length() > Redriver.MAX_REASON_CHARACTERS) {
            throw invalid("reason must have 1 to " + Redriver.MAX_REASON_CHARACTERS
                    + " characters; it is recorded, so it must not quote the message.");
        }
        if ((body.ids() == null) == (body.query() == null)) {
            throw invalid("The body must have either ids, a list of dead letters, or query.");
        }
        if (body.ids() != null && (body.ids().isEmpty() || body.ids().size() > Redriver.MAX_LETTERS)) {
            throw invalid("ids must be a list of 1 to " + Redriver.MAX_LETTERS + " dead letters.");
        }
        int limit = body.limit() == null ? Redriver.MAX_LETTERS : body.limit();
        if (limit < 1 || limit > Redriver.MAX_LETTERS) {
            throw invalid("limit must be an integer from 1 to " + Redriver.MAX_LETTERS + ".");
        }
        Set<InputPosition> ids = new LinkedHashSet<>();
        if (body.ids() != null) {
            body.ids().forEach(id -> ids.add(deadLetter(String.valueOf(id), topics)));
        }
        return new RedriveRequest(
                body.dryRun(),
                reason,
                ids,
                Optional.ofNullable(body.query()).map(Query::of),
                body.edits() == null ? Map.of() : edits(body.edits(), ids, topics),
                given(body.cursor()).map(RedriveRequest::cursor).orElseGet(Cursor::start),
                limit);
    }

    private static Optional<String> given(String text) {
        return Optional.ofNullable(text).filter(value -> !value.isEmpty());
    }

    private static Cursor cursor(String text) {
        return Cursor.parse(text)
                .orElseThrow(() -> ProblemException.of(
                        Code.INVALID_CURSOR, "cursor must be the 'next' of an earlier response to this request."));
    }

    private static Map<InputPosition, byte[]> edits(
            Map<String, byte[]> byName, Set<InputPosition> ids, TopicNames topics) {
        Map<InputPosition, byte[]> edits = new LinkedHashMap<>();
        byName.forEach((name, value) -> {
            InputPosition id = deadLetter(name, topics);
            if (!ids.contains(id) || value == null) {
                throw invalid("edits must have the base64 of the bytes to send for dead letters of ids, but has "
                        + Excerpt.of(name) + ".");
            }
            edits.put(id, value);
        });
        return edits;
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

    private static <E extends Enum<E>> E symbol(String name, String text, List<E> allowed) {
        return allowed.stream()
                .filter(value -> value.name().equalsIgnoreCase(text))
                .findFirst()
                .orElseThrow(() -> invalid(name + " must be one of "
                        + String.join(", ", allowed.stream().map(Enum::name).toList()) + "."));
    }

    private static Instant time(String name, String text) {
        try {
            return TimeText.parse(text, Clock.systemUTC());
        } catch (IllegalArgumentException e) {
            throw invalid(name + ' ' + e.getMessage() + '.');
        }
    }

    private static ProblemException invalid(String detail) {
        return ProblemException.of(Code.INVALID_REQUEST, detail);
    }
}
