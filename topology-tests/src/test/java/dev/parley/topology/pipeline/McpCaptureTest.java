package dev.parley.topology.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Stage;
import dev.parley.encoding.Sha256;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;

/** Records of MCP without a value, and a long session after a restart, in the pipeline. */
class McpCaptureTest extends AbstractPipelineTest {
    private static InputRecord of(InputRecord record, String direction, String... headers) {
        InputRecord sent = record.key("s").header("parley-protocol", "mcp").header("parley-direction", direction);
        for (int i = 0; i < headers.length; i += 2) {
            sent = sent.header(headers[i], headers[i + 1]);
        }
        return sent;
    }

    private static InputRecord list(int id, String... headers) {
        return of(
                InputRecord.text("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"tools/list\"}"),
                "client-to-server",
                headers);
    }

    private void handshake(String... headers) {
        pipeline.send(of(
                InputRecord.text("{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":"
                        + "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{}}}"),
                "client-to-server",
                headers));
        pipeline.send(of(
                InputRecord.text("{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":"
                        + "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}}}}"),
                "server-to-client"));
        pipeline.send(of(
                InputRecord.text("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}"),
                "client-to-server"));
    }

    @Test
    void aRecordWithoutValueIsAMessageOfTheConversation() {
        start();
        pipeline.send(of(InputRecord.tombstone(), "client-to-server", "parley-capture", "start"));
        handshake();
        pipeline.send(of(
                InputRecord.tombstone(), "client-to-server", "parley-exchange", "1", "parley-http-method", "DELETE"));

        List<AuditRecord> audit = pipeline.audit();
        assertThat(audit).extracting(AuditRecord::getVerdict).containsOnly("ACCEPTED");
        assertThat(audit).extracting(AuditRecord::getSequence).containsExactly(0L, 1L, 2L, 3L, 4L);
        assertThat(audit.get(0).getPayloadHash()).isEqualTo(ByteBuffer.wrap(Sha256.of(new byte[0])));
        assertThat(pipeline.messages())
                .extracting(TestRecord::value)
                .extracting(AgentMessage::getRaw)
                .contains(ByteBuffer.allocate(0))
                .hasSize(5);
        assertThat(pipeline.deadLetters(Stage.DECODE)).isEmpty();
    }

    @Test
    void aLongSessionForgetsItsRequestsWhenItsProcessStartsAgain() {
        start();
        for (int session = 0; session < 2; session++) {
            handshake("parley-capture", "start");
            for (int id = 1; id <= 60; id++) {
                pipeline.send(list(id));
                pipeline.send(of(
                        InputRecord.text("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":{\"tools\":[]}}"),
                        "server-to-client"));
            }
        }
        pipeline.send(list(60));

        List<AuditRecord> audit = pipeline.audit();
        assertThat(audit.subList(0, audit.size() - 1))
                .extracting(AuditRecord::getVerdict)
                .containsOnly("ACCEPTED");
        assertThat(audit.get(audit.size() - 1).getCode()).isEqualTo("MCP_ID_REUSED");
    }
}
