package dev.parley.operations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.config.ParleyConfig;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PrincipalTest {
    private static final Deployment DEPLOYMENT = Deployment.of(new ParleyConfig(Map.of()));

    @ParameterizedTest
    @EnumSource(Principal.class)
    void aResourceIsNamedOnce(Principal principal) {
        assertThat(principal.needs(DEPLOYMENT)).extracting(Access::subject).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @EnumSource(Principal.class)
    void noPrincipalNeedsPermissionsOnTheCluster(Principal principal) {
        assertThat(principal.needs(DEPLOYMENT)).extracting(Access::type).doesNotContain(ResourceType.CLUSTER);
    }

    @Test
    void onlyThePipelineWritesTheAuditTrail() {
        for (Principal principal : Principal.values()) {
            Set<String> written = mayDo(principal, AclOperation.WRITE);
            assertThat(written.contains("topic parley.audit.v1"))
                    .as("%s", principal)
                    .isEqualTo(principal == Principal.PIPELINE);
        }
    }

    @Test
    void agentsReadNothing() {
        assertThat(mayDo(Principal.PRODUCER, AclOperation.READ)).isEmpty();
    }

    @Test
    void readersWriteNothing() {
        assertThat(mayDo(Principal.CONSUMER, AclOperation.WRITE)).isEmpty();
    }

    @Test
    void onlyResetDeletesOutputs() {
        for (Principal principal : Principal.values()) {
            assertThat(mayDo(principal, AclOperation.DELETE).contains("topic parley.audit.v1"))
                    .as("%s", principal)
                    .isEqualTo(principal == Principal.RESET);
        }
    }

    private static Set<String> mayDo(Principal principal, AclOperation operation) {
        List<Access> needs = principal.needs(DEPLOYMENT);
        return needs.stream()
                .filter(access -> access.operations().contains(operation))
                .map(Access::subject)
                .collect(Collectors.toSet());
    }
}
