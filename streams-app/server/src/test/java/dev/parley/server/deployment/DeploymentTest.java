package dev.parley.server.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.Stage;
import dev.parley.protocol.TopicNames;
import dev.parley.server.ServerConfig;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.topics.InputTopics;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DeploymentTest {
    private static final Deployment DEFAULT = Deployment.of(ServerConfig.of(Map.of()));

    @Test
    void thePipelineReadsTheWireAndKeepsAChangelogOfEachStore() {
        assertThat(DEFAULT.pipeline().reads())
                .containsExactlyInAnyOrderElementsOf(
                        InputTopics.of(new ParleyConfig(Map.of())).sources());
        assertThat(DEFAULT.pipeline().writes())
                .contains(
                        TopicNames.DEFAULT.audit(),
                        TopicNames.DEFAULT.auditHead(),
                        TopicNames.DEFAULT.auditTile(),
                        TopicNames.DEFAULT.message(),
                        TopicNames.DEFAULT.checkpoint(),
                        TopicNames.DEFAULT.accounting(),
                        TopicNames.DEFAULT.deadLetters(Stage.INTERNAL))
                .doesNotContain(TopicNames.DEFAULT.traffic());
        assertThat(DEFAULT.pipeline().internalTopics())
                .containsExactly(
                        "parley-audit-log-changelog",
                        "parley-by-conversation-repartition",
                        "parley-checkpoint-index-changelog",
                        "parley-checkpoints-changelog",
                        "parley-conversation-items-changelog",
                        "parley-conversations-changelog",
                        "parley-inputs-changelog",
                        "parley-outcomes-changelog",
                        "parley-parked-changelog");
        assertThat(DEFAULT.pipeline().isTransactional()).isTrue();
    }

    @Test
    void theViewsHaveTheChangelogsOfTheirPartitionsInKafka() {
        assertThat(DEFAULT.views().reads())
                .hasSize(17)
                .contains(
                        TopicNames.DEFAULT.audit(),
                        TopicNames.DEFAULT.redrive(),
                        TopicNames.DEFAULT.deadLetters(Stage.INTERNAL),
                        TopicNames.DEFAULT.redaction());
        assertThat(DEFAULT.views().writes()).isEmpty();
        assertThat(DEFAULT.views().internalTopics())
                .containsExactly(
                        "parley-views-view-audit-changelog",
                        "parley-views-view-checkpoints-changelog",
                        "parley-views-view-dead-letters-changelog",
                        "parley-views-view-log-changelog",
                        "parley-views-view-statistics-changelog");
        assertThat(DEFAULT.views().isTransactional()).isFalse();
    }

    @Test
    void keyedInputNeedsNoRepartitionTopic() {
        Deployment keyed = Deployment.of(ServerConfig.of(Map.of(ParleyConfig.KEYED, true)));
        assertThat(keyed.pipeline().internalTopics()).hasSize(8).noneMatch(topic -> topic.endsWith("-repartition"));
    }

    @Test
    void allNamesStartWithTheApplicationId() {
        Deployment other = Deployment.of(ServerConfig.of(Map.of(ParleyConfig.APPLICATION_ID, "other")));
        assertThat(other.applications())
                .extracting(Deployment.StreamsApplication::applicationId)
                .containsExactly("other", "other-traffic", "other-views");
        assertThat(other.traffic().internalTopics())
                .containsExactly(
                        "other-traffic-traffic-counts-changelog", "other-traffic-traffic-open-items-changelog");
        assertThat(other.traffic().writes())
                .containsExactly(
                        TopicNames.DEFAULT.definitionChange(),
                        TopicNames.DEFAULT.edge(),
                        TopicNames.DEFAULT.openItem(),
                        TopicNames.DEFAULT.patch(),
                        TopicNames.DEFAULT.traffic(),
                        TopicNames.DEFAULT.turnaround(),
                        TopicNames.DEFAULT.violation());
    }

    @Test
    void anInstanceRunsTheApplicationsOfItsRoles() {
        ParleyConfig views = ServerConfig.of(Map.of(ParleyConfig.ROLES, "views"));
        assertThat(DEFAULT.applicationsOf(views)).containsExactly(DEFAULT.traffic(), DEFAULT.views());
    }
}
