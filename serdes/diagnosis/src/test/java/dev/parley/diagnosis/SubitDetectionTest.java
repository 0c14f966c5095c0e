package dev.parley.diagnosis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.codec.subit.SubitCodec;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which bytes are a packet, are nearly one, or are neither, and where an object inside other text ends. */
class SubitDetectionTest {
    private static final SubitCodec CODEC = new SubitCodec();

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"type\":\"STATE\"",
                "{\"type\":\"INTENT\"",
                "{\"type\":\"ACTION\"",
                "{\"type\":\"PLAN\"",
                "{\"type\":\"TRACE\"",
                "{\"type\":\"ERROR\"",
                "{\"payload\":\"0",
                "{\"payload\":\"1",
                "{\"payload\":0",
                "{\"payload\":10",
                "{ \"a\" : {\"type\":\"x\"} , \"b\":[1,{}], \"type\" :\n\"STATE\" }",
                "{\"type\":\"note\",\"payload\":\"000110\"}",
                "{\"meta\":{\"agent\":\"{\\\"}\"},\"payload\":\"000110\"}"
            })
    void anObjectWithATypeOrBitsIsAPacket(String text) {
        assertThat(CODEC.detects(bytes(text), 0)).isTrue();
        assertThat(CODEC.detects(bytes("} " + text), 2)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "{}",
                "[\"type\",\"STATE\"]",
                "\"type\":\"STATE\"",
                "[{\"type\":\"STATE\"}]",
                "{\"a\":{\"type\":\"STATE\",\"payload\":\"000110\"}}",
                "{\"a\":[\"type\",\"STATE\"]}",
                "{} {\"type\":\"STATE\"}",
                "{}\"type\":\"STATE\"",
                "{\"a\":\"\\\"type\\\":\\\"STATE\\\"\"}",
                "{\"type",
                "{\"type\"",
                "{\"type\" ",
                "{\"type\":",
                "{\"type\": ",
                "{\"type\":\"",
                "{\"type\":\"STATE",
                "{\"type\":\"STATES\"}",
                "{\"type\":\"state\"}",
                "{\"type\":\"OTHER\"}",
                "{\"type\":STATE\"}",
                "{\"type\",\"STATE\"}",
                "{\"Type\":\"STATE\"}",
                "{\"type\":\"0\"}",
                "{\"payload\"",
                "{\"payload\":",
                "{\"payload\":\"",
                "{\"payload\":\"\"}",
                "{\"payload\":\"2\"}",
                "{\"payload\":\"/\"}",
                "{\"payload\":null}",
                "{\"payload\",\"0\"}",
                "{\"payloads\":\"0\"}"
            })
    void anythingElseIsNoPacket(String text) {
        assertThat(CODEC.detects(bytes(text), 0)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'type':'STATE','payload':'x'}",
                "{\"TYPE\":\"PLAN\",\"PAYLOAD\":\"x\"}",
                "{“type”: “Trace”, “payload”: “x”}",
                "{„type“: „STATE“, „payload“: „x“}",
                "{`type`:`ERROR`,`payload`:``}",
                "{type:STATE,payload:x}",
                "{ type : 'INTENT' ,\n payload : 'x' }",
                "{\"payload\":\"x\",\"type\":\"ACTION\"",
                "{payload:x,type:ERROR",
                "{'type':'note','payload':'000110'}",
                "{\"type\":\"note\",\"payload\": `111111`}",
                "{type:1,payload:000000}",
                "{'type':'x','payload':'y','meta':{}}",
                "STATE: 000110",
                "state 000110",
                "Plan:000110000110000110",
                "ERROR \t:\n 000110",
                "{\\\"type\\\":\\\"STATE\\\",\\\"payload\\\":\\\"010101\\\"}",
                "\"type\":\"STATE\",\"payload\":\"010101\"",
                "\\\"payload\\\":\\\"010101\\\",\\\"type\\\":\\\"STATE\\\"",
                "TRACE: 000110 000110"
            })
    void anotherNotationOfAPacketResemblesOne(String text) {
        assertThat(SubitAttempt.resembles(bytes(text), 0)).isTrue();
        assertThat(SubitAttempt.resembles(bytes("x " + text), 2)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "{}",
                "{'type':'STATE'}",
                "{'payload':'000110'}",
                "{'type':'STATE','meta':{}}",
                "{'payload':'000110','meta':{}}",
                "{'type':'note','payload':'x'}",
                "{'type':'note','payload':'00011'}",
                "{'type':'note','payload':'000112'}",
                "{'type':'STATES','payload':'x'}",
                "{'type':'STATE1','payload':'x'}",
                "{'my_type':'STATE','payload':'x'}",
                "{'type':'STATE','my_payload':'x'}",
                "{'types':'STATE','payload':'x'}",
                "{'type','STATE','payload':'x'}",
                "{'type':'STATE','payload'",
                "{'type':'STATE','payload':",
                "{'payload':'x','type':",
                "{'payload':'x','type':'",
                "{'payload':'x','meta':{},'type",
                "{'type':'a','payload':'b','meta'}",
                "['type':'STATE','payload':'x']",
                "{\"a\":\"{\\\"type\\\":\\\"STATE\\\",\\\"payload\\\":\\\"010101\\\"}\"}",
                "'type':'STATE','payload':'x'",
                "'type':'note','payload':'010101'",
                "'a':1,'type':'STATE','payload':'010101'",
                "\"",
                "STATE",
                "STATE:",
                "STATE: 00011",
                "STATE: x00110",
                "STATE000110",
                "STATES: 000110",
                "STATUS: 000110",
                "000110",
                ": 000110"
            })
    void textWithoutTypeAndPayloadResemblesNone(String text) {
        assertThat(SubitAttempt.resembles(bytes(text), 0)).isFalse();
    }
}
