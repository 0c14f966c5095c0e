package dev.parley.server.operations;

import static org.apache.kafka.common.acl.AclOperation.CREATE;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE_CONFIGS;

import dev.parley.server.deployment.RequiredAcl;
import dev.parley.topology.topics.AdminFutures;
import dev.parley.topology.topics.Check;
import dev.parley.topology.topics.Finding;
import dev.parley.topology.topics.TopicInventory;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdNotFoundException;
import org.apache.kafka.common.resource.PatternType;

/**
 * Checks the ACLs of this principal. It asks the brokers which operations they allow and tries none of them. Brokers
 * without an authorizer allow all. For a transactional ID they report only DESCRIBE, which WRITE implies.
 */
record AccessCheck(Admin admin, List<Finding> findings) {

    /**
     * Runs the check.
     *
     * @param needs the permissions that this principal needs
     * @param topics the topics that it can see, including internal ones
     */
    void run(Collection<RequiredAcl> needs, TopicInventory topics) {
        for (RequiredAcl need : needs) {
            switch (need.type()) {
                case TOPIC -> topics(need, topics);
                case GROUP -> group(need);
                case TRANSACTIONAL_ID -> transactions(need);
                default -> throw new IllegalArgumentException("unsupported resource type: " + need.type());
            }
        }
    }

    private void topics(RequiredAcl need, TopicInventory topics) {
        Set<AclOperation> missing = EnumSet.noneOf(AclOperation.class);
        if (!matching(need, topics.hidden()).isEmpty()) {
            // Either the topic or the permission to describe it is missing: one cause, so one finding.
            missing.addAll(need.operations());
        }
        for (String name : matching(need, topics.existing().keySet())) {
            TopicDescription topic = topics.existing().get(name);
            Set<AclOperation> lacks = EnumSet.copyOf(need.operations());
            lacks.removeAll(topic.authorizedOperations());
            missing.addAll(lacks);
        }
        if (need.pattern() == PatternType.PREFIXED && need.operations().contains(CREATE)) {
            List<NewTopic> topicsToCreate = matching(need, topics.missing()).stream()
                    .map(name -> new NewTopic(name, 1, (short) 1))
                    .toList();
            // Another refusal is not about permissions.
            if (TopicCheck.refusals(admin, topicsToCreate).values().stream()
                    .anyMatch(AuthorizationException.class::isInstance)) {
                missing.add(CREATE);
            }
        }
        if (missing.remove(DESCRIBE_CONFIGS) && missing.isEmpty()) {
            findings.add(Check.NOT_CHECKED.finding(
                    need.subject(),
                    "This principal may not read its settings: DESCRIBE_CONFIGS is missing.",
                    "Check cleanup.policy, max.message.bytes, and message.timestamp.type yourself, or add the "
                            + "ACL that parley acls prints."));
        } else if (!missing.isEmpty()) {
            findings.add(denied(need.subject(), names(missing), need.why()));
        }
    }

    private void group(RequiredAcl need) {
        Set<AclOperation> missing = EnumSet.copyOf(need.operations());
        try {
            Optional<Group> group = Group.of(admin, need.name());
            if (group.isEmpty()) {
                // Does not exist yet, and this principal may know it.
                return;
            }
            missing.removeAll(group.get().operations());
        } catch (AuthorizationException e) {
            // All operations are denied.
        }
        if (!missing.isEmpty()) {
            findings.add(denied(need.subject(), names(missing), need.why()));
        }
    }

    private void transactions(RequiredAcl need) {
        String probe = need.name() + "preflight";
        try {
            AdminFutures.of(admin.describeTransactions(List.of(probe)).description(probe));
        } catch (TransactionalIdNotFoundException e) {
            // Does not exist, and this principal may know it.
        } catch (AuthorizationException e) {
            findings.add(denied(need.subject(), names(need.operations()), need.why()));
        }
    }

    /** The finding that an operation is not allowed. */
    static Finding denied(String subject, String operations, String why) {
        return Check.ACCESS_DENIED.finding(
                subject,
                "This principal may not " + operations + " (" + why + ").",
                "Add the ACL that parley acls prints.");
    }

    private static String names(Set<AclOperation> operations) {
        return operations.stream()
                .map(operation -> operation.name().toLowerCase(Locale.ROOT).replace('_', ' '))
                .collect(Collectors.joining(", "));
    }

    private static Set<String> matching(RequiredAcl need, Collection<String> names) {
        return names.stream()
                .filter(name -> need.pattern() == PatternType.PREFIXED
                        ? name.startsWith(need.name())
                        : name.equals(need.name()))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
