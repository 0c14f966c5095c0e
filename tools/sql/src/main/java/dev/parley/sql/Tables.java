package dev.parley.sql;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Checkpoint;
import dev.parley.avro.DefinitionChangeCount;
import dev.parley.avro.EdgeCount;
import dev.parley.avro.OpenItem;
import dev.parley.avro.PatchCount;
import dev.parley.avro.TrafficCount;
import dev.parley.avro.TurnaroundCount;
import dev.parley.avro.ViolationCount;
import dev.parley.protocol.TopicNames;
import dev.parley.topology.topics.DeadLetterHeaders;
import dev.parley.topology.topics.KafkaHeaders;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;

/**
 * The tables. {@code audit} contains the audit trail; the others are views of it, or contain topics. To add a topic,
 * add an entry to {@link #TOPICS}.
 */
final class Tables {
    /** The table of the audit trail. */
    static final String AUDIT = "audit";

    static final List<Column<AuditRecord>> AUDIT_COLUMNS = AuditColumns.all();

    /** Views of the audit trail. */
    static final List<View> VIEWS =
            List.of(new View("messages", """
                    SELECT time, messageId, namespace, protocol, conversation, sender, recipients, performative,
                      replyTo, refs, verdict, code, warnings, chain, sequence, sourceTopic, sourcePartition,
                      sourceOffset, producerTime, rawText, raw, slip, subit, csp, lam, mcp, extension
                    FROM audit
                    WHERE messageId IS NOT NULL AND verdict IN ('ACCEPTED', 'FLAGGED')"""), new View("definitions", """
                    SELECT time, namespace, protocol, conversation, sender, csp->>'target' AS checkpoint,
                      operation->>'operator' AS operator, operation->>'name' AS name, operation->>'value' AS value,
                      chain, sequence
                    FROM (
                      SELECT *, unnest(from_json(csp->'operations', '["JSON"]')) AS operation
                      FROM audit
                      WHERE verdict = 'ACCEPTED' AND (csp->>'intent') = 'PATCH'
                        AND NOT list_contains(warnings, 'CSP_DUPLICATE'))
                    UNION ALL
                    SELECT time, namespace, protocol, conversation, sender, NULL, 'SET', definition->>'name',
                      definition->>'value', chain, sequence
                    FROM (
                      SELECT *, unnest(from_json(lam->'definitions', '["JSON"]')) AS definition
                      FROM audit
                      WHERE verdict = 'ACCEPTED' AND lam IS NOT NULL)"""), new View("calls", """
                    WITH mcp AS (
                      SELECT time, namespace, conversation, sender, verdict, code, chain, sequence,
                        mcp->'message'->>'kind' AS kind, nullif(mcp->'message'->>'id', 'null') AS id,
                        mcp->'message'->>'method' AS method, mcp->>'name' AS name, mcp->>'uri' AS uri,
                        mcp->>'requestId' AS requestId, (mcp->'message'->>'errorCode')::BIGINT AS errorCode,
                        (mcp->>'isError')::BOOLEAN AS isError, mcp->'capture'->>'exchange' AS exchange,
                        (mcp->'capture'->>'httpStatus')::INTEGER AS httpStatus, octet_length(raw) AS bytes,
                        mcp->'capture'->>'mark' AS mark,
                        coalesce(mcp->'capture'->>'direction', 'UNKNOWN') AS direction,
                        CASE mcp->'capture'->>'direction' WHEN 'CLIENT_TO_SERVER' THEN 'SERVER_TO_CLIENT'
                          WHEN 'SERVER_TO_CLIENT' THEN 'CLIENT_TO_SERVER' ELSE 'UNKNOWN' END AS opposite
                      FROM audit
                      WHERE mcp IS NOT NULL),
                    requests AS (FROM mcp WHERE kind = 'REQUEST' AND method <> 'subscriptions/listen'),
                    answers AS (FROM mcp WHERE kind IN ('RESULT', 'ERROR') AND id IS NOT NULL),
                    bodies AS (
                      FROM mcp WHERE kind IN ('NONE', 'OTHER') AND httpStatus >= 400 OR kind = 'ERROR' AND id IS NULL),
                    cancels AS (FROM mcp WHERE method = 'notifications/cancelled'),
                    ends AS (FROM mcp WHERE mark = 'END'),
                    gaps AS (FROM mcp WHERE mark = 'GAP' OR mark = 'START' AND exchange IS NULL),
                    own AS (
                      SELECT r.*, CASE WHEN a.sequence IS NULL THEN b ELSE a END AS answer
                      FROM requests r
                      ASOF LEFT JOIN answers a ON r.chain = a.chain AND r.id = a.id AND r.direction = a.opposite
                        AND r.exchange = a.exchange AND r.sequence < a.sequence
                      ASOF LEFT JOIN bodies b ON r.chain = b.chain AND r.direction = b.opposite
                        AND r.exchange = b.exchange AND r.sequence < b.sequence),
                    other AS (
                      SELECT r.chain, r.sequence, arg_min(a, a.sequence) AS answer
                      FROM (
                        FROM answers a ANTI JOIN requests r ON r.chain = a.chain AND r.id = a.id
                          AND r.direction = a.opposite AND r.exchange = a.exchange) a
                      ASOF JOIN (FROM own WHERE answer.sequence IS NULL) r ON r.chain = a.chain AND r.id = a.id
                        AND r.direction = a.opposite AND r.sequence < a.sequence
                      GROUP BY ALL),
                    canceled AS (
                      SELECT r.chain, r.sequence, min(c.sequence) AS canceled
                      FROM cancels c
                      ASOF JOIN requests r ON r.chain = c.chain AND r.id = c.requestId AND r.direction = c.direction
                        AND r.sequence < c.sequence
                      GROUP BY ALL),
                    pairs AS (
                      SELECT r.* REPLACE (CASE WHEN o.answer IS NULL THEN r.answer ELSE o.answer END AS answer),
                        canceled, coalesce(e.sequence < coalesce(g.sequence, e.sequence + 1), false) AS ended
                      FROM own r
                      LEFT JOIN other o USING (chain, sequence)
                      LEFT JOIN canceled USING (chain, sequence)
                      ASOF LEFT JOIN ends e ON r.chain = e.chain AND r.sequence <= e.sequence
                      ASOF LEFT JOIN gaps g ON r.chain = g.chain AND r.sequence < g.sequence)
                    SELECT time, namespace, conversation, sender, method, name, uri, verdict, code,
                      answer.time AS answered, answer.sender AS responder,
                      date_diff('millisecond', time, answer.time) AS millis,
                      CASE WHEN canceled < coalesce(answer.sequence, canceled + 1)
                          THEN CASE WHEN answer.id IS NULL THEN 'CANCELED' ELSE 'LATE' END
                        WHEN answer.isError THEN 'FAILED'
                        WHEN answer.kind IN ('RESULT', 'ERROR') THEN answer.kind
                        WHEN answer.kind IS NOT NULL THEN 'REFUSED'
                        WHEN ended THEN 'HUNG' ELSE 'OPEN' END AS outcome,
                      answer.httpStatus AS httpStatus, answer.errorCode AS errorCode,
                      coalesce(answer.isError, false) AS failed, bytes AS requestBytes, answer.bytes AS responseBytes,
                      chain, sequence
                    FROM pairs"""));

    /** Tables of topics, which an export does not contain. */
    static final List<TopicTable> TOPICS = List.of(
            compacted("checkpoints", TopicNames::checkpoint, Checkpoint.class),
            deadLetters(),
            counts("traffic", TopicNames::traffic, TrafficCount.class),
            counts("violations", TopicNames::violation, ViolationCount.class),
            counts("edges", TopicNames::edge, EdgeCount.class),
            counts("turnaround", TopicNames::turnaround, TurnaroundCount.class),
            compacted("open_items", TopicNames::openItem, OpenItem.class),
            counts("patches", TopicNames::patch, PatchCount.class),
            counts("definition_changes", TopicNames::definitionChange, DefinitionChangeCount.class));

    /**
     * A view.
     *
     * @param sql its query over {@code audit}
     */
    record View(String name, String sql) {}

    /**
     * A row of a topic's table.
     *
     * @param value the decoded value; null for a tombstone, and in a table of headers
     */
    record TopicRow(ConsumerRecord<byte[], byte[]> record, IndexedRecord value) {}

    /**
     * A table of one or more topics.
     *
     * @param topics its topics, of the names of a deployment
     * @param type class of the values; empty if the columns are those of the headers
     * @param compacted whether only the last record of a key counts, and none if that is a tombstone
     */
    record TopicTable(
            String name,
            Function<TopicNames, List<String>> topics,
            Optional<Class<? extends SpecificRecord>> type,
            List<Column<TopicRow>> columns,
            boolean compacted) {}

    private Tables() {}

    /**
     * Names of the tables in the order of the documentation.
     *
     * @param exports whether the query reads an export
     */
    static List<String> names(boolean exports) {
        return Stream.of(
                        Stream.of(AUDIT),
                        VIEWS.stream().map(View::name),
                        TOPICS.stream().filter(table -> !exports).map(TopicTable::name))
                .flatMap(names -> names)
                .toList();
    }

    static String createTable(String name, Collection<? extends Column<?>> columns) {
        return "CREATE TABLE " + name + " ("
                + String.join(", ", columns.stream().map(Column::declaration).toList()) + ")";
    }

    static String createView(String name, String sql) {
        return "CREATE VIEW " + name + " AS " + sql;
    }

    private static TopicTable counts(
            String name, Function<TopicNames, String> topic, Class<? extends SpecificRecord> type) {
        List<Column<TopicRow>> columns = AvroColumns.of(SpecificData.get().getSchema(type)).stream()
                .map(column -> column.within(TopicRow::value))
                .toList();
        return new TopicTable(name, names -> List.of(topic.apply(names)), Optional.of(type), columns, false);
    }

    private static TopicTable compacted(
            String name, Function<TopicNames, String> topic, Class<? extends SpecificRecord> type) {
        TopicTable table = counts(name, topic, type);
        return new TopicTable(name, table.topics(), table.type(), table.columns(), true);
    }

    /** Without values and details: they may be redacted, and the table audit has those that are not. */
    private static TopicTable deadLetters() {
        return new TopicTable(
                "dead_letters",
                TopicNames::deadLetters,
                Optional.empty(),
                Stream.of(
                                new Column<>("time", "TIMESTAMP", Tables::time),
                                new Column<>("stage", "VARCHAR", Tables::stage),
                                text("code", DeadLetterHeaders.CODE),
                                text("exception", DeadLetterHeaders.EXCEPTION),
                                text("protocol", DeadLetterHeaders.PROTOCOL),
                                text("conversation", DeadLetterHeaders.CONVERSATION),
                                number("position", DeadLetterHeaders.OFFSET),
                                number("attempt", DeadLetterHeaders.ATTEMPT),
                                new Column<>("valueBytes", "BIGINT", Tables::valueBytes),
                                text("sourceTopic", DeadLetterHeaders.TOPIC),
                                number("sourcePartition", DeadLetterHeaders.PARTITION),
                                number("sourceOffset", DeadLetterHeaders.SOURCE_OFFSET))
                        .map(column -> column.within(TopicRow::record))
                        .toList(),
                false);
    }

    private static Object time(ConsumerRecord<byte[], byte[]> record) {
        return Instant.ofEpochMilli(record.timestamp());
    }

    private static Object stage(ConsumerRecord<byte[], byte[]> record) {
        return TopicNames.stageOf(record.topic()).name();
    }

    private static Object valueBytes(ConsumerRecord<byte[], byte[]> record) {
        Headers headers = record.headers();
        if (DeadLetterHeaders.isOmitted(headers)) {
            return value(DeadLetterHeaders.omittedSize(headers));
        }
        return record.value() == null ? null : (long) record.value().length;
    }

    private static Column<ConsumerRecord<byte[], byte[]>> text(String name, String header) {
        return new Column<>(name, "VARCHAR", record -> KafkaHeaders.text(record.headers(), header));
    }

    private static Column<ConsumerRecord<byte[], byte[]>> number(String name, String header) {
        return new Column<>(name, "BIGINT", record -> value(DeadLetterHeaders.number(record.headers(), header)));
    }

    private static Object value(OptionalLong number) {
        return number.isPresent() ? number.getAsLong() : null;
    }
}
