package dev.parley.topology.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditRecord;
import dev.parley.encoding.ByteBuffers;
import dev.parley.log.AuditLog;
import dev.parley.log.tlog.Frontier;
import dev.parley.log.tlog.MerkleHasher;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.StreamsSettings;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills the process of the pipeline with SIGKILL at random moments while it writes records. {@code -Dparley.kills=N}
 * sets the number of kills; a failure prints the seed, which {@code -Dparley.seed} repeats.
 */
@Tag("long")
class LogKillIT {
    private static final int KILLS = Integer.getInteger("parley.kills", 2);
    private static final long SEED = Long.getLong("parley.seed", System.nanoTime());
    private static final int MAX_RECORDS = 400;
    private static final int PARTITIONS = 2;

    @TempDir
    private Path directory;

    private final Random random = new Random(SEED);

    @Test
    void logsAreTheTreesOfTheCommittedRecordsAfterEveryKill() throws Exception {
        try (SigningDeployment deployment = new SigningDeployment(directory, PARTITIONS);
                Admin admin = Admin.create(StreamsSettings.clientSettings(deployment.config))) {
            int sent = 0;
            for (int kill = 0; kill < KILLS; kill++) {
                long before = deployment.committed();
                int more = 1 + random.nextInt(MAX_RECORDS);
                deployment.send(conversations(sent, 2 * MAX_RECORDS));
                sent += 2 * MAX_RECORDS;
                Process pipeline = pipeline(deployment);
                try {
                    await().atMost(SigningDeployment.TIMEOUT)
                            .pollInterval(5, TimeUnit.MILLISECONDS)
                            .untilAsserted(() -> {
                                assertThat(pipeline.isAlive()).isTrue();
                                assertThat(deployment.committed()).isGreaterThanOrEqualTo(before + more);
                            });
                } finally {
                    kill(pipeline, admin, deployment);
                }
                compare(deployment, "kill " + kill);
            }
            int all = sent;
            Process pipeline = pipeline(deployment);
            try {
                await().atMost(SigningDeployment.TIMEOUT).untilAsserted(() -> {
                    Map<Integer, Long> sizes = new TreeMap<>();
                    deployment.heads().stream()
                            .filter(head -> head.getPartition() >= 0)
                            .forEach(head -> sizes.put(head.getPartition(), head.getSize()));
                    assertThat(sizes.values().stream()
                                    .mapToLong(Long::longValue)
                                    .sum())
                            .as("signed records; seed %d", SEED)
                            .isEqualTo(all);
                });
            } finally {
                kill(pipeline, admin, deployment);
            }
            compare(deployment, "the end");
            assertThat(deployment.audit())
                    .extracting(AuditRecord::getSource)
                    .doesNotHaveDuplicates()
                    .hasSize(all);
        }
    }

    /** The stores restore the trees of the committed records, and the published heads are trees of a part of them. */
    private static void compare(SigningDeployment deployment, String moment) {
        await().atMost(SigningDeployment.TIMEOUT).untilAsserted(() -> {
            List<AuditHead> heads = deployment.heads();
            List<AuditRecord> audit = new ArrayList<>(deployment.audit());
            LogTrees.verify(audit, heads);
            audit.sort(Comparator.comparingLong(record -> record.getLog().getIndex()));
            Map<Integer, Frontier> trees = new TreeMap<>();
            MerkleHasher hasher = new MerkleHasher();
            audit.forEach(record -> trees.computeIfAbsent(record.getLog().getPartition(), partition -> new Frontier())
                    .append(hasher.leaf(ByteBuffers.of(record.getHash()))));
            Map<Integer, AuditLog> logs = deployment.logs();
            trees.forEach((partition, tree) -> {
                assertThat(logs.get(partition).next().getIndex())
                        .as("%s, log %d, seed %d", moment, partition, SEED)
                        .isEqualTo(tree.size());
                assertThat(logs.get(partition).root())
                        .as("%s, log %d, seed %d", moment, partition, SEED)
                        .isEqualTo(tree.root());
            });
        });
    }

    private static List<InputRecord> conversations(int from, int number) {
        List<InputRecord> records = new ArrayList<>();
        for (int i = from; i < from + number; i++) {
            records.add(InputRecord.text("{\"type\":\"STATE\",\"payload\":\"" + i + "\"}")
                    .key("c" + i % 50)
                    .header("conversation_id", "c" + i % 50));
        }
        return records;
    }

    private Process pipeline(SigningDeployment deployment) throws Exception {
        Properties properties = new Properties();
        properties.putAll(deployment.values);
        properties.put(ParleyConfig.STATE_DIR, directory.resolve("state").toString());
        Path file = directory.resolve("pipeline.properties");
        try (Writer writer = Files.newBufferedWriter(file)) {
            properties.store(writer, null);
        }
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Dlogback.configurationFile=logback.xml",
                        "-cp",
                        System.getProperty("java.class.path"),
                        PipelineProcess.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("pipeline.log").toFile()));
        builder.environment().put("PARLEY_CONFIG", file.toString());
        return builder.start();
    }

    /** Kills the process, and does what the brokers do after its session and transaction timeouts. */
    private static void kill(Process pipeline, Admin admin, SigningDeployment deployment) throws Exception {
        pipeline.destroyForcibly();
        assertThat(pipeline.waitFor(SigningDeployment.TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
        String application = deployment.config.getString(ParleyConfig.APPLICATION_ID);
        List<String> open = admin
                .listTransactions(new ListTransactionsOptions().filterStates(List.of(TransactionState.ONGOING)))
                .all()
                .get()
                .stream()
                .map(TransactionListing::transactionalId)
                .filter(id -> id.startsWith(application + "-"))
                .toList();
        if (!open.isEmpty()) {
            admin.fenceProducers(open).all().get();
        }
        admin.removeMembersFromConsumerGroup(application, new RemoveMembersFromConsumerGroupOptions())
                .all()
                .get();
    }
}
