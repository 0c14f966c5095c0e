package dev.parley.server.ingest;

import dev.parley.audit.InputPosition;
import dev.parley.server.fencing.OwnedPartition;
import dev.parley.server.http.ProblemException.Code;
import dev.parley.server.ingest.IngestResult.Entered;
import dev.parley.server.ingest.IngestResult.Failed;
import dev.parley.server.ingest.KeyWindow.Entry;
import dev.parley.server.ingest.KeyWindow.Hash;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.utils.KafkaThread;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes messages with idempotency keys, so that each key enters the input once in the window.
 *
 * <p>A message and its key, with the position of the message, are written in one transaction, by the owner of the
 * partition of the key: see {@link OwnedPartition}. After any failure, such as a commit without an answer, the writer
 * takes the partition again and so learns which keys entered.
 *
 * <p>One thread does all this, and writes all messages that wait in one transaction.
 */
final class IdempotentWriter implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(IdempotentWriter.class);
    private static final int MAX_QUEUED = 20_000;
    private static final int MAX_BATCH = 500;
    private static final long MAX_BATCH_BYTES = 4 << 20;
    private static final Duration POLL = Duration.ofMillis(500);
    /** Keys are read from a little before the window, because clocks differ. */
    private static final Duration CLOCK_MARGIN = Duration.ofMinutes(1);

    private final IngestSettings settings;
    private final TopicPartition partition;
    /** Messages that wait, guarded by itself. */
    private final FairShares<Request> queue = new FairShares<>(MAX_QUEUED);

    private final WindowClock clock = new WindowClock(Clock.systemUTC(), System::nanoTime);
    private final KeyWindow window;
    private final Thread thread;
    private volatile boolean closed;

    /** Used by the thread only. */
    private final OwnedPartition owned;

    /**
     * A message that waits.
     *
     * @param end time of {@link System#nanoTime} after which it is not sent
     */
    private record Request(
            Hash key,
            long caller,
            Hash content,
            ProducerRecord<byte[], byte[]> record,
            long end,
            CompletableFuture<IngestResult> result) {

        boolean isExpired() {
            return System.nanoTime() - end >= 0;
        }

        void fail(Code code, String detail) {
            result.complete(new Failed(code, detail));
        }
    }

    /** @param partition partition of the key topic */
    IdempotentWriter(IngestSettings settings, int partition) {
        this.settings = settings;
        this.partition = new TopicPartition(settings.names().named(IngestFeature.KEYS_TOPIC), partition);
        this.window = new KeyWindow(settings.window().toMillis(), settings.windowKeys());
        this.owned = new OwnedPartition(
                this.partition,
                settings.clients(),
                new OwnedPartition.Transactions(
                        settings.transactions() + partition,
                        settings.timeout(),
                        settings.recordBytes(),
                        settings.bufferBytes()),
                () -> OptionalLong.of(
                        clock.earlier() - settings.window().plus(CLOCK_MARGIN).toMillis()),
                record -> Hash.of(record.key())
                        .ifPresent(key -> Entry.of(record.value(), record.timestamp())
                                .ifPresent(entry -> window.add(key, entry))));
        this.thread = KafkaThread.daemon("parley-ingest-" + partition, this::run);
        thread.start();
    }

    /** Queues a message that has an idempotency key. */
    void submit(
            String caller,
            IngestMessage message,
            ProducerRecord<byte[], byte[]> record,
            CompletableFuture<IngestResult> result) {
        Request request = new Request(
                KeyWindow.key(caller, message.key().orElseThrow()),
                KeyWindow.caller(caller),
                KeyWindow.content(message),
                record,
                System.nanoTime() + settings.timeout().toNanos(),
                result);
        Request refused;
        synchronized (queue) {
            refused = enqueue(request);
            queue.notifyAll();
        }
        if (refused != null) {
            refused.fail(
                    Code.INGEST_LIMITED,
                    "Too many messages with idempotency keys wait, or the instance is stopping. Nothing was sent.");
        }
    }

    /** Returns the message for which there is no room: the given one, or one that it displaces; null if there is. */
    private Request enqueue(Request request) {
        if (closed || queue.isFull() && !queue.mayDisplace(request.caller())) {
            return request;
        }
        Request displaced = queue.isFull() ? queue.removeNewest(queue.largest().caller()) : null;
        queue.add(request.caller(), request);
        return displaced;
    }

    private void run() {
        try {
            while (!closed) {
                write(take());
            }
        } catch (InterruptedException | InterruptException e) {
            LOG.debug("Stopped writing messages with idempotency keys");
        } catch (RuntimeException | Error e) {
            LOG.error("Messages with the idempotency keys of {} cannot be written until a restart", partition, e);
            throw e;
        } finally {
            List<Request> left = new ArrayList<>();
            synchronized (queue) {
                closed = true;
                while (queue.size() > 0) {
                    left.add(queue.next());
                }
            }
            left.forEach(request -> request.fail(Code.INGEST_LIMITED, "The instance is stopping. Nothing was sent."));
            owned.close();
        }
    }

    /** Takes messages of the callers in turn; none if there are none for a while. */
    private List<Request> take() throws InterruptedException {
        List<Request> batch = new ArrayList<>();
        synchronized (queue) {
            if (queue.size() == 0) {
                queue.wait(POLL.toMillis());
            }
            long bytes = 0;
            while (queue.size() > 0 && batch.size() < MAX_BATCH && bytes < MAX_BATCH_BYTES) {
                Request next = queue.next();
                batch.add(next);
                byte[] value = next.record().value();
                bytes += value == null ? 0 : value.length;
            }
        }
        return batch;
    }

    /** Writes messages in one transaction, or, after one of them was refused, each in its own. */
    private void write(List<Request> batch) {
        List<Request> left = batch;
        boolean single = false;
        String failure = null;
        while (!left.isEmpty()) {
            left = unexpired(left, failure);
            List<Request> now = single ? left.subList(0, Math.min(1, left.size())) : left;
            try {
                if (!now.isEmpty()) {
                    // After a failure, the keys that entered are read.
                    window.release();
                    owned.write(producer -> writeOnce(now, producer));
                }
                left = left.subList(now.size(), left.size());
            } catch (InterruptException e) {
                left.forEach(request -> request.fail(
                        Code.BROKERS_UNAVAILABLE, "The instance is stopping; the message may have entered."));
                throw e;
            } catch (RuntimeException e) {
                // A later message may have failed because of it.
                if (OwnedPartition.hasCause(e, RecordTooLargeException.class)) {
                    if (now.size() == 1) {
                        now.get(0).result().complete(KafkaIngester.tooLarge(e));
                        left = left.subList(1, left.size());
                    }
                    single = true;
                    continue;
                }
                failure = String.valueOf(e.getMessage());
                owned.pause(e);
            }
        }
    }

    /** @param failure reason of the last attempt; null before the first */
    private static List<Request> unexpired(List<Request> requests, String failure) {
        List<Request> left = new ArrayList<>();
        for (Request request : requests) {
            if (!request.isExpired()) {
                left.add(request);
            } else if (failure == null) {
                request.fail(Code.INGEST_LIMITED, "The brokers do not keep up. Nothing was sent.");
            } else {
                request.fail(
                        Code.BROKERS_UNAVAILABLE,
                        "The brokers did not accept the message in time, and it may have entered. Retry with the same"
                                + " idempotency key. Last reason: " + failure);
            }
        }
        return left;
    }

    /** A message that is being written, and others with the same key. */
    private record Writing(Request request, Future<RecordMetadata> sent, List<Request> followers) {}

    /** Writes the messages whose keys are new, and completes all after the commit. */
    private Void writeOnce(List<Request> requests, Producer<byte[], byte[]> producer) {
        long now = clock.earlier();
        window.prune(now);
        Map<Hash, Writing> writing = new LinkedHashMap<>();
        for (Request request : requests) {
            Writing same = writing.get(request.key());
            Entry known = window.find(request.key(), now).orElse(null);
            if (known != null) {
                repeat(request, known);
            } else if (same != null) {
                same.followers().add(request);
            } else if (!window.reserve(request.caller(), request.key(), now)) {
                request.fail(
                        Code.INGEST_LIMITED,
                        "The caller has its share of the full window of idempotency keys (http.ingest.window.keys)."
                                + " Nothing was sent; retry later.");
            } else {
                if (writing.isEmpty()) {
                    producer.beginTransaction();
                }
                writing.put(request.key(), new Writing(request, producer.send(request.record()), new ArrayList<>()));
            }
        }
        if (!writing.isEmpty()) {
            commit(writing, clock.later(), producer);
        }
        return null;
    }

    private void commit(Map<Hash, Writing> writing, long time, Producer<byte[], byte[]> producer) {
        producer.flush();
        Map<Hash, Entry> entries = new LinkedHashMap<>();
        for (Writing message : writing.values()) {
            Request request = message.request();
            InputPosition position = OwnedPartition.position(OwnedPartition.result(message.sent()));
            Entry entry = new Entry(request.caller(), request.content(), position, time);
            entries.put(request.key(), entry);
            byte[] key = request.key().bytes();
            producer.send(new ProducerRecord<>(partition.topic(), partition.partition(), time, key, entry.value()));
        }
        producer.commitTransaction();
        entries.forEach((key, entry) -> {
            window.add(key, entry);
            Writing message = writing.get(key);
            message.request().result().complete(new Entered(entry.position(), false));
            message.followers().forEach(follower -> repeat(follower, entry));
        });
    }

    private static void repeat(Request request, Entry known) {
        if (known.content().equals(request.content())) {
            request.result().complete(new Entered(known.position(), true));
        } else {
            request.fail(
                    Code.IDEMPOTENCY_KEY_REUSED,
                    "The idempotency key belongs to another message, at " + known.position()
                            + ". Send each message with a key of its own.");
        }
    }

    /** Stops after the transaction in progress. */
    @Override
    public void close() {
        closed = true;
        try {
            thread.join(settings.timeout().toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        thread.interrupt();
    }
}
