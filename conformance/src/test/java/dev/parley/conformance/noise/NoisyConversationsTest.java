package dev.parley.conformance.noise;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.conformance.noise.Noise.Kind;
import dev.parley.conformance.noise.Noise.Wrapped;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/**
 * Writes the noisy conversations of the kit: for each protocol and kind of noise one conversation, in which noise is in
 * place of the second message, which its sender then repeats. The expectations follow from the construction.
 * {@code -Dnoise.write=true} writes the file.
 */
class NoisyConversationsTest {
    private static final Path FILE = Path.of("conformance", "dialogue", "noise.jsonl");
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long SEED = 2026;

    /** Three legal messages of one conversation, with the sender of each. */
    private record Conversation(String protocol, String id, List<String> senders, List<String> messages) {}

    @Test
    void theFileHasTheConversationsOfItsSeed() throws IOException {
        StringBuilder lines = new StringBuilder();
        for (int protocol = 0; protocol < 4; protocol++) {
            for (Kind kind : EnumSet.range(Kind.PROSE, Kind.SEVERAL)) {
                Noise noise = new Noise(SEED + 100L * protocol + kind.ordinal());
                lines.append(scenario(conversation(protocol, noise), kind, noise))
                        .append('\n');
            }
        }
        if (Boolean.getBoolean("noise.write")) {
            Files.writeString(FILE, lines);
        }
        assertThat(Files.readString(FILE)).isEqualTo(lines.toString());
    }

    private static Conversation conversation(int protocol, Noise noise) {
        int id = 1 + noise.number(9);
        return switch (protocol) {
            case 0 ->
                new Conversation(
                        "slip",
                        String.valueOf(id),
                        List.of("0", "1", "0"),
                        List.of(
                                "@a3|f0|c" + id + "|S0|d1|T1|k1|t\"" + noise.words(1, 3) + "\"#",
                                "@a4|f1|c" + id + "|S1|d0|T2|k1|t\"" + noise.words(1, 3) + "\"#",
                                "@a6|f1|c" + id + "|S0|d1|T3|k1#"));
            case 1 ->
                new Conversation(
                        "subit",
                        "s-" + id,
                        List.of("A", "A", "A"),
                        List.of(
                                packet("STATE", "000110", id),
                                packet("INTENT", "000110110001", id),
                                packet("ACTION", "011011110001", id)));
            case 2 ->
                new Conversation(
                        "csp",
                        "ctx-" + id,
                        List.of("MAIN", "CODER", "MAIN"),
                        List.of(
                                task("T1", noise),
                                "CSP/1\nFROM CODER\nTO MAIN\nCTX C0\nINTENT RESULT\n\nRESULT T1\nSTATUS OK\nPRODUCED F1\n"
                                        + "DATA src/" + noise.word() + ".java:" + id,
                                task("T2", noise)));
            default ->
                new Conversation(
                        "lambda",
                        "talk-" + id,
                        List.of("A", "B", "A"),
                        List.of("!Ik/co", "!Ic/la", ".Uf/X{pr:^,ti:$" + id + "0s}"));
        };
    }

    private static String packet(String type, String payload, int id) {
        return "{\"type\":\"" + type + "\",\"payload\":\"" + payload + "\",\"meta\":{\"agent\":\"A\",\"session\":\"s-"
                + id + "\"}}";
    }

    private static String task(String task, Noise noise) {
        return "CSP/1\nFROM MAIN\nTO CODER\nCTX C0\nINTENT TASK\n\nTASK " + task + "\nREQ " + noise.words(2, 5)
                + "\nIN src/" + noise.word() + "\nOUT FILES\nOWNER CODER\nPRIORITY P2";
    }

    private static String scenario(Conversation talk, Kind kind, Noise noise) {
        String name = kind.name().toLowerCase(Locale.ROOT);
        ObjectNode scenario = JSON.createObjectNode();
        scenario.put("id", "noise-" + talk.protocol() + "-" + name);
        scenario.put("title", "Noise of the kind " + name + " in a conversation, and its repetition as a message.");
        scenario.put("protocol", talk.protocol());
        ArrayNode messages = scenario.putArray("messages");
        accepted(messages, talk, 0);
        noisy(messages, talk, kind, noise);
        accepted(messages, talk, 1);
        accepted(messages, talk, 2);
        return scenario.toString();
    }

    private static void accepted(ArrayNode messages, Conversation talk, int index) {
        record(messages, talk, index, talk.messages().get(index)).put("expect", "ACCEPTED");
    }

    private static ObjectNode record(ArrayNode messages, Conversation talk, int index, String wire) {
        ObjectNode record = messages.addObject();
        record.put("key", talk.id());
        ObjectNode headers = record.putObject("headers");
        headers.put("parley-namespace", "noisy");
        headers.put("parley-sender", talk.senders().get(index));
        return record.put("wire", wire);
    }

    private static void noisy(ArrayNode messages, Conversation talk, Kind kind, Noise noise) {
        String message = talk.messages().get(1);
        switch (kind) {
            case DIALECT -> dialect(messages, talk, noise);
            case WRAPPED -> {
                Wrapped wrapped = noise.wrap(message);
                ObjectNode record = undecodable(messages, talk, wrapped.text(), "WRAPPED_MESSAGE", talk.protocol());
                inner(record.putArray("expectInner"), talk, wrapped.text(), wrapped.from(), wrapped.to());
            }
            case SEVERAL -> {
                boolean label = talk.protocol().equals("lambda");
                String first = (label ? "B: " : "") + message;
                String second = (label ? "A: " : "") + talk.messages().get(2);
                String text = noise.several(first, second);
                ObjectNode record = undecodable(messages, talk, text, "SEVERAL_MESSAGES", talk.protocol());
                ArrayNode inner = record.putArray("expectInner");
                inner(inner, talk, text, 0, first.length());
                inner(inner, talk, text, text.length() - second.length(), text.length());
            }
            default -> undecodable(messages, talk, noise.next(kind), "UNKNOWN_PROTOCOL", "unknown");
        }
    }

    private static void dialect(ArrayNode messages, Conversation talk, Noise noise) {
        int choice = noise.number(3);
        String message = talk.messages().get(1);
        String code = switch (talk.protocol()) {
            case "slip" ->
                List.of("SLIP_WHITESPACE", "SLIP_MISSING_HEADER", "SLIP_BAD_INT")
                        .get(choice);
            case "subit" ->
                List.of("SUBIT_NOT_JSON", "SUBIT_NOT_JSON", "SUBIT_MISSING_FIELD")
                        .get(choice);
            case "csp" -> "CSP_MISSING_HEADER";
            default -> "LAMBDA_MALFORMED";
        };
        String text = noise.distorted(choice, message);
        undecodable(messages, talk, text, code, talk.protocol());
    }

    private static ObjectNode undecodable(
            ArrayNode messages, Conversation talk, String text, String code, String protocol) {
        ObjectNode record = record(messages, talk, 1, text);
        record.put("expect", "UNDECODABLE");
        record.put("expectCode", code);
        ObjectNode claims = record.putObject("expectClaims");
        claims.put("protocol", protocol.toUpperCase(Locale.ROOT));
        claims.put("namespace", "noisy");
        claims.put("conversation", talk.id());
        claims.put("sender", talk.senders().get(1));
        return record;
    }

    /** Adds a range of characters as a range of bytes. */
    private static void inner(ArrayNode inner, Conversation talk, String text, int from, int to) {
        inner.addObject()
                .put("protocol", talk.protocol().toUpperCase(Locale.ROOT))
                .put("start", text.substring(0, from).getBytes(UTF_8).length)
                .put("end", text.substring(0, to).getBytes(UTF_8).length);
    }
}
