package dev.parley.topology.pipeline;

import dev.parley.avro.Claims;
import dev.parley.avro.Inbound;
import dev.parley.avro.Rule;
import dev.parley.avro.Stage;
import dev.parley.decode.ConversationKey;
import dev.parley.dialogue.Judgement;
import dev.parley.encoding.ByteBuffers;
import dev.parley.stage.JudgedRecord;
import dev.parley.topology.topics.DeadLetterHeaders;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Creates the dead letters of the messages that fail at a stage: original key, value and headers, and {@link
 * DeadLetterHeaders} with the reason. Omits the value of an oversized record.
 */
final class DeadLetterProcessor extends ContextualProcessor<String, JudgedRecord, byte[], byte[]> {
    /** Prefix of the exception header, because the failure is a verdict and not a Java exception. */
    private static final String VERDICT = "dev.parley.Verdict.";

    private final Stage stage;

    DeadLetterProcessor(Stage stage) {
        this.stage = stage;
    }

    @Override
    public void process(Record<String, JudgedRecord> record) {
        JudgedRecord judged = record.value();
        if (!judged.failedAt(stage)) {
            return;
        }
        Judgement judgement = judged.judgement();
        Inbound inbound = judged.inbound();
        Headers headers = DeadLetterHeaders.strip(record.headers());
        String attempt = Long.toString(DeadLetterHeaders.claimedAttempt(headers));
        headers.remove(DeadLetterHeaders.CLAIMED_ATTEMPT);
        String message = judgement.detail() == null ? judgement.code().meaning() : judgement.detail();
        Rule rule = judgement.rule();
        String text = rule == null ? "" : rule.getText();
        DeadLetterHeaders.addStandard(headers, VERDICT + judgement.verdict(), message, text, inbound.getSource());
        DeadLetterHeaders.set(headers, DeadLetterHeaders.CODE, judgement.code().name());
        DeadLetterHeaders.set(
                headers, DeadLetterHeaders.STAGE, judgement.stage().name());
        if (rule != null) {
            DeadLetterHeaders.set(headers, DeadLetterHeaders.SECTION, rule.getSection());
            DeadLetterHeaders.set(headers, DeadLetterHeaders.PROVENANCE, rule.getProvenance());
        }
        if (inbound.getOmitted() != null) {
            DeadLetterHeaders.addOmitted(headers, inbound.getOmitted(), message, inbound.getSource());
        }
        if (inbound.getFault() != null) {
            DeadLetterHeaders.set(
                    headers,
                    DeadLetterHeaders.OFFSET,
                    inbound.getFault().getPosition().toString());
            DeadLetterHeaders.set(
                    headers, DeadLetterHeaders.PROTOCOL, judged.protocol().name());
            DeadLetterHeaders.addInner(headers, inbound.getFault().getInnerMessages());
            Claims claims = judged.claims();
            if (claims != null) {
                DeadLetterHeaders.set(headers, DeadLetterHeaders.CLAIMED_NAMESPACE, claims.getNamespace());
                DeadLetterHeaders.set(headers, DeadLetterHeaders.CLAIMED_CONVERSATION, claims.getConversation());
                DeadLetterHeaders.set(headers, DeadLetterHeaders.CLAIMED_SENDER, claims.getSender());
            }
        } else {
            ConversationKey conversation = ConversationKey.parse(judged.chain());
            DeadLetterHeaders.set(headers, DeadLetterHeaders.PROTOCOL, conversation.protocol());
            DeadLetterHeaders.set(headers, DeadLetterHeaders.NAMESPACE, conversation.namespace());
            DeadLetterHeaders.set(headers, DeadLetterHeaders.CONVERSATION, conversation.conversation());
            DeadLetterHeaders.set(headers, DeadLetterHeaders.SENDER, judged.sender());
        }
        DeadLetterHeaders.set(headers, DeadLetterHeaders.ATTEMPT, attempt);
        byte[] key = ByteBuffers.of(inbound.getKey());
        byte[] value = ByteBuffers.of(inbound.getValue());
        context().forward(new Record<>(key, value, record.timestamp(), headers));
    }
}
