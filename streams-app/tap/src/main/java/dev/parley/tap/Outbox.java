package dev.parley.tap;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Records on their way to the receiver, in the order in which they were offered, within a bound of memory. A thread of
 * its own delivers them. If the receiver does not keep up, either the traffic waits, or records are dropped: once the
 * outbox is half empty again, a record that marks the gap states the loss, before later records of that session.
 * Thread-safe.
 */
final class Outbox implements Delivery.Source {
    /** Sessions with a loss; a later start reports those of earlier processes beyond it. */
    static final int MAX_SESSIONS = 10_000;

    private static final long CLOSING_PAUSE_MS = 100;

    /** Time from the first record to the connection if nothing calls {@link #connect}. */
    private static final long CONNECT_AFTER_MS = 2_000;

    private static final long AFTER_INTERRUPT_MS = 500;
    private static final long STACK_BYTES = 4 << 20;

    private final Receiver.Opener opener;
    private final Map<String, String> headers;
    private final Map<Direction, String> senders;
    private final SessionFile file;
    private final long maxBytes;
    private boolean blocks;
    private final Deque<Captured> queue = new ArrayDeque<>();
    private final Map<String, Loss> losses = new LinkedHashMap<>();
    /** Losses whose gaps the receiver refused: they would be refused again. */
    private final Map<String, Loss> refusedLosses = new HashMap<>();
    /** Masking reads nested messages by recursion. */
    private final Thread sender = new Thread(null, this::send, "parley-tap-sender", STACK_BYTES);

    private final CountDownLatch firstBytes = new CountDownLatch(1);
    private long bytes;
    private long batches;
    private boolean closing;
    private boolean reportedLoss;
    private boolean reportedRefusal;
    /** Null without one. */
    private Spool spool;

    private Captured last;

    /**
     * Creates it.
     *
     * @param opener opens the receiver, once there is a record
     * @param headers headers of all records of the tap
     * @param senders names of the sides that have one
     * @param file remembers the sessions for the next start
     * @param maxBytes maximum memory of all records
     * @param blocks whether the traffic waits for room, instead of passing unrecorded
     */
    Outbox(
            Receiver.Opener opener,
            Map<String, String> headers,
            Map<Direction, String> senders,
            SessionFile file,
            long maxBytes,
            boolean blocks) {
        this.opener = opener;
        this.headers = headers;
        this.senders = senders;
        this.file = file;
        this.maxBytes = maxBytes;
        this.blocks = blocks;
        sender.setDaemon(true);
    }

    /**
     * Sends a record, with the headers of the tap. Waits for room if the traffic is to wait.
     *
     * @param more returns further headers, once the record has its place in the order
     */
    synchronized void offer(String session, Direction direction, byte[] value, Supplier<Map<String, String>> more) {
        while (blocks && bytes + (value == null ? 0 : value.length) > maxBytes / 2) {
            try {
                wait();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                break;
            }
        }
        add(record(session, direction, value, more.get()));
    }

    /** Sends a mark as the last record of a session, after all gaps. */
    synchronized void end(String session) {
        last = record(session, Direction.SERVER_TO_CLIENT, null, Map.of("parley-capture", "end"));
    }

    private Captured record(String session, Direction direction, byte[] value, Map<String, String> more) {
        Map<String, String> all = new LinkedHashMap<>(headers);
        all.put("parley-direction", direction.toString());
        if (senders.get(direction) != null) {
            all.put("parley-sender", senders.get(direction));
        }
        all.putAll(more);
        return new Captured(session, value, all, System.currentTimeMillis(), null);
    }

    /** Reports messages that passed and cannot be recorded. */
    synchronized void lose(String session, long records, long lost) {
        lose(session, Loss.at(System.currentTimeMillis(), records, lost));
    }

    /** Takes over the losses of earlier processes that left some. */
    synchronized void reportLeft() {
        Map<String, Loss> left = file.left();
        left.forEach((session, loss) -> {
            lose(session, loss);
            settle();
        });
        if (!left.isEmpty()) {
            Console.say("an earlier parley tap did not deliver everything; gaps to record: " + left.size());
        }
    }

    /** Begins to deliver from a spool, to which the receiver takes the records. */
    synchronized void deliverFrom(Spool from) {
        spool = from;
        spool.start(this::refused);
    }

    /** Name of the process, and session of records that belong to no other. */
    String process() {
        return file.process();
    }

    /** Allows the connection to the receiver: the first bytes have passed. */
    void connect() {
        firstBytes.countDown();
    }

    /** Lets traffic pass without room: its source has ended. */
    synchronized void pass() {
        blocks = false;
        notifyAll();
    }

    private void start(String session) {
        if (sender.getState() == Thread.State.NEW) {
            sender.start();
        }
        file.add(session, this::sessions);
    }

    /** Sessions of the records and losses in memory. */
    private Set<String> sessions() {
        Set<String> sessions = queue.stream().map(Captured::session).collect(Collectors.toSet());
        sessions.addAll(losses.keySet());
        sessions.addAll(refusedLosses.keySet());
        return sessions;
    }

    private void add(Captured record) {
        start(record.session());
        settle();
        if (bytes + record.bytes() > maxBytes || losses.containsKey(record.session())) {
            lose(record);
            if (!reportedLoss) {
                reportedLoss = true;
                Console.say("the receiver does not keep up; messages pass unrecorded, and a gap will be recorded");
            }
        } else {
            push(record);
        }
    }

    private void push(Captured record) {
        queue.add(record);
        bytes += record.bytes();
        notifyAll();
    }

    private void lose(Captured record) {
        lose(record.session(), Loss.of(record));
    }

    private void lose(String session, Loss loss) {
        start(session);
        // Beyond the bound, the session of the process stands for the others.
        String key = losses.containsKey(session) || losses.size() < MAX_SESSIONS ? session : file.process();
        losses.merge(key, loss, Loss::plus);
        notifyAll();
    }

    /** Marks gaps as long as there is room: up to half, so that one outage is one gap. */
    private void settle() {
        Iterator<Map.Entry<String, Loss>> gaps = losses.entrySet().iterator();
        while (bytes <= maxBytes / 2 && gaps.hasNext()) {
            Map.Entry<String, Loss> gap = gaps.next();
            gaps.remove();
            push(Captured.gap(gap.getKey(), headers, gap.getValue()));
        }
    }

    /** Waits for the next records. They stay in the queue until they are delivered. */
    @Override
    public synchronized Batch next() throws InterruptedException {
        while (true) {
            settle();
            if (!queue.isEmpty()) {
                List<Captured> batch = new ArrayList<>();
                long size = 0;
                Iterator<Captured> records = queue.iterator();
                while (records.hasNext() && batch.size() < Batch.MAX_RECORDS) {
                    Captured record = records.next();
                    size += record.bytes();
                    if (!batch.isEmpty() && size > Batch.MAX_BYTES) {
                        break;
                    }
                    batch.add(record);
                }
                return new Batch(file.process() + "-" + ++batches, batch);
            }
            if (closing && last != null) {
                push(last);
                last = null;
            } else if (closing) {
                return null;
            } else {
                wait();
            }
        }
    }

    private void send() {
        try {
            firstBytes.await(CONNECT_AFTER_MS, TimeUnit.MILLISECONDS);
            Delivery.run(opener, this);
        } catch (InterruptedException e) {
            // The bounded wait at the end is over; close() reports what is left.
        }
    }

    @Override
    public synchronized boolean isIdle() {
        return queue.isEmpty() && !closing;
    }

    @Override
    public synchronized void pause(long ms) throws InterruptedException {
        wait(closing ? CLOSING_PAUSE_MS : ms);
    }

    @Override
    public synchronized void delivered(Batch batch, List<Captured> refused) {
        for (Captured record : batch.records()) {
            bytes -= record.bytes();
            queue.remove();
        }
        refused(refused);
        file.delivered();
        notifyAll();
    }

    /** Notes records that the receiver refused permanently. */
    private synchronized void refused(List<Captured> records) {
        for (Captured record : records) {
            if (record.headers().containsKey(Loss.HEADER)) {
                refusedLosses.merge(record.session(), Loss.of(record), Loss::plus);
            } else {
                lose(record);
            }
        }
        if (!records.isEmpty() && !reportedRefusal) {
            reportedRefusal = true;
            Console.say("the receiver refused " + records.size() + " records; a gap is recorded for such records");
        }
    }

    /**
     * Delivers the rest, and reports what is left on standard error and to the next start.
     *
     * @param timeout maximum wait
     */
    void close(Duration timeout) throws InterruptedException {
        connect();
        synchronized (this) {
            closing = true;
            pass();
        }
        long end = System.nanoTime() + timeout.toNanos();
        // A thread that was not started has ended.
        sender.join(Math.max(1, timeout.toMillis()));
        if (sender.isAlive()) {
            sender.interrupt();
            sender.join(AFTER_INTERRUPT_MS);
        }
        if (spool != null) {
            spool.finish(Duration.ofNanos(end - System.nanoTime()));
        }
        Map<String, Loss> left;
        synchronized (this) {
            queue.forEach(this::lose);
            refusedLosses.forEach(this::lose);
            left = new LinkedHashMap<>(losses);
        }
        left.values().stream()
                .reduce(Loss::plus)
                .ifPresent(
                        sum -> Console.say("not delivered: " + sum + "; the next start of parley tap records the gap"));
        file.close(left);
    }
}
