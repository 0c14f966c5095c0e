package dev.parley.server.health;

import dev.parley.codec.Excerpt;
import dev.parley.server.health.SourceProgress.Transaction;
import dev.parley.topology.topics.AdminFutures;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeProducersResult;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;

/**
 * Finds the open transactions that hold back partitions: one request to each leader for their producers, and one to
 * each broker for the transactional IDs of these producers.
 */
record OpenTransactions(Admin admin) {
    /** Maximum number of partitions in one call. */
    static final int MAX_PARTITIONS = 10;

    /** Agents choose transactional IDs; longer ones are cut off. */
    private static final int MAX_ID_CHARACTERS = 200;

    /**
     * Returns the first open transaction of each partition; without its ID if this principal may not describe it.
     *
     * @throws org.apache.kafka.common.KafkaException if the brokers do not respond in time
     */
    Map<TopicPartition, Transaction> first(Set<TopicPartition> partitions) {
        DescribeProducersResult described = admin.describeProducers(partitions);
        Map<TopicPartition, Long> producers = new HashMap<>();
        partitions.forEach(
                partition -> producer(described, partition).ifPresent(producer -> producers.put(partition, producer)));
        if (producers.isEmpty()) {
            return Map.of();
        }
        Map<Long, String> ids = new HashMap<>();
        AdminFutures.of(admin.listTransactions(
                                new ListTransactionsOptions().filterProducerIds(Set.copyOf(producers.values())))
                        .all())
                .forEach(listed ->
                        ids.put(listed.producerId(), Excerpt.of(listed.transactionalId(), MAX_ID_CHARACTERS)));
        Map<TopicPartition, Transaction> found = new HashMap<>();
        producers.forEach((partition, producer) -> found.put(partition, new Transaction(producer, ids.get(producer))));
        return found;
    }

    /** The producer of the first open transaction; empty if it has ended meanwhile, or is not permitted to see. */
    private static Optional<Long> producer(DescribeProducersResult described, TopicPartition partition) {
        try {
            return AdminFutures.of(described.partitionResult(partition)).activeProducers().stream()
                    .filter(producer -> producer.currentTransactionStartOffset().isPresent())
                    .min(Comparator.comparing(
                            producer -> producer.currentTransactionStartOffset().getAsLong()))
                    .map(ProducerState::producerId);
        } catch (AuthorizationException e) {
            return Optional.empty();
        }
    }
}
