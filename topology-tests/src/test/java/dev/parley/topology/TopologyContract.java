package dev.parley.topology;

import java.lang.reflect.Field;
import java.util.HashSet;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyDescription.GlobalStore;
import org.apache.kafka.streams.TopologyDescription.Subtopology;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.internals.InternalTopicConfig;
import org.apache.kafka.streams.processor.internals.InternalTopologyBuilder;
import org.apache.kafka.streams.processor.internals.InternalTopologyBuilder.TopicsInfo;
import org.apache.kafka.streams.processor.internals.TopologyMetadata;

/**
 * What a running application has left outside of itself because of its topology, and finds again after an upgrade only
 * where nothing of this has changed: names of stores and their changelogs, of repartition, input and output topics, and
 * the numbers of the sub-topologies, which are the first half of a task's id and with it of a directory's name. Kafka's
 * description has no changelogs and no kinds of stores, so this asks the builder inside.
 */
final class TopologyContract {
    private static final String IN = "sub-topology ";

    private TopologyContract() {}

    /**
     * Thing to what is said of it. The order of processors and their names are not in it: nothing outside depends on
     * them.
     */
    static SortedMap<String, String> of(Topology topology, Properties settings) {
        StreamsConfig config = new StreamsConfig(settings);
        InternalTopologyBuilder builder = builder(topology).rewriteTopology(config);
        builder.buildTopology();
        SortedMap<String, String> contract = new TreeMap<>();
        String application = config.getString(StreamsConfig.APPLICATION_ID_CONFIG);
        contract.put("application.id", application);
        Map<TopologyMetadata.Subtopology, TopicsInfo> topics = builder.subtopologyToTopicsInfo();
        Set<String> repartitions = new HashSet<>();
        topics.values().forEach(info -> repartitions.addAll(info.repartitionSourceTopics.keySet()));
        for (Subtopology subtopology : topology.describe().subtopologies()) {
            TopicsInfo info = topics.get(new TopologyMetadata.Subtopology(subtopology.id(), null));
            for (String topic : info.sourceTopics) {
                contract.put((repartitions.contains(topic) ? "repartition " : "input ") + topic, IN + subtopology.id());
            }
            info.sinkTopics.stream()
                    .filter(topic -> !repartitions.contains(topic))
                    .forEach(topic -> contract.put("output " + topic, "written"));
            for (String store : builder.stateStoreNamesForSubtopology(subtopology.id())) {
                InternalTopicConfig changelog = info.stateChangelogTopics.get(application + "-" + store + "-changelog");
                contract.put(
                        "store " + store,
                        IN + subtopology.id() + ", "
                                + kind(builder.stateStores()
                                        .get(store)
                                        .builder()
                                        .build()) + ", "
                                + (changelog == null ? "no changelog" : "changelog " + described(changelog)));
            }
        }
        Map<String, StateStore> views = builder.globalStateStores();
        for (GlobalStore view : topology.describe().globalStores()) {
            for (String store : view.processor().stores()) {
                contract.put(
                        "view " + store,
                        kind(views.get(store)) + ", from "
                                + String.join(",", view.source().topicSet()));
            }
        }
        return contract;
    }

    private static String kind(StateStore store) {
        return store.getClass().getSimpleName().replace("Metered", "")
                + (store.persistent() ? " on disk" : " in memory");
    }

    private static String described(InternalTopicConfig topic) {
        return topic.name() + " (" + topic.properties(Map.of(), 0).get(TopicConfig.CLEANUP_POLICY_CONFIG) + ")";
    }

    private static InternalTopologyBuilder builder(Topology topology) {
        try {
            Field field = Topology.class.getDeclaredField("internalTopologyBuilder");
            field.setAccessible(true);
            return (InternalTopologyBuilder) field.get(topology);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("Kafka Streams keeps its builder elsewhere now; look for it there", e);
        }
    }
}
