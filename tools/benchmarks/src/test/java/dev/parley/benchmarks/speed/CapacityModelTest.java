package dev.parley.benchmarks.speed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.parley.load.process.Page;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CapacityModelTest {
    private static final Path DOCS = Path.of("..", "docs");
    private static final List<TopicBytes> TOPICS = List.of(
            new TopicBytes("parley.wire", 1, 5, 15, 1, 80),
            new TopicBytes("by-conversation-repartition", 1, 20, 0, 0, 180),
            new TopicBytes("parley.audit.v1", 1, 20, 200, 7, 380),
            new TopicBytes("parley.message.v1", 0.5, 20, 200, 7, 180),
            new TopicBytes("conversations-changelog", 1, 20, 0, 0, 130));

    @TempDir
    private Path directory;

    private static Figures figures() {
        Map<Figure, Double> assumed = new EnumMap<>(Figure.class);
        assumed.put(Figure.FRAMING, 20.0);
        assumed.put(Figure.UTILIZATION, 0.5);
        assumed.put(Figure.PROCESSORS, 4.0);
        assumed.put(Figure.BROKER_MEGABYTES, 100.0);
        assumed.put(Figure.BROKER_TERABYTES, 10.0);
        assumed.put(Figure.REPLICAS, 3.0);
        assumed.put(Figure.DAYS, 10.0);
        assumed.put(Figure.CONVERSATION_MESSAGES, 50.0);
        assumed.put(Figure.DEPLOYMENT_PARTITIONS, 1_000.0);
        return new Figures(assumed).with(Figures.measured(new Measured(20_000, 40, 10), TOPICS, 400, 1_000));
    }

    @Test
    void bytesAreMeasuredByKindOfTopic() {
        Figures figures = figures();

        assertThat(figures.get(Figure.INPUT_BYTES)).isEqualTo(100);
        assertThat(figures.get(Figure.REPARTITION_BYTES)).isEqualTo(200);
        assertThat(figures.get(Figure.OUTPUT_BYTES)).isEqualTo(600 + 200);
        assertThat(figures.get(Figure.CHANGELOG_BYTES)).isEqualTo(150);
        assertThat(figures.get(Figure.COMPRESSED)).isEqualTo(0.5);
        assertThat(figures.get(Figure.STATE_BYTES)).isEqualTo(150);
    }

    @Test
    void theModelFollowsItsFormulas() {
        CapacityModel model = new CapacityModel(figures(), 100_000);

        assertThat(model.threads()).isEqualTo(10);
        assertThat(model.partitions()).isEqualTo(32);
        assertThat(model.deployments()).isEqualTo(1);
        assertThat(model.processors()).isEqualTo(8);
        assertThat(model.instances()).isEqualTo(3 + 1);
        assertThat(model.memoryGigabytes()).isCloseTo(4.19, within(0.01));
        assertThat(model.readMegabytes()).isEqualTo(22);
        assertThat(model.writtenMegabytes()).isEqualTo(57.5);
        assertThat(model.brokerMegabytes()).isEqualTo(3 * (12 + 57.5));
        assertThat(model.stateTerabytes()).isCloseTo(2 * 0.2592, within(1e-9));
        assertThat(model.brokerTerabytes()).isCloseTo(3 * (44.928 + 0.2592), within(1e-6));
        // Disk decides: 135.6 TB on disks of 10 TB that are half full.
        assertThat(model.brokers()).isEqualTo(28 + 1);
    }

    @Test
    void smallRatesNeedTheMinimum() {
        CapacityModel model = new CapacityModel(figures(), 1);

        assertThat(model.threads()).isEqualTo(1);
        assertThat(model.partitions()).isEqualTo(4);
        assertThat(model.instances()).isEqualTo(2);
        assertThat(model.brokers()).isEqualTo(3);
    }

    @Test
    void largeRatesAreSplitIntoDeployments() {
        CapacityModel model = new CapacityModel(figures(), 10_000_000);

        assertThat(model.partitions()).isEqualTo(2_048);
        assertThat(model.deployments()).isEqualTo(3);
        assertThat(model.instances()).isEqualTo(251);
    }

    @Test
    void figuresAreReadBackFromTheirTable() {
        Figures figures = figures();

        assertThat(Figures.parse(figures.table())).isEqualTo(figures);
        assertThatThrownBy(() -> Figures.parse("| figure | value |"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(Figure.THREAD_RATE.title());
    }

    @Test
    void thePageFollowsFromItsFigures() throws IOException {
        String page = Files.readString(DOCS.resolve("capacity.md"));

        assertThat(Page.section(page, "benchmarks/speed capacity"))
                .isEqualTo(CapacityModel.table(Capacity.read(DOCS), List.of(1e3, 1e5, 1e7))
                        .strip());
    }

    @Test
    void newFiguresRewriteThePageAndKeepTheAssumptions() throws IOException {
        Files.copy(DOCS.resolve("capacity.md"), directory.resolve("capacity.md"));

        Capacity.update(directory, Figures.measured(new Measured(20_000, 40, 10), TOPICS, 400, 1_000));

        assertThat(Capacity.read(directory).get(Figure.CPU)).isEqualTo(40);
        assertThat(Capacity.read(directory).get(Figure.DAYS))
                .isEqualTo(Capacity.read(DOCS).get(Figure.DAYS));
        assertThat(Files.readString(directory.resolve("capacity.md")))
                .contains("| stream threads | " + (int) new CapacityModel(Capacity.read(directory), 1e3).threads()
                        + " |");
    }
}
