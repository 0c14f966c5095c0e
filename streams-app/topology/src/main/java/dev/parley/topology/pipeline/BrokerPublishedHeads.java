package dev.parley.topology.pipeline;

import dev.parley.avro.AuditHead;
import dev.parley.log.LogNotes;
import dev.parley.log.SignedHeads;
import dev.parley.log.tlog.TreeHead;
import dev.parley.serde.AvroSerdes;
import dev.parley.serde.UnreadableRecordException;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.ExceptionSummary;
import dev.parley.topology.kafka.StreamsSettings;
import dev.parley.topology.kafka.TopicReader;
import dev.parley.topology.topics.ChainPartitioner;
import dev.parley.topology.topics.InputTopics;
import dev.parley.topology.topics.Topic;
import dev.parley.topology.topics.Topics;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.ThreadUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the head topic on one thread, which connects at the first request. The first request finds the last statement
 * of the deployment, backwards from the end of its partition, and the heads since then; a later one reads what was
 * added.
 *
 * <p>A log is complete up to a time if the pipeline has committed all input that the topics had then, and all that it
 * had forwarded to the tasks of the logs, and if the log has a new head since. Parked patches have no record yet.
 */
public final class BrokerPublishedHeads implements PublishedHeads, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerPublishedHeads.class);

    private final Map<String, Object> clients;
    private final Topic<String, AuditHead> topic;
    private final SignedHeads heads;
    private final Map<TopicPartition, Long> positions = new HashMap<>();
    private final String applicationId;
    private final List<String> inputs;
    private final Map<TopicPartition, Long> reached = new HashMap<>();
    private Map<TopicPartition, Long> awaited = Map.of();
    private boolean forwarded;
    private long awaitedTime;
    private long recordedTime;
    private Map<TopicPartition, Long> recordedEnds = Map.of();
    private final ExecutorService executor =
            Executors.newSingleThreadExecutor(ThreadUtils.createThreadFactory("published-heads", true));
    private volatile boolean closing;
    private TopicReader reader;

    /** Creates a reader that is not connected. */
    public BrokerPublishedHeads(ParleyConfig config, AvroSerdes serdes) {
        clients = StreamsSettings.clientSettings(config);
        topic = new Topics(config.topics(), serdes).auditHead();
        heads = new SignedHeads(LogHeadSettings.of(config).notes());
        applicationId = config.getString(ParleyConfig.APPLICATION_ID);
        inputs = List.copyOf(InputTopics.of(config).sources());
    }

    @Override
    public CompletableFuture<Optional<SortedMap<Integer, TreeHead>>> read() {
        return CompletableFuture.supplyAsync(this::readNow, executor);
    }

    private Optional<SortedMap<Integer, TreeHead>> readNow() {
        try {
            if (reader == null) {
                reader = new TopicReader(clients);
            }
            List<TopicPartition> partitions = reader.require(List.of(topic.name()));
            // Without open transactions, whose end it would wait for.
            Map<TopicPartition, Long> ends = reader.stableEnds(partitions);
            Map<TopicPartition, Long> from =
                    positions.isEmpty() ? sinceStatement(partitions, ends) : reader.begins(partitions);
            positions.forEach((partition, position) -> from.merge(partition, position, Math::max));
            reader.read(from, ends, this::add);
            positions.putAll(ends);
            advance(partitions);
            return Optional.of(heads.heads());
        } catch (RuntimeException e) {
            if (!closing) {
                LOG.warn(
                        "{} cannot be read now, so no statement of the partitions is published; it is read again: {}",
                        topic.name(),
                        ExceptionSummary.of(e));
            }
            disconnect();
            return Optional.empty();
        }
    }

    /** Follows the input through the pipeline, until all input up to a later time is recorded. */
    private void advance(List<TopicPartition> ofHeads) {
        Map<TopicPartition, Long> committed = reader.committed(applicationId);
        if (!isReached(committed)) {
            return;
        }
        if (!forwarded) {
            awaited = reader.ends(reader.partitions(List.of(Topics.repartition(applicationId))));
            forwarded = true;
        }
        if (isReached(committed)) {
            recordedTime = awaitedTime;
            // Open transactions may contain heads that are older than the last records.
            recordedEnds = reader.ends(ofHeads);
            awaitedTime = System.currentTimeMillis();
            awaited = reader.ends(reader.partitions(inputs));
            forwarded = false;
        }
    }

    /** Whether the group has read what it awaits. It may not commit the offsets of markers after the last record. */
    private boolean isReached(Map<TopicPartition, Long> committed) {
        committed.forEach((partition, offset) -> reached.merge(partition, offset, Math::max));
        if (!reader.isEmpty(reached, awaited).orElse(false)) {
            return false;
        }
        reached.putAll(awaited);
        return true;
    }

    /** The offsets of the heads that the last statement may not list; the first ones without a statement. */
    private Map<TopicPartition, Long> sinceStatement(List<TopicPartition> partitions, Map<TopicPartition, Long> ends) {
        TopicPartition statements = new TopicPartition(
                topic.name(), ChainPartitioner.partition(LogNotes.statementKey(), partitions.size()));
        Instant[] last = new Instant[1];
        return reader.readBackwards(
                        Map.of(statements, ends.get(statements)),
                        () -> last[0] != null,
                        record -> add(record).ifPresent(statement -> last[0] = statement.getTime()))
                ? reader.at(partitions, last[0].minus(TopicReader.MAX_SKEW).toEpochMilli())
                : reader.begins(partitions);
    }

    /** Adds a note; returns it if it is a statement of the deployment. */
    private Optional<AuditHead> add(ConsumerRecord<byte[], byte[]> record) {
        if (closing) {
            throw new IllegalStateException("closed");
        }
        if (record.value() == null) {
            return Optional.empty();
        }
        try {
            long recorded =
                    recordedEnds.getOrDefault(new TopicPartition(record.topic(), record.partition()), Long.MAX_VALUE);
            long completeTo = record.offset() < recorded ? 0 : recordedTime;
            return Optional.of(topic.read(record.value())).filter(head -> heads.add(head, completeTo));
        } catch (UnreadableRecordException e) {
            // Not a note of Parley; parley verify reports it.
            return Optional.empty();
        }
    }

    private void disconnect() {
        if (reader != null) {
            reader.close();
            reader = null;
        }
    }

    /** Ends a read in progress. */
    @Override
    public void close() {
        closing = true;
        executor.execute(this::disconnect);
        executor.shutdown();
    }
}
