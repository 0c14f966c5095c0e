package dev.parley.server.redrive;

import dev.parley.audit.InputPosition;
import dev.parley.avro.Redrive;
import dev.parley.avro.RedriveKind;
import dev.parley.encoding.Sha256;
import dev.parley.server.fencing.OwnedPartition;
import dev.parley.server.http.ProblemException;
import dev.parley.server.http.ProblemException.Code;
import dev.parley.server.redrive.RedriveOrder.Candidate;
import dev.parley.server.redrive.RedriveResult.Outcome;
import dev.parley.topology.kafka.TopicReader;
import dev.parley.topology.topics.ClosureKey;
import dev.parley.topology.topics.DeadLetterHeaders;
import dev.parley.topology.topics.Topic;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.Headers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Returns dead letters to their input partitions, each at most once, whichever instance does it.
 *
 * <p>A message and the record of its redrive are written in one transaction, by the owner of the redrive topic: see
 * {@link OwnedPartition}. After any failure, such as a commit without an answer, it takes the topic again and so learns
 * what entered.
 *
 * <p>Handles one call at a time.
 */
public final class KafkaRedriver implements Redriver {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaRedriver.class);
    private static final long BUFFER_BYTES = 2 * MAX_BYTES;
    /** The partition with all redrives. */
    private static final int PARTITION = 0;

    private static final String NOTHING_SENT = " Nothing was sent.";

    private final Settings settings;
    private final Topic<String, Redrive> topic;
    private final Clock clock;
    private final RedriveRules rules;
    /** Knows the redrives as of the last write or refresh of their partition. */
    private final RedriveIndex index = new RedriveIndex();
    /** The redrive topic, which one instance writes at a time. */
    private final OwnedPartition owned;

    private TopicReader reader;

    /**
     * Settings of redrives.
     *
     * @param clients settings of all Kafka clients
     * @param deadLetters the dead-letter topics
     * @param inputs the input topics, to which dead letters may be returned
     * @param keyed whether the input is keyed by conversation, so that the key alone decides the partition
     * @param transactionalId transactional ID of the redrives of the deployment
     * @param recordBytes maximum size of a record, in bytes
     * @param maxAttempts maximum number of times that a message may reach the pipeline
     * @param timeout approximate maximum time of one call
     */
    public record Settings(
            Map<String, Object> clients,
            List<String> deadLetters,
            List<String> inputs,
            boolean keyed,
            String transactionalId,
            int recordBytes,
            int maxAttempts,
            Duration timeout) {}

    /** Creates the clients on first use. */
    public KafkaRedriver(Settings settings, Topic<String, Redrive> topic, Clock clock) {
        this.settings = settings;
        this.topic = topic;
        this.clock = clock;
        this.rules = new RedriveRules(settings.inputs(), settings.maxAttempts());
        this.owned = new OwnedPartition(
                new TopicPartition(topic.name(), PARTITION),
                settings.clients(),
                new OwnedPartition.Transactions(
                        settings.transactionalId(),
                        settings.timeout(),
                        settings.recordBytes(),
                        Math.max(BUFFER_BYTES, 2L * settings.recordBytes())),
                OptionalLong::empty,
                this::add);
    }

    /** Indexes a record. The key alone forbids another redrive, even if the value is unreadable. */
    private void add(ConsumerRecord<byte[], byte[]> record) {
        String key = TopicReader.key(record);
        Optional<ClosureKey> change = ClosureKey.parse(key);
        if (change.isPresent()) {
            boolean readable = topic.readOrSkip(record).isPresent();
            index.add(new RedriveIndex.Change(change.get(), record.offset(), readable));
            return;
        }
        Optional<InputPosition> source = InputPosition.parse(key);
        if (source.isEmpty()) {
            LOG.warn("Ignored the record at {}@{}: its key is not an input position", topic.name(), record.offset());
            return;
        }
        Optional<Redrive> redrive = topic.readOrSkip(record);
        index.add(new RedriveIndex.Entry(
                source.get(),
                redrive.flatMap(read -> InputPosition.parse(read.getSent())).orElse(null),
                redrive.map(Redrive::getAttempt).orElse(0),
                record.offset(),
                redrive.map(Redrive::getOperation).orElse("")));
    }

    @Override
    public Map<InputPosition, Candidate> find(
            Collection<InputPosition> deadLetters, Predicate<DeadLetterRecord> visible) {
        return reading(NOTHING_SENT, () -> {
            Map<InputPosition, Candidate> found = new HashMap<>();
            letters(deadLetters, letter -> {
                if (visible.test(letter)) {
                    found.put(letter.id(), Candidate.of(letter));
                }
            });
            return found;
        });
    }

    @Override
    public Read read(List<InputPosition> deadLetters) {
        return reading(NOTHING_SENT, () -> readFitting(deadLetters));
    }

    /** Reads as many dead letters as fit, by halves: their sizes are known only when they have been read. */
    private Read readFitting(List<InputPosition> deadLetters) {
        boolean single = deadLetters.size() == 1;
        AtomicLong bytes = new AtomicLong();
        Map<InputPosition, DeadLetterRecord> found = new HashMap<>();
        letters(deadLetters, letter -> {
            if (bytes.addAndGet(letter.bytes()) <= MAX_BYTES || single) {
                found.put(letter.id(), letter);
            }
        });
        return bytes.get() <= MAX_BYTES || single
                ? new Read(deadLetters.size(), found)
                : readFitting(deadLetters.subList(0, deadLetters.size() / 2));
    }

    @Override
    public Optional<Shown> show(InputPosition deadLetter) {
        return reading("", () -> {
            List<DeadLetterRecord> found = new ArrayList<>();
            letters(List.of(deadLetter), found::add);
            return found.stream().findFirst().map(this::shown);
        });
    }

    private Shown shown(DeadLetterRecord letter) {
        owned.refresh();
        List<Redrive> closures = letter.source().map(index::changes).orElse(List.of()).stream()
                .flatMap(change -> read(change.offset()).stream())
                .toList();
        return new Shown(
                letter,
                redrives(letter),
                closures,
                letter.source().filter(index::isClosed).isPresent());
    }

    private void letters(Collection<InputPosition> positions, Consumer<DeadLetterRecord> found) {
        records(positions, settings.deadLetters(), record -> found.accept(DeadLetterRecord.of(record)));
    }

    private void records(
            Collection<InputPosition> positions, List<String> topics, Consumer<ConsumerRecord<byte[], byte[]>> found) {
        if (reader == null) {
            reader = new TopicReader(settings.clients(), settings.timeout());
        }
        reader.readAt(
                positions.stream()
                        .filter(position -> topics.contains(position.topic()))
                        .toList(),
                found::accept);
    }

    @Override
    public Optional<ConsumerRecord<byte[], byte[]>> input(InputPosition position) {
        return reading("", () -> {
            List<ConsumerRecord<byte[], byte[]>> found = new ArrayList<>();
            records(List.of(position), settings.inputs(), found::add);
            return found.stream().findFirst();
        });
    }

    @Override
    public List<RedriveResult> check(List<RedriveItem> items, String operation) {
        return reading(NOTHING_SENT, () -> {
            owned.refresh();
            return List.copyOf(plan(items, operation, Set.of()).values());
        });
    }

    /**
     * Returns a result for each dead letter, in order; those that may enter have {@link Outcome#WOULD_ENTER}.
     *
     * @param tooLarge dead letters whose records the input topics do not accept
     */
    private Map<InputPosition, RedriveResult> plan(
            List<RedriveItem> items, String operation, Set<InputPosition> tooLarge) {
        Map<InputPosition, RedriveResult> results = new LinkedHashMap<>();
        Set<InputPosition> sources = new HashSet<>();
        for (RedriveItem item : items) {
            InputPosition id = item.id();
            RedriveResult result = rules.decide(item, index, operation);
            if (tooLarge.contains(id)) {
                result = RedriveResult.refused(id, 0, "The input topic does not accept so large a record.");
            } else if (result.outcome() == Outcome.WOULD_ENTER && !sources.add(item.source())) {
                result = RedriveResult.twice(id);
            }
            results.put(id, result);
        }
        return results;
    }

    @Override
    public List<Redrive> redrives(Collection<InputPosition> inputs) {
        return reading("", () -> {
            owned.refresh();
            List<Redrive> redrives = new ArrayList<>();
            inputs.stream()
                    .flatMap(input -> Stream.of(index.of(input), index.thatSent(input)))
                    .flatMap(Optional::stream)
                    .mapToLong(RedriveIndex.Entry::offset)
                    .distinct()
                    .forEach(offset -> read(offset).ifPresent(redrives::add));
            return redrives;
        });
    }

    /** The record of a redrive; empty if it does not exist or is unreadable. */
    private Optional<Redrive> read(long offset) {
        return owned.read(offset).flatMap(topic::readOrSkip);
    }

    private List<Redrive> redrives(DeadLetterRecord deadLetter) {
        List<Redrive> redrives = new ArrayList<>();
        Optional<RedriveIndex.Entry> next =
                deadLetter.source().flatMap(source -> index.of(source).or(() -> index.thatSent(source)));
        while (next.isPresent()) {
            read(next.get().offset()).ifPresent(redrives::add);
            next = index.thatSent(next.get().source());
        }
        return redrives;
    }

    @Override
    public List<RedriveResult> redrive(List<RedriveItem> items, Order order) {
        return writing(
                " Messages may have entered. Repeat the request: what has entered does not enter again.",
                attempts -> producer -> write(items, order, attempts, producer));
    }

    @Override
    public List<RedriveResult> change(Collection<Candidate> letters, boolean close, Order order) {
        return writing(
                " The dead letters may have been changed. Repeat the request.",
                attempts -> producer -> change(letters, close, order, attempts, producer));
    }

    /**
     * Repeats a transaction until it succeeds or the time is over.
     *
     * @param uncertain end of the message of a failure after the start of a commit
     */
    private synchronized List<RedriveResult> writing(
            String uncertain, Function<Attempts, Function<Producer<byte[], byte[]>, List<RedriveResult>>> write) {
        long deadline = System.nanoTime() + settings.timeout().toNanos();
        Attempts attempts = new Attempts(uncertain, deadline);
        KafkaException failure = null;
        while (true) {
            try {
                if (failure != null) {
                    owned.pause(failure);
                }
                return owned.write(producer -> {
                    // Another owner may have reopened what this instance knows as closed: a refusal asks no broker.
                    owned.refresh();
                    return write.apply(attempts).apply(producer);
                });
            } catch (InterruptException e) {
                throw unavailable("The instance is stopping." + attempts.outcome());
            } catch (KafkaException e) {
                if (OwnedPartition.hasCause(e, AuthorizationException.class)) {
                    throw unavailable("The brokers do not permit this instance to redrive"
                            + (attempts.committing ? "; messages may have entered" : ", so nothing was sent")
                            + ". Add the ACLs that parley acls --role redrive prints. Reason: " + e.getMessage());
                }
                if (System.nanoTime() - deadline >= 0) {
                    throw unavailable("The brokers did not accept the redrive in time." + attempts.outcome()
                            + " Last reason: " + e.getMessage());
                }
                failure = e;
            }
        }
    }

    /** What the attempts of a redrive have learned. */
    private static final class Attempts {
        private final String uncertain;
        private final long deadline;

        /** Dead letters whose records the input topics do not accept. */
        private final Set<InputPosition> tooLarge = new HashSet<>();

        /** Whether a commit was started: before, no message can have entered. */
        private boolean committing;

        Attempts(String uncertain, long deadline) {
            this.uncertain = uncertain;
            this.deadline = deadline;
        }

        String outcome() {
            return committing ? uncertain : NOTHING_SENT;
        }
    }

    private static ProblemException unavailable(String detail) {
        return Code.BROKERS_UNAVAILABLE.problem(detail);
    }

    /**
     * Writes the messages that may enter, and the records of their redrives, in one transaction. If a record is too
     * large, it tries again without it.
     */
    private List<RedriveResult> write(
            List<RedriveItem> items, Order order, Attempts attempts, Producer<byte[], byte[]> producer) {
        while (true) {
            Map<InputPosition, RedriveResult> results = plan(items, order.operation(), attempts.tooLarge);
            List<RedriveItem> entering = items.stream()
                    .filter(item -> results.get(item.id()).outcome() == Outcome.WOULD_ENTER)
                    .toList();
            if (entering.isEmpty()) {
                return List.copyOf(results.values());
            }
            producer.beginTransaction();
            AtomicReference<InputPosition> rejected = new AtomicReference<>();
            try {
                send(producer, entering, results, order, attempts, rejected);
                return List.copyOf(results.values());
            } catch (KafkaException e) {
                if (!OwnedPartition.hasCause(e, RecordTooLargeException.class)) {
                    throw e;
                }
                // The first rejection is the cause; the producer gives all later records up for the same reason.
                producer.flush();
                if (rejected.get() == null || !attempts.tooLarge.add(rejected.get())) {
                    throw e;
                }
                producer.abortTransaction();
            }
            if (System.nanoTime() - attempts.deadline >= 0) {
                throw unavailable("Many records are too large for their input topics." + attempts.outcome()
                        + " Redrive fewer dead letters at once.");
            }
        }
    }

    /** Sends the messages, and the records of their redrives once all have a position; then commits. */
    private void send(
            Producer<byte[], byte[]> producer,
            List<RedriveItem> entering,
            Map<InputPosition, RedriveResult> results,
            Order order,
            Attempts attempts,
            AtomicReference<InputPosition> rejected) {
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        for (RedriveItem item : entering) {
            int attempt = results.get(item.id()).attempt();
            sent.add(producer.send(message(item, attempt), (metadata, failure) -> {
                if (failure instanceof RecordTooLargeException) {
                    rejected.compareAndSet(null, item.id());
                }
            }));
        }
        producer.flush();
        List<RedriveResult> entered = new ArrayList<>();
        for (int i = 0; i < sent.size(); i++) {
            InputPosition id = entering.get(i).id();
            InputPosition position = OwnedPartition.position(OwnedPartition.result(sent.get(i)));
            entered.add(new RedriveResult(
                    id, Outcome.ENTERED, position, results.get(id).attempt(), null));
        }
        List<Future<RecordMetadata>> recorded = new ArrayList<>();
        for (int i = 0; i < entered.size(); i++) {
            recorded.add(producer.send(record(entering.get(i), entered.get(i), order)));
        }
        producer.flush();
        List<Long> offsets = recorded.stream()
                .map(OwnedPartition::result)
                .map(RecordMetadata::offset)
                .toList();
        attempts.committing = true;
        producer.commitTransaction();
        for (int i = 0; i < offsets.size(); i++) {
            RedriveResult result = entered.get(i);
            index.add(new RedriveIndex.Entry(
                    entering.get(i).source(), result.sent(), result.attempt(), offsets.get(i), order.operation()));
            results.put(result.deadLetter(), result);
        }
    }

    /** Writes the changes of dead letters in one transaction. */
    private List<RedriveResult> change(
            Collection<Candidate> letters,
            boolean close,
            Order order,
            Attempts attempts,
            Producer<byte[], byte[]> producer) {
        List<RedriveResult> results = new ArrayList<>();
        Map<ClosureKey, Candidate> changes = new LinkedHashMap<>();
        for (Candidate letter : letters) {
            RedriveResult result = rules.decide(letter, index, close);
            if (result.detail() == null
                    && changes.putIfAbsent(index.nextChange(letter.source(), close), letter) != null) {
                result = RedriveResult.twice(letter.deadLetter());
            }
            results.add(result);
        }
        if (changes.isEmpty()) {
            return results;
        }
        producer.beginTransaction();
        Map<ClosureKey, Future<RecordMetadata>> written = new LinkedHashMap<>();
        changes.forEach((key, letter) -> written.put(
                key,
                producer.send(record(
                        key.toString(),
                        entry(letter.source(), letter.deadLetter(), order)
                                .setSent("")
                                .setAttempt(key.number())
                                .setKind(close ? RedriveKind.CLOSED : RedriveKind.REOPENED)
                                .build()))));
        producer.flush();
        List<RedriveIndex.Change> known = written.entrySet().stream()
                .map(sent -> new RedriveIndex.Change(
                        sent.getKey(), OwnedPartition.result(sent.getValue()).offset(), true))
                .toList();
        attempts.committing = true;
        producer.commitTransaction();
        known.forEach(index::add);
        return results;
    }

    private ProducerRecord<byte[], byte[]> message(RedriveItem item, int attempt) {
        boolean byKey = item.key() != null
                && (settings.keyed()
                        || item.edit().key().map(RedriveEdit.Key::bytes).isPresent());
        Integer partition = byKey ? null : item.source().partition();
        Headers headers = DeadLetterHeaders.forRedrive(item.headers(), attempt);
        return new ProducerRecord<>(item.source().topic(), partition, null, item.key(), item.value(), headers);
    }

    /** The record of a redrive. */
    private ProducerRecord<byte[], byte[]> record(RedriveItem item, RedriveResult result, Order order) {
        Redrive redrive = entry(item.source(), item.id(), order)
                .setSent(result.sent().toString())
                .setAttempt(result.attempt())
                .setOriginalHash(hash(item.letter().value()))
                .setSentHash(hash(item.value()))
                .setEdited(!item.edit().isEmpty())
                .build();
        return record(redrive.getSource(), redrive);
    }

    private Redrive.Builder entry(InputPosition source, InputPosition deadLetter, Order order) {
        return Redrive.newBuilder()
                .setSource(source.toString())
                .setDeadLetter(deadLetter.toString())
                .setBy(order.by())
                .setReason(order.reason())
                .setTime(Instant.ofEpochMilli(clock.millis()))
                .setOperation(order.operation());
    }

    private ProducerRecord<byte[], byte[]> record(String key, Redrive redrive) {
        return new ProducerRecord<>(
                topic.name(), PARTITION, key.getBytes(StandardCharsets.UTF_8), topic.write(redrive));
    }

    private static ByteBuffer hash(byte[] value) {
        return value == null ? null : ByteBuffer.wrap(Sha256.of(value));
    }

    /**
     * Reads for a call.
     *
     * @param consequence end of the message of a failure, after a space: empty if the call could not send something
     */
    private synchronized <T> T reading(String consequence, Supplier<T> read) {
        try {
            return read.get();
        } catch (InterruptException e) {
            throw unavailable("The instance is stopping." + consequence);
        } catch (TimeoutException e) {
            throw unavailable("The brokers are unavailable." + consequence + " Reason: " + e.getMessage());
        } catch (KafkaException e) {
            throw unavailable("Records could not be read." + consequence + " Reason: " + e.getMessage());
        }
    }

    @Override
    public synchronized void close() {
        owned.close();
        if (reader != null) {
            reader.close();
        }
    }
}
