package dev.parley.state;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Checkpoint;
import dev.parley.avro.InboundHeader;
import dev.parley.avro.Protocol;
import dev.parley.avro.Source;
import dev.parley.codec.RecordHeaders;
import dev.parley.decode.ConversationKey;
import dev.parley.decode.WireRecord;
import dev.parley.stage.OfflinePipeline;
import dev.parley.stage.StageSettings;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The records of one conversation, a second apart, in one partition. A test may change them before it asks. */
final class RecordedConversation {
    final ConversationKey key;
    final List<AuditRecord> records = new ArrayList<>();
    final Map<String, Checkpoint> checkpoints = new LinkedHashMap<>();
    private final OfflinePipeline pipeline = new OfflinePipeline(StageSettings.DEFAULT);
    private long offset;

    RecordedConversation(Protocol protocol) {
        // The conversation of SLIP is in its frames.
        this.key = new ConversationKey("default", protocol, protocol == Protocol.SLIP ? "1" : "talk");
    }

    /** A patch of a CSP context. */
    RecordedConversation patch(String id, String base, String target, String... operations) {
        return send(
                "MAIN",
                "CSP/1\nFROM MAIN\nTO MEM\nCTX " + base + "\nINTENT PATCH\n\nPATCH " + id + "\nBASE " + base + "\n"
                        + String.join("\n", operations) + "\nAPPLY -> " + target);
    }

    RecordedConversation send(String sender, String wire) {
        Map<String, String> headers =
                Map.of("parley-conversation", "talk", "parley-protocol", key.protocol(), "parley-sender", sender);
        Source source = new Source("wire", 0, offset, Instant.ofEpochSecond(offset), null);
        offset++;
        pipeline.accept(
                new WireRecord(source, null, wire.getBytes(UTF_8), RecordHeaders.ofText(headers)),
                headers.entrySet().stream()
                        .map(header -> new InboundHeader(
                                header.getKey(),
                                ByteBuffer.wrap(header.getValue().getBytes(UTF_8))))
                        .toList(),
                judged -> judged.checkpoints().forEach(made -> checkpoints.put(made.getId(), made)),
                records::add);
        return this;
    }

    InMemoryConversation source() {
        InMemoryConversation source = new InMemoryConversation(key);
        records.forEach(source::accept);
        checkpoints.values().forEach(source::accept);
        return source;
    }

    StateQueries queries() {
        return new StateQueries(source(), StageSettings.DEFAULT::stateModel, record -> record, QueryBudget.UNLIMITED);
    }
}
