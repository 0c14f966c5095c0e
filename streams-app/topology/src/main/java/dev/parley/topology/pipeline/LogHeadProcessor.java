package dev.parley.topology.pipeline;

import dev.parley.audit.AuditLog;
import dev.parley.audit.LogNotes;
import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditTile;
import dev.parley.stage.JudgedRecord;
import dev.parley.topology.kafka.SliceScheduler;
import java.time.Duration;
import java.time.Instant;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Publishes the log of the task by punctuation, in the transaction of the records: completed tiles every second, and at
 * the interval of the heads, if the log has grown, its incomplete tiles and then its head. A task publishes a head when
 * it starts too, so that every log has one; the task of partition 0 also publishes the statement of all partitions.
 */
final class LogHeadProcessor extends ContextualProcessor<String, JudgedRecord, String, SpecificRecord> {
    private static final Duration TILES_INTERVAL = Duration.ofSeconds(1);

    private final PipelineSettings settings;
    private LogNotes notes;
    private KafkaSortedStore<byte[]> store;
    private SliceScheduler tiles;
    private SliceScheduler heads;
    private int partition;
    private long publishedSize;
    private boolean stated;

    LogHeadProcessor(PipelineSettings settings) {
        this.settings = settings;
    }

    @Override
    public void init(ProcessorContext<String, SpecificRecord> context) {
        super.init(context);
        notes = settings.heads().notes();
        KeyValueStore<String, byte[]> log = context.getStateStore(PipelineStores.LOG);
        store = new KafkaSortedStore<>(log);
        partition = context.taskId().partition();
        // Kafka Streams may initialize the same object again after an aborted transaction.
        publishedSize = -1;
        stated = false;
        Duration interval = settings.heads().interval();
        tiles = new SliceScheduler(context, shorter(interval, TILES_INTERVAL), this::publishTiles);
        heads = new SliceScheduler(context, interval, this::publishHead);
        tiles.start();
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    @Override
    public void process(Record<String, JudgedRecord> record) {
        // RecordProcessor has appended it to the log.
        if (!record.value().isParked()) {
            tiles.start();
            heads.start();
        }
    }

    private boolean publishTiles(long now) {
        AuditLog.publishCompleted(partition, store, tile -> forward(tile, now));
        if (publishedSize < 0) {
            publishHead(now);
        }
        return false;
    }

    private boolean publishHead(long now) {
        if (partition == 0 && !stated) {
            stated = true;
            forward(notes.statement(settings.logPartitions(context().applicationId()), Instant.ofEpochMilli(now)), now);
        }
        long size = AuditLog.size(store);
        if (size == publishedSize) {
            return false;
        }
        AuditLog.publishCompleted(partition, store, tile -> forward(tile, now));
        AuditLog log = new AuditLog(partition, store);
        log.publishEdge(tile -> forward(tile, now));
        publishedSize = size;
        forward(notes.head(partition, size, log.root(), Instant.ofEpochMilli(now)), now);
        return false;
    }

    private void forward(AuditTile tile, long now) {
        String key = AuditLog.tileKey(tile.getPartition(), tile.getLevel(), tile.getIndex());
        context().forward(new Record<>(key, tile, now));
    }

    private void forward(AuditHead head, long now) {
        context().forward(new Record<>(head.getOrigin(), head, now));
    }
}
