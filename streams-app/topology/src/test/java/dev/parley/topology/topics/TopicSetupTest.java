package dev.parley.topology.topics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.topology.config.ParleyConfig;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.junit.jupiter.api.Test;

class TopicSetupTest {
    @Test
    void inputTopicsWithDifferentPartitionCountsAreNamed() {
        TopicSetup setup = TopicSetup.of(new ParleyConfig(Map.of(ParleyConfig.KEYED, "true")));
        Map<String, TopicDescription> existing =
                Map.of("parley.wire", topic("parley.wire", 4), "parley.wire.slip", topic("parley.wire.slip", 6));

        assertThat(setup.validate(existing, Map.of())).singleElement().satisfies(finding -> {
            assertThat(finding.check()).isEqualTo(Check.INPUTS_DIFFER);
            assertThat(finding.problem()).endsWith(": parley.wire has 4, parley.wire.slip has 6.");
        });
    }

    private static TopicDescription topic(String name, int partitions) {
        return new TopicDescription(
                name,
                false,
                IntStream.range(0, partitions)
                        .mapToObj(number -> new TopicPartitionInfo(number, Node.noNode(), List.of(), List.of()))
                        .toList());
    }
}
