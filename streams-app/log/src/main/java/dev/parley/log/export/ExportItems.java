package dev.parley.log.export;

import dev.parley.log.export.ExportBatch.Items;
import dev.parley.log.export.ExportBatch.TooLargeException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The items of an export in the order of the file. Threads decode and verify batches ahead of the reader. At most
 * {@value #BATCHES_PER_THREAD} batches per thread are in memory, each of at most {@value #MAX_BATCH_BYTES} bytes; the
 * reader decodes a larger one itself, entry by entry. An exception in a thread is rethrown at the place of its batch.
 * Not thread-safe.
 */
public final class ExportItems implements AutoCloseable {
    private static final int BATCHES_PER_THREAD = 2;

    /** Parley writes at most 64 kB and one entry more in one block. */
    private static final int MAX_BATCH_BYTES = 1 << 22;

    private static final int MAX_BATCH_ENTRIES = 1 << 14;

    private final ExportReader reader;
    private final int maxPending;
    private final ExecutorService threads;
    private final ThreadLocal<EntryDecoder> decoders;
    private final EntryDecoder own;
    private final Deque<Pending> pending = new ArrayDeque<>();
    private boolean ended;
    private Items current = () -> null;

    /** A batch, and its items; empty if it is too large for a thread. */
    private record Pending(ExportBatch batch, Future<Optional<List<ExportItem>>> items) {}

    /**
     * Creates items.
     *
     * @param reader reader of the file; closed with the items
     * @param verifying whether to verify the audit records by themselves
     * @param threads number of threads that decode
     */
    public ExportItems(ExportReader reader, boolean verifying, int threads) {
        this.reader = reader;
        this.maxPending = BATCHES_PER_THREAD * threads;
        this.own = new EntryDecoder(verifying, ExportReader.MAX_BATCH_BYTES, Long.MAX_VALUE);
        this.decoders = ThreadLocal.withInitial(() -> new EntryDecoder(verifying, MAX_BATCH_BYTES, MAX_BATCH_ENTRIES));
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
        while (true) {
            ExportItem item = current.next();
            if (item != null) {
                return Optional.of(item);
            }
            Optional<Items> following = awaitNext();
            if (following.isEmpty()) {
                return Optional.empty();
            }
            current = following.get();
        }
    }

    private Items decode(ExportBatch batch) {
        try {
            return batch.open(own);
        } catch (TooLargeException e) {
            return Items.of(List.of(new ExportItem.Damage("the entries here cannot be read: " + e.getMessage(), true)));
        }
    }

    private Optional<Items> awaitNext() throws IOException {
        while (!ended && pending.size() < maxPending) {
            Optional<ExportBatch> batch = reader.next();
            ended = batch.isEmpty();
            batch.ifPresent(each -> pending.add(new Pending(each, threads.submit(() -> all(each)))));
        }
        Pending first = pending.poll();
        if (first == null) {
            return Optional.empty();
        }
        return Optional.of(await(first.items).map(Items::of).orElseGet(() -> decode(first.batch)));
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

    /** All items of a batch; empty if it is too large to keep them. */
    private Optional<List<ExportItem>> all(ExportBatch batch) {
        try {
            List<ExportItem> all = new ArrayList<>();
            Items items = batch.open(decoders.get());
            for (ExportItem item = items.next(); item != null; item = items.next()) {
                all.add(item);
            }
            return Optional.of(all);
        } catch (TooLargeException e) {
            return Optional.empty();
        }
    }

    @Override
    public void close() throws IOException {
        threads.shutdownNow();
        own.close();
        reader.close();
    }
}
