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
 * The topologies are public contract. After a change on purpose write the golden files anew, with
 * {@code -Dgolden.write=true}. Whether a running application can be upgraded over the change, {@link EvolutionTest}
 * says.
 */
class GoldenTopologyTest {
    private static final Path GOLDEN = Path.of("src", "test", "resources", "golden");

    @ParameterizedTest
    @EnumSource(Part.class)
    void aTopologyIsThatOfItsGoldenFile(Part part) throws IOException {
        String description = part.describe().toString();
        if (Boolean.getBoolean("golden.write")) {
            Files.createDirectories(GOLDEN);
            Files.writeString(file(part), description);
        }

        assertThat(description).isEqualTo(Files.readString(file(part), StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @EnumSource(Part.class)
    void nothingHasAGeneratedName(Part part) {
        assertThat(part.describe().toString())
                .doesNotContainPattern("(KSTREAM|KTABLE|KCOGROUP|GLOBAL)[A-Z-]*-\\d+")
                .doesNotContain("STATE-STORE-0", "0000");
    }

    @Test
    void theStoresHaveTheNamesOfTheContract() {
        assertThat(stores(Part.PIPELINE))
                .containsExactlyInAnyOrder(
                        "conversations",
                        "checkpoints",
                        "checkpoint-index",
                        "parked",
                        "unpublished-heads",
                        "audit-journal",
                        "inputs",
                        "outcomes");
        assertThat(stores(Part.PIPELINE_KEYED)).isEqualTo(stores(Part.PIPELINE));
        assertThat(stores(Part.TRAFFIC)).containsExactly("traffic-windows");
        assertThat(stores(Part.VIEWS))
                .containsExactlyInAnyOrder(
                        "view-audit", "view-checkpoints", "view-accounting", "view-redactions", "view-dead-letters");
    }

    @Test
    void whatAPartWritesAndReadsAgainIsItsInternalTopics() {
        assertThat(internalTopics(Part.PIPELINE)).containsExactly("by-conversation-repartition");
        assertThat(internalTopics(Part.PIPELINE_KEYED)).isEmpty();
        assertThat(internalTopics(Part.TRAFFIC)).containsExactly("traffic-kind-repartition");
        assertThat(internalTopics(Part.VIEWS)).isEmpty();
    }

    private static Path file(Part part) {
        return GOLDEN.resolve(part.label() + ".txt");
    }

    private static Set<String> stores(Part part) {
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

    private static Set<String> internalTopics(Part part) {
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

    private static Stream<TopologyDescription.Node> nodes(Part part) {
        return part.describe().subtopologies().stream().flatMap(sub -> List.copyOf(sub.nodes()).stream());
    }
}
