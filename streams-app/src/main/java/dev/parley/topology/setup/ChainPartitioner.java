package dev.parley.topology.setup;

import dev.parley.avro.Protocol;
import dev.parley.checkpoint.CheckpointKey;
import dev.parley.decode.ConversationKey;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;

/**
 * In which partition the records of a chain lie: all that is kept of a conversation, its checkpoints too, lies in
 * partitions of one number. It is the partition that a Kafka producer chooses for the chain's key.
 */
public final class ChainPartitioner {
    /** Stands for an absent namespace; only conversations of protocol UNKNOWN have it. */
    public static final String NO_NAMESPACE = "-";

    private ChainPartitioner() {}

    /** The partition of a chain, of so many. */
    public static int of(String chain, int partitions) {
        return BuiltInPartitioner.partitionForKey(chain.getBytes(StandardCharsets.UTF_8), partitions);
    }

    /** The chain of a CSP context. */
    public static String chainOfContext(String namespace, String context) {
        return CheckpointKey.chain(namespace, context).toString();
    }

    /** The chain of a conversation as the views name it: see {@link #NO_NAMESPACE}. */
    public static String chainOf(String namespace, Protocol protocol, String conversation) {
        if (protocol != Protocol.UNKNOWN || !namespace.equals(NO_NAMESPACE)) {
            return ConversationKey.ofView(namespace, protocol, conversation).toString();
        }
        // The chain of a protocol that only a later version knows stands as it is; no name of a topic has a bar.
        return conversation.indexOf('|') < 0
                ? new ConversationKey("", protocol, conversation).toString()
                : conversation;
    }

    /** How a sink partitions records that belong to a chain but are not keyed by it. */
    static Optional<Set<Integer>> sink(String chain, int partitions) {
        return Optional.of(Set.of(of(chain, partitions)));
    }
}
