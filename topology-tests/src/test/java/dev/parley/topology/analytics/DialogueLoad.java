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
        return switch (random.nextInt(4)) {
            case 0 -> slip(conversation).to("parley.wire.slip").at(time);
            case 1 -> subit(conversation).to("parley.wire.subit").at(time);
            case 2 -> csp(conversation).to("parley.wire.csp").at(time);
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
