package dev.parley.server.operations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.audit.KeyFiles;
import dev.parley.serde.AvroSerdes;
import dev.parley.server.Features;
import dev.parley.server.ServerConfig;
import dev.parley.tlog.NoteSigner;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.topics.Topic;
import dev.parley.topology.topics.Topics;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.junit.jupiter.api.Test;

/** Tests the subjects that the registry must have. */
class RegistryCheckTest {

    private static Map<String, Schema> subjects(Map<String, String> values) {
        ParleyConfig config = ServerConfig.of(values);
        return RegistryCheck.subjects(
                Deployment.of(config),
                DeploymentFeature.topics(Features.STANDARD, config).names());
    }

    private static Map<String, String> withWitness() {
        String key = NoteSigner.cosigner("witness.example/w1", KeyFiles.newPair())
                .verifierKey()
                .toString();
        return Map.of("audit.witnesses", key + " https://witness.example");
    }

    @Test
    void everyTopicWithAvroValuesHasASubjectWithItsSchema() throws Exception {
        Map<String, Schema> subjects = subjects(withWitness());
        List<String> found = new ArrayList<>();
        try (AvroSerdes serdes = AvroSerdes.fromConfig(Map.of(ParleyConfig.REGISTRY_URL, "mock://subjects"))) {
            Topics topics = new Topics(ServerConfig.of(Map.of()).topics(), serdes);
            for (RecordComponent component : Topics.class.getRecordComponents()) {
                if (component.getType() == Topic.class) {
                    Topic<?, ?> topic = (Topic<?, ?>) component.getAccessor().invoke(topics);
                    Type value = argument(component.getGenericType(), 1);
                    // Written encoded, it has the schema of its record.
                    Type record = value instanceof ParameterizedType ? argument(value, 0) : value;
                    assertThat(subjects)
                            .containsEntry(
                                    topic.name() + "-value", SpecificData.get().getSchema(record));
                    found.add(topic.name());
                }
            }
        }
        assertThat(found).contains("parley.audit-head.v1", "parley.redaction.v1", "parley.redrive.v1");
    }

    private static Type argument(Type generic, int index) {
        return ((ParameterizedType) generic).getActualTypeArguments()[index];
    }

    @Test
    void theTopicOfAFeatureNeedsASubjectIfTheFeatureIsEnabled() {
        assertThat(subjects(withWitness())).containsKey("parley.audit-cosignature.v1-value");
        assertThat(subjects(Map.of())).doesNotContainKey("parley.audit-cosignature.v1-value");
    }

    @Test
    void anInternalTopicThatThePipelineLacksNeedsNoSubject() {
        String repartition = "parley-by-conversation-repartition-value";
        assertThat(subjects(Map.of())).containsKeys(repartition, "parley-conversations-changelog-value");
        assertThat(subjects(Map.of(ParleyConfig.KEYED, "true"))).doesNotContainKey(repartition);
    }
}
