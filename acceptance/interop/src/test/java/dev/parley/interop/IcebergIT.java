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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The connector of deploy/connect/iceberg.json, reconciled with Parley's accounting and published heads. */
@Tag("long")
@ExtendWith(SharedDeployment.class)
class IcebergIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(150);
    private static final Path ICEBERG = Path.of("acceptance", "interop", "iceberg", "target", "lib");
    private static final Path PARLEY = Path.of("streams-app", "cli", "target", "lib");

    @TempDir
    private Path directory;

    @Test
    void theTableHasEveryAuditRecordOnceAndMatchesAccountingAndHeads(Deployment deployment) throws Exception {
        createControlTopic(deployment);
        IcebergTable table = new IcebergTable(directory.resolve("warehouse/parley/audit"));
        try (ConnectWorker worker = worker(deployment)) {
            await().atMost(TIMEOUT)
                    .until(() -> worker.isFailed() || !table.dataFiles().isEmpty());
            worker.kill();
            assertThat(table.dataFiles()).as(worker.log()).isNotEmpty();
        }
        deployment.feed(KnownLoad.now("later-"));
        List<GenericRecord> audit = deployment.values(TopicNames.DEFAULT.audit());
        try (ConnectWorker worker = worker(deployment)) {
            await().atMost(TIMEOUT).pollInterval(Duration.ofSeconds(1)).until(() -> {
                worker.requireHealthy();
                return count(table) >= audit.size();
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

    private static void createControlTopic(Deployment deployment) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", deployment.brokers()))) {
            admin.createTopics(List.of(new NewTopic("parley-iceberg-control", 1, (short) 1)))
                    .all()
                    .get();
        }
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
