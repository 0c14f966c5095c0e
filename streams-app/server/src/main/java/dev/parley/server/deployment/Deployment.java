package dev.parley.server.deployment;

import dev.parley.avro.Stage;
import dev.parley.log.LogNoteReader;
import dev.parley.protocol.TopicNames;
import dev.parley.serde.AvroSerdes;
import dev.parley.topology.analytics.TrafficSettings;
import dev.parley.topology.analytics.TrafficTopology;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.StreamsSettings;
import dev.parley.topology.pipeline.ParleyTopology;
import dev.parley.topology.pipeline.PipelineListener;
import dev.parley.topology.pipeline.PipelineSettings;
import dev.parley.topology.topics.Topics;
import dev.parley.topology.views.ViewRetention;
import dev.parley.topology.views.ViewsListener;
import dev.parley.topology.views.ViewsTopology;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.avro.Schema;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyDescription;
import org.apache.kafka.streams.TopologyDescription.Processor;
import org.apache.kafka.streams.TopologyDescription.Sink;
import org.apache.kafka.streams.TopologyDescription.Source;
import org.apache.kafka.streams.TopologyDescription.Subtopology;

/**
 * The Kafka Streams applications of a configuration with the topics that they read, write and own, derived from the
 * topologies.
 *
 * @param topics names of its topics
 * @param schemas schemas of the topics with Avro values
 * @param pipeline the application that judges and records messages
 * @param traffic the application that counts recorded traffic
 * @param views the application that serves queries
 * @param stateDirectory the parent of their local state directories, each named after its application ID
 */
public record Deployment(
        TopicNames topics,
        Map<String, Schema> schemas,
        StreamsApplication pipeline,
        StreamsApplication traffic,
        StreamsApplication views,
        Path stateDirectory) {

    /**
     * An application of Kafka Streams.
     *
     * @param name its name in the log and the metrics
     * @param applicationId its consumer group, and the prefix of its internal topics and transactional IDs
     * @param reads the Parley topics that it reads
     * @param writes the Parley topics that it writes
     * @param internalTopics its changelog and repartition topics
     * @param sources the topics that its group consumes: those it reads, without global stores, and its repartition
     *     topics
     * @param isTransactional whether it uses transactions; the views do not, because their work can be repeated
     */
    public record StreamsApplication(
            String name,
            String applicationId,
            Set<String> reads,
            Set<String> writes,
            Set<String> internalTopics,
            Set<String> sources,
            boolean isTransactional) {

        /** Copies the sets, sorted by name. */
        public StreamsApplication {
            reads = Collections.unmodifiableSet(new TreeSet<>(reads));
            writes = Collections.unmodifiableSet(new TreeSet<>(writes));
            internalTopics = Collections.unmodifiableSet(new TreeSet<>(internalTopics));
            sources = Collections.unmodifiableSet(new TreeSet<>(sources));
        }
    }

    /** The deployment of a configuration, regardless of the roles of this instance. */
    public static Deployment of(ParleyConfig config) {
        String id = config.getString(ParleyConfig.APPLICATION_ID);
        // Building a topology sends no request to a registry.
        try (AvroSerdes serdes = AvroSerdes.fromConfig(Map.of(ParleyConfig.REGISTRY_URL, "mock://deployment"))) {
            Topics topics = new Topics(config.topics(), serdes);
            Topology pipeline =
                    new ParleyTopology(topics, serdes, PipelineSettings.of(config), PipelineListener.NONE).build();
            return new Deployment(
                    config.topics(),
                    topics.schemas(),
                    application("pipeline", id, pipeline, Set.of(config.topics().deadLetters(Stage.INTERNAL)), true),
                    application(
                            "traffic",
                            StreamsSettings.outputReaderId(config, "traffic"),
                            TrafficTopology.build(topics, 1, TrafficSettings.DEFAULT),
                            Set.of(),
                            true),
                    application(
                            "views",
                            StreamsSettings.outputReaderId(config, "views"),
                            ViewsTopology.build(
                                    topics,
                                    1,
                                    ViewRetention.NONE,
                                    LogNoteReader::ofAll,
                                    Optional.empty(),
                                    ViewsListener.NONE),
                            Set.of(),
                            false),
                    Path.of(config.getString(ParleyConfig.STATE_DIR)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public List<StreamsApplication> applications() {
        return List.of(pipeline, traffic, views);
    }

    /** The applications that an instance with the roles of this configuration runs. */
    public List<StreamsApplication> applicationsOf(ParleyConfig config) {
        return applications().stream()
                .filter(application -> config.hasRole(application.equals(pipeline) ? "pipeline" : "views"))
                .toList();
    }

    /** Topics that an application writes. Lost content must be reprocessed from the input. */
    public Set<String> outputs() {
        Set<String> outputs = new TreeSet<>();
        applications().forEach(application -> outputs.addAll(application.writes()));
        return outputs;
    }

    private static StreamsApplication application(
            String name, String applicationId, Topology topology, Set<String> alsoWrites, boolean isTransactional) {
        TopologyDescription description = topology.describe();
        Set<String> reads = new TreeSet<>();
        Set<String> writes = new TreeSet<>(alsoWrites);
        Set<String> internal = new TreeSet<>();
        String prefix = applicationId + "-";
        for (Subtopology subtopology : description.subtopologies()) {
            for (TopologyDescription.Node node : subtopology.nodes()) {
                if (node instanceof Source source) {
                    source.topicSet()
                            .forEach(topic -> (Topics.isRepartition(topic) ? internal : reads)
                                    .add(Topics.isRepartition(topic) ? prefix + topic : topic));
                } else if (node instanceof Sink sink && !Topics.isRepartition(sink.topic())) {
                    writes.add(sink.topic());
                } else if (node instanceof Processor processor) {
                    processor.stores().forEach(store -> internal.add(prefix + store + "-changelog"));
                }
            }
        }
        Set<String> sources = new TreeSet<>(reads);
        internal.stream().filter(Topics::isRepartition).forEach(sources::add);
        description
                .globalStores()
                .forEach(global -> reads.addAll(global.source().topicSet()));
        return new StreamsApplication(name, applicationId, reads, writes, internal, sources, isTransactional);
    }
}
