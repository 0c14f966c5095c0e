package dev.parley.server.operations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.server.ServerConfig;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.topics.Topics;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DeploymentTest {
    private static final Deployment DEFAULT = Deployment.of(ServerConfig.of(Map.of()));

    @Test
    void thePipelineReadsTheWireAndKeepsAChangelogOfEachStore() {
        assertThat(DEFAULT.pipeline().reads()).containsExactlyInAnyOrderElementsOf(Topics.PIPELINE_SOURCES);
        assertThat(DEFAULT.pipeline().writes())
                .contains(
                        Topics.AUDIT,
                        Topics.AUDIT_HEAD,
                        Topics.AUDIT_MANIFEST,
                        Topics.MESSAGE,
                        Topics.CHECKPOINT,
                        Topics.ACCOUNTING,
                        Topics.INTERNAL_DEAD_LETTERS)
                .doesNotContain(Topics.TRAFFIC);
        assertThat(DEFAULT.pipeline().internalTopics())
                .containsExactly(
                        "parley-audit-journal-changelog",
                        "parley-by-conversation-repartition",
                        "parley-checkpoint-index-changelog",
                        "parley-checkpoints-changelog",
                        "parley-conversations-changelog",
                        "parley-inputs-changelog",
                        "parley-older-tasks-changelog",
                        "parley-outcomes-changelog",
                        "parley-parked-changelog",
                        "parley-unpublished-heads-changelog");
        assertThat(DEFAULT.pipeline().isTransactional()).isTrue();
    }

    @Test
    void theViewsHaveTheChangelogsOfTheirPartitionsInKafka() {
        assertThat(DEFAULT.views().reads())
                .hasSize(14)
                .contains(Topics.AUDIT, Topics.INTERNAL_DEAD_LETTERS, Topics.REDACTION);
        assertThat(DEFAULT.views().writes()).isEmpty();
        assertThat(DEFAULT.views().internalTopics())
                .containsExactly(
                        "parley-views-view-audit-changelog",
                        "parley-views-view-checkpoints-changelog",
                        "parley-views-view-dead-letters-changelog",
                        "parley-views-view-statistics-changelog");
        assertThat(DEFAULT.views().isTransactional()).isFalse();
    }

    @Test
    void keyedInputNeedsNoRepartitionTopic() {
        Deployment keyed = Deployment.of(ServerConfig.of(Map.of(ParleyConfig.KEYED, true)));
        assertThat(keyed.pipeline().internalTopics()).hasSize(9).noneMatch(topic -> topic.endsWith("-repartition"));
    }

    @Test
    void allNamesStartWithTheApplicationId() {
        Deployment other = Deployment.of(ServerConfig.of(Map.of(ParleyConfig.APPLICATION_ID, "other")));
        assertThat(other.applications())
                .extracting(Deployment.StreamsApplication::applicationId)
                .containsExactly("other", "other-traffic", "other-views");
        assertThat(other.traffic().internalTopics())
                .containsExactly(
                        "other-traffic-traffic-kind-repartition",
                        "other-traffic-traffic-open-items-changelog",
                        "other-traffic-traffic-partials-changelog",
                        "other-traffic-traffic-windows-changelog");
        assertThat(other.traffic().writes())
                .containsExactly(
                        Topics.DEFINITION_CHANGE,
                        Topics.EDGE,
                        Topics.OPEN_ITEM,
                        Topics.PATCH,
                        Topics.TRAFFIC,
                        Topics.TURNAROUND,
                        Topics.VIOLATION);
    }

    @Test
    void anInstanceRunsTheApplicationsOfItsRoles() {
        ParleyConfig views = ServerConfig.of(Map.of(ParleyConfig.ROLES, "views"));
        assertThat(DEFAULT.applicationsOf(views)).containsExactly(DEFAULT.traffic(), DEFAULT.views());
    }
}
