package dev.parley.cli.verify;

import dev.parley.audit.AuditFault;
import dev.parley.audit.FaultCode;
import dev.parley.audit.RecordLocation;
import dev.parley.avro.AuditManifest;
import dev.parley.cli.export.ProgressListener;
import dev.parley.cli.export.TopicReader;
import dev.parley.serde.UnreadableRecordException;
import dev.parley.topology.topics.Topic;
import dev.parley.topology.topics.Topics;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads the last manifest of each journal from the topics, without verification. */
public final class LatestManifests implements AutoCloseable {
    private final TopicReader reader;
    private final Topic<String, AuditManifest> topic;
    private final ProgressListener progressListener;

    /**
     * Creates a reader.
     *
     * @param clients common settings of the Kafka clients
     * @param topics deserializers of the topics
     * @param progressListener listener for unreadable records
     */
    public LatestManifests(Map<String, Object> clients, Topics topics, ProgressListener progressListener) {
        this.reader = new TopicReader(clients);
        this.topic = topics.auditManifest();
        this.progressListener = progressListener;
    }

    /** The last manifest of each journal, by partition. */
    public List<AuditManifest> read() {
        Map<Integer, AuditManifest> last = new TreeMap<>();
        reader.readAll(topic.name(), record -> {
            try {
                AuditManifest manifest = topic.read(record.value());
                if (manifest != null) {
                    last.merge(
                            manifest.getPartition(),
                            manifest,
                            (before, next) -> next.getNumber() > before.getNumber() ? next : before);
                }
            } catch (UnreadableRecordException e) {
                RecordLocation recordLocation =
                        RecordLocation.of(record.topic() + "-" + record.partition(), record.offset());
                progressListener.found(AuditFault.withoutChain(FaultCode.UNREADABLE, recordLocation, e.getMessage()));
            }
        });
        return List.copyOf(last.values());
    }

    @Override
    public void close() {
        reader.close();
    }
}
