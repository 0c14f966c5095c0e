package dev.parley.tap;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Takes batches to disk. A thread of its own delivers them from there, first those of earlier processes. A batch that
 * finds no room waits in memory, and passes the disk by once it has none. Thread-safe.
 */
final class Spool implements Receiver, Delivery.Source {
    private static final int MAX_LEFT = 100;
    /** Time in which records become one batch while the receiver does not keep up. */
    private static final long COLLECT_MS = 100;

    private final long maxBytes;
    private final Deque<SpoolDirectory> directories;
    private final SpoolDirectory own;
    private final Thread sender;
    private Consumer<List<Captured>> whenRefused;
    /** A batch that passes the disk by; null without one. */
    private Batch direct;

    private List<Captured> refused;
    private boolean closing;
    private boolean isOver;
    private boolean reportedWait;

    private Spool(long maxBytes, Deque<SpoolDirectory> directories, SpoolDirectory own, Receiver.Opener opener) {
        this.maxBytes = maxBytes;
        this.directories = directories;
        this.own = own;
        sender = new Thread(() -> Delivery.run(opener, this), "parley-tap-spool");
        sender.setDaemon(true);
    }

    /**
     * Opens a directory, with the batches that earlier processes left.
     *
     * @param maxBytes maximum bytes of them and of new ones
     * @param headers headers of records that mark gaps
     */
    static Spool open(Path parent, long maxBytes, String process, Map<String, String> headers, Receiver.Opener opener)
            throws IOException {
        SessionFile.createDirectory(parent);
        Deque<SpoolDirectory> directories = new ArrayDeque<>();
        for (Path file : SpoolDirectory.sorted(parent)) {
            try {
                SpoolDirectory left = directories.size() < MAX_LEFT ? SpoolDirectory.left(file, headers) : null;
                if (left != null) {
                    directories.add(left);
                }
            } catch (IOException e) {
                Console.say("cannot read " + file + ", which is left as it is: " + Console.reason(e));
            }
        }
        // After the search, which would unlock it.
        SpoolDirectory own = SpoolDirectory.create(parent, process, headers);
        directories.add(own);
        return new Spool(maxBytes, directories, own, opener);
    }

    /**
     * Begins to deliver.
     *
     * @param refusal gets records that the receiver refused permanently
     */
    void start(Consumer<List<Captured>> refusal) {
        whenRefused = refusal;
        sender.start();
    }

    private boolean isEmpty() {
        return directories.size() == 1 && own.isEmpty();
    }

    @Override
    public synchronized List<Captured> deliver(Batch batch) throws InterruptedException {
        long size = batch.records().stream().mapToLong(Captured::bytes).sum();
        if (!isEmpty() && !closing && size < Batch.MAX_BYTES / 2) {
            wait(COLLECT_MS);
        }
        while (!add(batch, size)) {
            if (isEmpty()) {
                direct = batch;
                notifyAll();
                while (direct != null) {
                    wait();
                }
                return refused;
            }
            wait();
        }
        reportedWait = false;
        notifyAll();
        return List.of();
    }

    private boolean add(Batch batch, long size) {
        String reason = "is full";
        try {
            if (directories.stream().mapToLong(SpoolDirectory::bytes).sum() + size <= maxBytes) {
                own.add(batch.records());
                return true;
            }
        } catch (IOException e) {
            reason = "cannot be written: " + Console.reason(e);
        }
        if (!reportedWait) {
            reportedWait = true;
            Console.say("the spool " + reason + "; records wait in memory");
        }
        return false;
    }

    @Override
    public synchronized Batch next() throws InterruptedException {
        while (!isOver) {
            Batch batch = directories.element().first();
            if (batch == null && directories.size() > 1) {
                directories.remove().close();
                continue;
            }
            batch = batch == null ? direct : batch;
            if (batch != null || closing) {
                return batch;
            }
            wait();
        }
        return null;
    }

    @Override
    public synchronized void delivered(Batch batch, List<Captured> refusedRecords) {
        if (batch == direct) {
            refused = refusedRecords;
            direct = null;
        } else if (!isOver) {
            directories.element().delivered();
            whenRefused.accept(refusedRecords);
        }
        notifyAll();
    }

    @Override
    public synchronized void pause(long ms) throws InterruptedException {
        wait(closing ? COLLECT_MS : ms);
        if (isOver) {
            throw new InterruptedException();
        }
    }

    /**
     * Delivers the rest, and reports what is left on disk; {@link #close} does nothing.
     *
     * @param timeout maximum wait
     */
    void finish(Duration timeout) throws InterruptedException {
        synchronized (this) {
            closing = true;
            notifyAll();
        }
        sender.join(Math.max(1, timeout.toMillis()));
        synchronized (this) {
            isOver = true;
            notifyAll();
            long bytes = directories.stream().mapToLong(SpoolDirectory::bytes).sum();
            if (bytes > 0) {
                Console.say(bytes + " bytes are left in the spool; the next start with it delivers them");
            }
            directories.forEach(SpoolDirectory::close);
        }
    }
}
