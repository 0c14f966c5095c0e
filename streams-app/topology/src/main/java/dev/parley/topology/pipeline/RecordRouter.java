package dev.parley.topology.pipeline;

import dev.parley.avro.Claims;
import dev.parley.codec.Code;
import dev.parley.decode.ConversationKey;
import dev.parley.decode.MessageDecoder;
import dev.parley.decode.RecordDecodeResult;
import dev.parley.decode.WireRecord;
import dev.parley.stage.InputPolicy;
import dev.parley.topology.topics.ChainPartitioner;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * Decides which chain an input record belongs to: decodes it, and checks its key, its partition and the input
 * policy, which concern the deployment and not the message. Not thread-safe.
 */
public final class RecordRouter {
    private final MessageDecoder decoder;
    private final PipelineSettings settings;
    private final Optional<InputPolicy> policy;

    /** Number of partitions of the input topics; 0 before the first record. */
    private int partitions;

    public RecordRouter(PipelineSettings settings) {
        this.settings = settings;
        this.decoder = settings.stages().decoder();
        this.policy = settings.inputs().policy();
    }

    /** Returns the message with its conversation, or the reason why the record is undecodable. */
    public RecordDecodeResult route(WireRecord wire) {
        return decoder.decode(wire)
                .<RecordDecodeResult>map(
                        message -> inputError(wire, message)
                                .<RecordDecodeResult>map(error -> allowed(wire, error))
                                .orElse(message),
                        error -> allowed(wire, error));
    }

    /** The policy also binds what an undecodable record claims. */
    private RecordDecodeResult.Undecodable allowed(WireRecord wire, RecordDecodeResult.Undecodable error) {
        return policy.map(rules -> rules.allowed(wire.source().getTopic(), error.claims()))
                .map(error::withClaims)
                .orElse(error);
    }

    private Optional<RecordDecodeResult.Undecodable> inputError(WireRecord wire, RecordDecodeResult.Message message) {
        if (settings.keyedByConversation()) {
            String conversation = message.conversation().conversation();
            if (!Arrays.equals(wire.key(), conversation.getBytes(StandardCharsets.UTF_8))) {
                return Optional.of(undecodable(
                        message,
                        Code.KEY_NOT_CONVERSATION,
                        wire.value().length,
                        "the record key is not '" + conversation
                                + "'; key the input by conversation, or unset input.keyed-by-conversation"));
            }
            int partition = ChainPartitioner.partition(wire.key(), partitions());
            if (partitions() > 1 && partition != wire.source().getPartition()) {
                // Another task has the state of the conversation, so this one would start it again.
                return Optional.of(undecodable(
                        message,
                        Code.KEY_MISPLACED,
                        wire.value().length,
                        "the record key belongs to partition " + partition + ", but the record is in partition "
                                + wire.source().getPartition()
                                + "; the producer must partition by the murmur2 hash of the key"));
            }
        }
        return policy.flatMap(rules -> rules.check(wire.source().getTopic(), message))
                .map(detail -> undecodable(message, Code.INPUT_NOT_ALLOWED, 0, detail));
    }

    private int partitions() {
        if (partitions == 0) {
            partitions = settings.inputPartitions();
        }
        return partitions;
    }

    private static RecordDecodeResult.Undecodable undecodable(
            RecordDecodeResult.Message message, Code code, int position, String detail) {
        ConversationKey conversation = message.conversation();
        Claims claims = new Claims(
                conversation.protocol(), conversation.namespace(), conversation.conversation(), message.sender());
        return new RecordDecodeResult.Undecodable(claims, code, position, detail);
    }
}
