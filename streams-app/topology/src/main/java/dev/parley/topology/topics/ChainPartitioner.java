package dev.parley.topology.topics;

import dev.parley.avro.Protocol;
import dev.parley.checkpoint.CheckpointKey;
import dev.parley.decode.ConversationKey;
import dev.parley.serde.UnreadableRecordException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * Assigns chains to partitions, as a Kafka producer does for the chain as key. All records of a conversation, including
 * its checkpoints, are in partitions of the same number.
 */
public final class ChainPartitioner {
    /** Placeholder for an absent namespace; only for conversations of protocol UNKNOWN. */
    public static final String NO_NAMESPACE = "-";

    private ChainPartitioner() {}

    public static int partition(String chain, int partitions) {
        return partition(chain.getBytes(StandardCharsets.UTF_8), partitions);
    }

    public static int partition(byte[] key, int partitions) {
        return BuiltInPartitioner.partitionForKey(key, partitions);
    }

    /**
     * Whether a record of an output topic is in the partition of its chain. Parley writes none elsewhere, so a copy
     * that another client wrote must not add to views and counts.
     *
     * @param record where the record was read; empty for one of a punctuation, which is not checked
     * @param partitions number of partitions of the topic
     */
    public static boolean isPlaced(String chain, Optional<RecordMetadata> record, int partitions) {
        return partitions == 1
                || record.isEmpty()
                || partition(chain, partitions) == record.get().partition();
    }

    /**
     * Requires a record to be in the partition of its chain; otherwise like {@link #isPlaced}.
     *
     * @throws UnreadableRecordException if it is in another partition
     */
    public static void require(String chain, Optional<RecordMetadata> record, int partitions) {
        if (!isPlaced(chain, record, partitions)) {
            throw new UnreadableRecordException(
                    "The record is not in partition " + partition(chain, partitions) + ", which has its chain");
        }
    }

    public static String chainOfContext(String namespace, String context) {
        return CheckpointKey.chain(namespace, context).toString();
    }

    /** Returns the chain of a conversation that the views name, possibly with {@link #NO_NAMESPACE}. */
    public static String chainOf(String namespace, Protocol protocol, String conversation) {
        if (protocol != Protocol.UNKNOWN || !namespace.equals(NO_NAMESPACE)) {
            return ConversationKey.ofView(namespace, protocol, conversation).toString();
        }
        // A chain of a protocol that only a later version knows is its own name. Topic names contain no bar.
        return conversation.indexOf('|') < 0
                ? new ConversationKey("", protocol, conversation).toString()
                : conversation;
    }

    /**
     * Returns the partition of a chain in the form of a stream partitioner, for records that are not keyed by their
     * chain, or whose partition must be known before they are sent.
     */
    public static Optional<Set<Integer>> sink(String chain, int partitions) {
        return Optional.of(Set.of(partition(chain, partitions)));
    }
}
