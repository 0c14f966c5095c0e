package dev.parley.log.export;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The items of an export in the order of the file. Threads decode and verify batches ahead of the reader. At most
 * {@value #BATCHES_PER_THREAD} batches per thread are in memory; the reader decodes a large one itself, entry by entry.
 * An exception in a thread is rethrown at the place of its batch. Not thread-safe.
 */
public final class ExportItems implements AutoCloseable {
    private static final int BATCHES_PER_THREAD = 2;

    private final ExportReader reader;
    private final boolean verifying;
    private final int maxPending;
    private final ExecutorService threads;
    private final Deque<Pending> pending = new ArrayDeque<>();
    private boolean ended;
    private Iterator<ExportItem> current = Collections.emptyIterator();

    /** A batch, and its items; empty if it is large. */
    private record Pending(ExportBatch batch, Optional<Future<List<ExportItem>>> items) {}

    /**
     * Creates items.
     *
     * @param reader reader of the file; closed with the items
     * @param verifying whether to verify the audit records by themselves
     * @param threads number of threads that decode
     */
    public ExportItems(ExportReader reader, boolean verifying, int threads) {
        this.reader = reader;
        this.verifying = verifying;
        this.maxPending = BATCHES_PER_THREAD * threads;
        this.threads = Executors.newFixedThreadPool(threads, work -> {
            Thread thread = new Thread(work, "parley-verify");
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * The next item.
     *
     * @return the item; empty at the end
     * @throws IOException if the file cannot be read
     */
    public Optional<ExportItem> next() throws IOException {
        while (!current.hasNext()) {
            readAhead();
            Pending first = pending.poll();
            if (first == null) {
                return Optional.empty();
            }
            current = first.items.isPresent() ? await(first.items.get()).iterator() : first.batch.items(verifying);
        }
        return Optional.of(current.next());
    }

    private void readAhead() throws IOException {
        while (!ended && pending.size() < maxPending) {
            Optional<ExportBatch> batch = reader.next();
            ended = batch.isEmpty();
            batch.ifPresent(each -> pending.add(new Pending(
                    each, each.isLarge() ? Optional.empty() : Optional.of(threads.submit(() -> all(each))))));
        }
    }

    private List<ExportItem> all(ExportBatch batch) {
        List<ExportItem> all = new ArrayList<>();
        batch.items(verifying).forEachRemaining(all::add);
        return all;
    }

    private static <T> T await(Future<T> future) throws IOException {
        try {
            return future.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw new IllegalStateException("a batch of the export could not be decoded", e.getCause());
        }
    }

    @Override
    public void close() throws IOException {
        threads.shutdownNow();
        reader.close();
    }
}
