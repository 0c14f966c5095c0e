package dev.parley.items;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.InboundHeader;
import dev.parley.avro.Source;
import dev.parley.codec.RecordHeaders;
import dev.parley.decode.WireRecord;
import dev.parley.protocol.Protocols;
import dev.parley.stage.OfflinePipeline;
import dev.parley.stage.StageSettings;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ItemTrackerTest {
    private final OfflinePipeline pipeline = new OfflinePipeline(StageSettings.DEFAULT);
    private final List<AuditRecord> records = new ArrayList<>();

    private AuditRecord say(String wire, Map<String, String> more) {
        Map<String, String> headers = new HashMap<>(more);
        headers.put("parley-protocol", "mcp");
        headers.put("parley-direction", "client-to-server");
        List<InboundHeader> inbound = new ArrayList<>();
        headers.forEach((name, value) -> inbound.add(new InboundHeader(name, ByteBuffer.wrap(value.getBytes(UTF_8)))));
        Source source = new Source("parley.wire", 0, (long) records.size(), Instant.EPOCH, null);
        pipeline.accept(
                new WireRecord(source, "s".getBytes(UTF_8), wire.getBytes(UTF_8), RecordHeaders.NONE),
                inbound,
                judged -> {},
                records::add);
        return records.get(records.size() - 1);
    }

    /** A violation of MCP opens an item, because client and server have exchanged it. */
    @Test
    void aMessageThatWasNotAppliedOpensNothing() {
        ItemTracker tracker = new ItemTracker(Protocols.STANDARD::itemRules, 1_000);
        AuditRecord violation = say("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}", Map.of());
        AuditRecord moved =
                say("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}", Map.of("parley-expect", "9"));

        assertThat(tracker.mayOpen(violation)).isTrue();
        assertThat(moved.getCode()).isEqualTo("CONVERSATION_MOVED");
        assertThat(tracker.mayOpen(moved)).isFalse();
    }
}
