package dev.parley.topology.topics;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Topics as a principal sees them.
 *
 * @param existing topics that it may describe
 * @param missing topics that it may describe but that do not exist
 * @param hidden topics that it may not describe
 */
public record TopicInventory(Map<String, TopicDescription> existing, Set<String> missing, Set<String> hidden) {

    /** Describes topics. */
    public static TopicInventory describe(Admin admin, Collection<String> names) {
        return describe(admin, names, new DescribeTopicsOptions());
    }

    /** Describes topics, with the operations that the principal may perform on the existing ones. */
    public static TopicInventory describeWithOperations(Admin admin, Collection<String> names) {
        return describe(admin, names, new DescribeTopicsOptions().includeAuthorizedOperations(true));
    }

    private static TopicInventory describe(Admin admin, Collection<String> names, DescribeTopicsOptions options) {
        TopicInventory seen = new TopicInventory(new TreeMap<>(), new TreeSet<>(), new TreeSet<>());
        admin.describeTopics(names, options).topicNameValues().forEach((name, answer) -> {
            try {
                seen.existing.put(name, AdminFutures.of(answer));
            } catch (UnknownTopicOrPartitionException e) {
                seen.missing.add(name);
            } catch (TopicAuthorizationException e) {
                seen.hidden.add(name);
            }
        });
        return seen;
    }

    public boolean isMissing(String name) {
        return missing.contains(name);
    }
}
