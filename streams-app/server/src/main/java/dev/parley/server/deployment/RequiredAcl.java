package dev.parley.server.deployment;

import static org.apache.kafka.common.acl.AclOperation.CREATE;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE_CONFIGS;
import static org.apache.kafka.common.acl.AclOperation.READ;
import static org.apache.kafka.common.acl.AclOperation.WRITE;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;

/**
 * Permissions that a principal needs on one resource, or on all resources with one name prefix.
 *
 * @param type topic, group or transactional ID
 * @param pattern whether the name is literal or a prefix
 * @param name the name or prefix
 * @param operations the operations to allow; READ and WRITE imply DESCRIBE
 * @param why the use that Parley makes of it, as a clause
 */
public record RequiredAcl(
        ResourceType type, PatternType pattern, String name, Set<AclOperation> operations, String why) {

    /** Copies the operations, in Kafka's order. */
    public RequiredAcl {
        operations = Collections.unmodifiableSet(EnumSet.copyOf(operations));
    }

    public static RequiredAcl topic(String name, String why, AclOperation... operations) {
        return new RequiredAcl(ResourceType.TOPIC, PatternType.LITERAL, name, Set.of(operations), why);
    }

    /** A topic that its user creates, reads and writes. */
    public static RequiredAcl ownTopic(String name, String why) {
        return topic(name, why, READ, WRITE, CREATE, DESCRIBE_CONFIGS);
    }

    public static RequiredAcl topicsOf(String prefix, String why, AclOperation... operations) {
        return new RequiredAcl(ResourceType.TOPIC, PatternType.PREFIXED, prefix, Set.of(operations), why);
    }

    public static RequiredAcl group(String name, String why, AclOperation... operations) {
        return new RequiredAcl(ResourceType.GROUP, PatternType.LITERAL, name, Set.of(operations), why);
    }

    public static RequiredAcl groupsOf(String prefix, String why) {
        return new RequiredAcl(ResourceType.GROUP, PatternType.PREFIXED, prefix, Set.of(AclOperation.READ), why);
    }

    public static RequiredAcl transactionsOf(String prefix, String why) {
        return new RequiredAcl(
                ResourceType.TRANSACTIONAL_ID, PatternType.PREFIXED, prefix, Set.of(AclOperation.WRITE), why);
    }

    /** The resource as error messages name it. */
    public String subject() {
        String kind = type.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        return pattern == PatternType.PREFIXED ? kind + "s " + name + "*" : kind + " " + name;
    }
}
