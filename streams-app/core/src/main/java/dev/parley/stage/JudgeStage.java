package dev.parley.stage;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.Inbound;
import dev.parley.checkpoint.CheckpointReader;
import dev.parley.codec.RecordHeaders;
import dev.parley.decode.Expectation;
import dev.parley.decode.MessageDecoder;
import dev.parley.decode.RecordDecodeResult;
import dev.parley.decode.WireRecord;
import dev.parley.dialogue.ConversationState;
import dev.parley.dialogue.Judge;
import dev.parley.dialogue.Judgement;
import dev.parley.encoding.ByteBuffers;

/**
 * Decodes an input record, reads the state of its conversation, and applies the rules. Writes nothing: the judgement
 * contains the next state, and {@link RecordStage} stores it. The caller must therefore record a record before it
 * judges the next one of the same conversation. Not thread-safe.
 *
 * @param decoder decodes input records
 * @param judge the rules
 * @param conversationStore store of the states
 */
record JudgeStage(
        MessageDecoder decoder, Judge judge, ConversationStore conversationStore, CheckpointReader checkpoints) {

    /** Judges an input record with its stored headers. */
    JudgedRecord judge(Inbound inbound) {
        return judge(inbound, headersOf(inbound));
    }

    /**
     * Judges an input record.
     *
     * @param inbound the record; not decoded again if it contains a decode error
     */
    JudgedRecord judge(Inbound inbound, RecordHeaders headers) {
        if (inbound.getFault() != null) {
            return JudgedRecord.undecodable(inbound);
        }
        WireRecord record = new WireRecord(
                inbound.getSource(), ByteBuffers.of(inbound.getKey()), ByteBuffers.of(inbound.getValue()), headers);
        return decoder.decode(record)
                .map(decoded -> judged(inbound, decoded), error -> JudgedRecord.undecodable(inbound, error));
    }

    private JudgedRecord judged(Inbound inbound, RecordDecodeResult.Message decoded) {
        String chain = decoded.conversation().toString();
        AgentMessage message = decoded.message();
        ConversationState stored = conversationStore.get(chain);
        ConversationState state = stored == null ? ConversationState.NEW : stored;
        Expectation expectation = decoded.expectation();
        if (expectation.isMissedAt(state.head().records())) {
            return JudgedRecord.of(chain, inbound, message, null, judge.moved(state, message, expectation.sequence()));
        }
        Judgement judgement = judge.judge(
                state,
                message,
                decoded.warnings(),
                decoded.violations(),
                new KnownCheckpoints(checkpoints, message.getNamespace(), message.getConversation()));
        Judgement conditional = expectation.accepted() ? judge.onlyAccepted(state, message, judgement) : judgement;
        return JudgedRecord.of(chain, inbound, message, null, conditional.withRemark(decoded.remark()));
    }

    private static RecordHeaders headersOf(Inbound inbound) {
        return visitor -> inbound.getHeaders()
                .forEach(header -> visitor.accept(header.getKey(), ByteBuffers.of(header.getValue())));
    }
}
