package dev.parley.diagnosis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.parley.avro.InnerMessage;
import dev.parley.avro.Source;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.RecordHeaders;
import dev.parley.decode.RecordDecodeResult.Undecodable;
import dev.parley.decode.WireRecord;
import java.nio.charset.Charset;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages in the envelopes of frameworks and model APIs: all are found, and their bytes are exact. */
class EnvelopesTest {
    private static final String SLIP = "@a3|f0|cM1|S4|d7|T1|g2|k5|q2|t\"deploy_canary\"#";
    private static final String PACKET =
            "{\"type\":\"STATE\",\"payload\":\"010101\",\"meta\":{\"agent\":\"r1\",\"session\":\"lg1\"}}";
    private static final String TASK =
            "CSP/1\nFROM ann\nTO bob\nCTX C0\nINTENT TASK\n\nTASK T17\nREQ Read \"README\"\nACC It is read";
    private static final String LAMBDA = "@v0.6#id:m9 @B2: ?Uc/da{ti:$30s}";
    private static final List<String> MESSAGES = List.of(SLIP, PACKET, TASK, LAMBDA, "@v0.6 !Ik/co");

    private static final String SCHEMA =
            "{\n  \"name\": \"search\",\n  \"description\": \"Search the index: all of it\",\n"
                    + "  \"parameters\": {\n    \"type\": \"object\",\n    \"properties\": {\n      \"query\": {\n"
                    + "        \"type\": \"string\",\n        \"description\": \"Words, e.g. a/b\"\n      },\n"
                    + "      \"limit\": {\"type\": \"integer\", \"default\": 10}\n    },\n    \"required\": [\"query\"]\n  }\n}\n\n";
    private static final String CODE = ("```python\ndef f(a, b=\"x\"):\n    return {\"k\": [a, b], \"n\": a[0] / 2}\n"
                    + "for i in range(3):\n    print(f\"{i}: {f(i)}\")\n```\n\n")
            .repeat(20);

    private static String json(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
    }

    /** JSON with a space after each colon and comma, as json.dumps of Python writes it. */
    private static String spaced(String compact) {
        StringBuilder spaced = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < compact.length(); i++) {
            char c = compact.charAt(i);
            spaced.append(c);
            if (quoted && c == '\\') {
                spaced.append(compact.charAt(++i));
            } else if (c == '"') {
                quoted = !quoted;
            } else if (!quoted && (c == ':' || c == ',')) {
                spaced.append(' ');
            }
        }
        return spaced.toString();
    }

    /** Envelopes with %s in place of the content as a JSON string. */
    static Stream<String> envelopes() {
        List<String> compact = new ArrayList<>();
        compact.add(
                "{\"id\":\"chatcmpl-9\",\"object\":\"chat.completion\",\"model\":\"gpt-x\",\"choices\":[{\"index\":0,"
                        + "\"message\":{\"role\":\"assistant\",\"content\":%s},\"finish_reason\":\"stop\"}]}");
        compact.add("{\"id\":\"msg_1\",\"type\":\"message\",\"content\":[{\"type\":\"tool_use\",\"id\":\"t1\","
                + "\"name\":\"send\",\"input\":{\"to\":\"bob\",\"message\":%s}}],\"stop_reason\":\"tool_use\"}");
        compact.add(
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"message/send\",\"params\":{\"message\":{\"role\":\"agent\","
                        + "\"parts\":[{\"kind\":\"text\",\"text\":%s}],\"messageId\":\"m1\"}}}");
        compact.add(
                "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"SendMessage\",\"params\":{\"name\":\"send\",\"message\":"
                        + "{\"text\":%s}}}");
        compact.add("{\"candidates\":[{\"content\":{\"parts\":[{\"text\":%s}],\"role\":\"model\"},\"index\":0}]}");
        compact.add("[" + "{\"role\":\"user\",\"content\":\"go on: now\"},".repeat(10)
                + "{\"role\":\"assistant\",\"content\":%s}]");
        compact.add("{\"a\":".repeat(9) + "[%s,{\"type\":\"object\"}]" + "}".repeat(9));
        return compact.stream().flatMap(envelope -> Stream.of(envelope, spaced(envelope)));
    }

    @ParameterizedTest
    @MethodSource("envelopes")
    void aMessageInAnEnvelopeIsFound(String envelope) {
        for (String message : MESSAGES) {
            for (String around : List.of(
                    "%s",
                    "Here:\n```\n%s\n```",
                    "<think>\"hm\"</think>\n%s",
                    "Sure \u00e9 \"x\":\n\n%s\n",
                    "{\"b\": \"\\u00e9\", \"message\": \"%j\"}")) {
                String content =
                        around.contains("%j") ? around.replace("\"%j\"", json(message)) : around.replace("%s", message);
                assertOnly(message, envelope.replace("%s", json(content)));
                assertOnly(message, json(envelope.replace("%s", json(content))));
            }
        }
        assertOnly(PACKET, envelope.replace("%s", PACKET));
        assertOnly(PACKET, envelope.replace("%s", spaced(PACKET)).replace(spaced(PACKET), PACKET));
    }

    @ParameterizedTest
    @MethodSource("envelopes")
    void severalMessagesInAnEnvelopeAreFound(String envelope) {
        for (String first : MESSAGES) {
            for (String second : MESSAGES) {
                String content = json("First:\n```\n" + first + "\n```\nThen:\n```\n" + second + "\n```");
                assertThat(texts(envelope.replace("%s", content))).containsExactly(first, second);
            }
        }
    }

    @Test
    void largeAndDeepEnvelopesAreSearchedToTheirEnd() {
        String turn = "{\"role\":\"user\",\"content\":" + json("Please: read \"a/b\", then\n- list: all\n- reply")
                + ",\"meta\":[{\"type\":\"text\",\"n\":[1,2.5,true,null]}]}";
        for (String message : MESSAGES) {
            for (int depth : new int[] {0, 5, 9}) {
                String turns = (turn + ",").repeat(65_536 / turn.length());
                String compact = "{\"type\":\"object\",\"a\":".repeat(depth) + "[" + turns
                        + json("Here you are:\n" + message) + "]" + ",\"z\":0}".repeat(depth);
                assertOnly(message, compact);
                assertOnly(message, spaced(compact));
                assertOnly(message, json(spaced(compact)));
            }
        }
    }

    @Test
    void anAttemptInALargeEnvelopeIsFound() {
        String turn = "{\"role\":\"user\",\"content\":" + json("Please: read \"a/b\", then\n- list: all\n- reply")
                + ",\"meta\":[{\"type\":\"text\",\"n\":[1,2.5,true,null]}]}";
        String turns = (turn + ",").repeat(65_536 / turn.length());
        for (int depth : new int[] {0, 9}) {
            for (String attempt :
                    List.of(json("Now:\n" + SLIP.replace("cM1", "cM1,")), PACKET.replace("010101", "01"))) {
                String compact = "{\"type\":\"object\",\"a\":".repeat(depth) + "[" + turns + attempt + "]"
                        + ",\"z\":0}".repeat(depth);
                for (String value : List.of(compact, spaced(compact), "{\"raw\":" + json(spaced(compact)) + "}")) {
                    Undecodable error = decode(value);
                    assertThat(error.code())
                            .as(depth + attempt + value.substring(0, 30))
                            .isNotEqualTo(Code.UNKNOWN_PROTOCOL);
                    assertThat(error.claims().getSender()).isIn("4", "r1");
                }
            }
        }
    }

    @Test
    void aMessageAfterSchemasAndCodeIsFound() {
        for (String message : List.of(SLIP, PACKET, TASK, LAMBDA)) {
            assertOnly(message, SCHEMA + message);
            assertOnly(message, SCHEMA.repeat(50) + message);
            assertOnly(message, CODE + message);
            assertOnly(message, SCHEMA + CODE + message + "\n");
        }
    }

    @Test
    void everyMessageOfAListIsFound() {
        String second = TASK.replace("T17", "T18");
        String list = "[{\"role\":\"user\",\"content\":\"go\"},{\"role\":\"assistant\",\"content\":" + json(TASK)
                + "},{\"role\":\"assistant\",\"content\":" + json(second) + "}]";
        for (String value : List.of(list, spaced(list))) {
            assertThat(texts(value)).containsExactly(TASK, second);
            assertThat(decode(value).code()).isEqualTo(Code.SEVERAL_MESSAGES);
        }
        String three = ("{\"source\":\"agent\",\"models_usage\":{\"prompt_tokens\":1},\"metadata\":{},\"content\":"
                        + json(SLIP) + ",\"type\":\"TextMessage\"},")
                .repeat(3);
        assertThat(texts(spaced("[" + three + "{}]"))).containsExactly(SLIP, SLIP, SLIP);
    }

    static Stream<Arguments> parts() {
        String slip = "@a3|f0|c1|S0|d1|T1|t\"x\"#";
        return Stream.of(
                arguments(
                        "{\"role\":\"assistant\",\"content\":" + json("Here:\n```\n" + slip + "\n```") + "}",
                        List.of(slip)),
                arguments("{\"text\":" + json("Hi:\n" + slip) + "}", List.of(slip)),
                arguments("{\"text\":" + json("Hi: " + slip) + "}", List.of(slip)),
                arguments("{\"text\":" + json(slip + "\n" + SLIP) + "}", List.of(slip, SLIP)),
                arguments("{\"text\":" + json("```json\n" + PACKET + "\n```") + "}", List.of(PACKET)),
                arguments("{\"text\":" + json(TASK + "\n\n" + TASK) + "}", List.of(TASK, TASK)),
                arguments("{\"text\":" + json("Run C:\\new.\n" + SLIP), List.of(SLIP)),
                arguments("{\"text\":\"It\\'s:\\n" + SLIP.replace("\"", "\\\"") + "\"}", List.of(SLIP)),
                arguments("{\"text\":\"It is: !Ik/co\"}", List.of("!Ik/co")),
                arguments("{\\\"text\\\": \\\"It is: !Ik/co\\\"}", List.of("!Ik/co")),
                arguments("{\\\"text\\\": \\\"!Ik/co{x:\\\\\\\"a\\\\\\\"}\\\"}", List.of("!Ik/co{x:\"a\"}")),
                arguments("{\"text\":" + json("prv: \"!Ik/co\"") + "}", List.of()),
                arguments("{\"prv\":" + json("a\n!Ik/co") + "}", List.of("!Ik/co")),
                // A message whose characters are those of a string's escapes.
                arguments("Here: @a3|f0|c1|S0|d1|T1|t\"a\\\"b\"#", List.of("@a3|f0|c1|S0|d1|T1|t\"a\\\"b\"#")),
                // A header of Λ without an ID.
                arguments("`@v0.6 !Ik/co`", List.of("@v0.6 !Ik/co")),
                arguments("```\n@v0.6 ?Uc/da\n```", List.of("@v0.6 ?Uc/da")),
                arguments("{\"m\":\"@v0.6 !Ik/co\"}", List.of("@v0.6 !Ik/co")),
                arguments("<lambda>@v0.6 !Ik/co</lambda>", List.of("@v0.6 !Ik/co")),
                arguments("Ok.\n\n@v0.6 !Ik/co", List.of("@v0.6 !Ik/co")),
                arguments("Use @types/node or\n@v8/tools", List.of()),
                // CDATA and data URLs.
                arguments("<csp><![CDATA[" + TASK + "]]></csp>", List.of(TASK)),
                arguments("<m><![CDATA[Here:\n!Ik/co]]></m>", List.of("!Ik/co")),
                arguments("<m><![CDATA[", List.of()),
                arguments("data:text/plain;base64," + base64(SLIP), List.of(SLIP)),
                arguments("{\"url\":\"data:;base64," + base64(TASK) + "\"}", List.of(TASK)),
                arguments("see ;base64,QUJD", List.of()));
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }

    @ParameterizedTest
    @MethodSource("parts")
    void aMessageThatIsAPartOfAStringIsFound(String value, List<String> messages) {
        assertThat(texts(value)).isEqualTo(messages);
    }

    @Test
    void theRangeOfAPartHasItsEscapes() {
        String value = "{\"text\":\"Well, hi:\\n!Ik{x:\\\"a\\\"}\\n\"}";
        int start = value.indexOf('!');
        Undecodable error = decode(value);
        assertThat(error.inner()).containsExactly(new InnerMessage("LAMBDA", start, value.indexOf("\\n\"")));
        assertThat(error.detail())
                .isEqualTo("a message is in bytes " + start + " to " + (value.indexOf("\\n\"") - 1)
                        + " (LAMBDA, in a JSON string); send only its text, in UTF-8 without that encoding");
        assertThat(decode("{\"text\":\"Hi:\\n@a3|f0|c1|S7|d1|T1|t\\\"x\\\"#\"}")
                        .claims()
                        .getSender())
                .isEqualTo("7");
    }

    @Test
    void aValueThatIsNotSearchedToItsEndHasSeveralMessages() {
        String value = SLIP + "{\"".repeat(20) + "@a1|\\\"".repeat(100_000) + "\n" + SLIP;
        Undecodable error = decode(value);
        assertThat(error.inner()).hasSize(1);
        assertThat(error.code()).isEqualTo(Code.SEVERAL_MESSAGES);
        assertThat(error.detail()).contains("the value was not searched to its end; send each in a record of its own");
        assertThat(decode("x" + value.substring(SLIP.length())).detail()).contains("value was not searched to its end");
        assertThat(decode((SLIP + "\n").repeat(40)).detail()).contains("and more; the value was not searched");
    }

    @Test
    void anIndentedMessageIsAnAttempt() {
        String indented = TASK.replace("\n", "\n  ");
        for (String value : List.of(
                "- Do:\n  ```\n  " + indented + "\n  ```\n",
                "to: bob\nmessage: |\n  " + indented + "\n",
                "(" + indented)) {
            Undecodable error = decode(value);
            assertThat(error.code()).as(error.detail()).isEqualTo(Code.CSP_MISSING_HEADER);
            assertThat(error.claims().getSender()).isEqualTo("ann");
            assertThat(error.position()).isEqualTo(value.indexOf("FROM") - 2);
            assertThat(error.detail())
                    .contains("Send only the message, which starts at byte " + value.indexOf("CSP/1"));
        }
    }

    @Test
    void aCloudEventWithoutAMessageIsNoAttempt() {
        Undecodable error = decode("{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/x\",\"type\":\"STATE\","
                + "\"data\":{\"payload\":\"010101\"}}");
        assertThat(error.code()).isEqualTo(Code.UNKNOWN_PROTOCOL);
        assertThat(error.detail()).startsWith("this is a CloudEvent in JSON");
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-32LE", "UTF-32BE"})
    void utf32IsNamed(String charset) {
        byte[] value = ("\uFEFF" + SLIP).getBytes(Charset.forName(charset));
        assertThat(decode(new String(value, ISO_8859_1), ISO_8859_1).detail()).contains("UTF-32");
    }

    private static void assertOnly(String message, String value) {
        assertThat(texts(value))
                .as(value.substring(0, Math.min(value.length(), 3_000)))
                .containsExactly(message);
        assertThat(decode(value).code()).isEqualTo(Code.WRAPPED_MESSAGE);
    }

    private static List<String> texts(String value) {
        byte[] bytes = value.getBytes(UTF_8);
        return decode(value).inner().stream()
                .map(inner -> new String(InnerMessages.bytes(bytes, inner), UTF_8))
                .toList();
    }

    private static Undecodable decode(String value) {
        return decode(value, UTF_8);
    }

    private static Undecodable decode(String value, Charset charset) {
        Source source = new Source("parley.wire", 0, 0L, Instant.EPOCH, null);
        return (Undecodable) ValueDiagnosis.decoder(DecodeOptions.LENIENT, Map.of())
                .decode(new WireRecord(
                        source, "k".getBytes(UTF_8), value.getBytes(charset), RecordHeaders.of(Map.of())));
    }
}
