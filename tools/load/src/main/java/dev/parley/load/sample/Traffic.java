package dev.parley.load.sample;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.codec.slip.SlipCodec;
import dev.parley.load.CspPatchText;
import dev.parley.protocol.TopicNames;
import java.util.Arrays;
import java.util.Locale;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Kinds of input. All messages are accepted, except some of the sample mix and of the views. */
public enum Traffic {
    /** Messages of 66 bytes outside any task. */
    SLIP,

    /** The same; conversation 1 has three in ten of the messages. */
    HOT,

    /** Cycles of state, intent, action and trace. */
    SUBIT,

    /** Tasks with their results. */
    CSP,

    /** Patches, each on the checkpoint of the previous one, which change one of ten definitions. */
    CSP_PATCHES,

    /** Questions with answers, and commands with results. */
    LAMBDA,

    /** Calls of a tool with their results, of about 300 bytes each, in sessions seen from the beginning. */
    MCP,

    /** The sample traffic of all protocols, replayed in its own namespace each time. */
    MIX,

    /** Half the mix and half the hot conversation; one record in fifty is cut off, and becomes a dead letter. */
    VIEWS;

    private static final int SLIP_BYTES = 66;
    private static final String[] SUBIT_TYPES = {"STATE", "INTENT", "ACTION", "TRACE"};
    private static final String[] SUBIT_PAYLOADS = {"101010", "101010010101", "101010111000", "101010010101111000"};
    private static final int DEFINITIONS = 10;
    private static final int CUT_OFF = 50;

    /** Speaker and message of each step: question, answer, agreement; command, acknowledgment, result, agreement. */
    private static final String[][] LAMBDA_STEPS = {
        {"A1", "?Uc/la{no:\"dense retrieval\"}"},
        {"A2", "!Ic/la{no:\"late interaction\"}"},
        {"A1", "<+"},
        {"A1", ".Rn/te{no:\"sixty seconds\"}"},
        {"A2", "<"},
        {"A2", "!rs/te{no:\"ok\"}"},
        {"A1", "<+"}
    };

    private static final String JSON_RPC = "{\"jsonrpc\":\"2.0\",";
    private static final String[] MCP_HANDSHAKE = {
        "\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{}}}",
        "\"id\":0,\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}}}}",
        "\"method\":\"notifications/initialized\"}"
    };
    private static final String MCP_CALL = "\"id\":#,\"method\":\"tools/call\",\"params\":{\"name\":\"search\","
            + "\"arguments\":{\"query\":\"charged twice for order #\",\"status\":[\"open\",\"waiting\"],\"limit\":20,"
            + "\"since\":\"2026-11-12\",\"sort\":{\"field\":\"created\",\"descending\":true},"
            + "\"fields\":[\"id\",\"subject\",\"customer\",\"state\"]},\"_meta\":{\"progressToken\":#}}}";
    private static final String MCP_RESULT = "\"id\":#,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"Ticket: "
            + "charged twice for order #. Opened by a customer on 12 November, assigned to the second level. The bank "
            + "confirms two bookings on the same day, and returns one of them within a week.\"}],\"isError\":false}}";

    /** Returns its name on the command line and in tables. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns its messages in about that many conversations, one of each in turn. */
    public Input over(long conversations) {
        return switch (this) {
            case SLIP -> inTurn(conversations, Traffic::slip);
            case HOT ->
                number -> {
                    long ten = number / 10;
                    long rest = number % 10;
                    long other = 7 * ten + rest - 3;
                    return rest < 3
                            ? slip(1, 3 * ten + rest + 1)
                            : slip(2 + other % conversations, 1 + other / conversations);
                };
            case SUBIT -> inTurn(conversations, Traffic::subit);
            case CSP -> inTurn(conversations, Traffic::task);
            case CSP_PATCHES -> inTurn(conversations, Traffic::patch);
            case LAMBDA -> inTurn(conversations, Traffic::lambda);
            case MCP -> inTurn(conversations, Traffic::mcp);
            case MIX -> new SampleMix(conversations);
            case VIEWS -> views(MIX.over(conversations), HOT.over(conversations));
        };
    }

    /** Creates the message of a conversation and turn, both from 1. */
    private interface Dialogue {
        ProducerRecord<byte[], byte[]> at(long conversation, long turn);
    }

    private static Input inTurn(long conversations, Dialogue dialogue) {
        return number -> dialogue.at(1 + number % conversations, 1 + number / conversations);
    }

    private static Input views(Input mix, Input slip) {
        return number -> {
            ProducerRecord<byte[], byte[]> record = (number % 2 == 0 ? mix : slip).at(number / 2);
            byte[] value = record.value();
            return new ProducerRecord<>(
                    TopicNames.DEFAULT.wire(),
                    null,
                    record.key(),
                    number % CUT_OFF == CUT_OFF - 1 ? Arrays.copyOf(value, value.length - 1) : value,
                    record.headers());
        };
    }

    private static ProducerRecord<byte[], byte[]> slip(long conversation, long turn) {
        String start = "@a0|f2|c" + SlipCodec.digits(conversation) + "|S0|d1|T" + SlipCodec.digits(turn) + "|t\"";
        return record("slip", Long.toString(conversation), start + "x".repeat(SLIP_BYTES - start.length() - 2) + "\"#");
    }

    private static ProducerRecord<byte[], byte[]> subit(long conversation, long turn) {
        int step = (int) ((turn - 1) % SUBIT_TYPES.length);
        String session = "session-" + conversation;
        return record(
                "subit",
                session,
                "{\"type\":\"" + SUBIT_TYPES[step] + "\",\"payload\":\"" + SUBIT_PAYLOADS[step]
                        + "\",\"meta\":{\"session\":\"" + session + "\",\"note\":\"step " + turn + "\"}}");
    }

    private static ProducerRecord<byte[], byte[]> lambda(long conversation, long turn) {
        String[] step = LAMBDA_STEPS[(int) ((turn - 1) % LAMBDA_STEPS.length)];
        ProducerRecord<byte[], byte[]> record = record("lambda", "conversation-" + conversation, step[1]);
        record.headers().add("parley-sender", step[0].getBytes(UTF_8));
        return record;
    }

    private static ProducerRecord<byte[], byte[]> mcp(long conversation, long turn) {
        boolean isClients = turn != 2 && (turn < 4 || turn % 2 == 0);
        String rest = turn <= MCP_HANDSHAKE.length
                ? MCP_HANDSHAKE[(int) turn - 1]
                : (isClients ? MCP_CALL : MCP_RESULT).replace("#", Long.toString(turn / 2 - 1));
        ProducerRecord<byte[], byte[]> record = record("mcp", "session-" + conversation, JSON_RPC + rest);
        record.headers().add("parley-direction", (isClients ? "client-to-server" : "server-to-client").getBytes(UTF_8));
        if (turn == 1) {
            record.headers().add("parley-capture", "start".getBytes(UTF_8));
        }
        return record;
    }

    private static ProducerRecord<byte[], byte[]> task(long conversation, long turn) {
        long task = (turn + 1) / 2;
        return turn % 2 == 1
                ? csp(
                        conversation,
                        "MAIN\nTO CODER\nCTX C0\nINTENT TASK\n\nTASK T" + task + "\nREQ find the callers of verify"
                                + task + "\nIN src/\nOUT lib/\nOWNER CODER\nPRIORITY HIGH")
                : csp(
                        conversation,
                        "CODER\nTO MAIN\nCTX C0\nINTENT RESULT\n\nRESULT T" + task + "\nSTATUS OK\nPRODUCED SITES_"
                                + task + "\nDATA lib/session.ts:" + task);
    }

    private static ProducerRecord<byte[], byte[]> patch(long conversation, long turn) {
        String name = "NAME_" + turn % DEFINITIONS;
        String text = CspPatchText.of(
                "P" + turn,
                "C" + (turn - 1),
                "C" + turn,
                (turn <= DEFINITIONS ? "+ DEF " + name + " = " : "~ DEF " + name + " := ") + "src/middleware/version"
                        + turn + ".ts");
        return record("csp", "context-" + conversation, text);
    }

    private static ProducerRecord<byte[], byte[]> csp(long conversation, String rest) {
        return record("csp", "context-" + conversation, "CSP/1\nFROM " + rest);
    }

    private static ProducerRecord<byte[], byte[]> record(String protocol, String conversation, String wire) {
        return new ProducerRecord<>(
                TopicNames.DEFAULT.wire() + "." + protocol, conversation.getBytes(UTF_8), wire.getBytes(UTF_8));
    }
}
