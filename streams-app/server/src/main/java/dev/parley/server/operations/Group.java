package dev.parley.server.operations;

import dev.parley.topology.topics.AdminFutures;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeConsumerGroupsOptions;
import org.apache.kafka.clients.admin.DescribeShareGroupsOptions;
import org.apache.kafka.clients.admin.DescribeStreamsGroupsOptions;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/**
 * A group of any type: with Kafka's classic, consumer, streams or share protocol.
 *
 * @param members client ID and host of each member
 * @param operations what this principal may do with the group
 */
record Group(List<String> members, Set<AclOperation> operations) {

    /** Describes a group; empty if no type has one of this ID. */
    static Optional<Group> of(Admin admin, String id) {
        List<String> ids = List.of(id);
        return described(() -> {
                    var group = AdminFutures.of(admin.describeConsumerGroups(
                                    ids, new DescribeConsumerGroupsOptions().includeAuthorizedOperations(true))
                            .describedGroups()
                            .get(id));
                    return of(
                            group.members(),
                            each -> each.clientId() + " on " + each.host(),
                            group.authorizedOperations());
                })
                .or(() -> described(() -> {
                    var group = AdminFutures.of(admin.describeStreamsGroups(
                                    ids, new DescribeStreamsGroupsOptions().includeAuthorizedOperations(true))
                            .describedGroups()
                            .get(id));
                    return of(
                            group.members(),
                            each -> each.clientId() + " on " + each.clientHost(),
                            group.authorizedOperations());
                }))
                .or(() -> described(() -> {
                    var group = AdminFutures.of(admin.describeShareGroups(
                                    ids, new DescribeShareGroupsOptions().includeAuthorizedOperations(true))
                            .describedGroups()
                            .get(id));
                    return of(
                            group.members(),
                            each -> each.clientId() + " on " + each.host(),
                            group.authorizedOperations());
                }));
    }

    private static <M> Group of(Collection<M> members, Function<M, String> name, Set<AclOperation> operations) {
        return new Group(members.stream().map(name).sorted().toList(), operations);
    }

    private static Optional<Group> described(Supplier<Group> group) {
        try {
            return Optional.of(group.get());
        } catch (GroupIdNotFoundException | UnsupportedVersionException e) {
            // There is no group of this type, or the brokers do not know the type.
            return Optional.empty();
        }
    }
}
