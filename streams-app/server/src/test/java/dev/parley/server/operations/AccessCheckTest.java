package dev.parley.server.operations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.server.deployment.RequiredAcl;
import dev.parley.topology.topics.Check;
import dev.parley.topology.topics.Finding;
import dev.parley.topology.topics.TopicInventory;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeConsumerGroupsResult;
import org.apache.kafka.clients.admin.DescribeStreamsGroupsResult;
import org.apache.kafka.clients.admin.StreamsGroupDescription;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.junit.jupiter.api.Test;

class AccessCheckTest {
    private static final String GROUP = "parley";

    @Test
    void theOperationsOfAGroupOfTheStreamsProtocolAreChecked() {
        assertThat(findings(Set.of(AclOperation.READ, AclOperation.DESCRIBE))).isEmpty();
        assertThat(findings(Set.of(AclOperation.DESCRIBE))).singleElement().satisfies(finding -> {
            assertThat(finding.check()).isEqualTo(Check.ACCESS_DENIED);
            assertThat(finding.subject()).isEqualTo("group parley");
            assertThat(finding.problem()).isEqualTo("This principal may not read (to commit).");
        });
    }

    private static List<Finding> findings(Set<AclOperation> allowed) {
        List<Finding> findings = new ArrayList<>();
        new AccessCheck(streamsGroup(allowed), findings)
                .run(
                        List.of(RequiredAcl.group(GROUP, "to commit", AclOperation.READ)),
                        new TopicInventory(Map.of(), Set.of(), Set.of()));
        return findings;
    }

    /** Brokers with one group, of the streams protocol, with which the caller may do the operations. */
    private static Admin streamsGroup(Set<AclOperation> allowed) {
        StreamsGroupDescription group = new StreamsGroupDescription(
                GROUP, 1, 1, 1, List.of(), List.of(), GroupState.STABLE, Node.noNode(), allowed);
        return (Admin) Proxy.newProxyInstance(
                AccessCheckTest.class.getClassLoader(),
                new Class<?>[] {Admin.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "describeConsumerGroups" ->
                        new DescribeConsumerGroupsResult(Map.of(GROUP, failed(new GroupIdNotFoundException(GROUP))));
                    case "describeStreamsGroups" ->
                        new DescribeStreamsGroupsResult(Map.of(GROUP, KafkaFuture.completedFuture(group)));
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    private static <T> KafkaFuture<T> failed(Exception cause) {
        KafkaFutureImpl<T> future = new KafkaFutureImpl<>();
        future.completeExceptionally(cause);
        return future;
    }
}
