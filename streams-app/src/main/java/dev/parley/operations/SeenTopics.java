package dev.parley.operations;

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
 * What a principal sees of topics.
 *
 * @param existing those that it may see, with what it may do
 * @param missing those that it may see are not there
 * @param hidden those of which it may not know whether they are there
 */
record SeenTopics(Map<String, TopicDescription> existing, Set<String> missing, Set<String> hidden) {

    static SeenTopics look(Admin admin, Collection<String> names) {
        SeenTopics seen = new SeenTopics(new TreeMap<>(), new TreeSet<>(), new TreeSet<>());
        admin.describeTopics(names, new DescribeTopicsOptions().includeAuthorizedOperations(true))
                .topicNameValues()
                .forEach((name, answer) -> {
                    try {
                        seen.existing.put(name, Answers.of(answer));
                    } catch (UnknownTopicOrPartitionException e) {
                        seen.missing.add(name);
                    } catch (TopicAuthorizationException e) {
                        seen.hidden.add(name);
                    }
                });
        return seen;
    }

    boolean isMissing(String name) {
        return missing.contains(name);
    }
}
