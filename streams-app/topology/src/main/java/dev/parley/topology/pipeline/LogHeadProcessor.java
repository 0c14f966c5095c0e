package dev.parley.topology.pipeline;

import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditTile;
import dev.parley.log.AuditLog;
import dev.parley.log.LogNotes;
import dev.parley.log.tlog.Tile;
import dev.parley.log.tlog.TreeHead;
import dev.parley.stage.JudgedRecord;
import dev.parley.topology.kafka.SliceScheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the log of the task, in the transaction of the records: a completed tile with its last record, and at the
 * interval of the heads, if the log has grown, its incomplete tiles and then its head. A task publishes a head when it
 * starts too, so that every log has one. The task of partition 0 also publishes the statement of all partitions, at its
 * start and at every interval in which it lists another head or time. A task publishes neither before the check of its
 * restored log has succeeded.
 *
 * <p>A log that does not grow repeats its head after {@value #REPEATED} intervals, so that the statement shows how far
 * it is complete.
 */
final class LogHeadProcessor extends ContextualProcessor<String, JudgedRecord, String, SpecificRecord> {
    private static final Logger LOG = LoggerFactory.getLogger(LogHeadProcessor.class);
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);

    /** Number of intervals after which an unchanged head is repeated. */
    private static final int REPEATED = 6;

    /** Maximum age of a head that is not repeated yet: in an export of everything, logs reach about the same time. */
    private static final Duration MAX_AGE = Duration.ofMinutes(5);

    private final PipelineSettings settings;
    private final PipelineListener pipelineListener;
    private LogNotes notes;
    private KafkaSortedStore<byte[]> store;
    private int partition;
    private Supplier<CompletableFuture<Optional<RestoredLogs.Refusal>>> checks;
    private CompletableFuture<Optional<RestoredLogs.Refusal>> check;
    private boolean checkReported;
    private SliceScheduler start;
    private SliceScheduler heads;
    private SliceScheduler statements;
    private SliceScheduler statement;
    private SliceScheduler repetitions;
    private long publishedSize;
    private long publishedTime;
    private int partitions;
    private Map<Integer, List<Long>> stated;
    private CompletableFuture<Optional<SortedMap<Integer, TreeHead>>> published;

    LogHeadProcessor(PipelineSettings settings, PipelineListener pipelineListener) {
        this.settings = settings;
        this.pipelineListener = pipelineListener;
    }

    @Override
    public void init(ProcessorContext<String, SpecificRecord> context) {
        super.init(context);
        notes = settings.heads().notes();
        store = new KafkaSortedStore<>(context.getStateStore(PipelineStores.LOG));
        partition = context.taskId().partition();
        // Kafka Streams may initialize the same object again after an aborted transaction.
        publishedSize = -1;
        publishedTime = 0;
        partitions = 0;
        stated = null;
        published = null;
        checks = settings.restoredLogs().prepare(PipelineStores.log(context, AuditLog::restored));
        check = checks.get();
        checkReported = false;
        Duration interval = settings.heads().interval();
        start = new SliceScheduler(context, shorter(interval, CHECK_INTERVAL), this::publishStart);
        start.start();
        heads = new SliceScheduler(context, interval, this::publishHead);
        repetitions = new SliceScheduler(context, interval, this::repeatHead);
        statements = new SliceScheduler(context, interval, this::readHeads);
        statement = new SliceScheduler(context, shorter(interval, CHECK_INTERVAL), this::publishStatement);
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    @Override
    public void process(Record<String, JudgedRecord> record) {
        if (record.value().isParked()) {
            return;
        }
        // RecordProcessor has appended it to the log.
        long index = record.value().audit().auditRecord().getLog().getIndex();
        if ((index + 1) % Tile.WIDTH == 0) {
            // Published in its transaction, a tile never reaches the changelog.
            publishCompleted(context().currentSystemTimeMs());
        }
        heads.start();
    }

    private void publishCompleted(long now) {
        AuditLog.publishCompleted(partition, store, tile -> forward(tile, now));
    }

    /**
     * Publishes what an earlier task left, and the first head. Returns whether these wait for the check or statement.
     */
    private boolean publishStart(long now) {
        boolean pending = !check.isDone();
        publishCompleted(now);
        if (publishedSize < 0 && maySign()) {
            publishHead(now);
            pending |= publishedSize < 0;
        }
        return pending;
    }

    /** Whether the check of the restored log has succeeded. Reports its result once. */
    private boolean maySign() {
        if (!check.isDone()) {
            return false;
        }
        Optional<RestoredLogs.Refusal> refusal = check.join();
        if (!checkReported) {
            checkReported = true;
            pipelineListener.signing(partition, refusal.isEmpty());
            refusal.ifPresent(this::report);
        }
        return refusal.isEmpty();
    }

    private void report(RestoredLogs.Refusal refusal) {
        if (!refusal.isFinal()) {
            LOG.warn(
                    "Log {} is not signed yet: {}. Messages are still processed and recorded.",
                    partition,
                    refusal.cause());
            heads.start();
            return;
        }
        LOG.atError()
                .addKeyValue("partition", partition)
                .addKeyValue("index", refusal.index())
                .log(
                        "Log {} is not signed: its restored records, from index {} on, do not follow from its last signed"
                                + " head: {}. Messages are still processed and recorded. The next start of the task"
                                + " checks again. See docs/operations.md.",
                        partition,
                        refusal.index(),
                        refusal.cause());
    }

    /** Returns whether the check of the restored log is to be repeated. */
    private boolean publishHead(long now) {
        if (!maySign()) {
            if (check.isDone()
                    && check.join().filter(refusal -> !refusal.isFinal()).isPresent()) {
                check = checks.get();
                checkReported = false;
                start.start();
            }
            return false;
        }
        if (partition == 0 && !statements.isRunning()) {
            partitions = settings.logPartitions(context().applicationId());
            statements.start();
            readHeads(now);
        }
        if (publishedSize < 0 && stated == null && statement.isRunning()) {
            // A trail with heads has a statement. Later statements may always be running.
            return false;
        }
        long size = AuditLog.size(store);
        if (size != publishedSize) {
            publishCompleted(now);
            AuditLog log = new AuditLog(partition, store);
            log.publishEdge(tile -> forward(tile, now));
            log.headPublished();
            publishedSize = size;
            forwardHead(now);
            repetitions.start();
        }
        return false;
    }

    /** Publishes an old head again if the log has not grown. Otherwise, the timer of the heads publishes a new one. */
    private boolean repeatHead(long now) {
        Duration age = shorter(settings.heads().interval().multipliedBy(REPEATED), MAX_AGE);
        if (now - publishedTime >= age.toMillis() && AuditLog.size(store) == publishedSize) {
            forwardHead(now);
        }
        return true;
    }

    private void forwardHead(long now) {
        publishedTime = now;
        byte[] root = new AuditLog(partition, store).root();
        forward(notes.head(partition, publishedSize, root, Instant.ofEpochMilli(now)), now);
    }

    /** Reads the heads that the next statement lists, and publishes it when they were read. */
    private boolean readHeads(long now) {
        if (!statement.isRunning()) {
            published = settings.publishedHeads().read();
            if (publishStatement(now)) {
                statement.start();
            }
        }
        return true;
    }

    /**
     * Returns whether the heads are still being read. They are committed, so that a reader of the statement finds them.
     */
    private boolean publishStatement(long now) {
        if (!published.isDone()) {
            return true;
        }
        published.join().ifPresent(all -> {
            Map<Integer, List<Long>> next = new HashMap<>();
            all.forEach((log, head) -> next.put(log, List.of(head.size(), LogNotes.timeOf(head))));
            if (!next.equals(stated)) {
                stated = next;
                int listed = all.isEmpty() ? 0 : all.lastKey() + 1;
                forward(notes.statement(Math.max(partitions, listed), all, Instant.ofEpochMilli(now)), now);
            }
        });
        return false;
    }

    private void forward(AuditTile tile, long now) {
        String key = AuditLog.tileKey(tile.getPartition(), tile.getLevel(), tile.getIndex());
        context().forward(new Record<>(key, tile, now));
    }

    private void forward(AuditHead head, long now) {
        context().forward(new Record<>(head.getOrigin(), head, now));
    }

    @Override
    public void close() {
        // The task may end before it was initialized.
        if (check != null) {
            check.cancel(false);
            pipelineListener.signing(partition, true);
        }
    }
}
