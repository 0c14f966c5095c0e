package dev.parley.topology.pipeline;

import dev.parley.protocol.TopicNames;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * An input record to send. Arrays are not copied.
 *
 * @param topic input topic
 * @param key its key; null for none
 * @param value its value; null for a tombstone
 * @param headers its headers
 * @param time its timestamp; null for a time of the pipeline's choosing
 */
public record InputRecord(String topic, byte[] key, byte[] value, Headers headers, Instant time) {

    /** A record of a load, at a time. */
    public static InputRecord of(ProducerRecord<byte[], byte[]> record, Instant time) {
        return new InputRecord(record.topic(), record.key(), record.value(), record.headers(), time);
    }

    public static InputRecord bytes(byte[] value) {
        return new InputRecord(TopicNames.DEFAULT.wire(), null, value, new RecordHeaders(), null);
    }

    public static InputRecord text(String value) {
        return bytes(utf8(value));
    }

    static InputRecord tombstone() {
        return bytes(null);
    }

    /** An nSLIP request: act 3, frame 0, task 1, from agent 0 to agent 1. Single digits are the same in base62. */
    public static InputRecord slipRequest(int conversation, int turn) {
        return text("@a3|f0|c" + conversation + "|S0|d1|T" + turn + "|k1#");
    }

    /** An nSLIP ACCEPT on a task without a request: illegal as a conversation's first message. */
    static InputRecord slipAcceptOfNothing(int conversation, int turn) {
        return text("@a6|f1|c" + conversation + "|S0|d1|T" + turn + "|k9#");
    }

    public static InputRecord subit(String type, String payload) {
        return text("{\"type\":\"" + type + "\",\"payload\":\"" + payload + "\"}");
    }

    /** A CSP patch of a context; each operation as on the wire, for example {@code + DEF SRC = src/}. */
    public static InputRecord patch(String context, String id, String base, String target, String... operations) {
        return text("CSP/1\nFROM MAIN\nTO MEM\nCTX " + base + "\nINTENT PATCH\n\nPATCH " + id + "\nBASE " + base + "\n"
                        + String.join("\n", operations) + "\nAPPLY -> " + target)
                .key(context);
    }

    public InputRecord key(String text) {
        return key(utf8(text));
    }

    InputRecord key(byte[] bytes) {
        return new InputRecord(topic, bytes, value, headers, time);
    }

    public InputRecord header(String name, String text) {
        return header(name, utf8(text));
    }

    InputRecord header(String name, byte[] bytes) {
        Headers more = new RecordHeaders(headers);
        more.add(name, bytes);
        return new InputRecord(topic, key, value, more, time);
    }

    public InputRecord to(String other) {
        return new InputRecord(other, key, value, headers, time);
    }

    public InputRecord at(Instant when) {
        return new InputRecord(topic, key, value, headers, when);
    }

    boolean isSameRecordAs(byte[] otherKey, byte[] otherValue) {
        return Arrays.equals(key, otherKey) && Arrays.equals(value, otherValue);
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
