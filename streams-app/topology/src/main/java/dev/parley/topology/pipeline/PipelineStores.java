package dev.parley.topology.pipeline;

import dev.parley.avro.Accounting;
import dev.parley.avro.Checkpoint;
import dev.parley.avro.ConversationItem;
import dev.parley.avro.DialogueState;
import dev.parley.avro.ParkedPatch;
import dev.parley.checkpoint.Checkpoints;
import dev.parley.checkpoint.IndexEntries;
import dev.parley.log.AuditLog;
import dev.parley.serde.AvroSerdes;
import dev.parley.topology.kafka.UnreadableValues;
import java.util.function.Function;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/** The state stores of the pipeline. The names are a public contract, because changelogs contain them. */
public final class PipelineStores {
    /** State and chain head of each conversation. */
    public static final String CONVERSATIONS = "conversations";
    /** Tasks and definitions of conversations that were not active lately, or are large. */
    public static final String ITEMS = "conversation-items";
    /** Checkpoints by namespace|context|id. */
    public static final String CHECKPOINTS = "checkpoints";
    /** Secondary index of the checkpoints and the parking lot. */
    public static final String CHECKPOINT_INDEX = "checkpoint-index";

    public static final String PARKED = "parked";
    /** The audit log of each task. */
    public static final String LOG = "audit-log";
    /** Input counts and positions per input partition. */
    public static final String INPUTS = "inputs";
    /** Outcome counts per input partition. */
    public static final String OUTCOMES = "outcomes";

    private PipelineStores() {}

    static void addTo(StreamsBuilder builder, AvroSerdes serdes) {
        builder.addStateStore(
                store(CONVERSATIONS, serdes.recentValues(DialogueState.class)).withCachingEnabled());
        builder.addStateStore(store(ITEMS, serdes.values(ConversationItem.class)));
        builder.addStateStore(store(CHECKPOINTS, serdes.values(Checkpoint.class)));
        builder.addStateStore(store(CHECKPOINT_INDEX, Serdes.String()));
        builder.addStateStore(store(PARKED, serdes.values(ParkedPatch.class)));
        builder.addStateStore(store(LOG, Serdes.ByteArray()).withCachingEnabled());
        builder.addStateStore(store(INPUTS, serdes.values(Accounting.class)).withCachingEnabled());
        builder.addStateStore(store(OUTCOMES, serdes.values(Accounting.class)).withCachingEnabled());
    }

    static Checkpoints checkpoints(ProcessorContext<?, ?> context, PipelineSettings settings) {
        return new Checkpoints(
                new KafkaSortedStore<>(context.getStateStore(CHECKPOINTS)),
                new KafkaSortedStore<>(context.getStateStore(CHECKPOINT_INDEX)),
                new KafkaSortedStore<>(context.getStateStore(PARKED)),
                settings.stages().checkpoints());
    }

    /**
     * Reads the log of the task, from which it continues.
     *
     * @throws StreamsException if the log cannot be continued: the thread stops, because no message could be recorded
     */
    static <T> T log(ProcessorContext<?, ?> context, Function<AuditLog, T> reader) {
        int partition = context.taskId().partition();
        try {
            return reader.apply(new AuditLog(partition, new KafkaSortedStore<>(context.getStateStore(LOG))));
        } catch (IllegalStateException e) {
            throw new StreamsException("Log " + partition + " cannot be continued: " + e.getMessage()
                    + ". Stop every instance, and see \"Unreadable values\" in docs/operations.md");
        }
    }

    /** Whether a store can have an entry; any other is unreadable. */
    static boolean isValid(String store, String key, Object value) {
        return switch (store) {
            case CHECKPOINT_INDEX -> IndexEntries.isValid(key, (String) value);
            case PARKED -> IndexEntries.isParked(key, (ParkedPatch) value);
            default -> true;
        };
    }

    private static <V> StoreBuilder<KeyValueStore<String, V>> store(String name, Serde<V> values) {
        return Stores.keyValueStoreBuilder(
                Stores.persistentKeyValueStore(name), Serdes.String(), UnreadableValues.checked(values));
    }
}
