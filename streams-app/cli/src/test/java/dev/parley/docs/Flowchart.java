package dev.parley.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.streams.TopologyDescription;
import org.apache.kafka.streams.TopologyDescription.Node;
import org.apache.kafka.streams.TopologyDescription.Processor;
import org.apache.kafka.streams.TopologyDescription.Sink;
import org.apache.kafka.streams.TopologyDescription.Source;

/**
 * A Mermaid flowchart for readers, drawn from topology descriptions. It leaves out the processors without stores, which
 * only filter and convert. Topics with a common prefix can share one node.
 */
final class Flowchart {
    private final Map<String, String> groups;
    private final Map<String, String> shapes = new HashMap<>();
    private final Set<Arrow> arrows = new LinkedHashSet<>();
    private final Map<String, Set<String>> stagesByStore = new TreeMap<>();

    /**
     * An empty flowchart.
     *
     * @param groups labels of shared topic nodes, by the prefix of the topics' names
     */
    Flowchart(Map<String, String> groups) {
        this.groups = Map.copyOf(groups);
    }

    private record Arrow(String from, String style, String to) {}

    /** Draws each stage of a topology, and the topics that it reads and writes. */
    Flowchart stages(TopologyDescription topology) {
        nodes(topology, Source.class)
                .forEach(source ->
                        new TreeSet<>(source.topicSet()).forEach(topic -> follow(topic(topic), source.successors())));
        return this;
    }

    private void follow(String from, Collection<Node> successors) {
        for (Node next : sorted(successors)) {
            if (next instanceof Sink sink) {
                arrow(from, topic(sink.topic()));
            } else if (next instanceof Processor processor
                    && !processor.stores().isEmpty()) {
                String stage = node(next.name(), "[", next.name(), "]");
                if (arrow(from, stage)) {
                    processor
                            .stores()
                            .forEach(store -> stagesByStore
                                    .computeIfAbsent(store, name -> new TreeSet<>())
                                    .add(stage));
                    follow(stage, next.successors());
                }
            } else {
                follow(from, next.successors());
            }
        }
    }

    /** The stores of these stages, as a flowchart of its own. Stores of the same stages share one node. */
    Flowchart stores() {
        Flowchart chart = new Flowchart(groups);
        chart.shapes.putAll(shapes);
        Map<Set<String>, List<String>> shared = new HashMap<>();
        stagesByStore.forEach((store, stages) ->
                shared.computeIfAbsent(stages, any -> new ArrayList<>()).add(store));
        shared.entrySet().stream()
                .sorted(Comparator.comparing(entry -> entry.getValue().get(0)))
                .forEach(entry -> {
                    List<String> stores = entry.getValue();
                    String node = chart.node(stores.get(0), "[(", String.join("<br>", stores), ")]");
                    entry.getKey().forEach(stage -> chart.arrows.add(new Arrow(stage, " -.- ", node)));
                });
        return chart;
    }

    /** Draws an application as one node, and the topics of others that it reads and writes. */
    Flowchart application(String name, TopologyDescription topology) {
        String application = node(name, "[", name, "]");
        Set<String> written = new TreeSet<>();
        nodes(topology, Sink.class).forEach(sink -> written.add(sink.topic()));
        Set<String> read = new TreeSet<>();
        nodes(topology, Source.class).forEach(source -> read.addAll(source.topicSet()));
        topology.globalStores().forEach(store -> read.addAll(store.source().topicSet()));
        read.stream().filter(topic -> !written.contains(topic)).forEach(topic -> arrow(topic(topic), application));
        written.stream().filter(topic -> !read.contains(topic)).forEach(topic -> arrow(application, topic(topic)));
        return this;
    }

    private boolean arrow(String from, String to) {
        return arrows.add(new Arrow(from, " --> ", to));
    }

    private String topic(String topic) {
        String label = groups.entrySet().stream()
                .filter(group -> topic.startsWith(group.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(topic);
        return node(label, "[[", label, "]]");
    }

    private String node(String name, String open, String label, String close) {
        String id = name.replaceAll("[^A-Za-z0-9]+", "_").replaceAll("_$", "");
        String other = shapes.put(id, open + label + close);
        assertThat(other).as("shape of node %s", id).isIn(null, shapes.get(id));
        return id;
    }

    private static <T extends Node> List<T> nodes(TopologyDescription topology, Class<T> type) {
        return topology.subtopologies().stream()
                .flatMap(subtopology -> sorted(subtopology.nodes()).stream())
                .filter(type::isInstance)
                .map(type::cast)
                .toList();
    }

    private static List<Node> sorted(Collection<Node> nodes) {
        return nodes.stream().sorted(Comparator.comparing(Node::name)).toList();
    }

    /** The source of the flowchart. Each node has its label where it appears first. */
    @Override
    public String toString() {
        Map<String, String> unlabeled = new HashMap<>(shapes);
        StringBuilder source = new StringBuilder("flowchart LR\n");
        for (Arrow arrow : arrows) {
            source.append("  ").append(arrow.from()).append(label(unlabeled, arrow.from()));
            source.append(arrow.style());
            source.append(arrow.to()).append(label(unlabeled, arrow.to())).append('\n');
        }
        return source.toString();
    }

    private static String label(Map<String, String> unlabeled, String id) {
        String shape = unlabeled.remove(id);
        return shape == null ? "" : shape;
    }
}
