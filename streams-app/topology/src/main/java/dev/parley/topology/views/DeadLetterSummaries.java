package dev.parley.topology.views;

import dev.parley.audit.InputPosition;
import dev.parley.avro.DeadLetterSummary;
import dev.parley.avro.Stage;
import dev.parley.codec.Symbols;
import dev.parley.encoding.Sha256;
import dev.parley.protocol.TopicNames;
import dev.parley.topology.topics.DeadLetterHeaders;
import dev.parley.topology.topics.KafkaHeaders;
import dev.parley.topology.topics.PrivateContent;
import dev.parley.topology.views.read.NamespaceScope;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/** Summarizes dead letters: what their headers say about the failure, and their first bytes. */
public final class DeadLetterSummaries {

    private static final int PREVIEW_BYTES = 200;
    private static final byte[] EMPTY = {};

    private DeadLetterSummaries() {}

    /**
     * Summarizes a dead letter.
     *
     * @param topic its dead-letter topic
     * @param timestamp milliseconds since 1970
     * @param original value of the dead letter; may be null
     */
    public static DeadLetterSummary of(
            String topic, int partition, long offset, long timestamp, Headers headers, byte[] original) {
        boolean omitted = original == null && DeadLetterHeaders.isOmitted(headers);
        byte[] value = original == null ? EMPTY : original;
        String code = KafkaHeaders.text(headers, DeadLetterHeaders.CODE);
        OptionalLong sourceOffset = DeadLetterHeaders.number(headers, DeadLetterHeaders.SOURCE_OFFSET);
        return DeadLetterSummary.newBuilder()
                .setStage(TopicNames.stageOf(topic))
                .setCode(code == null ? "" : code)
                .setDetail(KafkaHeaders.text(headers, DeadLetterHeaders.MESSAGE))
                .setException(KafkaHeaders.text(headers, DeadLetterHeaders.EXCEPTION))
                .setPosition(integer(DeadLetterHeaders.number(headers, DeadLetterHeaders.OFFSET)))
                .setProtocol(Symbols.PROTOCOL.of(KafkaHeaders.text(headers, DeadLetterHeaders.PROTOCOL)))
                .setNamespace(name(headers, DeadLetterHeaders.NAMESPACE, DeadLetterHeaders.CLAIMED_NAMESPACE))
                .setConversation(name(headers, DeadLetterHeaders.CONVERSATION, DeadLetterHeaders.CLAIMED_CONVERSATION))
                .setSender(name(headers, DeadLetterHeaders.SENDER, DeadLetterHeaders.CLAIMED_SENDER))
                .setAttempt(integer(DeadLetterHeaders.number(headers, DeadLetterHeaders.ATTEMPT)))
                .setSourceTopic(KafkaHeaders.text(headers, DeadLetterHeaders.TOPIC))
                .setSourcePartition(integer(DeadLetterHeaders.number(headers, DeadLetterHeaders.PARTITION)))
                .setSourceOffset(sourceOffset.isPresent() ? (Long) sourceOffset.getAsLong() : null)
                .setTopic(topic)
                .setPartition(partition)
                .setOffset(offset)
                .setTimestamp(Instant.ofEpochMilli(timestamp))
                .setValueSize(omitted ? integer(DeadLetterHeaders.omittedSize(headers)) : sizeOf(original))
                .setSha256(ByteBuffer.wrap(
                        omitted
                                ? DeadLetterHeaders.omittedSha256(headers).orElseGet(() -> Sha256.of(value))
                                : Sha256.of(value)))
                .setPreview(omitted ? preview(headers.lastHeader(DeadLetterHeaders.OMITTED_PREFIX)) : preview(value))
                .setPrivateMark(omitted || PrivateContent.hasMark(ByteBuffer.wrap(value)))
                .build();
    }

    /** A name of the message, or else one that the record claims; a dead letter has one of them at most. */
    private static String name(Headers headers, String proven, String claimed) {
        String name = KafkaHeaders.text(headers, proven);
        return name == null ? KafkaHeaders.text(headers, claimed) : name;
    }

    /** Whether its names are claims of an undecodable record. */
    public static boolean isClaimed(DeadLetterSummary summary) {
        return summary.getStage() == Stage.DECODE;
    }

    /** Whether a scope includes a dead letter. A claimed namespace does not count. */
    public static boolean isWithin(NamespaceScope scope, DeadLetterSummary summary) {
        return scope.includes(isClaimed(summary) ? null : summary.getNamespace());
    }

    /** Position of the input record; empty if the headers name none. */
    public static Optional<InputPosition> inputPosition(DeadLetterSummary summary) {
        return summary.getSourceTopic() == null
                        || summary.getSourcePartition() == null
                        || summary.getSourceOffset() == null
                ? Optional.empty()
                : Optional.of(new InputPosition(
                        summary.getSourceTopic(), summary.getSourcePartition(), summary.getSourceOffset()));
    }

    /** Removes the names from a summary, and returns it. */
    public static DeadLetterSummary withoutNames(DeadLetterSummary summary) {
        summary.setNamespace(null);
        summary.setConversation(null);
        summary.setSender(null);
        return summary;
    }

    private static Integer sizeOf(byte[] value) {
        return value == null ? null : value.length;
    }

    private static Integer integer(OptionalLong number) {
        return number.isPresent() ? (Integer) (int) number.getAsLong() : null;
    }

    private static ByteBuffer preview(Header prefix) {
        return preview(prefix == null || prefix.value() == null ? EMPTY : prefix.value());
    }

    private static ByteBuffer preview(byte[] value) {
        return ByteBuffer.wrap(value, 0, Math.min(value.length, PREVIEW_BYTES));
    }
}
