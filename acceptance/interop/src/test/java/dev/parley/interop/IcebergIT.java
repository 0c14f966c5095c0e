package dev.parley.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.protocol.TopicNames;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.avro.generic.GenericRecord;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The connector of deploy/connect/iceberg.json, reconciled with Parley's accounting and published heads. */
@Tag("long")
@ExtendWith(SharedDeployment.class)
class IcebergIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(240);
    private static final String GROUP = "connect-parley-iceberg";
    private static final TopicPartition CONTROL = new TopicPartition("parley-iceberg-control", 0);
    private static final Path ICEBERG = Path.of("acceptance", "interop", "iceberg", "target", "lib");
    private static final Path PARLEY = Path.of("streams-app", "cli", "target", "lib");

    @TempDir
    private Path directory;

    @Test
    void theTableHasEveryAuditRecordOnceAndMatchesAccountingAndHeads(Deployment deployment) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", deployment.brokers()))) {
            setUp(admin);
            try (ConnectWorker worker = worker(deployment)) {
                // From here on, only the control topic tells the next worker which files the table still lacks.
                await().atMost(TIMEOUT)
                        .pollInterval(Duration.ofMillis(20))
                        .until(() -> worker.isFailed() || hasRead(admin));
                worker.kill();
                assertThat(hasRead(admin)).as(worker.log()).isTrue();
            }
        }
        IcebergTable table = new IcebergTable(directory.resolve("warehouse/parley/audit"));
        deployment.feed(KnownLoad.now("later-"));
        List<GenericRecord> audit = deployment.values(TopicNames.DEFAULT.audit());
        try (ConnectWorker worker = worker(deployment)) {
            await().atMost(TIMEOUT).pollInterval(Duration.ofSeconds(1)).until(() -> {
                worker.requireHealthy();
                return !table.dataFiles().isEmpty() && count(table) >= audit.size();
            });
        }
        assertThat(hashes(table))
                .containsExactlyInAnyOrderElementsOf(audit.stream()
                        .map(record -> HexFormat.of().formatHex(bytes(record.get("hash"))))
                        .toList());
        assertThat(logSizes(table)).isEqualTo(deployment.headSizes());
        assertThat(count(table)).isEqualTo(accounted(deployment));
    }

    private ConnectWorker worker(Deployment deployment) throws Exception {
        return ConnectWorker.start(
                directory,
                Map.of("iceberg", ICEBERG, "parley", PARLEY),
                "iceberg.json",
                Map.of("bootstrap.servers", deployment.brokers(), "offset.flush.interval.ms", "1000"),
                Map.of(
                        "SCHEMA_REGISTRY_URL",
                        deployment.registry(),
                        "ICEBERG_WAREHOUSE",
                        directory.resolve("warehouse").toUri().toString()));
    }

    /** Prepares the first start as docs/analytics.md describes. */
    private static void setUp(Admin admin) throws Exception {
        admin.createTopics(List.of(new NewTopic(CONTROL.topic(), 1, (short) 1)))
                .all()
                .get();
        admin.alterConsumerGroupOffsets(GROUP + "-coord", Map.of(CONTROL, new OffsetAndMetadata(0)))
                .all()
                .get();
    }

    /** Whether a task has committed a position in the audit topic. */
    private static boolean hasRead(Admin admin) throws Exception {
        return !admin.listConsumerGroupOffsets(GROUP)
                .partitionsToOffsetAndMetadata()
                .get()
                .isEmpty();
    }

    /** The number of verdicts in the last counts of every task. */
    private static long accounted(Deployment deployment) {
        Map<ByteBuffer, Long> counts =
                TopicRecords.records(deployment.brokers(), deployment.registry(), TopicNames.DEFAULT.accounting())
                        .stream()
                        .collect(Collectors.toMap(
                                record -> ByteBuffer.wrap(record.key()),
                                record -> verdicts((GenericRecord) record.value()),
                                (earlier, later) -> later));
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    private static long verdicts(GenericRecord accounting) {
        return (long) accounting.get("accepted")
                + (long) accounting.get("rejected")
                + (long) accounting.get("flagged")
                + (long) accounting.get("undecodable");
    }

    private static byte[] bytes(Object value) {
        byte[] bytes = new byte[((ByteBuffer) value).remaining()];
        ((ByteBuffer) value).duplicate().get(bytes);
        return bytes;
    }

    private static long count(IcebergTable table) throws Exception {
        return hashes(table).size();
    }

    private static List<String> hashes(IcebergTable table) throws Exception {
        List<String> hashes = new ArrayList<>();
        for (List<Object> row : rows(table, "SELECT lower(hex(hash)) FROM ")) {
            hashes.add((String) row.get(0));
        }
        return hashes;
    }

    private static Map<Integer, Long> logSizes(IcebergTable table) throws Exception {
        Map<Integer, Long> sizes = new HashMap<>();
        for (List<Object> row : rows(table, "SELECT log.partition, COUNT(*) FROM ", " GROUP BY log.partition")) {
            sizes.put((Integer) row.get(0), (Long) row.get(1));
        }
        return sizes;
    }

    /** Reads the data files with DuckDB. */
    private static List<List<Object>> rows(IcebergTable table, String before, String... after) throws Exception {
        String files = table.dataFiles().stream()
                .map(file -> "'" + file + "'")
                .collect(Collectors.joining(", ", "read_parquet([", "])"));
        List<List<Object>> rows = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement();
                ResultSet results = statement.executeQuery(before + files + String.join("", after))) {
            while (results.next()) {
                List<Object> row = new ArrayList<>();
                for (int i = 1; i <= results.getMetaData().getColumnCount(); i++) {
                    row.add(results.getObject(i));
                }
                rows.add(row);
            }
        }
        return rows;
    }
}
