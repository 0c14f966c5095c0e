package dev.parley.topology.pipeline;

import dev.parley.avro.Accounting;
import dev.parley.avro.Checkpoint;
import dev.parley.avro.DialogueState;
import dev.parley.avro.JournalState;
import dev.parley.avro.ParkedPatch;
import dev.parley.checkpoint.CheckpointReader;
import dev.parley.checkpoint.Checkpoints;
import dev.parley.serde.AvroSerdes;
import java.util.List;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;

/** What the pipeline remembers. The names are public contract: their changelogs carry them. */
public final class PipelineStores {
    /** State and chain head of each conversation. */
    public static final String CONVERSATIONS = "conversations";
    /** Checkpoints by namespace|context|id. */
    public static final String CHECKPOINTS = "checkpoints";
    /** What is looked up about checkpoints by something other than their key. */
    public static final String CHECKPOINT_INDEX = "checkpoint-index";
    /** Patches that wait for their base. */
    public static final String PARKED = "parked";
    /** Chains that have moved since their heads were published. */
    public static final String UNPUBLISHED = "unpublished-heads";
    /** The journal of each task: {@link #JOURNAL_NOW} and {@link #JOURNAL_PUBLISHED}. */
    public static final String JOURNAL = "audit-journal";
    /** How many records of each input partition came in. */
    public static final String INPUTS = "inputs";
    /** What became of the records of each input partition. */
    public static final String OUTCOMES = "outcomes";

    /** Key of the journal as it is. */
    static final String JOURNAL_NOW = "now";

    /** Key of the journal at its last manifest. */
    static final String JOURNAL_PUBLISHED = "published";

    private final List<StoreBuilder<?>> builders;

    /** The stores, their Avro values by these serdes. */
    public PipelineStores(AvroSerdes serdes) {
        builders = List.of(
                store(CONVERSATIONS, serdes.values(DialogueState.class)).withCachingEnabled(),
                store(CHECKPOINTS, serdes.values(Checkpoint.class)),
                store(CHECKPOINT_INDEX, Serdes.String()),
                store(PARKED, serdes.values(ParkedPatch.class)),
                store(UNPUBLISHED, Serdes.ByteArray()).withCachingEnabled(),
                store(JOURNAL, serdes.values(JournalState.class)).withCachingEnabled(),
                store(INPUTS, serdes.values(Accounting.class)).withCachingEnabled(),
                store(OUTCOMES, serdes.values(Accounting.class)).withCachingEnabled());
    }

    void addTo(StreamsBuilder builder) {
        builders.forEach(builder::addStateStore);
    }

    /** The checkpoints of a task, over its stores. */
    static Checkpoints checkpoints(ProcessorContext<?, ?> context, PipelineSettings settings) {
        return new Checkpoints(
                sorted(context, CHECKPOINTS),
                sorted(context, CHECKPOINT_INDEX),
                sorted(context, PARKED),
                settings.checkpoints());
    }

    /** The checkpoints of a task, to be read only. */
    static CheckpointReader checkpointReader(ProcessorContext<?, ?> context, PipelineSettings settings) {
        KafkaSortedStore<Checkpoint> checkpoints = sorted(context, CHECKPOINTS);
        return new CheckpointReader(checkpoints::get, settings.checkpoints());
    }

    private static <V> KafkaSortedStore<V> sorted(ProcessorContext<?, ?> context, String name) {
        KeyValueStore<String, V> store = context.getStateStore(name);
        return new KafkaSortedStore<>(store);
    }

    private static <V> StoreBuilder<KeyValueStore<String, V>> store(String name, Serde<V> values) {
        return org.apache.kafka.streams.state.Stores.keyValueStoreBuilder(
                org.apache.kafka.streams.state.Stores.persistentKeyValueStore(name), Serdes.String(), values);
    }
}
