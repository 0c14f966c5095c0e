package dev.parley.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.kafka.streams.TopologyDescription;
import org.apache.kafka.streams.TopologyDescription.Processor;
import org.apache.kafka.streams.TopologyDescription.Sink;
import org.apache.kafka.streams.TopologyDescription.Source;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The topologies are public contract. After an intended change, write the golden files again with
 * {@code -Dgolden.write=true}. {@link EvolutionTest} checks whether a running application can be upgraded.
 */
class GoldenTopologyTest {
    private static final Path GOLDEN = Path.of("topology-tests", "src", "test", "resources", "golden");

    @ParameterizedTest
    @EnumSource(StreamsApp.class)
    void topologyEqualsItsGoldenFile(StreamsApp part) throws IOException {
        String description = part.describe().toString();
        if (Boolean.getBoolean("golden.write")) {
            Files.createDirectories(GOLDEN);
            Files.writeString(file(part), description);
        }

        assertThat(description).isEqualTo(Files.readString(file(part), StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @EnumSource(StreamsApp.class)
    void nothingHasAGeneratedName(StreamsApp part) {
        assertThat(part.describe().toString())
                .doesNotContainPattern("(KSTREAM|KTABLE|KCOGROUP|GLOBAL)[A-Z-]*-\\d+")
                .doesNotContain("STATE-STORE-0", "0000");
    }

    @Test
    void storesHaveTheNamesOfTheContract() {
        assertThat(stores(StreamsApp.PIPELINE))
                .containsExactlyInAnyOrder(
                        "conversations",
                        "conversation-items",
                        "checkpoints",
                        "checkpoint-index",
                        "parked",
                        "audit-log",
                        "inputs",
                        "outcomes");
        assertThat(stores(StreamsApp.PIPELINE_KEYED)).isEqualTo(stores(StreamsApp.PIPELINE));
        assertThat(stores(StreamsApp.TRAFFIC)).containsExactly("traffic-counts", "traffic-open-items");
        assertThat(stores(StreamsApp.VIEWS))
                .containsExactlyInAnyOrder(
                        "view-audit",
                        "view-log",
                        "view-checkpoints",
                        "view-accounting",
                        "view-redactions",
                        "view-redrives",
                        "view-dead-letters",
                        "view-statistics");
    }

    @Test
    void internalTopicsAreThoseThatAnApplicationWritesAndReads() {
        assertThat(internalTopics(StreamsApp.PIPELINE)).containsExactly("by-conversation-repartition");
        assertThat(internalTopics(StreamsApp.PIPELINE_KEYED)).isEmpty();
        assertThat(internalTopics(StreamsApp.TRAFFIC)).isEmpty();
        assertThat(internalTopics(StreamsApp.VIEWS)).isEmpty();
    }

    private static Path file(StreamsApp part) {
        return GOLDEN.resolve(part.label() + ".txt");
    }

    private static Set<String> stores(StreamsApp part) {
        Set<String> names = new TreeSet<>();
        nodes(part).forEach(node -> {
            if (node instanceof Processor processor) {
                names.addAll(processor.stores());
            }
        });
        part.describe()
                .globalStores()
                .forEach(global -> names.addAll(global.processor().stores()));
        return names;
    }

    private static Set<String> internalTopics(StreamsApp part) {
        Set<String> read = new HashSet<>();
        Set<String> written = new TreeSet<>();
        nodes(part).forEach(node -> {
            if (node instanceof Source source) {
                read.addAll(source.topicSet());
            } else if (node instanceof Sink sink) {
                written.add(sink.topic());
            }
        });
        written.retainAll(read);
        return written;
    }

    private static Stream<TopologyDescription.Node> nodes(StreamsApp part) {
        return part.describe().subtopologies().stream().flatMap(sub -> List.copyOf(sub.nodes()).stream());
    }
}
