package dev.parley.topology.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AuditRecord;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Bytes that the state stores write for each byte received, in the worst conversations of each protocol. The test
 * driver commits after each message, so that no cache hides a write. A deletion counts with the entry that it deletes.
 * A message may write {@value #FLOOR} bytes, because the state of its conversation, the counts and the log are written
 * however short it is, and {@value #FACTOR} bytes for each of its own.
 */
class StateAmplificationTest extends AbstractPipelineTest {
    private static final int FLOOR = 4_096;
    private static final int FACTOR = 20;
    private static final int MANY = 400;
    private static final String CSP = "CSP/1\nFROM %s\nTO %s\nCTX C0\nINTENT %s\n\n%s";

    /** Room that earlier messages of the conversation have left, if a message may use it. */
    private long saved;

    @BeforeEach
    void begin() {
        start();
        pipeline.send(InputRecord.text("!It").key("another"));
        pipeline.changelogBytes();
    }

    @Test
    void aShortMessageDoesNotWriteTheDefinitionsOfItsConversation() {
        for (int i = 0; i < MANY; i++) {
            bounded(lambda("A", "{def:name" + i + "=\"" + "v".repeat(i % 2_000) + "\"}"));
        }
        bounded(lambda("A", "!It"));
        bounded(lambda("A", "{def:name1=x}"));
        bounded(lambda("A", "{def:large=\"" + "v".repeat(500_000) + "\"}"));
        bounded(lambda("B", "!It"));
        bounded(lambda("A", "{def:other=\"" + "v".repeat(2_000) + "\"}"));
    }

    @Test
    void manyShortDefinitionsOfOneMessageAreBounded() {
        for (String prefix : List.of("", "a", "b")) {
            String names = IntStream.range(0, 900)
                    .mapToObj(i -> prefix + Integer.toString(i, 36) + "=")
                    .collect(Collectors.joining(",", "{def:", "}"));
            bounded(lambda("A", names));
        }
        bounded(lambda("A", "!It"));
    }

    @Test
    void shortMessagesInNewConversationsOfNewAgentsAreBounded() {
        for (int i = 0; i < MANY; i++) {
            String name = Integer.toString(i, 36);
            bounded(InputRecord.text(i % 2 == 0 ? "<+" : "?Uc")
                    .key(name)
                    .header("parley-namespace", name)
                    .header("parley-sender", name));
        }
    }

    @Test
    void aLongNameOfAConversationIsNotWrittenForEachDefinition() {
        String key = "k".repeat(4_000);
        String names = IntStream.range(0, 900)
                .mapToObj(i -> Integer.toString(i, 36) + "=1")
                .collect(Collectors.joining(",", "{def:", "}"));
        bounded(InputRecord.text(names).key(key));
        bounded(InputRecord.text("!It").key(key));
    }

    @Test
    void pendingStatementsOfManyAgentsAreBounded() {
        for (int i = 0; i < MANY; i++) {
            bounded(lambda("A" + i, "#id:" + "i".repeat(100) + i + " ?Uc/la"));
        }
        for (int i = 0; i < 50; i++) {
            bounded(lambda("A" + "x".repeat(4_000) + i, "?Uc/la"));
        }
        bounded(lambda("B", "?Uc"));
        bounded(lambda("A" + "x".repeat(4_000), ">> !It"));
        bounded(lambda("B", "<+"));
    }

    @Test
    void lanesOfManyAgentsAreBounded() {
        bounded(InputRecord.subit("STATE", "000110").key("s"));
        for (int i = 0; i < MANY; i++) {
            String agent = i % 8 == 0 ? "a".repeat(4_000) + i : "agent" + i;
            bounded(InputRecord.subit("INTENT", "000110110001").key("s").header("parley-sender", agent));
        }
        bounded(InputRecord.subit("INTENT", "000110110001").key("s"));
        bounded(InputRecord.subit("TRACE", "000110").key("s"));
    }

    @Test
    void tasksOfSlipAreBounded() {
        for (int i = 1; i <= 1_300; i++) {
            String number = base62(i);
            bounded(InputRecord.text("@a3|f0|c1|S0|d1|T" + number + "|k" + number + "#"));
        }
        for (int i = 1_301; i <= 1_320; i++) {
            bounded(InputRecord.text("@a6|f1|c1|S1|d0|T" + base62(i) + "|k" + base62(i - 100) + "#"));
        }
    }

    @Test
    void tasksOfCspAreBounded() {
        for (int i = 0; i < MANY; i++) {
            bounded(csp("MAIN", "CODER", "TASK", task(i % 8 == 0 ? "T" + "x".repeat(4_000) + i : "T" + i)));
        }
        bounded(csp("CODER", "MAIN", "RESULT", "RESULT T1\nSTATUS OK\nPRODUCED F\nDATA done"));
        bounded(csp("MAIN", "CODER", "TASK", task("T")));
    }

    @Test
    void partialResultsAreBounded() {
        bounded(csp("MAIN", "CODER", "TASK", task("T")));
        for (int i = 0; i < MANY; i++) {
            bounded(csp("CODER", "MAIN", "RESULT", "RESULT T\nSTATUS PARTIAL\nPRODUCED F\nDATA " + i));
        }
    }

    @Test
    void manyRecipientsOfATaskAreNotWrittenWithItsResults() {
        String recipients = IntStream.range(0, 20_000)
                .mapToObj(i -> "A" + Integer.toString(i, 36))
                .collect(Collectors.joining(","));
        for (int i = 0; i < 3; i++) {
            bounded(csp("MAIN", recipients, "TASK", task("T" + i)));
        }
        for (int i = 0; i < 3; i++) {
            bounded(csp("A1", "MAIN", "ERROR", "ERROR E\nAT T" + i));
            assertThat(pipeline.audit()).last().extracting(AuditRecord::getCode).isNull();
            bounded(csp("STRANGE", "MAIN", "ERROR", "ERROR E\nAT T" + i));
            assertThat(pipeline.audit()).last().extracting(AuditRecord::getCode).isEqualTo("CSP_WRONG_RESPONDER");
        }
    }

    @Test
    void patchesOfALargeStateWriteInProportionToWhatItsContextReceived() {
        for (int i = 0; i < 60; i++) {
            saving(InputRecord.patch(
                    "ctx", "P" + i, "C" + i, "C" + (i + 1), "+ DEF A" + i + " = " + "v".repeat(10_000)));
        }
        for (int i = 60; i < 500; i++) {
            String operation = i == 60 ? "+ DEF B = 0" : "~ DEF B := " + i;
            saving(InputRecord.patch("ctx", "P" + i, "C" + i, "C" + (i + 1), operation));
        }
    }

    /** What a new session forgets was paid by the messages that it forgets. */
    @Test
    void requestsOfMcpAreBounded() {
        for (int i = 0; i < MANY; i++) {
            String id = i % 8 == 0 ? '"' + "i".repeat(4_000) + i + '"' : String.valueOf(i);
            saving(mcp("client-to-server", request(id, "tools/call", "{\"name\":\"t" + i + "\"}")));
        }
        for (int i = 1; i < 50; i++) {
            saving(mcp("server-to-client", "{\"jsonrpc\":\"2.0\",\"id\":" + i + ",\"result\":{\"content\":[]}}"));
        }
        saving(mcp("client-to-server", request("0", "initialize", "{}")));
    }

    @Test
    void definitionsOfMcpAreBounded() {
        String tools = IntStream.range(0, 500)
                .mapToObj(i -> "{\"name\":\"t" + i + "\",\"outputSchema\":{\"const\":\"" + "x".repeat(i) + "\"}}")
                .collect(Collectors.joining(","));
        for (int i = 0; i < 5; i++) {
            bounded(mcp("client-to-server", request(String.valueOf(i), "tools/list", "{}")));
            bounded(mcp(
                    "server-to-client",
                    "{\"jsonrpc\":\"2.0\",\"id\":" + i + ",\"result\":{\"tools\":[" + tools + "]}}"));
        }
        bounded(mcp("client-to-server", request("9", "tools/call", "{\"name\":\"t1\"}")));
        bounded(mcp(
                "server-to-client",
                "{\"jsonrpc\":\"2.0\",\"id\":9,\"result\":{\"content\":[],\"structuredContent\":1}}"));
        assertThat(pipeline.audit())
                .last()
                .satisfies(audit -> assertThat(audit.getWarnings()).contains("MCP_OUTPUT_SCHEMA"));
    }

    private static InputRecord mcp(String direction, String wire) {
        InputRecord record = InputRecord.text(wire).key("session").header("parley-direction", direction);
        return wire.contains("\"id\":0,") ? record.header("parley-capture", "start") : record;
    }

    private static String request(String id, String method, String params) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":" + params + "}";
    }

    @Test
    void parkedPatchesAreBounded() {
        String base = "C" + "x".repeat(4_000);
        for (int i = 0; i < 90; i++) {
            saving(InputRecord.patch("ctx", "P" + i, base, "D" + i, "+ DEF A" + i + " = 1"));
        }
        saving(InputRecord.patch("ctx", "P", "C0", base, "+ DEF B = 1"));
    }

    private void bounded(InputRecord message) {
        send(message, 0);
    }

    /** Sends a message that may use what earlier ones left: each snapshot and release was paid by the patches. */
    private void saving(InputRecord message) {
        saved = send(message, saved);
    }

    private long send(InputRecord message, long more) {
        long received = bytes(message.key()) + bytes(message.value());
        for (Header header : message.headers()) {
            received += header.key().length() + bytes(header.value());
        }
        pipeline.send(message);
        long written = pipeline.changelogBytes();
        long limit = more + FLOOR + FACTOR * received;
        assertThat(written)
                .as("bytes written for %d received", received)
                .isPositive()
                .isLessThanOrEqualTo(limit);
        return limit - written;
    }

    private static long bytes(byte[] bytes) {
        return bytes == null ? 0 : bytes.length;
    }

    private static InputRecord lambda(String sender, String message) {
        return InputRecord.text(message).key("talk").header("parley-sender", sender);
    }

    private static InputRecord csp(String sender, String recipient, String intent, String block) {
        return InputRecord.text(CSP.formatted(sender, recipient, intent, block)).key("ctx");
    }

    private static String task(String id) {
        return "TASK " + id + "\nREQ find\nIN x\nOUT F\nOWNER CODER\nPRIORITY P1";
    }

    private static String base62(int number) {
        String digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        StringBuilder text = new StringBuilder();
        for (int rest = number; rest > 0; rest /= digits.length()) {
            text.insert(0, digits.charAt(rest % digits.length()));
        }
        return text.toString();
    }
}
