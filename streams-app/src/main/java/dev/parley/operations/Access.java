package dev.parley.operations;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;

/**
 * What a principal must be allowed to do with one resource, or with all whose names begin alike.
 *
 * @param type topic, group or transactional id
 * @param pattern whether the name is whole or a prefix
 * @param name the name or prefix
 * @param operations what it must be allowed; to read or write implies to describe
 * @param why what Parley does with it
 */
public record Access(ResourceType type, PatternType pattern, String name, Set<AclOperation> operations, String why) {

    /** Copies the operations, in Kafka's order. */
    public Access {
        operations = Collections.unmodifiableSet(EnumSet.copyOf(operations));
    }

    static Access topic(String name, String why, AclOperation... operations) {
        return new Access(ResourceType.TOPIC, PatternType.LITERAL, name, Set.of(operations), why);
    }

    static Access topicsOf(String prefix, String why, AclOperation... operations) {
        return new Access(ResourceType.TOPIC, PatternType.PREFIXED, prefix, Set.of(operations), why);
    }

    static Access group(String name, String why, AclOperation... operations) {
        return new Access(ResourceType.GROUP, PatternType.LITERAL, name, Set.of(operations), why);
    }

    static Access groupsOf(String prefix, String why) {
        return new Access(ResourceType.GROUP, PatternType.PREFIXED, prefix, Set.of(AclOperation.READ), why);
    }

    static Access transactionsOf(String prefix, String why) {
        return new Access(ResourceType.TRANSACTIONAL_ID, PatternType.PREFIXED, prefix, Set.of(AclOperation.WRITE), why);
    }

    /** The resource as a sentence names it. */
    public String subject() {
        String kind = type.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        return pattern == PatternType.PREFIXED ? kind + "s " + name + "*" : kind + " " + name;
    }
}
