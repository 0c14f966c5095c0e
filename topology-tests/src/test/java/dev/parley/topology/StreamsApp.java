package dev.parley.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.ChainStart;
import dev.parley.avro.CheckpointEntry;
import dev.parley.avro.ClaimedRecord;
import dev.parley.avro.ConversationSummary;
import dev.parley.avro.DeadLetterSummary;
import dev.parley.avro.IndexNumbers;
import dev.parley.avro.TrackedItems;
import dev.parley.log.LogNoteReader;
import dev.parley.protocol.TopicNames;
import dev.parley.serde.AvroSerdes;
import dev.parley.topology.analytics.TrafficSettings;
import dev.parley.topology.analytics.TrafficTopology;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.StreamsSettings;
import dev.parley.topology.pipeline.ParleyTopology;
import dev.parley.topology.pipeline.PipelineDriver;
import dev.parley.topology.pipeline.PipelineListener;
import dev.parley.topology.topics.PublicContent;
import dev.parley.topology.topics.Topics;
import dev.parley.topology.views.ViewRetention;
import dev.parley.topology.views.ViewsListener;
import dev.parley.topology.views.ViewsTopology;
import dev.parley.topology.views.store.ViewStores;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyDescription;

/** The Kafka Streams applications of Parley; the pipeline with and without its repartition topic. */
enum StreamsApp {
    PIPELINE,
    PIPELINE_KEYED,
    VIEWS,
    TRAFFIC;

    /** The name in files and messages. */
    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    TopologyDescription describe() {
        return with(Topology::describe);
    }

    /** The contract that an upgrade must keep. */
    SortedMap<String, String> contract() {
        SortedMap<String, String> contract = with(topology -> TopologyContract.of(topology, settings()));
        if (this == VIEWS) {
            // Plain Avro without a schema's id: these stores cannot be read with another schema.
            addValues(
                    contract,
                    ViewStores.AUDIT,
                    ConversationSummary.getClassSchema(),
                    IndexNumbers.getClassSchema(),
                    ChainStart.getClassSchema(),
                    ClaimedRecord.getClassSchema());
            addValues(contract, ViewStores.CHECKPOINTS, CheckpointEntry.getClassSchema());
            addValues(contract, ViewStores.DEAD_LETTERS, DeadLetterSummary.getClassSchema());
        } else if (this == TRAFFIC) {
            addValues(contract, TrafficTopology.OPEN_ITEMS, TrackedItems.getClassSchema());
        }
        return contract;
    }

    private static void addValues(Map<String, String> contract, String store, Schema... values) {
        String names = Stream.of(values)
                .map(schema ->
                        String.format("%s %016x", schema.getName(), SchemaNormalization.parsingFingerprint64(schema)))
                .collect(Collectors.joining(", "));
        assertThat(contract.computeIfPresent("store " + store, (key, form) -> form + ", values " + names))
                .as("store %s", store)
                .isNotNull();
    }

    private <R> R with(Function<Topology, R> use) {
        try (AvroSerdes serdes = AvroSerdes.fromConfig(Map.of(ParleyConfig.REGISTRY_URL, "mock://part-" + name()))) {
            return use.apply(topology(serdes));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Topology topology(AvroSerdes serdes) {
        Topics topics = new Topics(TopicNames.DEFAULT, serdes);
        return switch (this) {
            case PIPELINE, PIPELINE_KEYED -> PipelineDriver.topology(config(), serdes, PipelineListener.NONE);
            case VIEWS ->
                ViewsTopology.build(
                        topics,
                        1,
                        ViewRetention.NONE,
                        LogNoteReader::ofAll,
                        Optional.of(PublicContent.WITHOUT_RULES),
                        ViewsListener.NONE);
            case TRAFFIC -> TrafficTopology.build(topics, 1, TrafficSettings.DEFAULT);
        };
    }

    private Properties settings() {
        return switch (this) {
            case PIPELINE, PIPELINE_KEYED -> ParleyTopology.config(config());
            case VIEWS -> StreamsSettings.outputReader(config(), "views");
            case TRAFFIC -> TrafficTopology.config(config());
        };
    }

    private ParleyConfig config() {
        return new ParleyConfig(Map.of(ParleyConfig.KEYED, this == PIPELINE_KEYED));
    }
}
