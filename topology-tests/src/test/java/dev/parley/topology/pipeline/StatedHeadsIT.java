package dev.parley.topology.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.avro.AuditHead;
import dev.parley.cli.export.TopicExport;
import dev.parley.cli.verify.AuditedPipeline;
import dev.parley.cli.verify.TopicVerification;
import dev.parley.log.LogNoteReader;
import dev.parley.log.LogNotes;
import dev.parley.log.PartitionStatement;
import dev.parley.log.export.ExportFormat;
import dev.parley.log.verify.FileVerification;
import dev.parley.log.verify.StoredHeads;
import dev.parley.topology.kafka.StreamsSettings;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the statement follows the heads of all logs, and that no reader takes a sound trail for a cut one. */
@Tag("long")
class StatedHeadsIT {
    private static final int ROUNDS = 12;
    private static final int RECORDS = 50;

    @TempDir
    private Path directory;

    @Test
    void aGrowingTrailVerifiesAtAnyMomentAndItsStatementFollows() throws Exception {
        try (SigningDeployment deployment = new SigningDeployment(directory, 3)) {
            try (SigningDeployment.Instance first = deployment.start()) {
                // Before the first statement, a trail is incomplete.
                await().atMost(SigningDeployment.TIMEOUT)
                        .untilAsserted(() -> assertThat(deployment.heads())
                                .anySatisfy(note -> assertThat(PartitionStatement.of(note))
                                        .hasValueSatisfying(statement ->
                                                assertThat(statement.heads()).hasSize(3))));
                for (int round = 0; round < ROUNDS; round++) {
                    send(deployment, round);
                    verify(deployment);
                    if (round == ROUNDS / 2) {
                        // Its tasks stop, and start elsewhere.
                        try (SigningDeployment.Instance second = deployment.start()) {
                            await().atMost(SigningDeployment.TIMEOUT)
                                    .untilAsserted(
                                            () -> assertThat(second.signing).isNotEmpty());
                            verify(deployment);
                            assertThat(second.signing).doesNotContainValue(false);
                        }
                        verify(deployment);
                    }
                }
                assertThat(first.signing).doesNotContainValue(false);
                awaitStated(deployment, ROUNDS * RECORDS);
                Instant received = Instant.now();
                await().atMost(SigningDeployment.TIMEOUT)
                        .untilAsserted(() -> assertThat(deployment.heads().stream()
                                        .flatMap(note -> PartitionStatement.of(note).stream())
                                        .flatMap(statement -> statement.completeTo().stream())
                                        .toList())
                                .as("the logs are complete although no record follows")
                                .last()
                                .satisfies(complete -> assertThat(complete).isAfter(received)));
            }
            assertThat(stated(deployment)).containsOnlyKeys(0, 1, 2);
            assertThat(readAgain(deployment)).isEqualTo(stated(deployment));

            // The heads since the last statement are found, too.
            LogNotes notes = LogHeadSettings.of(deployment.config).notes();
            AuditHead later = notes.head(1, 10_000, new byte[32], Instant.now());
            try (Producer<byte[], byte[]> producer = deployment.producer(Map.of())) {
                producer.send(new ProducerRecord<>(
                        deployment.names.auditHead(),
                        deployment.topics.auditHead().write(later)));
            }
            assertThat(readAgain(deployment)).containsEntry(1, 10_000L);
        }
    }

    /** Sends records while the trail is verified. */
    private static void send(SigningDeployment deployment, int round) {
        deployment.send(IntStream.range(0, RECORDS)
                .mapToObj(i -> InputRecord.slipRequest(1 + i, round + 1))
                .toList());
    }

    private void verify(SigningDeployment deployment) throws Exception {
        List<String> faults = new ArrayList<>();
        Map<String, Object> clients = StreamsSettings.clientSettings(deployment.config);
        try (TopicVerification topics = new TopicVerification(
                clients,
                deployment.names,
                deployment.serdes,
                AuditedPipeline.of(deployment.config),
                reader(deployment),
                InstantSource.system(),
                fault -> faults.add("topics: " + fault))) {
            topics.run(StoredHeads.NONE, StoredHeads.NONE, Optional.empty());
        }
        Path file = directory.resolve("export.jsonl");
        try (TopicExport export = new TopicExport(
                        clients, deployment.names, deployment.serdes, LogNoteReader.ofAll(), fault -> {});
                OutputStream out = Files.newOutputStream(file)) {
            export.run(TopicExport.Selection.EVERYTHING, Optional.empty(), ExportFormat.JSONL, out, Instant.now());
        }
        new FileVerification(reader(deployment), fault -> faults.add("export: " + fault)).run(file);
        assertThat(faults).isEmpty();
    }

    private static LogNoteReader reader(SigningDeployment deployment) {
        return new LogNoteReader(LogHeadSettings.of(deployment.config).notes().verifierKeys());
    }

    private static void awaitStated(SigningDeployment deployment, long records) {
        await().atMost(SigningDeployment.TIMEOUT)
                .untilAsserted(() -> assertThat(stated(deployment).values().stream()
                                .mapToLong(Long::longValue)
                                .sum())
                        .isEqualTo(records));
    }

    /** The sizes that the last statement lists. */
    private static Map<Integer, Long> stated(SigningDeployment deployment) {
        Map<Integer, Long> sizes = new TreeMap<>();
        deployment
                .heads()
                .forEach(note -> PartitionStatement.of(note).ifPresent(statement -> {
                    sizes.clear();
                    statement.heads().forEach((partition, head) -> sizes.put(partition, head.size()));
                }));
        return sizes;
    }

    /** The sizes that another instance would list. */
    private static Map<Integer, Long> readAgain(SigningDeployment deployment) throws Exception {
        try (BrokerPublishedHeads heads = new BrokerPublishedHeads(deployment.config, deployment.serdes)) {
            Map<Integer, Long> sizes = new TreeMap<>();
            heads.read()
                    .get(1, TimeUnit.MINUTES)
                    .orElseThrow()
                    .forEach((partition, head) -> sizes.put(partition, head.size()));
            assertThat(heads.read().get(1, TimeUnit.MINUTES).orElseThrow()).hasSameSizeAs(sizes);
            return sizes;
        }
    }
}
