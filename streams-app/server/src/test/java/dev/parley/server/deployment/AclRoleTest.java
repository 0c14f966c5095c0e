package dev.parley.server.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.server.Features;
import dev.parley.server.ServerConfig;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AclRoleTest {
    private static final Deployment DEPLOYMENT = Deployment.of(ServerConfig.of(Map.of()));

    @ParameterizedTest
    @MethodSource("dev.parley.server.Features#roles")
    void aResourceIsNamedOnce(AclRole aclRole) {
        assertThat(aclRole.needs(DEPLOYMENT)).extracting(RequiredAcl::subject).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("dev.parley.server.Features#roles")
    void noPrincipalNeedsPermissionsOnTheCluster(AclRole aclRole) {
        assertThat(aclRole.needs(DEPLOYMENT)).extracting(RequiredAcl::type).doesNotContain(ResourceType.CLUSTER);
    }

    @Test
    void onlyThePipelineWritesTheAuditTrail() {
        for (AclRole aclRole : Features.roles()) {
            Set<String> written = mayDo(aclRole, AclOperation.WRITE);
            assertThat(written.contains("topic parley.audit.v1"))
                    .as("%s", aclRole)
                    .isEqualTo(aclRole == AclRole.PIPELINE);
        }
    }

    @Test
    void instancesMayReadAndWriteTheTopicsOfTheirApplications() {
        assertMay(AclRole.PIPELINE, DEPLOYMENT.pipeline());
        assertMay(AclRole.VIEWS, DEPLOYMENT.traffic());
        assertMay(AclRole.VIEWS, DEPLOYMENT.views());
    }

    private static void assertMay(AclRole aclRole, Deployment.StreamsApplication application) {
        application
                .reads()
                .forEach(topic -> assertThat(mayDo(aclRole, AclOperation.READ)).contains("topic " + topic));
        application
                .writes()
                .forEach(topic -> assertThat(mayDo(aclRole, AclOperation.WRITE)).contains("topic " + topic));
    }

    @Test
    void agentsReadNothing() {
        assertThat(mayDo(AclRole.PRODUCER, AclOperation.READ)).isEmpty();
    }

    @Test
    void readersWriteNothing() {
        assertThat(mayDo(AclRole.CONSUMER, AclOperation.WRITE)).isEmpty();
    }

    @Test
    void onlyResetDeletesOutputs() {
        for (AclRole aclRole : Features.roles()) {
            assertThat(mayDo(aclRole, AclOperation.DELETE).contains("topic parley.audit.v1"))
                    .as("%s", aclRole)
                    .isEqualTo(aclRole == AclRole.RESET);
        }
    }

    @Test
    void noPrincipalOfADeploymentMayUseWhatAnotherOneHas() {
        List<Deployment> deployments = Stream.of("parley.", "parley.a.", "parley_a.", "parley.a.b.", "parle.")
                .map(prefix -> Deployment.of(ServerConfig.of(Map.of("topics.prefix", prefix))))
                .toList();
        for (Deployment one : deployments) {
            for (Deployment other : deployments) {
                for (AclRole aclRole : Features.roles()) {
                    assertThat(aclRole.needs(one))
                            .as("%s of %s", aclRole, one.topics())
                            .allSatisfy(acl -> assertThat(Features.roles())
                                    .flatExtracting(role -> role.needs(other))
                                    .filteredOn(resource -> resource.type() == acl.type())
                                    .allMatch(resource -> one == other || !covers(acl, resource.name())));
                }
            }
        }
    }

    private static boolean covers(RequiredAcl acl, String name) {
        return acl.pattern() == PatternType.PREFIXED ? name.startsWith(acl.name()) : name.equals(acl.name());
    }

    private static Set<String> mayDo(AclRole aclRole, AclOperation operation) {
        List<RequiredAcl> needs = aclRole.needs(DEPLOYMENT);
        return needs.stream()
                .filter(requiredAcl -> requiredAcl.operations().contains(operation))
                .map(RequiredAcl::subject)
                .collect(Collectors.toSet());
    }
}
