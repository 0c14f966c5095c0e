package dev.parley.server.operations;

import dev.parley.topology.topics.AdminFutures;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeConsumerGroupsOptions;
import org.apache.kafka.clients.admin.DescribeShareGroupsOptions;
import org.apache.kafka.clients.admin.DescribeStreamsGroupsOptions;
import org.apache.kafka.common.KafkaFuture;
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
        return described(
                        admin.describeConsumerGroups(
                                        ids, new DescribeConsumerGroupsOptions().includeAuthorizedOperations(true))
                                .describedGroups(),
                        group -> of(
                                group.members().stream().map(each -> each.clientId() + " on " + each.host()),
                                group.authorizedOperations()))
                .or(() -> described(
                        admin.describeStreamsGroups(
                                        ids, new DescribeStreamsGroupsOptions().includeAuthorizedOperations(true))
                                .describedGroups(),
                        group -> of(
                                group.members().stream().map(each -> each.clientId() + " on " + each.clientHost()),
                                group.authorizedOperations())))
                .or(() -> described(
                        admin.describeShareGroups(
                                        ids, new DescribeShareGroupsOptions().includeAuthorizedOperations(true))
                                .describedGroups(),
                        group -> of(
                                group.members().stream().map(each -> each.clientId() + " on " + each.host()),
                                group.authorizedOperations())));
    }

    /** Why the topics of the group must not be changed now; empty without members. */
    Optional<String> refusal(String id) {
        return members.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "Group " + id + " has " + members.size() + (members.size() == 1 ? " member (" : " members (")
                                + String.join(", ", members)
                                + "). Stop every instance first. A killed instance leaves after its session timeout.");
    }

    private static Group of(Stream<String> members, Set<AclOperation> operations) {
        return new Group(members.sorted().toList(), operations);
    }

    private static <G> Optional<Group> described(Map<String, KafkaFuture<G>> groups, Function<G, Group> form) {
        try {
            return groups.values().stream().findFirst().map(AdminFutures::of).map(form);
        } catch (GroupIdNotFoundException | UnsupportedVersionException e) {
            // There is no group of this type, or the brokers do not know the type.
            return Optional.empty();
        }
    }
}
