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
import dev.parley.checkpoint.PatchRule;
import dev.parley.decode.ConversationKey;
import dev.parley.protocol.TopicNames;
import dev.parley.serde.AvroSerdes;
import dev.parley.topology.topics.DeadLetterHeaders;
import dev.parley.topology.topics.KafkaHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;

/**
 * The tables. {@code audit} contains the audit trail; the others are views of it, or contain topics. To add a topic,
 * add an entry to {@link #TOPICS}.
 */
final class Tables {
    /** The table of the audit trail. */
    static final String AUDIT = "audit";

    /** The audit trail alone does not have the rows in a form that SQL can find. */
    private static final String NOT_IN_EXPORTS = "";

    static final List<Column<AuditRecord>> AUDIT_COLUMNS = AuditColumns.all();

    /** Views of the audit trail. */
    static final List<View> VIEWS = List.of(new View("messages", """
                    SELECT time, messageId, namespace, protocol, conversation, sender, recipients, performative,
                      replyTo, refs, verdict, code, warnings, chain, sequence, sourceTopic, sourcePartition,
                      sourceOffset, producerTime, rawText, raw, slip, subit, csp, lam, extension
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
                      WHERE verdict = 'ACCEPTED' AND lam IS NOT NULL)"""));

    /** The minute of a record, as the analytics topics have it. */
    private static final String MINUTE = """
                    SELECT date_trunc('minute', time) AS windowStart,
                      date_trunc('minute', time) + INTERVAL 1 MINUTE AS windowEnd,
                    """;

    /**
     * The records that the topics count, with the names under which they count them: those of the message, or what an
     * undecodable record claims, unless it is private. A redacted record has only the names of its chain.
     */
    private static final String COUNTED = """
                    (SELECT * REPLACE (
                        CASE WHEN NOT claimed THEN namespace WHEN hidden THEN '' ELSE claims->>'namespace' END
                          AS namespace,
                        CASE WHEN NOT claimed OR list_contains(['SLIP', 'SUBIT', 'CSP', 'LAMBDA', 'UNKNOWN'], symbol)
                          THEN symbol ELSE 'EXTENSION' END AS protocol,
                        CASE WHEN NOT claimed THEN sender WHEN NOT hidden THEN claims->>'sender' END AS sender)
                      FROM (
                        SELECT *, verdict = 'UNDECODABLE' AS claimed,
                          CASE WHEN verdict = 'UNDECODABLE' THEN coalesce(claims->>'protocol', 'UNKNOWN')
                            ELSE protocol END AS symbol,
                          (claims->>'namespace') IS NULL OR coalesce(regexp_matches(hex(raw), '%s'), FALSE) AS hidden
                        FROM audit
                        WHERE redaction IS NULL))
                    """.formatted(privateMark("prv:") + '|' + privateMark("enc:"));

    /** Flags that only the topics set. */
    private static final String NO_FLAGS = " FALSE AS late, FALSE AS other\n";

    /** Tables of topics. An export does not contain them, so a view of the audit trail replaces most. */
    static final List<TopicTable<?>> TOPICS = List.of(
            avro("checkpoints", TopicNames::checkpoint, Checkpoint.class, List.of("namespace", "context", "id"), """
                    SELECT namespace, conversation AS context, csp->>'target' AS id, csp->>'base' AS parent,
                      csp->>'id' AS patch, payloadHash AS patchHash, sender, csp->'operations' AS operations, time,
                      sourceTopic, sourcePartition, sourceOffset
                    FROM audit
                    WHERE verdict = 'ACCEPTED' AND (csp->>'intent') = 'PATCH'
                      AND NOT list_contains(warnings, 'CSP_DUPLICATE')"""),
            deadLetters("""
                    SELECT time, stage, code, 'dev.parley.Verdict.' || verdict AS exception, protocol,
                      CASE verdict WHEN 'UNDECODABLE' THEN NULL ELSE conversation END AS conversation, position,
                      NULL::BIGINT AS attempt, octet_length(raw) AS valueBytes, sourceTopic, sourcePartition,
                      sourceOffset
                    FROM
                    """ + COUNTED + """
                    WHERE verdict IN ('REJECTED', 'UNDECODABLE') AND unread IS NULL"""),
            avro(
                    "traffic",
                    TopicNames::traffic,
                    TrafficCount.class,
                    List.of(),
                    MINUTE + """
                      namespace, protocol, coalesce(performative, 'UNSPECIFIED') AS performative, sender, verdict,
                      count(*) AS messages,
                    """ + NO_FLAGS + "FROM " + COUNTED + "GROUP BY ALL"),
            avro(
                    "violations",
                    TopicNames::violation,
                    ViolationCount.class,
                    List.of(),
                    MINUTE + """
                      namespace,
                      CASE WHEN protocol = 'UNKNOWN'
                          AND split_part(code, '_', 1) IN ('SLIP', 'SUBIT', 'CSP', 'LAMBDA', 'EXTENSION')
                        THEN split_part(code, '_', 1) ELSE protocol END AS protocol,
                      sender, kind, code, count(*) AS messages,
                    """ + NO_FLAGS + """
                    FROM (
                      SELECT time, namespace, protocol, sender, code,
                        CASE verdict WHEN 'UNDECODABLE' THEN 'DECODE_ERROR' ELSE 'VIOLATION' END AS kind
                      FROM
                    """ + COUNTED + """
                      WHERE code IS NOT NULL
                      UNION ALL
                      SELECT time, namespace, protocol, sender, unnest(list_distinct(warnings)) AS code,
                        'WARNING' AS kind
                      FROM
                    """ + COUNTED + """
                    )
                    GROUP BY ALL"""),
            avro("edges", TopicNames::edge, EdgeCount.class, List.of(), MINUTE + """
                      namespace, protocol, sender, recipient, count(*) AS messages,
                      count(*) FILTER (verdict = 'ACCEPTED') AS accepted,
                      count(*) FILTER (verdict = 'FLAGGED') AS flagged,
                      count(*) FILTER (verdict = 'REJECTED') AS rejected,
                    """ + NO_FLAGS + """
                    FROM (
                      SELECT time, namespace, protocol, sender, verdict,
                        unnest(CASE WHEN len(recipients) > 0 THEN list_distinct(recipients) ELSE [NULL::VARCHAR] END)
                          AS recipient
                      FROM audit
                      WHERE messageId IS NOT NULL OR (redacted IS NOT NULL AND protocol <> 'UNKNOWN'))
                    GROUP BY ALL"""),
            avro("turnaround", TopicNames::turnaround, TurnaroundCount.class, List.of(), NOT_IN_EXPORTS),
            openItems(),
            avro(
                    "patches",
                    TopicNames::patch,
                    PatchCount.class,
                    List.of(),
                    MINUTE + """
                      namespace, conversation AS context, verdict, code, count(*) AS patches,
                      count(*) FILTER (verdict = 'ACCEPTED' AND NOT list_contains(warnings, 'CSP_DUPLICATE'))
                        AS applied,
                      count(*) FILTER (verdict = 'ACCEPTED' AND list_contains(warnings, 'CSP_DUPLICATE'))
                        AS duplicates,
                      count(*) FILTER (verdict = 'ACCEPTED' AND rule =
                    """ + Database.literal(PatchRule.FORK.rule().getText()) + """
                      ) AS branches,
                      NULL::BIGINT AS released, NULL::BIGINT AS expired, NULL::BIGINT AS totalParkedMs,
                      NULL::BIGINT AS maxParkedMs,
                    """ + NO_FLAGS + """
                    FROM audit
                    WHERE (csp->>'intent') = 'PATCH'
                      OR (redacted IS NOT NULL AND protocol = 'CSP' AND stage = 'APPLY')
                    GROUP BY ALL"""),
            avro(
                    "definition_changes",
                    TopicNames::definitionChange,
                    DefinitionChangeCount.class,
                    List.of(),
                    MINUTE + """
                      namespace, conversation AS context, name AS definition, count(*) AS changes,
                      count(*) FILTER (operator = 'ADD') AS added,
                      count(*) FILTER (operator = 'CHANGE') AS replaced,
                      count(*) FILTER (operator = 'REMOVE') AS removed,
                    """ + NO_FLAGS + """
                    FROM definitions
                    WHERE checkpoint IS NOT NULL
                    GROUP BY ALL"""));

    /**
     * A view.
     *
     * @param sql its query over {@code audit}
     */
    record View(String name, String sql) {}

    /**
     * A table of one or more topics.
     *
     * @param topics its topics, of the names of a deployment
     * @param columns columns, filled from the decoded records
     * @param decoder decodes a record of a topic; empty for one without a row
     * @param inExports the query over {@code audit} that replaces the table in an export; empty if there is none
     * @param key columns whose last record alone counts; empty if all records count
     * @param deleted condition of rows that stand for tombstones; empty if there are none
     */
    record TopicTable<T>(
            String name,
            Function<TopicNames, List<String>> topics,
            List<Column<T>> columns,
            Function<AvroSerdes, Function<ConsumerRecord<byte[], byte[]>, Optional<T>>> decoder,
            String inExports,
            List<String> key,
            String deleted) {

        boolean isInExports() {
            return !inExports.isEmpty();
        }
    }

    private Tables() {}

    /** A pattern of bytes in hexadecimal that has a mark of private content, in any case and spacing. */
    private static String privateMark(String mark) {
        return mark.chars()
                .mapToObj(letter -> String.format(Locale.ROOT, "(?:%02X|%02X)", letter, Character.toUpperCase(letter)))
                .collect(Collectors.joining("(?:[01].|20)*", "^(?:..)*", ""));
    }

    /**
     * Names of the tables in the order of the documentation.
     *
     * @param exports whether the query reads an export
     */
    static List<String> names(boolean exports) {
        return Stream.of(
                        Stream.of(AUDIT),
                        VIEWS.stream().map(View::name),
                        TOPICS.stream()
                                .filter(table -> !exports || table.isInExports())
                                .map(TopicTable::name))
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

    private static <T extends SpecificRecord> TopicTable<T> avro(
            String name, Function<TopicNames, String> topic, Class<T> type, List<String> key, String inExports) {
        List<Column<T>> columns = new ArrayList<>();
        for (Column<IndexedRecord> column : AvroColumns.of(SpecificData.get().getSchema(type))) {
            columns.add(column.within(record -> record));
        }
        return new TopicTable<>(
                name,
                names -> List.of(topic.apply(names)),
                columns,
                serdes -> {
                    Deserializer<T> values = serdes.values(type).deserializer();
                    return record -> Optional.ofNullable(values.deserialize(record.topic(), record.value()));
                },
                inExports,
                key,
                "");
    }

    /** A tombstone becomes a row without kind, which deletes the earlier ones of its key. */
    private static TopicTable<OpenItem> openItems() {
        TopicTable<OpenItem> table = avro(
                "open_items",
                TopicNames::openItem,
                OpenItem.class,
                List.of("namespace", "protocol", "conversation", "sequence"),
                NOT_IN_EXPORTS);
        return new TopicTable<>(
                table.name(),
                table.topics(),
                table.columns(),
                serdes -> {
                    Function<ConsumerRecord<byte[], byte[]>, Optional<OpenItem>> rows =
                            table.decoder().apply(serdes);
                    return record -> record.value() == null ? closedItem(record.key()) : rows.apply(record);
                },
                table.inExports(),
                table.key(),
                "kind IS NULL");
    }

    private static Optional<OpenItem> closedItem(byte[] key) {
        String text = key == null ? "" : new String(key, StandardCharsets.UTF_8);
        int bar = text.lastIndexOf('|');
        try {
            ConversationKey chain = ConversationKey.parse(text.substring(0, Math.max(0, bar)));
            OpenItem item = new OpenItem();
            item.setNamespace(chain.namespace());
            item.setProtocol(chain.symbol().name());
            item.setConversation(chain.conversation());
            item.setSequence(Long.parseLong(text.substring(bar + 1)));
            return Optional.of(item);
        } catch (IllegalArgumentException e) {
            // Another client wrote to the topic; no row of Parley has such a key.
            return Optional.empty();
        }
    }

    /** Without values and details: they may be redacted, and the table audit has those that are not. */
    private static TopicTable<ConsumerRecord<byte[], byte[]>> deadLetters(String inExports) {
        return new TopicTable<>(
                "dead_letters",
                TopicNames::deadLetters,
                List.of(
                        new Column<>("time", "TIMESTAMP", record -> Instant.ofEpochMilli(record.timestamp())),
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
                        number("sourceOffset", DeadLetterHeaders.SOURCE_OFFSET)),
                serdes -> Optional::of,
                inExports,
                List.of(),
                "");
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
