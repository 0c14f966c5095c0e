package dev.parley.topology.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.parley.audit.AuditChain;
import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.DialogueState;
import dev.parley.checkpoint.MemoryStore;
import dev.parley.codec.RecordHeaders;
import dev.parley.decode.WireRecord;
import dev.parley.encoding.ByteBuffers;
import dev.parley.log.AuditLog;
import dev.parley.stage.StageSettings;
import dev.parley.topology.config.AuditKeys;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.pipeline.SigningDeployment.Instance;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** What an insider prepared for the next restart is not signed; what a task restored is, after it was checked. */
@Tag("long")
class RestoredLogIT {
    private static final int CONVERSATION = 7;

    @TempDir
    private Path directory;

    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
    private final Logger log = (Logger) LoggerFactory.getLogger(LogHeadProcessor.class);

    @BeforeEach
    void startLog() {
        logged.start();
        log.addAppender(logged);
    }

    @AfterEach
    void stopLog() {
        log.detachAppender(logged);
    }

    private static List<InputRecord> turns(int from, int to) {
        return IntStream.rangeClosed(from, to)
                .mapToObj(turn -> InputRecord.slipRequest(CONVERSATION, turn))
                .toList();
    }

    private static void awaitHead(SigningDeployment deployment, int partition, long size) {
        await().atMost(SigningDeployment.TIMEOUT)
                .untilAsserted(() -> assertThat(deployment.headSize(partition)).isEqualTo(size));
    }

    /** Runs the pipeline until it has signed the first five records. */
    private static void signFive(SigningDeployment deployment) {
        try (Instance instance = deployment.start()) {
            deployment.send(turns(1, 5));
            awaitHead(deployment, 0, 5);
            assertThat(instance.signing).containsEntry(0, true);
        }
    }

    private static void expectUnsigned(SigningDeployment deployment, int recordsAfterwards) {
        try (Instance instance = deployment.start()) {
            await().atMost(SigningDeployment.TIMEOUT)
                    .untilAsserted(() -> assertThat(instance.signing).containsEntry(0, false));
            // Each record starts the timer of the heads again.
            for (int i = 0; i < 10; i++) {
                deployment.send(turns(6 + i, 6 + i));
                int records = recordsAfterwards + i;
                await().atMost(SigningDeployment.TIMEOUT)
                        .untilAsserted(() -> assertThat(deployment.audit()).hasSize(records));
            }
        }
        // The graceful shutdown has committed what the last timer forwarded.
        assertThat(deployment.headSize(0)).isEqualTo(5);
    }

    @Test
    void aForgedRecordOnAnAbortedInputIsNotSigned() throws Exception {
        try (SigningDeployment deployment = new SigningDeployment(directory, 1)) {
            signFive(deployment);
            forge(deployment, abortedOffset(deployment));
            expectUnsigned(deployment, 7);
        }
    }

    @Test
    void aForgedRecordOfAnInputThatIsStillToBeJudgedIsNotSigned() throws Exception {
        try (SigningDeployment deployment = new SigningDeployment(directory, 1)) {
            signFive(deployment);
            deployment.send(List.of(InputRecord.slipRequest(8, 1)));
            forge(deployment, 5);
            // The input is judged, and so is the next one.
            expectUnsigned(deployment, 8);
        }
    }

    @Test
    void anUndecodableInputWithTheRecordOfAMessageIsNotSigned() throws Exception {
        try (SigningDeployment deployment = new SigningDeployment(directory, 1)) {
            signFive(deployment);
            byte[] noise = "@a9|f9|noise".getBytes(UTF_8);
            deployment.send(List.of(InputRecord.bytes(noise)));
            forge(deployment, 5, forged -> {
                AgentMessage message = forged.getMessage();
                message.setSender("boss");
                message.setRaw(ByteBuffer.wrap(noise));
                message.setSha256(new AuditChain().payloadHash(message.getRaw()));
                forged.setPayloadHash(message.getSha256());
            });
            expectUnsigned(deployment, 8);
            assertThat(refusals()).contains("decoded again, it is undecodable (SLIP_");
        }
    }

    @Test
    void anIllegalMessageWithTheRecordOfALegalOneIsNotSigned() throws Exception {
        try (SigningDeployment deployment = new SigningDeployment(directory, 1)) {
            signFive(deployment);
            InputRecord illegal = InputRecord.slipAcceptOfNothing(8, 1);
            deployment.send(List.of(illegal));
            forge(deployment, 5, forged -> {
                StageSettings.DEFAULT
                        .decoder()
                        .decode(new WireRecord(forged.getSource(), null, illegal.value(), RecordHeaders.NONE))
                        .map(
                                message -> {
                                    forged.setMessage(message.message());
                                    forged.setChain(message.conversation().toString());
                                    return null;
                                },
                                error -> {
                                    throw new AssertionError(error);
                                });
                forged.setSequence(0);
                forged.setPreviousHash(AuditChain.genesis());
                forged.setPayloadHash(forged.getMessage().getSha256());
            });
            expectUnsigned(deployment, 8);
            assertThat(refusals()).contains("judged again, the message");
        }
    }

    @Test
    void recordsOfOtherSettingsAreSigned() throws Exception {
        try (SigningDeployment deployment = new SigningDeployment(directory, 1)) {
            signFive(deployment);
            // So that the next records are not covered when the pipeline stops.
            deployment.values.put(AuditKeys.HEADS_INTERVAL_MS, "600000");
            long heads = headsOf(deployment);
            try (Instance instance = deployment.start()) {
                await().atMost(SigningDeployment.TIMEOUT)
                        .until(() -> instance.signing.containsKey(0) && headsOf(deployment) > heads);
                deployment.send(List.of(
                        InputRecord.slipRequest(8, 1),
                        InputRecord.text("@a3|f0|c9|T1|S0|d1|k1#"),
                        InputRecord.text("CSP/1\nFROM")));
                await().atMost(SigningDeployment.TIMEOUT)
                        .untilAsserted(() -> assertThat(deployment.audit()).hasSize(8));
            }
            deployment.values.put(AuditKeys.HEADS_INTERVAL_MS, "200");
            deployment.values.put(ParleyConfig.PROFILE, "strict");
            deployment.values.put(ParleyConfig.LIMIT_BYTES, "10");
            try (Instance instance = deployment.start()) {
                awaitHead(deployment, 0, 8);
                assertThat(instance.signing).containsEntry(0, true);
            }
        }
    }

    private static long headsOf(SigningDeployment deployment) {
        return deployment.heads().stream()
                .filter(head -> head.getPartition() == 0)
                .count();
    }

    private String refusals() {
        return logged.list.stream().map(ILoggingEvent::getFormattedMessage).collect(Collectors.joining("\n"));
    }

    @Test
    void aLogThatWasSetBackIsNotSigned() throws Exception {
        try (SigningDeployment deployment = new SigningDeployment(directory, 1)) {
            MemoryStore<byte[]> old;
            try (Instance instance = deployment.start()) {
                deployment.send(turns(1, 3));
                awaitHead(deployment, 0, 3);
                assertThat(instance.signing).containsEntry(0, true);
                old = store(deployment);
                deployment.send(turns(4, 5));
                awaitHead(deployment, 0, 5);
            }
            try (Producer<byte[], byte[]> insider = deployment.producerWithInternalKey()) {
                old.scan("", (key, value) -> {
                    insider.send(new ProducerRecord<>(
                            deployment.changelog(PipelineStores.LOG), 0, key.getBytes(UTF_8), value));
                    return true;
                });
            }
            expectUnsigned(deployment, 6);
        }
    }

    @Test
    void restartsAndRebalancesAreSigned() throws Exception {
        try (SigningDeployment deployment = new SigningDeployment(directory, 2)) {
            List<InputRecord> records = IntStream.range(0, 40)
                    .mapToObj(conversation -> InputRecord.slipRequest(conversation, 1))
                    .toList();
            try (Instance first = deployment.start()) {
                deployment.send(records);
                awaitAllSigned(deployment, 40);
                assertThat(first.signing).doesNotContainValue(false);
            }
            try (Instance first = deployment.start()) {
                deployment.send(records);
                awaitAllSigned(deployment, 80);
                try (Instance second = deployment.start()) {
                    await().atMost(SigningDeployment.TIMEOUT)
                            .untilAsserted(() -> assertThat(second.signing).isNotEmpty());
                    deployment.send(records);
                    awaitAllSigned(deployment, 120);
                    assertThat(second.signing).doesNotContainValue(false);
                }
                deployment.send(records);
                awaitAllSigned(deployment, 160);
                assertThat(first.signing).doesNotContainValue(false);
            }
            LogTrees.verify(deployment.audit(), deployment.heads());
        }
    }

    private static void awaitAllSigned(SigningDeployment deployment, long records) {
        await().atMost(SigningDeployment.TIMEOUT).untilAsserted(() -> {
            Map<Integer, Long> sizes = new HashMap<>();
            for (AuditHead head : deployment.heads()) {
                if (head.getPartition() >= 0) {
                    sizes.put(head.getPartition(), head.getSize());
                }
            }
            assertThat(sizes.values().stream().mapToLong(Long::longValue).sum()).isEqualTo(records);
        });
    }

    /** Sends an input and aborts it; returns its offset. */
    private static long abortedOffset(SigningDeployment deployment) throws Exception {
        try (Producer<byte[], byte[]> insider = deployment.producer(Map.of("transactional.id", "insider"))) {
            insider.initTransactions();
            insider.beginTransaction();
            long offset = insider.send(deployment.wire(InputRecord.slipRequest(CONVERSATION, 6)))
                    .get()
                    .offset();
            insider.abortTransaction();
            return offset;
        }
    }

    private static MemoryStore<byte[]> store(SigningDeployment deployment) {
        MemoryStore<byte[]> store = new MemoryStore<>();
        deployment.readCommitted(deployment.changelog(PipelineStores.LOG), (partition, key, value) -> {
            if (value == null) {
                store.delete(key);
            } else {
                store.put(key, value);
            }
        });
        return store;
    }

    private static void forge(SigningDeployment deployment, long offset) {
        forge(deployment, offset, forged -> {});
    }

    /** Writes a record for an input offset, and advances the log and the conversation as the pipeline would. */
    private static void forge(SigningDeployment deployment, long offset, Consumer<AuditRecord> change) {
        List<AuditRecord> audit = deployment.audit();
        AuditRecord last = audit.get(audit.size() - 1);
        MemoryStore<byte[]> store = store(deployment);
        AuditLog log = new AuditLog(0, store);
        AuditRecord forged = AuditRecord.newBuilder(last)
                .setSequence(last.getSequence() + 1)
                .setPreviousHash(last.getHash())
                .setLog(log.next())
                .build();
        forged.getSource().setOffset(offset);
        deployment.timeOf(offset).ifPresent(forged.getSource()::setTimestamp);
        forged.getMessage().setSource(forged.getSource());
        forged.getMessage().setMessageId(deployment.names.wire() + "-0-" + offset);
        change.accept(forged);
        AuditRecord sealed = new AuditChain().seal(forged).auditRecord();
        log.append(sealed.getHash());
        assertThat(log.restored().size()).isEqualTo(6);
        String states = deployment.changelog(PipelineStores.CONVERSATIONS);
        Deserializer<DialogueState> reading =
                deployment.serdes.values(DialogueState.class).deserializer();
        Serializer<DialogueState> writing =
                deployment.serdes.values(DialogueState.class).serializer();
        DialogueState[] state = new DialogueState[1];
        deployment.readCommitted(states, (partition, key, value) -> {
            if (key.equals(last.getChain())) {
                state[0] = reading.deserialize(states, value);
            }
        });
        state[0].setSequence(sealed.getSequence() + 1);
        state[0].setHead(ByteBuffer.wrap(ByteBuffers.of(sealed.getHash())));
        byte[] chain = last.getChain().getBytes(UTF_8);
        try (Producer<byte[], byte[]> insider = deployment.producerWithInternalKey()) {
            insider.send(new ProducerRecord<>(
                    deployment.topics.audit().name(),
                    0,
                    chain,
                    deployment.topics.audit().write(sealed)));
            insider.send(new ProducerRecord<>(states, 0, chain, writing.serialize(states, state[0])));
            store.scan("", (key, value) -> {
                insider.send(
                        new ProducerRecord<>(deployment.changelog(PipelineStores.LOG), 0, key.getBytes(UTF_8), value));
                return true;
            });
        }
    }
}
