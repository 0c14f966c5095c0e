package dev.parley.cli.io;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.streams.TopologyDescription;
import org.apache.kafka.streams.TopologyDescription.Node;
import org.apache.kafka.streams.TopologyDescription.Processor;
import org.apache.kafka.streams.TopologyDescription.Sink;
import org.apache.kafka.streams.TopologyDescription.Source;
import org.apache.kafka.streams.TopologyDescription.Subtopology;

/**
 * Draws a topology as a Mermaid flow chart: topics with double sides, processors as boxes, stores as cylinders on
 * dotted lines.
 */
public final class Mermaid {
    private final Set<String> lines = new LinkedHashSet<>();

    private Mermaid() {}

    public static String of(TopologyDescription description) {
        Mermaid chart = new Mermaid();
        chart.lines.add("flowchart LR");
        for (Subtopology subtopology : description.subtopologies()) {
            chart.add(subtopology);
        }
        return String.join("\n", chart.lines);
    }

    private void add(Subtopology subtopology) {
        List<Node> nodes = new ArrayList<>(subtopology.nodes());
        nodes.sort(Comparator.comparing(Node::name));
        for (Node node : nodes) {
            if (node instanceof Source source) {
                for (String topic : new TreeSet<>(source.topicSet())) {
                    lines.add("  " + topic(topic) + " --> " + box(source));
                }
            }
            if (node instanceof Sink sink) {
                lines.add("  " + box(sink) + " --> " + topic(sink.topic()));
            }
            if (node instanceof Processor processor) {
                for (String store : new TreeSet<>(processor.stores())) {
                    lines.add("  " + box(processor) + " -.- " + id(store) + "[(" + store + ")]");
                }
            }
            node.successors().stream()
                    .sorted(Comparator.comparing(Node::name))
                    .forEach(next -> lines.add("  " + box(node) + " --> " + box(next)));
        }
    }

    private static String box(Node node) {
        return "n_" + id(node.name()) + "[" + node.name() + "]";
    }

    private static String topic(String name) {
        return "t_" + id(name) + "[[" + name + "]]";
    }

    private static String id(String name) {
        return name.replace('.', '_').replace('-', '_');
    }
}
