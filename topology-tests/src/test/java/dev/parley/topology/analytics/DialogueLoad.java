package dev.parley.topology.analytics;

import dev.parley.topology.pipeline.InputRecord;
import java.time.Instant;
import java.util.List;
import java.util.Random;

/** Random messages of few conversations, agents and tasks, so that every transition of the dialogue rules occurs. */
final class DialogueLoad {
    private static final int CONVERSATIONS = 4;
    private static final List<String> STATEMENTS = List.of(
            "?Uc/la", "?Uc/la", "!Ic/la", ">Rn/la", ">Rn/la", ".Rn/la", "<", "<+", "<-", "<->Rn/lo", "<?", "!er:un");
    private static final List<String> INTENTS =
            List.of("STATE", "STATE", "INTENT", "INTENT", "PLAN", "ACTION", "ACTION", "TRACE", "ERROR");

    private final Random random;
    private int message;

    DialogueLoad(Random random) {
        this.random = random;
    }

    InputRecord next(Instant time) {
        message++;
        int conversation = random.nextInt(CONVERSATIONS);
        return switch (random.nextInt(5)) {
            case 0 -> slip(conversation).to("parley.wire.slip").at(time);
            case 1 -> subit(conversation).to("parley.wire.subit").at(time);
            case 2 -> csp(conversation).to("parley.wire.csp").at(time);
            case 3 -> mcp(conversation).to("parley.wire.mcp").at(time);
            default -> lambda(conversation).to("parley.wire.lambda").at(time);
        };
    }

    private InputRecord slip(int conversation) {
        String acts = "0123333444556667118a9";
        char act = acts.charAt(random.nextInt(acts.length()));
        String frame = switch (act) {
            case '4' -> "1";
            case '0', '1' -> "2";
            case '8' -> "3";
            case 'a' -> "4";
            default -> "0";
        };
        String task = random.nextInt(5) == 0 ? "" : "|k" + random.nextInt(3);
        return InputRecord.text("@a" + act + "|f" + frame + "|c9" + conversation + "|S" + random.nextInt(3) + "|d"
                + (3 + random.nextInt(3)) + "|T" + base62(message) + task + "#");
    }

    private static String base62(int number) {
        String digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        StringBuilder text = new StringBuilder();
        for (int rest = number; rest > 0; rest /= 62) {
            text.insert(0, digits.charAt(rest % 62));
        }
        return text.toString();
    }

    private InputRecord subit(int conversation) {
        String type = INTENTS.get(random.nextInt(INTENTS.size()));
        int forms = type.equals("STATE") ? 1 : type.equals("PLAN") || type.equals("TRACE") ? 3 : 2;
        String agent = random.nextInt(4) == 0 ? "" : ",\"agent\":\"arm-" + random.nextInt(3) + '"';
        return InputRecord.text("{\"type\":\"" + type + "\",\"payload\":\"" + "010101".repeat(forms)
                + "\",\"meta\":{\"session\":\"cell-" + conversation + '"' + agent + "}}");
    }

    private InputRecord csp(int conversation) {
        String task = "T" + (message / 40 * 3 + random.nextInt(3));
        String body = switch (random.nextInt(7)) {
            case 0, 1 -> "TASK\n\nTASK " + task + "\nREQ do " + message + "\nOWNER CODER";
            case 2 -> "QUERY\n\nQUERY " + task + "\nTEXT ask " + message;
            case 3 -> "RESULT\n\nRESULT " + task + "\nSTATUS OK\nDATA " + message;
            case 4 -> "RESULT\n\nRESULT " + task + "\nSTATUS PARTIAL\nDATA " + message;
            case 5 -> "RESULT\n\nRESULT " + task + "\nSTATUS FAIL\nDATA " + message;
            default -> "ERROR\n\nERROR\nAT " + task + "\nCAUSE " + message + "\nNEXT retry";
        };
        boolean answers = body.startsWith("RESULT") || body.startsWith("ERROR");
        return InputRecord.text("CSP/1\nFROM " + (answers ? "CODER" : "MAIN") + "\nTO " + (answers ? "MAIN" : "CODER")
                        + "\nCTX C0\nINTENT " + body)
                .key("plan-" + conversation);
    }

    /** Sessions over stdio and HTTP: two clients with the same IDs, gateways, gaps, and ends of the capture. */
    private InputRecord mcp(int conversation) {
        boolean isHttp = conversation % 2 == 0;
        String id = "\"id\":" + (random.nextBoolean() ? "" + random.nextInt(3) : "\"" + random.nextInt(3) + '"');
        boolean isClients = random.nextInt(8) != 0;
        int status = 0;
        String exchange = "x" + random.nextInt(6);
        String body = switch (random.nextInt(14)) {
            case 0, 1, 2, 3 ->
                id + ",\"method\":\"tools/call\",\"params\":{\"name\":\"tool-" + random.nextInt(2) + "\"}";
            case 4 -> id + ",\"method\":\"prompts/get\",\"params\":{\"name\":\"review\"}";
            case 5 -> id + ",\"method\":\"ping\"";
            case 6, 7 -> "\"method\":\"notifications/cancelled\",\"params\":{\"requestId\"" + id.substring(4) + '}';
            default -> {
                isClients = !isClients;
                status = 200;
                yield switch (random.nextInt(6)) {
                    case 0 -> id + ",\"error\":{\"code\":-32602,\"message\":\"no\"}";
                    case 1 -> id + ",\"result\":{\"content\":[],\"isError\":true}";
                    case 2 -> "\"id\":null,\"error\":{\"code\":-32600,\"message\":\"no\"}";
                    case 3 -> isHttp ? null : id + ",\"result\":{}";
                    default -> id + ",\"result\":{\"content\":[]}";
                };
            }
        };
        if (body == null) {
            status = 400 + random.nextInt(200);
        }
        InputRecord record = InputRecord.text(body == null ? "<html>" : "{\"jsonrpc\":\"2.0\"," + body + '}')
                .key("session-" + conversation)
                .header("parley-direction", isClients ? "client-to-server" : "server-to-client");
        if (random.nextInt(40) == 0) {
            record = record.header(
                    "parley-capture", List.of("start", "gap", "end").get(random.nextInt(3)));
        }
        if (!isHttp) {
            return record;
        }
        return record.header("parley-exchange", exchange)
                .header(status == 0 ? "parley-http-method" : "parley-http-status", status == 0 ? "POST" : "" + status);
    }

    private InputRecord lambda(int conversation) {
        StringBuilder wire = new StringBuilder();
        for (int left = random.nextInt(5) == 0 ? 2 : 1; left > 0; left--) {
            wire.append(wire.isEmpty() ? "" : " ").append(STATEMENTS.get(random.nextInt(STATEMENTS.size())));
        }
        return InputRecord.text(wire.toString())
                .key("talk-" + conversation)
                .header("parley-sender", "A" + random.nextInt(3));
    }
}
