package dev.parley.topology.pipeline;

import dev.parley.avro.Inbound;
import dev.parley.decode.ConversationKey;
import dev.parley.stage.ByteBuffers;
import dev.parley.stage.JudgedRecord;
import dev.parley.stage.Outcome;
import dev.parley.topology.topics.DeadLetterHeaders;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Creates the dead letter of a failed message: its original key, value and headers, and {@link DeadLetterHeaders} with
 * the reason. Omits the value of an oversized record.
 */
final class DeadLetterProcessor extends ContextualProcessor<String, RecordedVerdict, byte[], byte[]> {
    /** Prefix of the exception header, because the failure is a verdict and not a Java exception. */
    private static final String VERDICT = "dev.parley.Verdict.";

    @Override
    public void process(Record<String, RecordedVerdict> record) {
        JudgedRecord judged = record.value().judged();
        Outcome outcome = judged.outcome();
        Outcome.Failure failure = outcome.failure().orElseThrow();
        Inbound inbound = judged.inbound();
        Headers headers = DeadLetterHeaders.strip(record.headers());
        String attempt = Long.toString(DeadLetterHeaders.claimedAttempt(headers));
        headers.remove(DeadLetterHeaders.CLAIMED_ATTEMPT);
        String message = failure.detail() == null ? failure.code().meaning() : failure.detail();
        DeadLetterHeaders.addStandard(
                headers,
                VERDICT + outcome.verdict(),
                message,
                outcome.rule() == null ? "" : outcome.rule(),
                inbound.getSource());
        DeadLetterHeaders.set(headers, DeadLetterHeaders.CODE, failure.code().name());
        DeadLetterHeaders.set(headers, DeadLetterHeaders.STAGE, failure.stage().name());
        if (inbound.getOmitted() != null) {
            DeadLetterHeaders.addOmitted(headers, inbound.getOmitted(), message, inbound.getSource());
        }
        if (outcome instanceof Outcome.Undecodable undecodable) {
            DeadLetterHeaders.set(
                    headers,
                    DeadLetterHeaders.OFFSET,
                    Integer.toString(undecodable.error().position()));
            DeadLetterHeaders.set(
                    headers, DeadLetterHeaders.PROTOCOL, outcome.protocol().name());
        } else {
            ConversationKey conversation = ConversationKey.parse(judged.chain());
            DeadLetterHeaders.set(headers, DeadLetterHeaders.PROTOCOL, conversation.protocol());
            DeadLetterHeaders.set(headers, DeadLetterHeaders.CONVERSATION, conversation.conversation());
        }
        DeadLetterHeaders.set(headers, DeadLetterHeaders.ATTEMPT, attempt);
        context()
                .forward(new Record<>(
                        ByteBuffers.of(inbound.getKey()),
                        ByteBuffers.of(inbound.getValue()),
                        record.timestamp(),
                        headers));
    }
}
