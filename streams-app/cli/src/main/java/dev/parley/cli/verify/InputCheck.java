package dev.parley.cli.verify;

import dev.parley.audit.InputPartition;
import dev.parley.audit.InputPosition;
import dev.parley.avro.Inbound;
import dev.parley.avro.ParkedPatch;
import dev.parley.avro.Source;
import dev.parley.avro.Stage;
import dev.parley.checkpoint.CheckpointKey;
import dev.parley.cli.export.RecordValues;
import dev.parley.encoding.Sha256;
import dev.parley.log.AuditFault;
import dev.parley.log.CheckedRecord;
import dev.parley.log.FaultCode;
import dev.parley.log.InputOffsets;
import dev.parley.log.RecordLocation;
import dev.parley.log.verify.VerificationSummary;
import dev.parley.protocol.TopicNames;
import dev.parley.serde.AvroSerdes;
import dev.parley.topology.kafka.TopicReader;
import dev.parley.topology.pipeline.PipelineStores;
import dev.parley.topology.topics.DeadLetterHeaders;
import dev.parley.topology.topics.InputPayload;
import dev.parley.topology.topics.Topics;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.Deserializer;

/**
 * Compares the inputs with the audit records. Every input is in a chain, unless it is in flight, parked, an internal
 * dead letter, or as old as expired audit records. Every audit record has an input with its payload and time, unless
 * that input has expired before those of its neighbors. Reads each input once, and the audit records again only after
 * a difference.
 */
final class InputCheck {
    /** Blocks of offsets in which differences are looked up; their audit records are in memory. */
    private static final int MAX_BLOCKS = 64;

    /** Faults of one kind that are reported one by one. */
    private static final int MAX_REPORTED = 1_000;

    /** For partitions without any; never changed. */
    private static final InputOffsets NO_OFFSETS = new InputOffsets();

    private final TopicReader reader;
    private final TopicNames names;
    private final AuditedPipeline pipeline;
    private final Deserializer<Inbound> inbounds;
    private final Deserializer<ParkedPatch> parkedPatches;
    private final Consumer<AuditFault> faults;
    private final InputContents contents = new InputContents();
    private final Map<InputPartition, Long> auditedEnds = new HashMap<>();

    /** Index of the first audit record of each route whose input exists. */
    private final Map<Route, Long> firstPresent = new HashMap<>();

    /** Index of the last audit record of each route whose input has expired, except patches. */
    private final Map<Route, Long> lastAbsent = new HashMap<>();

    private final Map<InputPartition, Long> lastExpired = new HashMap<>();
    private final Map<InputPartition, Long> firstTimes = new HashMap<>();
    private final Map<InputPartition, InputOffsets> inFlight = new HashMap<>();
    private final Map<InputPartition, InputOffsets> parked = new HashMap<>();
    private final Map<InputPartition, InputOffsets> internal = new HashMap<>();
    private final Map<FaultCode, Long> reported = new HashMap<>();
    private Map<TopicPartition, Long> committed = Map.of();
    private Map<TopicPartition, Long> firstBegins = Map.of();
    private Map<TopicPartition, Long> begins = Map.of();
    private Map<TopicPartition, Long> ends = Map.of();
    private long flying;
    private long waiting;
    private long failed;
    private long expired;
    private long compared;
    private long gone;

    /** From a partition of inputs to a log. Its inputs have the order of the log. */
    private record Route(InputPartition input, int log) {
        static Route of(CheckedRecord checked) {
            return new Route(checked.input().inputPartition(), checked.log().getPartition());
        }
    }

    /** An audit record whose input is compared. */
    private record Expected(String chain, long sequence, byte[] payloadHash, long time, RecordLocation location) {
        AuditFault fault(FaultCode code, String detail) {
            return new AuditFault(code, location, chain, sequence, detail);
        }
    }

    InputCheck(
            TopicReader reader,
            TopicNames names,
            AvroSerdes serdes,
            AuditedPipeline pipeline,
            Consumer<AuditFault> faults) {
        this.reader = reader;
        this.names = names;
        this.pipeline = pipeline;
        this.inbounds = serdes.values(Inbound.class).deserializer();
        this.parkedPatches = serdes.values(ParkedPatch.class).deserializer();
        this.faults = faults;
    }

    /** Reads which inputs the pipeline has committed, and which still exist; before the audit records are read. */
    void begin() {
        committed = reader.committed(pipeline.applicationId());
        firstBegins = reader.begins(reader.partitions(pipeline.sources()));
    }

    /** Adds an audit record, the first one of its input. */
    void add(CheckedRecord checked) {
        Long unread = unread(checked);
        InputPosition input = checked.input();
        if (unread != null) {
            auditedEnds.merge(input.inputPartition(), endOf(checked), Math::max);
            return;
        }
        long index = checked.log().getIndex();
        if (!hasExpired(input)) {
            firstPresent.merge(Route.of(checked), index, Math::min);
            if (checked.payloadHash() != null) {
                contents.add(input, checked.payloadHash(), checked.time(), true);
            }
            return;
        }
        lastExpired.merge(input.inputPartition(), checked.time(), Math::max);
        if (!CheckpointKey.isChain(checked.chain())) {
            // A patch may have waited for its base.
            lastAbsent.merge(Route.of(checked), index, Math::max);
        }
    }

    /** Whether an input had expired at the begin. */
    boolean hasExpired(InputPosition input) {
        return input.offset() < firstBegins.getOrDefault(partition(input.inputPartition()), 0L);
    }

    /** Why an expired input is doubtful: inputs that are older, or were recorded before it, exist; empty otherwise. */
    private String doubt(CheckedRecord checked) {
        InputPosition input = checked.input();
        if (unread(checked) != null || !hasExpired(input)) {
            return "";
        }
        long present = firstPresent.getOrDefault(Route.of(checked), Long.MAX_VALUE);
        if (!CheckpointKey.isChain(checked.chain()) && checked.log().getIndex() > present) {
            return "the input has expired, but index " + present + " of the same log has a later input, which exists";
        }
        return checked.time() > latestExpiry(input.inputPartition())
                ? "the input has expired, but the partition still has older ones"
                : "";
    }

    /** Maximum time of an expired input: that of the first one that exists, and the difference of clocks. */
    private long latestExpiry(InputPartition input) {
        Long first = firstTimes.get(input);
        return first == null ? Long.MAX_VALUE : first + TopicReader.MAX_SKEW.toMillis();
    }

    private boolean hasDoubts() {
        return lastAbsent.entrySet().stream()
                        .anyMatch(last -> last.getValue() > firstPresent.getOrDefault(last.getKey(), Long.MAX_VALUE))
                || lastExpired.entrySet().stream().anyMatch(last -> last.getValue() > latestExpiry(last.getKey()));
    }

    private static Long unread(CheckedRecord checked) {
        return checked.auditRecord().getUnread();
    }

    /** The offset after the inputs of an audit record; the maximum if there is none. */
    private static long endOf(CheckedRecord checked) {
        Long unread = unread(checked);
        long inputs = unread == null ? 1 : Math.max(1, unread);
        return Math.min(checked.input().offset(), Long.MAX_VALUE - inputs) + inputs;
    }

    private static TopicPartition partition(InputPartition input) {
        return new TopicPartition(input.topic(), input.partition());
    }

    /**
     * Compares the inputs.
     *
     * @param recorded the offsets that audit records have, by input partition
     * @param expiredRecords number of expired audit records: as many inputs may be in no chain
     * @param expiredBefore time of the oldest audit record after the expired ones
     * @param audit reads the audit records again
     */
    VerificationSummary.Unrecorded run(
            Map<InputPartition, InputOffsets> recorded,
            long deleted,
            long expiredRecords,
            long expiredBefore,
            Consumer<BiConsumer<CheckedRecord, RecordLocation>> audit) {
        recorded.forEach((input, offsets) -> auditedEnds.merge(input, offsets.end(), Math::max));
        Set<String> topics = new TreeSet<>(pipeline.sources());
        auditedEnds.keySet().forEach(partition -> topics.add(partition.topic()));
        List<TopicPartition> inputs = reader.partitions(topics);
        readInFlight();
        readParked();
        readInternal();
        begins = reader.begins(inputs);
        ends = reader.ends(inputs);
        Map<TopicPartition, Long> to = new HashMap<>();
        for (TopicPartition input : inputs) {
            long end = ends.get(input);
            boolean isSource = pipeline.sources().contains(input.topic());
            long done = isSource ? committed.getOrDefault(input, 0L) : 0;
            flying += isSource ? Math.max(0, end - Math.max(done, begins.get(input))) : 0;
            to.put(input, Math.min(end, Math.max(done, offsets(recorded, input).end())));
        }
        reader.read(begins, to, record -> {
            TopicPartition input = new TopicPartition(record.topic(), record.partition());
            if (isBrokerTime(record)) {
                firstTimes.putIfAbsent(new InputPartition(record.topic(), record.partition()), record.timestamp());
            }
            if (offsets(recorded, input).has(record.offset())) {
                compared++;
                contents.add(
                        new InputPosition(record.topic(), record.partition(), record.offset()),
                        Sha256.of(InputPayload.of(record, pipeline.limits())),
                        -record.timestamp(),
                        isBrokerTime(record));
            } else if (record.offset() < committed.getOrDefault(input, 0L)
                    && pipeline.sources().contains(record.topic())) {
                explain(input, record, expiredRecords, expiredBefore);
            }
        });
        recorded.forEach((input, offsets) -> gone += offsets.countBefore(begins.getOrDefault(partition(input), 0L)));
        compareDifferences(audit);
        return new VerificationSummary.Unrecorded(flying, waiting, failed, expired, 0, deleted);
    }

    /** How many audit records were compared; after {@link #run}. */
    VerificationSummary.Compared compared() {
        return new VerificationSummary.Compared(compared, gone);
    }

    private static boolean isBrokerTime(ConsumerRecord<byte[], byte[]> record) {
        return record.timestampType() == TimestampType.LOG_APPEND_TIME;
    }

    private void explain(
            TopicPartition input, ConsumerRecord<byte[], byte[]> record, long expiredRecords, long expiredBefore) {
        long offset = record.offset();
        if (offsets(parked, input).has(offset)) {
            waiting++;
        } else if (offsets(inFlight, input).has(offset)) {
            flying++;
        } else if (offsets(internal, input).has(offset)) {
            failed++;
        } else if (record.timestamp() <= expiredBefore && expired < expiredRecords) {
            expired++;
        } else {
            faults.accept(FaultCode.INPUT_MISSING.at(
                    RecordLocation.of(input.toString(), offset), FaultCode.INPUT_MISSING.meaning()));
        }
    }

    /** Looks up which audit records have no input, or one with another payload. */
    private void compareDifferences(Consumer<BiConsumer<CheckedRecord, RecordLocation>> audit) {
        List<InputContents.Block> different = contents.different().stream()
                .filter(block -> !isBeyond(block.input(), block.first() + 1))
                .toList();
        boolean unknown = auditedEnds.entrySet().stream().anyMatch(entry -> isBeyond(entry.getKey(), entry.getValue()));
        if (different.isEmpty() && !unknown && !hasDoubts()) {
            return;
        }
        Set<InputContents.Block> blocks =
                new LinkedHashSet<>(different.subList(0, Math.min(MAX_BLOCKS, different.size())));
        int more = different.size() - blocks.size();
        Map<InputPosition, Expected> expected = new LinkedHashMap<>();
        audit.accept((checked, location) -> expect(checked, location, blocks, expected));
        blocks.forEach(block -> compare(block, expected));
        // The log start may have moved while the inputs were read.
        Map<TopicPartition, Long> nowBegins = reader.begins(begins.keySet());
        expected.forEach((input, record) -> {
            if (input.offset() >= nowBegins.getOrDefault(partition(input.inputPartition()), 0L)) {
                report(record.fault(FaultCode.INPUT_UNKNOWN, input + " has no committed record"));
            }
        });
        if (more > 0) {
            faults.accept(FaultCode.INPUT_CHANGED.fault("inputs in " + more + " more blocks of " + InputContents.BLOCK
                    + " offsets differ from the audit records"));
        }
        reported.forEach((code, count) -> {
            if (count > MAX_REPORTED) {
                faults.accept(code.fault((count - MAX_REPORTED) + " more: " + code.meaning()));
            }
        });
    }

    private boolean isBeyond(InputPartition input, long end) {
        return end > ends.getOrDefault(partition(input), 0L);
    }

    private void expect(
            CheckedRecord checked,
            RecordLocation location,
            Set<InputContents.Block> blocks,
            Map<InputPosition, Expected> expected) {
        InputPosition input = checked.input();
        Long unread = unread(checked);
        Expected record =
                new Expected(checked.chain(), checked.sequence(), checked.payloadHash(), checked.time(), location);
        String doubt = doubt(checked);
        if (!doubt.isEmpty()) {
            report(record.fault(FaultCode.INPUT_UNKNOWN, input + ": " + doubt));
        }
        Long end = ends.get(partition(input.inputPartition()));
        if (end == null) {
            report(record.fault(FaultCode.INPUT_UNKNOWN, input + ": there is no partition " + input.inputPartition()));
        } else if (endOf(checked) > end) {
            report(record.fault(FaultCode.INPUT_UNKNOWN, input + ": the partition ends at offset " + end));
        } else if (unread == null
                && record.payloadHash() != null
                && input.offset() >= begins.get(partition(input.inputPartition()))
                && blocks.contains(InputContents.Block.of(input))) {
            expected.putIfAbsent(input, record);
        }
    }

    private void compare(InputContents.Block block, Map<InputPosition, Expected> expected) {
        TopicPartition input = partition(block.input());
        long from = Math.max(begins.get(input), block.first());
        long to = Math.min(ends.get(input), block.first() + InputContents.BLOCK);
        if (from >= to) {
            return;
        }
        reader.read(Map.of(input, from), Map.of(input, to), record -> {
            InputPosition position = new InputPosition(record.topic(), record.partition(), record.offset());
            Expected audited = expected.remove(position);
            if (audited != null && !InputPayload.matches(audited.payloadHash(), record, pipeline.limits())) {
                report(audited.fault(FaultCode.INPUT_CHANGED, position + ": " + FaultCode.INPUT_CHANGED.meaning()));
            } else if (audited != null && isBrokerTime(record) && audited.time != record.timestamp()) {
                report(audited.fault(
                        FaultCode.INPUT_CHANGED,
                        position + ": the broker received the input at " + Instant.ofEpochMilli(record.timestamp())
                                + ", not at " + Instant.ofEpochMilli(audited.time)));
            }
        });
    }

    private void report(AuditFault fault) {
        if (reported.merge(fault.code(), 1L, Long::sum) <= MAX_REPORTED) {
            faults.accept(fault);
        }
    }

    /** Reads decoded but unrecorded messages: the repartition topic after its committed offset. */
    private void readInFlight() {
        List<TopicPartition> partitions =
                reader.partitions(List.of(pipeline.applicationId() + "-" + Topics.BY_CONVERSATION + "-repartition"));
        Map<TopicPartition, Long> from = reader.begins(partitions);
        from.replaceAll((partition, begin) -> Math.max(begin, committed.getOrDefault(partition, 0L)));
        reader.read(from, reader.ends(partitions), record -> {
            if (isOwn(record)) {
                RecordValues.read(inbounds, record, faults)
                        .ifPresent(inbound -> add(inFlight, InputPosition.of(inbound.getSource())));
            }
        });
    }

    /** Reads the parked patches from the changelog of their store. */
    private void readParked() {
        Map<String, Source> waits = new HashMap<>();
        reader.readAll(pipeline.applicationId() + "-" + PipelineStores.PARKED + "-changelog", record -> {
            String key = record.partition() + ":" + TopicReader.key(record);
            if (!isOwn(record)) {
                return;
            }
            if (record.value() == null) {
                waits.remove(key);
            } else {
                RecordValues.read(parkedPatches, record, faults)
                        .ifPresent(parked -> waits.put(key, parked.getInbound().getSource()));
            }
        });
        waits.values().forEach(source -> add(parked, InputPosition.of(source)));
    }

    /** Whether an instance of the deployment wrote a record, as far as codes say: other records explain nothing. */
    private boolean isOwn(ConsumerRecord<byte[], byte[]> record) {
        return pipeline.codes().isEmpty() || pipeline.codes().get().isValid(record);
    }

    private void readInternal() {
        reader.readAll(names.deadLetters(Stage.INTERNAL), record -> {
            DeadLetterHeaders.inputPosition(record.headers()).ifPresent(position -> add(internal, position));
        });
    }

    private static InputOffsets offsets(Map<InputPartition, InputOffsets> all, TopicPartition partition) {
        return all.getOrDefault(new InputPartition(partition.topic(), partition.partition()), NO_OFFSETS);
    }

    private static void add(Map<InputPartition, InputOffsets> to, InputPosition position) {
        if (InputOffsets.isPossible(position.offset())) {
            to.computeIfAbsent(position.inputPartition(), key -> new InputOffsets())
                    .add(position.offset());
        }
    }
}
