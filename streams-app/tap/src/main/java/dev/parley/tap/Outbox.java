package dev.parley.tap;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Records on their way to the receiver, in the order in which they were offered, within a bound of memory. A thread of
 * its own delivers them. If the receiver does not keep up, either the traffic waits, or records are dropped: once the
 * outbox is half empty again, a record that marks the gap states the loss, before later records of that session.
 * Thread-safe.
 */
final class Outbox implements Delivery.Source {
    private static final int MAX_SESSIONS = 1_000;
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
    /** Masking reads nested messages by recursion. */
    private final Thread sender = new Thread(null, this::send, "parley-tap-sender", STACK_BYTES);

    private long bytes;
    private long batches;
    private boolean connects;
    private boolean closing;
    private boolean reportedLoss;
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
        if (senders.containsKey(direction)) {
            all.put("parley-sender", senders.get(direction));
        }
        all.putAll(more);
        return new Captured(session, value, all, System.currentTimeMillis(), null);
    }

    /** Reports messages that passed and cannot be recorded. */
    synchronized void lose(String session, long records, long lost) {
        start();
        file.add(session);
        Loss loss = new Loss();
        loss.add(records, lost, System.currentTimeMillis());
        lose(session, loss);
        settle(session);
        notifyAll();
    }

    /** Sends the gaps of earlier processes that left some; their files are deleted when no record is left. */
    synchronized void reportLeft() {
        Map<String, String> left = file.left();
        left.forEach((session, loss) -> add(Loss.gap(session, headers, loss, null)));
        if (!left.isEmpty()) {
            Console.say("an earlier parley tap did not deliver everything; recording " + left.size() + " gaps");
        }
    }

    /** Begins to deliver from a spool, to which the receiver takes the records. */
    synchronized void deliverFrom(Spool from) {
        spool = from;
        spool.start(this::lose);
    }

    /** Name of the process, and session of records that belong to no other. */
    String process() {
        return file.process();
    }

    /** Allows the connection to the receiver: the first bytes have passed. */
    synchronized void connect() {
        if (!connects) {
            connects = true;
            notifyAll();
        }
    }

    /** Lets traffic pass without room: its source has ended. */
    synchronized void pass() {
        blocks = false;
        notifyAll();
    }

    private void start() {
        if (sender.getState() == Thread.State.NEW) {
            sender.start();
        }
    }

    private void add(Captured record) {
        start();
        file.add(record.session());
        long need = record.bytes();
        settle(record.session());
        if (bytes + need > maxBytes || losses.containsKey(record.session())) {
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
        Loss loss = record.loss();
        if (loss == null && record.headers().containsKey(Loss.HEADER)) {
            // The file of the earlier process remains.
            return;
        }
        if (loss == null) {
            loss = new Loss();
            loss.add(1, record.length(), record.time());
        }
        lose(record.session(), loss);
    }

    private void lose(String session, Loss loss) {
        // Beyond the bound, the session of the process stands for the others.
        String key = losses.containsKey(session) || losses.size() < MAX_SESSIONS ? session : file.process();
        losses.computeIfAbsent(key, name -> new Loss()).add(loss);
    }

    /** Marks the gap of a session if there is room: at half, so that one outage is one gap. */
    private void settle(String session) {
        if (!losses.isEmpty() && bytes <= maxBytes / 2) {
            Loss loss = losses.remove(session);
            if (loss != null) {
                push(Loss.gap(session, headers, loss.toString(), loss));
            }
        }
    }

    /** Waits for the next records. They stay in the queue until they are delivered. */
    @Override
    public synchronized Batch next() throws InterruptedException {
        while (true) {
            new ArrayList<>(losses.keySet()).forEach(this::settle);
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
            awaitFirstBytes();
            Delivery.run(opener, this);
        } catch (InterruptedException e) {
            // The bounded wait at the end is over; close() reports what is left.
        }
    }

    private synchronized void awaitFirstBytes() throws InterruptedException {
        long end = System.nanoTime() + Duration.ofMillis(CONNECT_AFTER_MS).toNanos();
        for (long left = CONNECT_AFTER_MS; !connects && !closing && left > 0; ) {
            wait(left);
            left = (end - System.nanoTime()) / 1_000_000;
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
        refused.forEach(this::lose);
        if (!refused.isEmpty()) {
            Console.say("the receiver refused " + refused.size() + " records; a gap is recorded");
        }
        file.delivered();
        notifyAll();
    }

    /**
     * Delivers the rest, and reports what is left on standard error and to the next start.
     *
     * @param timeout maximum wait
     */
    void close(Duration timeout) throws InterruptedException {
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
        Map<String, Loss> left;
        synchronized (this) {
            queue.forEach(this::lose);
            left = new LinkedHashMap<>(losses);
        }
        if (!left.isEmpty()) {
            Loss sum = new Loss();
            left.values().forEach(sum::add);
            Console.say("not delivered: " + sum + "; the next start of parley tap records the gap");
        }
        if (spool != null) {
            spool.finish(Duration.ofNanos(end - System.nanoTime()));
        }
        file.close(left);
    }
}
