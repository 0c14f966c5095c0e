package dev.parley.server.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.cli.environment.SecuredCluster;
import dev.parley.server.Features;
import dev.parley.server.ServerConfig;
import dev.parley.server.deployment.AclRole;
import dev.parley.server.deployment.Deployment;
import dev.parley.server.deployment.RequiredAcl;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.topics.Check;
import dev.parley.topology.topics.Finding;
import dev.parley.topology.topics.TopicInventory;
import dev.parley.topology.topics.TopicSetup;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The preflight check finds each missing permission of Parley, on a broker with an authorizer. */
@Tag("long")
class AccessCheckIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

    @TempDir
    private Path directory;

    /** The topics exist, as after the first run. */
    @Test
    void everyMissingPermissionIsReported() throws Exception {
        ParleyConfig config = ServerConfig.of(Map.of(ParleyConfig.REPLICATION, (short) 1));
        Deployment deployment = Deployment.of(config);
        List<NewTopic> topics = new ArrayList<>();
        TopicSetup setup = new TopicSetup(
                config,
                Features.STANDARD.stream()
                        .flatMap(feature -> feature.topics(config).stream())
                        .toList());
        setup.names().forEach(name -> topics.add(setup.newTopic(name)));
        deployment
                .applications()
                .forEach(streamsApplication -> streamsApplication
                        .internalTopics()
                        .forEach(name -> topics.add(new NewTopic(name, 1, (short) 1))));
        List<String> names = topics.stream().map(NewTopic::name).toList();

        try (SecuredCluster cluster = SecuredCluster.start(directory)) {
            cluster.admin().createTopics(topics).all().get();
            cluster.addUser("parley", "the-users-password");
            try (Admin admin = Admin.create(SecuredCluster.strip(cluster.scram("parley", "the-users-password")))) {
                List<AclRole> roles = new ArrayList<>(List.of(AclRole.PIPELINE, AclRole.VIEWS));
                Features.STANDARD.forEach(feature -> feature.role().ifPresent(roles::add));
                for (AclRole role : roles) {
                    List<RequiredAcl> needs = role.needs(deployment);
                    cluster.allow("parley", needs);
                    await().pollInterval(POLL_INTERVAL)
                            .atMost(TIMEOUT)
                            .until(() -> findings(admin, needs, names).isEmpty());
                    for (RequiredAcl need : needs) {
                        for (AclBinding binding : SecuredCluster.bindings("parley", List.of(need))) {
                            isNamed(cluster, admin, need, binding, needs, names);
                        }
                    }
                    for (AclBinding binding : SecuredCluster.bindings("parley", needs)) {
                        cluster.forbid(binding);
                    }
                }
            }
        }
    }

    private static void isNamed(
            SecuredCluster cluster,
            Admin admin,
            RequiredAcl need,
            AclBinding binding,
            List<RequiredAcl> needs,
            List<String> names)
            throws Exception {
        cluster.forbid(binding);
        Check check =
                binding.entry().operation() == AclOperation.DESCRIBE_CONFIGS ? Check.NOT_CHECKED : Check.ACCESS_DENIED;
        await().pollInterval(POLL_INTERVAL)
                .atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(findings(admin, needs, names))
                        .as("without %s", binding)
                        .singleElement()
                        .satisfies(finding -> {
                            assertThat(finding.check()).isEqualTo(check);
                            assertThat(finding.subject()).isEqualTo(need.subject());
                        }));
        cluster.admin().createAcls(List.of(binding)).all().get();
    }

    private static List<Finding> findings(Admin admin, List<RequiredAcl> needs, List<String> names) {
        List<Finding> findings = new ArrayList<>();
        new AccessCheck(admin, findings).run(needs, TopicInventory.describeWithOperations(admin, names));
        return findings;
    }
}
