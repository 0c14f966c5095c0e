package dev.parley.server.operations;

import dev.parley.topology.topics.AdminFutures;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Deletes and recreates topics. */
final class TopicRecreator {
    private static final int TRIES = 100;
    private static final long PAUSE_MS = 100;

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
        for (int tries = 1; ; tries++) {
            try {
                AdminFutures.of(admin.createTopics(List.of(topic)).all());
                return;
            } catch (TopicExistsException e) {
                if (tries == TRIES) {
                    throw e;
                }
            }
            try {
                TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new KafkaException(
                        "Interrupted while recreating " + topic.name() + ". The topic is deleted: " + topic, e);
            }
        }
    }
}
