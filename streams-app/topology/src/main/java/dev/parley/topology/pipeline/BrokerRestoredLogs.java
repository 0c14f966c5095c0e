package dev.parley.topology.pipeline;

import dev.parley.audit.InputPartition;
import dev.parley.audit.InputPosition;
import dev.parley.log.CheckedRecord;
import dev.parley.log.LogNotes;
import dev.parley.log.RestoredLog;
import dev.parley.log.RestoredLogException;
import dev.parley.log.RestoredLogVerifier;
import dev.parley.serde.AvroSerdes;
import dev.parley.serde.UnreadableRecordException;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.ClampingTimestampExtractor;
import dev.parley.topology.kafka.SourceTopicMetadata;
import dev.parley.topology.kafka.StreamsSettings;
import dev.parley.topology.kafka.TopicReader;
import dev.parley.topology.topics.AdminFutures;
import dev.parley.topology.topics.AdminOffsets;
import dev.parley.topology.topics.ChainPartitioner;
import dev.parley.topology.topics.InputPayload;
import dev.parley.topology.topics.Topic;
import dev.parley.topology.topics.Topics;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.utils.ThreadUtils;

/**
 * Checks restored logs with the topics of heads, audit records and inputs. One thread makes all checks of a process,
 * one after another, so that stream threads never wait for them. A check takes as long as it needs: without a signed
 * head, it reads the whole trail. It reads both topics from their ends backwards, in windows of twice the size each
 * time.
 */
public final class BrokerRestoredLogs implements RestoredLogs, AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    /** Limit of the records whose inputs are compared together. */
    private static final int BATCH = 10_000;

    private final Map<String, Object> clients;
    private final Topics topics;
    private final PipelineSettings settings;
    private final Admin admin;
    private final ExecutorService executor =
            Executors.newSingleThreadExecutor(ThreadUtils.createThreadFactory("restored-logs", true));

    private BrokerRestoredLogs(ParleyConfig config, Topics topics, PipelineSettings settings) {
        this.clients = StreamsSettings.clientSettings(config);
        this.topics = topics;
        this.settings = settings;
        this.admin = StreamsSettings.admin(clients, TIMEOUT);
    }

    /** Creates the checks of a deployment; empty without a key, because nothing is signed. */
    public static Optional<BrokerRestoredLogs> of(ParleyConfig config, AvroSerdes serdes, SourceTopicMetadata sources) {
        PipelineSettings settings = PipelineSettings.of(config).with(sources, RestoredLogs.NONE, PublishedHeads.NONE);
        return settings.heads().notes().areSigned()
                ? Optional.of(new BrokerRestoredLogs(config, new Topics(config.topics(), serdes), settings))
                : Optional.empty();
    }

    @Override
    public Supplier<CompletableFuture<Optional<Refusal>>> prepare(RestoredLog log) {
        Map<TopicPartition, Long> ends;
        try {
            // What earlier instances of the task wrote is before these offsets, and what this one writes after them.
            ends = ends();
        } catch (AuthorizationException e) {
            Refusal refusal = new Refusal(-1, "the check was not possible: " + e.getMessage(), true);
            return () -> CompletableFuture.completedFuture(Optional.of(refusal));
        }
        return () -> {
            CompletableFuture<Optional<Refusal>> result = new CompletableFuture<>();
            executor.execute(() -> {
                if (!result.isDone()) {
                    result.complete(check(log, ends, result));
                }
            });
            return result;
        };
    }

    /** The ends of the audit and head topics, including open transactions. */
    private Map<TopicPartition, Long> ends() {
        List<TopicPartition> partitions = new ArrayList<>();
        List<String> names = List.of(topics.audit().name(), topics.auditHead().name());
        admin.describeTopics(names)
                .topicNameValues()
                .forEach((topic, description) -> AdminFutures.of(description)
                        .partitions()
                        .forEach(info -> partitions.add(new TopicPartition(topic, info.partition()))));
        return AdminOffsets.of(admin, partitions, OffsetSpec.latest());
    }

    private Optional<Refusal> check(
            RestoredLog log, Map<TopicPartition, Long> ends, CompletableFuture<Optional<Refusal>> result) {
        try (TopicReader reader = new TopicReader(clients);
                TopicReader inputReader = new TopicReader(clients)) {
            new Check(log, ends, reader, inputReader, result).run();
            return Optional.empty();
        } catch (RestoredLogException e) {
            return Optional.of(new Refusal(e.index(), e.getMessage(), true));
        } catch (KafkaException e) {
            return Optional.of(new Refusal(-1, "the check was not possible: " + e, false));
        } catch (RuntimeException e) {
            return Optional.of(new Refusal(-1, "the check failed: " + e, true));
        }
    }

    /** Ends checks in progress. */
    @Override
    public void close() {
        executor.shutdownNow();
        admin.close(Duration.ZERO);
    }

    /** Handles a record that was read. */
    @FunctionalInterface
    private interface Step<V> {
        void accept(V value, ConsumerRecord<byte[], byte[]> record) throws RestoredLogException;
    }

    /** One check of one log. */
    private final class Check {
        private final RestoredLog log;
        private final Map<TopicPartition, Long> ends;
        private final TopicReader reader;
        private final TopicReader inputReader;
        private final CompletableFuture<Optional<Refusal>> result;
        private final RestoredLogVerifier verifier;
        private final Map<InputPosition, CheckedRecord> expected = new LinkedHashMap<>();
        private final List<CheckedRecord> unread = new ArrayList<>();
        private final RecordReplay replay = new RecordReplay(settings);
        private int batched;

        Check(
                RestoredLog log,
                Map<TopicPartition, Long> ends,
                TopicReader reader,
                TopicReader inputReader,
                CompletableFuture<Optional<Refusal>> result) {
            this.log = log;
            this.ends = ends;
            this.reader = reader;
            this.inputReader = inputReader;
            this.result = result;
            this.verifier = new RestoredLogVerifier(log, settings.heads().notes());
        }

        void run() throws RestoredLogException {
            readHeads();
            verifier.begin();
            Map<TopicPartition, Long> starts = findRecords();
            reader.read(starts, endsOf(topics.audit()), unlessEnded(valued(topics.audit(), (auditRecord, record) -> {
                if (verifier.isUncovered(auditRecord)) {
                    expect(verifier.record(auditRecord));
                }
            })));
            compareInputs();
            verifier.finish();
        }

        /** Reads the heads of the partition of the head topic, from the last one that counts at the latest. */
        private void readHeads() throws RestoredLogException {
            Map<TopicPartition, Long> to = endsOf(topics.auditHead());
            int partition = ChainPartitioner.partition(LogNotes.key(log.partition()), to.size());
            to.keySet().removeIf(other -> other.partition() != partition);
            Map<TopicPartition, Long> begins = reader.begins(to.keySet());
            boolean found = reader.readBackwards(
                    to,
                    verifier::hasHead,
                    unlessEnded(valued(topics.auditHead(), (head, record) -> verifier.head(head))));
            if (!found && begins.values().stream().anyMatch(begin -> begin > 0)) {
                throw new RestoredLogException(
                        0, "no head of the own keys remains, and heads were deleted from " + begins.keySet());
            }
        }

        /** Finds the offset in each partition from which on the uncovered records are. */
        private Map<TopicPartition, Long> findRecords() throws RestoredLogException {
            Map<TopicPartition, Long> starts = new HashMap<>();
            boolean complete = reader.readBackwards(
                    endsOf(topics.audit()),
                    verifier::isComplete,
                    unlessEnded(valued(topics.audit(), (auditRecord, record) -> {
                        if (verifier.isUncovered(auditRecord)) {
                            verifier.found(auditRecord.getLog().getIndex());
                            starts.merge(
                                    new TopicPartition(record.topic(), record.partition()), record.offset(), Math::min);
                        }
                    })));
            if (!complete) {
                throw verifier.missing();
            }
            return starts;
        }

        private Map<TopicPartition, Long> endsOf(Topic<?, ?> topic) {
            Map<TopicPartition, Long> ofTopic = new HashMap<>(ends);
            ofTopic.keySet().removeIf(partition -> !partition.topic().equals(topic.name()));
            return ofTopic;
        }

        /** Takes readable records. Others are no records of Parley. */
        private <V extends SpecificRecord> TopicReader.Visitor<RestoredLogException> valued(
                Topic<String, V> topic, Step<V> step) {
            return record -> {
                V value;
                try {
                    value = topic.read(record.value());
                } catch (UnreadableRecordException e) {
                    return;
                }
                if (value != null) {
                    step.accept(value, record);
                }
            };
        }

        private TopicReader.Visitor<RestoredLogException> unlessEnded(
                TopicReader.Visitor<RestoredLogException> visitor) {
            return record -> {
                if (result.isDone()) {
                    throw new TimeoutException("the task has ended");
                }
                visitor.visit(record);
            };
        }

        private void expect(CheckedRecord checked) throws RestoredLogException {
            InputPartition input = checked.input().inputPartition();
            if (!settings.inputs().sources().contains(input.topic())) {
                throw RestoredLogVerifier.ofInput(
                        checked,
                        "this is no input topic. If it was one, configure it again until a head has been signed.");
            }
            // Without a head, the log may have records of any version and setting. The states are in memory.
            if (verifier.hasHead() && log.size() - log.head().size() <= 10 * BATCH) {
                replay.judge(checked);
            }
            if (checked.auditRecord().getUnread() != null) {
                unread.add(checked);
            } else {
                expected.put(checked.input(), checked);
            }
            if (++batched == BATCH) {
                compareInputs();
            }
        }

        private TopicPartition partition(CheckedRecord checked) {
            InputPartition input = checked.input().inputPartition();
            return new TopicPartition(input.topic(), input.partition());
        }

        /**
         * Compares an input with its audit record. Here, and in no other place, the check has both.
         *
         * @throws RestoredLogException if the record does not follow from the input
         */
        private void compare(CheckedRecord checked, ConsumerRecord<byte[], byte[]> record) throws RestoredLogException {
            if (!InputPayload.matches(
                    checked.payloadHash(), record, settings.stages().decode().limits())) {
                throw RestoredLogVerifier.ofInput(checked, "the input has another payload");
            }
            if (record.timestampType() == TimestampType.LOG_APPEND_TIME
                    && record.timestamp() != checked.time()
                    && !isReplaced(record.timestamp(), checked.time())) {
                throw RestoredLogVerifier.ofInput(
                        checked, "the broker received the input at " + Instant.ofEpochMilli(record.timestamp()));
            }
            replay.compare(checked, record);
        }

        /** Whether the pipeline may have recorded a time since the last head in place of a future one of a broker. */
        private boolean isReplaced(long ofBroker, long recorded) {
            return ClampingTimestampExtractor.mayReplace(ofBroker, recorded)
                    && verifier.isAfterHead(recorded + TopicReader.MAX_SKEW.toMillis());
        }

        /** Compares the inputs of a batch that have not expired. */
        private void compareInputs() throws RestoredLogException {
            List<TopicPartition> partitions =
                    inputReader.partitions(settings.inputs().sources());
            Map<TopicPartition, Long> begins = inputReader.begins(partitions);
            Map<TopicPartition, Long> inputEnds = inputReader.ends(partitions);
            for (CheckedRecord checked : unread) {
                long deleted = Math.max(1, checked.auditRecord().getUnread());
                if (checked.input().offset() > begins.getOrDefault(partition(checked), 0L) - deleted) {
                    throw RestoredLogVerifier.ofInput(checked, "the offsets reported as deleted exist");
                }
            }
            for (CheckedRecord checked : expected.values()) {
                long end = inputEnds.getOrDefault(partition(checked), 0L);
                if (checked.input().offset() >= end) {
                    throw RestoredLogVerifier.ofInput(checked, "the input partition ends at offset " + end);
                }
            }
            expected.values().removeIf(checked -> checked.input().offset() < begins.get(partition(checked)));
            inputReader.readAt(expected.keySet(), unlessEnded(record -> {
                CheckedRecord checked =
                        expected.remove(new InputPosition(record.topic(), record.partition(), record.offset()));
                compare(checked, record);
            }));
            if (!expected.isEmpty()) {
                throw RestoredLogVerifier.ofInput(
                        expected.values().iterator().next(), "there is no committed input record");
            }
            unread.clear();
            batched = 0;
        }
    }
}
