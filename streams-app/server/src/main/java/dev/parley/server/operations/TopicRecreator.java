package dev.parley.server.operations;

import dev.parley.topology.topics.AdminFutures;
import java.util.List;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Deletes and recreates topics. */
final class TopicRecreator {
    private TopicRecreator() {}

    static void delete(Admin admin, String name) {
        try {
            AdminFutures.of(admin.deleteTopics(List.of(name)).all());
        } catch (UnknownTopicOrPartitionException e) {
            // Already deleted.
        }
    }

    /** Deletes a topic and creates it again; retries creation while the brokers still complete the deletion. */
    static void recreate(Admin admin, NewTopic topic) {
        delete(admin, topic.name());
        AdminFutures.retried(
                () -> admin.createTopics(List.of(topic)).all(),
                TopicExistsException.class,
                "Interrupted while recreating " + topic.name() + ". The topic is deleted: " + topic);
    }
}
