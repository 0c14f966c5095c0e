package dev.parley.server.redrive;

import dev.parley.audit.InputPosition;
import dev.parley.avro.Redrive;
import dev.parley.decode.Sha256;
import dev.parley.server.fencing.OwnedPartition;
import dev.parley.server.http.ProblemException;
import dev.parley.server.http.ProblemException.Code;
import dev.parley.server.redrive.RedriveOrder.Candidate;
import dev.parley.server.redrive.RedriveResult.Outcome;
import dev.parley.server.redrive.RedriveRules.Done;
import dev.parley.server.redrive.RedriveRules.Enter;
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
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
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

    /**
     * Maximum calls of a kind (redrives, reads of one dead letter, or reads of redrives) that hold a thread, with the
     * one in progress.
     */
    private static final int MAX_WAITING = 4;

    private final Settings settings;
    private final Topic<String, Redrive> topic;
    private final Clock clock;
    private final RedriveRules rules;
    private final RedriveLog log;
    private final RecordReader letters;
    private final RecordReader inputs;
    private final ReentrantLock turn = new ReentrantLock(true);
    private final Semaphore shows = new Semaphore(MAX_WAITING);
    private final Semaphore lookups = new Semaphore(MAX_WAITING);
    private final Semaphore calls = new Semaphore(MAX_WAITING);

    /**
     * Settings of redrives.
     *
     * @param clients settings of all Kafka clients
     * @param deadLetters the dead-letter topics
     * @param inputs the input topics, to which dead letters may be returned
     * @param transactionalId transactional ID of the redrives of the deployment
     * @param recordBytes maximum size of a record, in bytes
     * @param maxAttempts maximum number of times that a message may reach the pipeline
     * @param timeout approximate maximum time of one call
     */
    public record Settings(
            Map<String, Object> clients,
            List<String> deadLetters,
            List<String> inputs,
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
        this.log = new RedriveLog(
                topic,
                settings.clients(),
                new OwnedPartition.Transactions(
                        settings.transactionalId(),
                        settings.timeout(),
                        settings.recordBytes(),
                        Math.max(BUFFER_BYTES, 2L * settings.recordBytes())));
        this.letters = new RecordReader(settings.deadLetters(), settings.clients());
        this.inputs = new RecordReader(settings.inputs(), settings.clients());
    }

    @Override
    public Map<InputPosition, Candidate> find(Collection<InputPosition> deadLetters) {
        return reading(calls, deadline -> {
            Map<InputPosition, Candidate> found = new HashMap<>();
            letters(deadLetters, deadline, letter -> found.put(letter.id(), candidate(letter)));
            return found;
        });
    }

    private static Candidate candidate(DeadLetterRecord letter) {
        return new Candidate(letter.id(), letter.source().orElse(letter.id()), letter.timestamp(), letter.bytes());
    }

    @Override
    public Read read(List<InputPosition> deadLetters) {
        return reading(calls, deadline -> {
            Map<InputPosition, Long> sizes = new HashMap<>();
            Map<InputPosition, DeadLetterRecord> found = new HashMap<>();
            AtomicLong bytes = new AtomicLong();
            letters(deadLetters, deadline, letter -> {
                sizes.put(letter.id(), letter.bytes());
                // Beyond the limit only sizes. Those letters are read again, because letters arrive in the order of
                // their topics, which is not that of the call.
                if (bytes.addAndGet(letter.bytes()) <= MAX_BYTES) {
                    found.put(letter.id(), letter);
                }
            });
            int count = fitting(deadLetters, sizes);
            if (found.size() == sizes.size()) {
                return new Read(count, found);
            }
            found.clear();
            letters(deadLetters.subList(0, count), deadline, letter -> found.put(letter.id(), letter));
            return new Read(count, found);
        });
    }

    /** Number of positions whose letters fit, from the first on, at least one. */
    private static int fitting(List<InputPosition> deadLetters, Map<InputPosition, Long> sizes) {
        long bytes = 0;
        for (int i = 0; i < deadLetters.size(); i++) {
            bytes += sizes.getOrDefault(deadLetters.get(i), 0L);
            if (bytes > MAX_BYTES && i > 0) {
                return i;
            }
        }
        return deadLetters.size();
    }

    @Override
    public Optional<Shown> show(InputPosition deadLetter) {
        return reading(shows, deadline -> {
            List<DeadLetterRecord> found = new ArrayList<>();
            letters(List.of(deadLetter), deadline, found::add);
            return found.stream().findFirst().map(letter -> new Shown(letter, redrives(letter, deadline)));
        });
    }

    private void letters(Collection<InputPosition> positions, long deadline, Consumer<DeadLetterRecord> found) {
        letters.read(positions, deadline, record -> found.accept(DeadLetterRecord.of(record)));
    }

    @Override
    public Optional<ConsumerRecord<byte[], byte[]>> input(InputPosition position) {
        return reading(shows, deadline -> {
            List<ConsumerRecord<byte[], byte[]>> found = new ArrayList<>();
            inputs.read(List.of(position), deadline, found::add);
            return found.stream().findFirst();
        });
    }

    @Override
    public List<RedriveResult> check(List<RedriveItem> items, String operation) {
        return reading(calls, deadline -> {
            log.partition().refresh(deadline);
            return List.copyOf(plan(items, operation, Set.of()).results().values());
        });
    }

    /** A message that may enter. */
    private record Entering(RedriveItem item, Enter enter) {}

    /**
     * The plan of a call.
     *
     * @param results a result for each dead letter, in order
     * @param entering those that may enter
     */
    private record Plan(Map<InputPosition, RedriveResult> results, List<Entering> entering) {}

    /** @param tooLarge dead letters whose records the input topics do not accept */
    private Plan plan(List<RedriveItem> items, String operation, Set<InputPosition> tooLarge) {
        Plan plan = new Plan(new LinkedHashMap<>(), new ArrayList<>());
        Set<InputPosition> sources = new HashSet<>();
        for (RedriveItem item : items) {
            InputPosition id = item.id();
            RedriveRules.Decision decision = rules.decide(item, log.index(), operation);
            if (tooLarge.contains(id)) {
                plan.results()
                        .put(id, RedriveResult.refused(id, 0, "The input topic does not accept so large a record."));
            } else if (decision instanceof Done done) {
                plan.results().put(id, done.result());
            } else if (decision instanceof Enter enter && sources.add(enter.source())) {
                plan.results().put(id, new RedriveResult(id, Outcome.WOULD_ENTER, null, enter.attempt(), null));
                plan.entering().add(new Entering(item, enter));
            } else {
                plan.results().put(id, RedriveResult.twice(id));
            }
        }
        return plan;
    }

    @Override
    public List<Redrive> redrives(Collection<InputPosition> inputs) {
        return reading(lookups, deadline -> {
            log.partition().refresh(deadline);
            List<Redrive> redrives = new ArrayList<>();
            inputs.stream()
                    .flatMap(input ->
                            Stream.of(log.index().of(input), log.index().thatSent(input)))
                    .flatMap(Optional::stream)
                    .mapToLong(RedriveIndex.Entry::offset)
                    .distinct()
                    .forEach(offset -> log.read(offset, deadline).ifPresent(redrives::add));
            return redrives;
        });
    }

    private List<Redrive> redrives(DeadLetterRecord deadLetter, long deadline) {
        log.partition().refresh(deadline);
        List<Redrive> redrives = new ArrayList<>();
        Optional<RedriveIndex.Entry> next = deadLetter
                .source()
                .flatMap(source -> log.index().of(source).or(() -> log.index().thatSent(source)));
        while (next.isPresent()) {
            log.read(next.get().offset(), deadline).ifPresent(redrives::add);
            next = log.index().thatSent(next.get().source());
        }
        return redrives;
    }

    @Override
    public List<RedriveResult> redrive(List<RedriveItem> items, Order order) {
        return inTurn(calls, deadline -> {
            Attempts attempts = new Attempts();
            while (true) {
                try {
                    Optional<List<RedriveResult>> results =
                            log.partition().write(deadline, producer -> write(items, order, attempts, producer));
                    if (results.isPresent()) {
                        return results.get();
                    }
                    if (System.nanoTime() - deadline >= 0) {
                        throw unavailable("Many records are too large for their input topics. " + attempts.outcome()
                                + " Redrive fewer dead letters at once.");
                    }
                } catch (InterruptException e) {
                    throw unavailable("The instance is stopping. " + attempts.outcome());
                } catch (KafkaException e) {
                    if (OwnedPartition.hasCause(e, AuthorizationException.class)) {
                        throw unavailable("The brokers do not permit this instance to redrive"
                                + (attempts.committing ? "; messages may have entered" : ", so nothing was sent")
                                + ". Add the ACLs that parley acls --role redrive prints. Reason: " + e.getMessage());
                    }
                    pause(deadline, e, attempts);
                }
            }
        });
    }

    /** What the attempts of a redrive have learned. */
    private static final class Attempts {
        /** Dead letters whose records the input topics do not accept. */
        private final Set<InputPosition> tooLarge = new HashSet<>();

        /** Whether a commit was started: before, no message can have entered. */
        private boolean committing;

        String outcome() {
            return committing
                    ? "Messages may have entered. Repeat the request: what has entered does not enter again."
                    : "Nothing was sent.";
        }
    }

    /** Waits before another attempt, until the deadline. */
    private void pause(long deadline, KafkaException failure, Attempts attempts) {
        if (System.nanoTime() - deadline >= 0) {
            throw unavailable("The brokers did not accept the redrive in time. " + attempts.outcome() + " Last reason: "
                    + failure.getMessage());
        }
        try {
            log.partition().pause(failure);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unavailable("The instance is stopping. " + attempts.outcome());
        }
    }

    private static ProblemException unavailable(String detail) {
        return ProblemException.of(Code.BROKERS_UNAVAILABLE, detail);
    }

    /**
     * Writes the messages that may enter, and the records of their redrives, in one transaction.
     *
     * @return empty if a further record is too large; nothing was sent then
     */
    private Optional<List<RedriveResult>> write(
            List<RedriveItem> items, Order order, Attempts attempts, Producer<byte[], byte[]> producer) {
        Plan plan = plan(items, order.operation(), attempts.tooLarge);
        if (!plan.entering().isEmpty()) {
            producer.beginTransaction();
            AtomicReference<InputPosition> rejected = new AtomicReference<>();
            try {
                send(producer, plan, order, attempts, rejected);
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
                return Optional.empty();
            }
        }
        return Optional.of(List.copyOf(plan.results().values()));
    }

    /** Sends the messages, and the records of their redrives once all have a position; then commits. */
    private void send(
            Producer<byte[], byte[]> producer,
            Plan plan,
            Order order,
            Attempts attempts,
            AtomicReference<InputPosition> rejected) {
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        for (Entering entering : plan.entering()) {
            sent.add(producer.send(message(entering), (metadata, failure) -> {
                if (failure instanceof RecordTooLargeException) {
                    rejected.compareAndSet(null, entering.item().id());
                }
            }));
        }
        producer.flush();
        List<InputPosition> positions = sent.stream()
                .map(OwnedPartition::result)
                .map(OwnedPartition::position)
                .toList();
        List<Future<RecordMetadata>> recorded = new ArrayList<>();
        for (int i = 0; i < positions.size(); i++) {
            recorded.add(producer.send(record(plan.entering().get(i), positions.get(i), order)));
        }
        producer.flush();
        List<Long> offsets = recorded.stream()
                .map(OwnedPartition::result)
                .map(RecordMetadata::offset)
                .toList();
        attempts.committing = true;
        producer.commitTransaction();
        for (int i = 0; i < positions.size(); i++) {
            Enter enter = plan.entering().get(i).enter();
            InputPosition id = plan.entering().get(i).item().id();
            log.index()
                    .add(new RedriveIndex.Entry(
                            enter.source(), positions.get(i), enter.attempt(), offsets.get(i), order.operation()));
            plan.results().put(id, new RedriveResult(id, Outcome.ENTERED, positions.get(i), enter.attempt(), null));
        }
    }

    private static ProducerRecord<byte[], byte[]> message(Entering entering) {
        Enter enter = entering.enter();
        boolean rekeyed =
                entering.item().edit().key().map(RedriveEdit.Key::bytes).isPresent();
        return new ProducerRecord<>(
                enter.to().topic(),
                // With keyed input, the conversation of another key may be in another partition.
                rekeyed ? null : (Integer) enter.to().partition(),
                null,
                entering.item().key(),
                entering.item().value(),
                DeadLetterHeaders.forRedrive(entering.item().headers(), enter.attempt()));
    }

    /** The record of a redrive. */
    private ProducerRecord<byte[], byte[]> record(Entering entering, InputPosition position, Order order) {
        RedriveItem item = entering.item();
        String source = entering.enter().source().toString();
        Redrive redrive = Redrive.newBuilder()
                .setSource(source)
                .setDeadLetter(item.id().toString())
                .setSent(position.toString())
                .setAttempt(entering.enter().attempt())
                .setBy(order.by())
                .setReason(order.reason())
                .setTime(Instant.ofEpochMilli(clock.millis()))
                .setOperation(order.operation())
                .setOriginalHash(hash(item.letter().value()))
                .setSentHash(hash(item.value()))
                .setEdited(!item.edit().isEmpty())
                .build();
        return new ProducerRecord<>(
                topic.name(), RedriveLog.PARTITION, source.getBytes(StandardCharsets.UTF_8), topic.write(redrive));
    }

    private static ByteBuffer hash(byte[] value) {
        return value == null ? null : ByteBuffer.wrap(Sha256.of(value));
    }

    /** Work under the deadline of a call, in nanoseconds of {@link System#nanoTime}. */
    private interface Work<T> {
        T run(long deadline);
    }

    /** @param waiting permits of the calls of this kind that may hold a thread */
    private <T> T inTurn(Semaphore waiting, Work<T> work) {
        if (!waiting.tryAcquire()) {
            throw unavailable("Too many requests for dead letters are waiting." + nothingSent(waiting));
        }
        long deadline = System.nanoTime() + settings.timeout().toNanos();
        boolean mine = false;
        try {
            mine = turn.tryLock(settings.timeout().toMillis(), TimeUnit.MILLISECONDS);
            if (!mine) {
                throw unavailable("Other requests for dead letters are in progress." + nothingSent(waiting));
            }
            return work.run(deadline);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unavailable("The instance is stopping." + nothingSent(waiting));
        } finally {
            if (mine) {
                turn.unlock();
            }
            waiting.release();
        }
    }

    /** Work that only reads. */
    private <T> T reading(Semaphore waiting, Work<T> read) {
        try {
            return inTurn(waiting, read);
        } catch (InterruptException e) {
            throw unavailable("The instance is stopping." + nothingSent(waiting));
        } catch (TimeoutException e) {
            throw unavailable("The brokers are unavailable." + nothingSent(waiting) + " Reason: " + e.getMessage());
        } catch (KafkaException e) {
            throw unavailable("Records could not be read." + nothingSent(waiting) + " Reason: " + e.getMessage());
        }
    }

    /** The end of a message: only the requests of {@link #calls} could send something. */
    private String nothingSent(Semaphore waiting) {
        return waiting == calls ? " Nothing was sent." : "";
    }

    @Override
    public void close() {
        turn.lock();
        try {
            log.close();
            letters.close();
            inputs.close();
        } finally {
            turn.unlock();
        }
    }
}
