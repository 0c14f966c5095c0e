package dev.parley.sql;

import dev.parley.audit.AuditChain;
import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.decode.ConversationKey;
import dev.parley.encoding.ByteBuffers;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** The columns of the table {@code audit}: an audit record and its message in one row. */
final class AuditColumns {
    /** The first columns, which a person wants to see; the others follow in the order of the schemas. */
    private static final List<String> FIRST = List.of(
            "time",
            "chain",
            "sequence",
            "namespace",
            "protocol",
            "conversation",
            "sender",
            "recipients",
            "performative",
            "replyTo",
            "verdict",
            "stage",
            "code",
            "position",
            "detail",
            "warnings",
            "rule",
            "ruleSection",
            "ruleProvenance",
            "ruleBefore",
            "ruleAct",
            "ruleAfter",
            "profile",
            "rawText");

    /** Fields of the message that a column of the record contains too. */
    private static final Set<String> OF_THE_RECORD =
            Set.of("time", "sourceTopic", "sourcePartition", "sourceOffset", "producerTime", "sha256");

    private AuditColumns() {}

    static List<Column<AuditRecord>> all() {
        Map<String, Column<AuditRecord>> byName = new LinkedHashMap<>();
        AvroColumns.of(AuditRecord.getClassSchema())
                .forEach(column -> byName.put(column.name(), column.within(record -> record)));
        byName.remove("message");
        AvroColumns.of(AgentMessage.getClassSchema()).stream()
                .filter(column -> !OF_THE_RECORD.contains(column.name()))
                .forEach(column -> byName.put(column.name(), column.within(AuditRecord::getMessage)));
        // Without a message, the chain names the conversation.
        instead(byName, "namespace", ConversationKey::namespace);
        instead(byName, "protocol", key -> key.symbol().name());
        instead(byName, "conversation", ConversationKey::conversation);
        byName.put("raw", new Column<>("raw", "BLOB", record -> ByteBuffers.of(AuditChain.raw(record))));
        byName.put("rawText", new Column<>("rawText", "VARCHAR", record -> text(AuditChain.raw(record))));
        List<Column<AuditRecord>> columns = new ArrayList<>();
        FIRST.forEach(name -> columns.add(byName.remove(name)));
        columns.addAll(byName.values());
        return List.copyOf(columns);
    }

    private static void instead(
            Map<String, Column<AuditRecord>> byName, String name, Function<ConversationKey, String> part) {
        Function<AuditRecord, Object> ofMessage = byName.get(name).value();
        byName.put(
                name,
                new Column<>(
                        name,
                        "VARCHAR",
                        record -> record.getMessage() == null
                                // An export that is not verified may have another chain.
                                ? ConversationKey.find(record.getChain())
                                        .map(part)
                                        .orElse(null)
                                : ofMessage.apply(record)));
    }

    /** The text of bytes that are UTF-8; null for others. */
    private static String text(ByteBuffer bytes) {
        try {
            return bytes == null
                    ? null
                    : StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(bytes.duplicate())
                            .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }
}
