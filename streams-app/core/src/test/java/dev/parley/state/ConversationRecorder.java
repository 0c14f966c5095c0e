package dev.parley.state;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.InboundHeader;
import dev.parley.avro.Source;
import dev.parley.avro.Verdict;
import dev.parley.codec.RecordHeaders;
import dev.parley.decode.WireRecord;
import dev.parley.stage.OfflinePipeline;
import dev.parley.stage.StageSettings;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A conversation whose wire texts go the way that messages go, a second apart, in one partition; its audit records. */
final class ConversationRecorder {
    private final OfflinePipeline pipeline = new OfflinePipeline(StageSettings.DEFAULT);
    private final Map<String, String> headers = new HashMap<>(Map.of("parley-conversation", "talk"));
    final List<AuditRecord> records = new ArrayList<>();
    private long offset;

    static ConversationRecorder slip() {
        return new ConversationRecorder();
    }

    static ConversationRecorder subit() {
        return new ConversationRecorder();
    }

    static ConversationRecorder lambda() {
        ConversationRecorder talk = new ConversationRecorder();
        talk.headers.put("parley-protocol", "lambda");
        return talk;
    }

    static ConversationRecorder mcp() {
        ConversationRecorder talk = new ConversationRecorder();
        talk.headers.put("parley-protocol", "mcp");
        return talk;
    }

    /** The direction of all further messages of MCP. */
    ConversationRecorder towards(String direction) {
        headers.put("parley-direction", direction);
        return this;
    }

    /** The HTTP request that all further messages of MCP belong to. */
    ConversationRecorder in(String exchange) {
        headers.put("parley-exchange", exchange);
        return this;
    }

    /** Who speaks from now on. */
    ConversationRecorder as(String sender) {
        headers.put("parley-sender", sender);
        return this;
    }

    /** Sends all further messages without a sender. */
    ConversationRecorder asUnknown() {
        headers.remove("parley-sender");
        return this;
    }

    /** The audit record of an accepted message. */
    AuditRecord send(String wire) {
        AuditRecord record = sendAny(wire);
        assertThat(record.getVerdict()).as("%s: %s", wire, record.getCode()).isEqualTo(Verdict.ACCEPTED.name());
        return record;
    }

    /** What is recorded of a message. */
    AuditRecord sendAny(String wire) {
        Source source = new Source("wire", 0, offset, Instant.ofEpochMilli(1_000 * offset), null);
        offset++;
        int before = records.size();
        pipeline.accept(
                new WireRecord(source, null, wire.getBytes(UTF_8), RecordHeaders.ofText(headers)),
                headers.entrySet().stream()
                        .map(header -> new InboundHeader(
                                header.getKey(),
                                ByteBuffer.wrap(header.getValue().getBytes(UTF_8))))
                        .toList(),
                judged -> {},
                records::add);
        assertThat(records).hasSize(before + 1);
        return records.get(before);
    }
}
