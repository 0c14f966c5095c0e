package dev.parley.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.parley.server.deployment.AclRole;
import dev.parley.server.deployment.Deployment;
import dev.parley.server.feature.Feature;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.topics.Check;
import dev.parley.topology.topics.Finding;
import dev.parley.topology.topics.TopicSpec;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Test;

/** Tests the registration of features: what each brings, and when an instance has it. */
class FeaturesTest {

    private static List<String> topics(Map<String, ?> values) {
        return Feature.topics(Features.STANDARD, ServerConfig.of(values)).names();
    }

    @Test
    void anInstanceCreatesTheTopicsOfItsFeatures() {
        assertThat(topics(Map.of()))
                .contains("parley.redrive.v1")
                .doesNotContain("parley.access.v1", "parley.ingest-key.v1");
        assertThat(topics(Map.of("http.access-log", "true", "http.ingest", "true")))
                .contains("parley.redrive.v1", "parley.access.v1", "parley.ingest-key.v1");
    }

    @Test
    void anInstanceWithoutViewsHasNoFeatures() {
        ParleyConfig config = ServerConfig.of(Map.of("roles", "pipeline", "http.ingest", "true"));
        assertThat(Feature.enabled(Features.STANDARD, config)).isEmpty();
        assertThat(topics(Map.of("roles", "pipeline"))).doesNotContain("parley.redrive.v1");
    }

    @Test
    void aFeatureWithItsOwnTopicMayWriteIt() {
        ParleyConfig config = ServerConfig.of(Map.of("http.access-log", "true", "http.ingest", "true"));
        Deployment deployment = Deployment.of(config);
        for (Feature feature : Features.STANDARD) {
            for (TopicSpec topic : feature.topics(config)) {
                assertThat(feature.role().orElseThrow().needs(deployment))
                        .as(feature.name())
                        .anyMatch(acl -> acl.type() == ResourceType.TOPIC
                                && acl.name().equals(topic.name())
                                && acl.operations().contains(AclOperation.WRITE));
            }
        }
    }

    @Test
    void everyFeatureIsRegistered() {
        assertThat(new ClassFileImporter()
                                .withImportOption(new ImportOption.DoNotIncludeTests())
                                .importPackages("dev.parley.server")
                                .stream()
                                .filter(type -> type.isAssignableTo(Feature.class) && !type.isInterface())
                                .map(JavaClass::getName))
                .containsExactlyInAnyOrderElementsOf(Features.STANDARD.stream()
                        .map(feature -> feature.getClass().getName())
                        .toList());
    }

    @Test
    void rolesHaveDifferentNames() {
        assertThat(Features.roles()).extracting(AclRole::name).doesNotHaveDuplicates();
    }

    @Test
    void onlyMandatoryPermissionsAreReportedOneByOne() {
        List<Finding> denied = List.of(
                Check.ACCESS_DENIED.finding("topic a", "It is denied.", "Allow it."),
                Check.ACCESS_DENIED.finding("topic b", "It is denied.", "Allow it."));
        for (Feature feature : Features.STANDARD) {
            List<Finding> reported = feature.report(denied);
            switch (feature.role().map(AclRole::name).orElse("")) {
                case "redrive" ->
                    assertThat(reported).singleElement().satisfies(finding -> {
                        assertThat(finding.check()).isEqualTo(Check.REDRIVE_DENIED);
                        assertThat(finding.problem()).contains("topic a, topic b");
                    });
                case "redact" -> assertThat(reported).isEmpty();
                default -> assertThat(reported).isEqualTo(denied);
            }
            assertThat(feature.report(List.of())).isEmpty();
        }
    }
}
