package dev.parley.cli.verify;

import static dev.parley.cli.verify.TopicVerification.offsets;

import dev.parley.audit.AuditFault;
import dev.parley.audit.FaultCode;
import dev.parley.audit.InputOffsets;
import dev.parley.audit.InputPartition;
import dev.parley.audit.InputPosition;
import dev.parley.audit.RecordLocation;
import dev.parley.avro.Inbound;
import dev.parley.avro.ParkedPatch;
import dev.parley.avro.Source;
import dev.parley.avro.Stage;
import dev.parley.protocol.TopicNames;
import dev.parley.serde.AvroSerdes;
import dev.parley.serde.UnreadableRecordException;
import dev.parley.topology.kafka.TopicReader;
import dev.parley.topology.pipeline.PipelineStores;
import dev.parley.topology.topics.DeadLetterHeaders;
import dev.parley.topology.topics.Topics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Deserializer;

/**
 * Checks that every input record is in a chain. An offset that no chain contains is a fault if the input partition has
 * a committed record there, unless that record is in flight, parked, an internal dead letter, or as old as expired
 * audit records. Offsets without a record, such as transaction markers, are ignored.
 */
final class InputCompletenessCheck {
    /** Minimum length of a recorded range to seek over instead of reading it. */
    private static final long MIN_SEEK_OFFSETS = 10_000;

    private final TopicReader reader;
    private final TopicNames names;
    private final List<String> sources;
    private final Deserializer<Inbound> inbounds;
    private final Deserializer<ParkedPatch> parkedPatches;
    private final String applicationId;
    private final Map<TopicPartition, Long> committed;
    private final Consumer<AuditFault> faults;
    private final Map<InputPartition, InputOffsets> inFlight = new HashMap<>();
    private final Map<InputPartition, InputOffsets> parked = new HashMap<>();
    private final Map<InputPartition, InputOffsets> internal = new HashMap<>();
    private long flying;
    private long waiting;
    private long failed;
    private long expired;

    InputCompletenessCheck(
            TopicReader reader,
            TopicNames names,
            AvroSerdes serdes,
            List<String> sources,
            String applicationId,
            Map<TopicPartition, Long> committed,
            Consumer<AuditFault> faults) {
        this.reader = reader;
        this.names = names;
        this.sources = List.copyOf(sources);
        this.inbounds = serdes.values(Inbound.class).deserializer();
        this.parkedPatches = serdes.values(ParkedPatch.class).deserializer();
        this.applicationId = applicationId;
        this.committed = committed;
        this.faults = faults;
    }

    VerificationSummary.Unrecorded run(Map<InputPartition, InputOffsets> recorded, long deleted, long expiredBefore) {
        List<TopicPartition> inputs = reader.partitions(sources);
        readInFlight();
        readParked();
        readInternal();
        Map<TopicPartition, Long> begins = reader.begins(inputs);
        Map<TopicPartition, Long> ends = reader.ends(inputs);
        for (TopicPartition input : inputs) {
            long end = committed.getOrDefault(input, 0L);
            flying += Math.max(0, ends.get(input) - Math.max(end, begins.get(input)));
            readGaps(input, begins.get(input), end, offsets(recorded, input), expiredBefore);
        }
        return new VerificationSummary.Unrecorded(flying, waiting, failed, expired, 0, deleted);
    }

    /** Reads the ranges of an input partition that the chains do not contain. */
    private void readGaps(TopicPartition input, long begin, long end, InputOffsets recorded, long expiredBefore) {
        long hole = recorded.nextAbsent(begin);
        while (hole < end) {
            long stop = Math.min(end, recorded.nextPresent(hole));
            long next = recorded.nextAbsent(stop);
            while (next < end && next - stop < MIN_SEEK_OFFSETS) {
                stop = Math.min(end, recorded.nextPresent(next));
                next = recorded.nextAbsent(stop);
            }
            reader.read(Map.of(input, hole), Map.of(input, stop), record -> {
                if (!recorded.has(record.offset())) {
                    explain(input, record, expiredBefore);
                }
            });
            hole = next;
        }
    }

    private void explain(TopicPartition input, ConsumerRecord<byte[], byte[]> record, long expiredBefore) {
        long offset = record.offset();
        if (offsets(parked, input).has(offset)) {
            waiting++;
        } else if (offsets(inFlight, input).has(offset)) {
            flying++;
        } else if (offsets(internal, input).has(offset)) {
            failed++;
        } else if (record.timestamp() <= expiredBefore) {
            expired++;
        } else {
            faults.accept(AuditFault.withoutChain(
                    FaultCode.INPUT_MISSING,
                    RecordLocation.of(input.toString(), offset),
                    FaultCode.INPUT_MISSING.meaning()));
        }
    }

    /** Reads decoded but unrecorded messages: the repartition topic after its committed offset. */
    private void readInFlight() {
        List<TopicPartition> partitions =
                reader.partitions(List.of(applicationId + "-" + Topics.BY_CONVERSATION + "-repartition"));
        Map<TopicPartition, Long> from = reader.begins(partitions);
        from.replaceAll((partition, begin) -> Math.max(begin, committed.getOrDefault(partition, 0L)));
        reader.read(from, reader.ends(partitions), record -> {
            if (record.value() != null) {
                read(inbounds, record).ifPresent(inbound -> add(inFlight, InputPosition.of(inbound.getSource())));
            }
        });
    }

    /** Reads the parked patches from the changelog of their store. */
    private void readParked() {
        Map<String, Source> waits = new HashMap<>();
        reader.readAll(applicationId + "-" + PipelineStores.PARKED + "-changelog", record -> {
            String key = record.partition() + ":" + TopicReader.key(record);
            if (record.value() == null) {
                waits.remove(key);
            } else {
                read(parkedPatches, record)
                        .ifPresent(parked -> waits.put(key, parked.getInbound().getSource()));
            }
        });
        waits.values().forEach(source -> add(parked, InputPosition.of(source)));
    }

    private <T> Optional<T> read(Deserializer<T> values, ConsumerRecord<byte[], byte[]> record) {
        try {
            return Optional.of(values.deserialize(record.topic(), record.value()));
        } catch (UnreadableRecordException e) {
            faults.accept(AuditFault.withoutChain(
                    FaultCode.UNREADABLE,
                    RecordLocation.of(record.topic() + "-" + record.partition(), record.offset()),
                    FaultCode.UNREADABLE.meaning() + ": " + e.getMessage()));
            return Optional.empty();
        }
    }

    private void readInternal() {
        reader.readAll(names.deadLetters(Stage.INTERNAL), record -> {
            DeadLetterHeaders.inputPosition(record.headers()).ifPresent(position -> add(internal, position));
        });
    }

    private static void add(Map<InputPartition, InputOffsets> to, InputPosition position) {
        to.computeIfAbsent(position.inputPartition(), key -> new InputOffsets()).add(position.offset());
    }
}
