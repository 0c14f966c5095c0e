package dev.parley.topology;

import dev.parley.avro.Inbound;
import dev.parley.decode.ConversationKey;
import dev.parley.decode.Decoding;
import dev.parley.pipeline.Bytes;
import dev.parley.pipeline.Judged;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Turns a failed message back into its input record, with the original key, value and headers, and adds
 * {@link DeadLetterHeaders} that say why it failed. The value of an oversized record is omitted.
 */
final class DeadLetters extends ContextualProcessor<String, Recorded, byte[], byte[]> {
    /** Written instead of a Java exception's class: the failure is a verdict, not an exception. */
    private static final String VERDICT = "dev.parley.Verdict.";

    @Override
    public void process(Record<String, Recorded> record) {
        Judged judged = record.value().judged();
        Inbound inbound = judged.inbound();
        Headers headers = DeadLetterHeaders.without(record.headers());
        String attempt = Long.toString(DeadLetterHeaders.claimedAttempt(headers));
        headers.remove(DeadLetterHeaders.CLAIMED_ATTEMPT);
        String sentence = judged.detail() == null ? judged.code().meaning() : judged.detail();
        DeadLetterHeaders.addStandard(
                headers,
                VERDICT + judged.verdict(),
                sentence,
                judged.rule() == null ? "" : judged.rule().toString(),
                inbound.getSource());
        DeadLetterHeaders.set(headers, DeadLetterHeaders.CODE, judged.code().name());
        DeadLetterHeaders.set(headers, DeadLetterHeaders.STAGE, judged.stage().name());
        if (inbound.getOmitted() != null) {
            DeadLetterHeaders.addOmitted(headers, inbound.getOmitted(), sentence, inbound.getSource());
        }
        if (judged.decoding() instanceof Decoding.Undecodable fault) {
            DeadLetterHeaders.set(headers, DeadLetterHeaders.OFFSET, Integer.toString(fault.position()));
            DeadLetterHeaders.set(
                    headers, DeadLetterHeaders.PROTOCOL, fault.protocol().name());
        } else {
            ConversationKey conversation = ConversationKey.parse(judged.chain());
            DeadLetterHeaders.set(
                    headers, DeadLetterHeaders.PROTOCOL, conversation.protocol().name());
            DeadLetterHeaders.set(headers, DeadLetterHeaders.CONVERSATION, conversation.conversation());
        }
        DeadLetterHeaders.set(headers, DeadLetterHeaders.ATTEMPT, attempt);
        context()
                .forward(new Record<>(
                        Bytes.of(inbound.getKey()), Bytes.of(inbound.getValue()), record.timestamp(), headers));
    }
}
