package dev.parley.decode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.codec.Limits;
import dev.parley.codec.RecordHeaders;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reading CloudEvents of input topics. */
class CloudEventTest {
    private static final String JSON = "application/cloudevents+json";
    private static final String PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    private static final String REQUIRED = "\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/a\",\"type\":\"t\"";

    @Test
    void theDataIsTheValueAndAttributesAreHeaders() {
        CloudEvent event = read("{\"data\": \"@a\\u0033\" ," + REQUIRED
                + ",\"parleynamespace\":\"n\",\"parleyprotocol\":\"slip\",\"parleyconversation\":7,"
                + "\"parleysender\":\"λ\\n\",\"time\":\"2026-01-31T12:00:00Z\",\"traceparent\":\"" + PARENT
                + "\",\"tracestate\":\"a=1\","
                + "\"subject\":{\"any\":[null]}}");

        assertThat(event.error()).isNull();
        assertThat(event.value()).asString(UTF_8).isEqualTo("@a3");
        assertThat(texts(event.headers()))
                .isEqualTo(Map.of(
                        "parley-namespace", "n",
                        "parley-protocol", "slip",
                        "parley-conversation", "7",
                        "parley-sender", "λ\n",
                        "ce_time", "2026-01-31T12:00:00Z",
                        "traceparent", PARENT,
                        "tracestate", "a=1"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "\"data\":1.50e3; 1.50e3",
                "\"data\": true ; true",
                "\"data\":{ \"type\" : [ 1 ] }; { \"type\" : [ 1 ] }",
                "\"data\":\"\"; ``",
                "\"data_base64\":\"QEE=\"; @A",
                "\"data\":null,\"data_base64\":\"QEE=\"; @A",
                "\"data\":\"x\",\"data_base64\":null,\"time\":null,\"parleysender\":null; x"
            })
    void dataOfAnyTypeIsKeptInItsBytes(String members, String value) {
        CloudEvent event = read("{" + REQUIRED + "," + members + "}");

        assertThat(event.error()).isNull();
        assertThat(event.value()).asString(UTF_8).isEqualTo(value);
        assertThat(event.headers()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "@a3|f0#; 0; not JSON",
                "[]; 0; not JSON",
                "{; 1; not JSON",
                "{\"data\":\"x\"} x; 13; not JSON",
                "{\"data\":\"x\",\"data\":\"y\"}; 12; repeated",
                "{\"data\":\"\\ud800\"}; 9; surrogate",
                "{\"id\":\"1\",\"source\":\"s\",\"type\":\"t\",\"data\":1}; 43; no attribute specversion",
                "{\"specversion\":\"0.3\",\"id\":\"1\",\"source\":\"s\",\"type\":\"t\",\"data\":1}; 15; specversion must be 1.0",
                "{\"specversion\":\"1.0\",\"id\":\"\",\"source\":\"s\",\"type\":\"t\",\"data\":1}; 62; no attribute id",
                "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"s\",\"type\":\"t\"}; 54; no data",
                "{\"data\":1,\"data_base64\":\"eA==\"}; 24; exclusive",
                "{\"data_base64\":\"*\"}; 15; Base64",
                "{\"parleysender\":[]}; 16; must be a string"
            })
    void anEventWithAnErrorHasItsOffset(String value, int offset, String reason) {
        CloudEvent event = read(value);

        assertThat(event.error()).contains(reason);
        assertThat(event.offset()).isEqualTo(offset);
        assertThat(event.value()).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"traceparent\":\"00-1-2-01\"",
                "\"traceparent\":{\"a\":[1]},\"tracestate\":[]",
                "\"traceparent\":1,\"tracestate\":true",
                "\"tracestate\":\"größe=1\"",
                "\"tracestate\":\"LONG\",\"traceparent\":\"LONG\""
            })
    void anInvalidTraceContextIsIgnored(String members) {
        CloudEvent event =
                read("{" + REQUIRED + ",\"data\":\"x\"," + members.replace("LONG", "a=" + "1".repeat(600)) + "}");

        assertThat(event.error()).isNull();
        assertThat(event.headers()).isEmpty();
        assertThat(CloudEvent.of(
                                new byte[1],
                                headers(Map.of("ce_specversion", "1.0", "ce_traceparent", members)),
                                Limits.DEFAULT)
                        .headers())
                .isEmpty();
    }

    @Test
    void anEventWithAnErrorKeepsTheAttributesBeforeIt() {
        for (String event : List.of(
                "{\"parleynamespace\":\"n\"," + REQUIRED + "}",
                "{\"parleynamespace\":\"n\",",
                "{\"parleynamespace\":\"n\",\"data\":}")) {
            assertThat(texts(read(event).headers())).as(event).isEqualTo(Map.of("parley-namespace", "n"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/cloudevents+json; charset=UTF-8",
                "application/cloudevents+json;x",
                "Application/CloudEvents+JSON",
                "application/cloudevents+json "
            })
    void theContentTypeMayHaveParametersAndUpperCase(String contentType) {
        assertThat(read("{}", contentType)).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json",
                "application/cloudevents",
                "application/cloudevents+avro",
                "application/cloudevents-batch+json",
                "application/cloudevents+jsonx",
                " application/cloudevents+json",
                ""
            })
    void anotherContentTypeIsNoStructuredEvent(String contentType) {
        assertThat(read("{}", contentType)).isNull();
    }

    @Test
    void inBinaryModeHeadersAreAttributes() {
        byte[] value = {1};
        CloudEvent event = CloudEvent.of(
                value,
                headers(Map.of(
                        "ce_specversion", "1.0", "ce_parleysender", "%41", "ce_traceparent", PARENT, "ce_x", "y")),
                Limits.DEFAULT);

        assertThat(event.value()).isSameAs(value);
        assertThat(texts(event.headers())).isEqualTo(Map.of("parley-sender", "%41", "traceparent", PARENT));
        assertThat(CloudEvent.of(value, headers(Map.of("ce_parleysender", "A")), Limits.DEFAULT))
                .as("without specversion")
                .isNull();
    }

    @Test
    void attributesReplaceHeadersOfTheRecord() {
        RecordHeaders record =
                headers(Map.of("content-type", JSON, "parley-sender", "old", "parley-namespace", "kept"));
        CloudEvent event = read("{" + REQUIRED + ",\"data\":1,\"parleysender\":\"new\"}");

        RecordHeaders message = event.over(record);

        assertThat(message.last("parley-sender")).asString(UTF_8).isEqualTo("new");
        assertThat(message.last("parley-namespace")).asString(UTF_8).isEqualTo("kept");
        assertThat(message.last("content-type")).as("the message is no event").isNull();
    }

    @Test
    void nestingKeysAndAttributesAreBounded() {
        int depth = 200_000;
        String deep = "{\"data\":" + "[".repeat(depth) + "]".repeat(depth) + "}";
        StringBuilder keys = new StringBuilder("{");
        for (int i = 0; i < 100_000; i++) {
            keys.append("\"").append(i).append("\":0,");
        }
        keys.append("\"x\":0}");
        String large = "{" + REQUIRED + ",\"data\":1,\"parleysender\":\"" + "x".repeat(4_097) + "\"}";

        assertThat(read(deep).error()).contains("at most 100 levels");
        assertThat(read(keys.toString()).error()).contains("at most 1000 keys");
        assertThat(read(large).error()).contains("at most 4096 bytes");
        assertThat(CloudEvent.of(
                        new byte[Limits.DEFAULT.messageBytes() + 1],
                        headers(Map.of("content-type", JSON)),
                        Limits.DEFAULT))
                .as("a value that is too large is not read")
                .isNull();
        assertThat(CloudEvent.of(null, headers(Map.of("content-type", JSON)), Limits.DEFAULT))
                .isNull();
    }

    @Test
    void anyDamageIsAnEventOrAnErrorInsideTheValue() {
        long seed = Long.getLong("parley.seed", System.nanoTime());
        Random random = new Random(seed);
        byte[] whole = ("{" + REQUIRED + ",\"parleysender\":\"\\u0041\",\"time\":null,\"data\":{\"a\":[1,\"é\"]}}")
                .getBytes(UTF_8);
        for (int round = 0; round < 20_000; round++) {
            byte[] damaged = whole.clone();
            for (int i = random.nextInt(3); i >= 0; i--) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
            }
            CloudEvent event = CloudEvent.of(damaged, headers(Map.of("content-type", JSON)), Limits.DEFAULT);
            assertThat(event.value() == null).as("seed %d", seed).isEqualTo(event.error() != null);
            assertThat(event.offset()).as("seed %d", seed).isBetween(0, damaged.length);
        }
    }

    private static CloudEvent read(String value) {
        return read(value, JSON);
    }

    private static CloudEvent read(String value, String contentType) {
        return CloudEvent.of(value.getBytes(UTF_8), headers(Map.of("content-type", contentType)), Limits.DEFAULT);
    }

    private static RecordHeaders headers(Map<String, String> texts) {
        Map<String, byte[]> headers = new HashMap<>();
        texts.forEach((name, text) -> headers.put(name, text.getBytes(UTF_8)));
        return RecordHeaders.of(headers);
    }

    private static Map<String, String> texts(Map<String, byte[]> headers) {
        return headers.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, header -> new String(header.getValue(), UTF_8)));
    }
}
