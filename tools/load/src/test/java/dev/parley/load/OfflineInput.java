package dev.parley.load;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.InboundHeader;
import dev.parley.avro.Source;
import dev.parley.decode.WireRecord;
import dev.parley.stage.JudgedRecord;
import dev.parley.stage.OfflinePipeline;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;

/** Passes records to a pipeline without brokers. */
public final class OfflineInput {
    private OfflineInput() {}

    /** Passes on a record with an offset, which is also its time in milliseconds. */
    public static void accept(
            OfflinePipeline pipeline,
            ProducerRecord<byte[], byte[]> record,
            long offset,
            Consumer<JudgedRecord> judged,
            Consumer<AuditRecord> audit) {
        Source source = new Source(record.topic(), 0, offset, Instant.EPOCH.plusMillis(offset), null);
        List<InboundHeader> headers = new ArrayList<>();
        for (Header header : record.headers()) {
            headers.add(new InboundHeader(header.key(), ByteBuffer.wrap(header.value())));
        }
        pipeline.accept(
                new WireRecord(
                        source,
                        record.key(),
                        record.value(),
                        visitor -> record.headers().forEach(header -> visitor.accept(header.key(), header.value()))),
                headers,
                judged,
                audit);
    }
}
