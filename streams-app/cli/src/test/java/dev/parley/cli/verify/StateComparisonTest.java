package dev.parley.cli.verify;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Checkpoint;
import dev.parley.avro.CspOperation;
import dev.parley.avro.CspOperator;
import dev.parley.avro.Source;
import dev.parley.checkpoint.CheckpointKey;
import dev.parley.checkpoint.CheckpointSettings;
import dev.parley.cli.api.ApiClient;
import dev.parley.cli.api.ApiException;
import dev.parley.cli.transcript.TranscriptRun;
import dev.parley.codec.TrustedRecords;
import dev.parley.decode.ConversationKey;
import dev.parley.json.ApiJson;
import dev.parley.log.AuditFault;
import dev.parley.log.FaultCode;
import dev.parley.log.RecordLocation;
import dev.parley.stage.StageSettings;
import dev.parley.state.CheckpointSummary;
import dev.parley.state.InMemoryConversation;
import dev.parley.state.PointInTime;
import dev.parley.state.QueryBudget;
import dev.parley.state.StateQueries;
import dev.parley.state.StateQueryException;
import dev.parley.topology.kafka.TopicReader;
import dev.parley.topology.topics.Topic;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.Serdes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an API returns, compared with the records of the samples. The API answers from stores that a test changes. */
class StateComparisonTest {
    private static final StageSettings SETTINGS = StageSettings.DEFAULT;

    private final Map<String, List<AuditRecord>> trail = new LinkedHashMap<>();
    private final List<AuditRecord> storedRecords = new ArrayList<>();
    private final List<Checkpoint> storedCheckpoints = new ArrayList<>();
    private final List<AuditFault> faults = new ArrayList<>();
    private final List<String> reads = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger refused = new AtomicInteger();
    private UnaryOperator<AuditRecord> visible = record -> record;
    private Optional<String> problem = Optional.empty();
    private HttpServer server;
    private ApiClient api;
    private StateComparison check;

    @BeforeAll
    static void trust() {
        TrustedRecords.trust();
    }

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
        api = new ApiClient(URI.create("http://127.0.0.1:" + server.getAddress().getPort()));
        check = new StateComparison(api, SETTINGS);
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void judge(String sample) throws IOException {
        new TranscriptRun(new PrintWriter(new StringWriter()), SETTINGS)
                .over(
                        Path.of("samples", sample),
                        (number, line) -> {},
                        judged -> storedCheckpoints.addAll(judged.checkpoints()),
                        record -> {
                            trail.computeIfAbsent(record.getChain(), chain -> new ArrayList<>())
                                    .add(AuditRecord.newBuilder(record).build());
                            storedRecords.add(record);
                        });
    }

    private void compare() {
        trail.forEach((chain, records) -> check.compare(chain, records, faults::add));
    }

    private void answer(HttpExchange exchange) throws IOException {
        int status = 200;
        Object body;
        try {
            body = body(exchange.getRequestURI());
        } catch (StateQueryException e) {
            status = 404;
            body = Map.of("code", e.code(), "detail", e.getMessage());
        }
        if (refused.getAndDecrement() > 0) {
            status = 429;
            body = Map.of("code", "RATE_LIMITED", "detail", "Wait.");
        } else if (problem.isPresent()) {
            status = 410;
            body = Map.of("code", problem.get(), "detail", "Gone.");
        }
        byte[] bytes = ApiJson.bytes(body);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private Object body(URI uri) {
        String path = uri.getRawPath();
        String chain = trail.keySet().stream()
                .filter(each -> key(each).isPresent())
                .filter(each ->
                        (path + "/").startsWith(ApiClient.conversation(key(each).get()) + "/"))
                .findFirst()
                .orElseThrow();
        ConversationKey key = key(chain).orElseThrow();
        InMemoryConversation stored = new InMemoryConversation(key);
        storedRecords.forEach(stored::accept);
        storedCheckpoints.forEach(stored::accept);
        StateQueries queries = new StateQueries(stored, SETTINGS::stateModel, visible, QueryBudget.UNLIMITED);
        if (path.endsWith("/state")) {
            String at = URLDecoder.decode(uri.getRawQuery().substring("at=".length()), UTF_8);
            return queries.state(key, PointInTime.parse(at, key.symbol(), Clock.systemUTC()));
        }
        if (path.endsWith("/checkpoints")) {
            String query = uri.getRawQuery();
            int cursor = query.indexOf("cursor=");
            return queries.tree(
                    key,
                    cursor < 0
                            ? Optional.empty()
                            : Optional.of(URLDecoder.decode(query.substring(cursor + "cursor=".length()), UTF_8)),
                    2);
        }
        assertThat(uri.getQuery()).startsWith("at-least=parley.");
        reads.add(chain);
        List<AuditRecord> records = storedRecords.stream()
                .filter(record -> record.getChain().equals(chain))
                .toList();
        AuditRecord last = records.get(records.size() - 1);
        return Map.of("lastSequence", last.getSequence(), "lastHash", CheckpointSummary.hex(last.getHash()));
    }

    private static Optional<ConversationKey> key(String chain) {
        return Optional.of(ConversationKey.parse(chain))
                .filter(key -> !key.protocol().equals("UNKNOWN"));
    }

    private AuditFault onlyFault() {
        assertThat(faults).hasSize(1);
        assertThat(faults.get(0).code()).isEqualTo(FaultCode.STATE_CHANGED);
        return faults.get(0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "csp-refactoring.jsonl",
                "lambda-negotiation.jsonl",
                "mcp-tickets.jsonl",
                "slip-release.jsonl",
                "subit-cycles.jsonl",
                "wrong.jsonl"
            })
    void storesThatFollowFromTheRecordsHaveNoFault(String sample) throws IOException {
        judge(sample);
        refused.set(1);

        compare();

        assertThat(faults).isEmpty();
        long conversations =
                trail.keySet().stream().filter(chain -> key(chain).isPresent()).count();
        assertThat(conversations).isPositive();
        assertThat(check.summary()).startsWith(conversations + " conversation").contains("; 0 not");
    }

    @Test
    void aChangedMessageIsAFault() throws IOException {
        judge("subit-cycles.jsonl");
        AuditRecord last = storedRecords.get(storedRecords.size() - 1);
        storedRecords.remove(last);
        storedRecords.add(
                AuditRecord.newBuilder(last).setHash(ByteBuffer.allocate(32)).build());

        compare();

        assertThat(onlyFault().chain()).isEqualTo(last.getChain());
        assertThat(onlyFault().detail()).contains("hash 0000");
    }

    @Test
    void aRecordThatTheStoreLacksIsAFault() throws IOException {
        judge("lambda-negotiation.jsonl");
        AuditRecord definition = storedRecords.stream()
                .filter(record -> record.getVerdict().equals("ACCEPTED"))
                .filter(record -> String.valueOf(
                                UTF_8.decode(record.getMessage().getRaw().duplicate()))
                        .contains("{def:"))
                .findFirst()
                .orElseThrow();
        storedRecords.remove(definition);

        compare();

        assertThat(onlyFault().chain()).isEqualTo(definition.getChain());
        assertThat(onlyFault().detail()).startsWith("the state as of sequence:");
    }

    @Test
    void aDefinitionThatNoPatchMadeIsAFault() throws IOException {
        judge("csp-refactoring.jsonl");
        Checkpoint last = storedCheckpoints.get(storedCheckpoints.size() - 1);
        List<CspOperation> operations = new ArrayList<>(last.getOperations());
        operations.add(new CspOperation(CspOperator.ADD, "FORGED", "1"));
        storedCheckpoints.add(Checkpoint.newBuilder(last)
                .setOperations(operations)
                .setSnapshot(null)
                .setSetters(null)
                .build());

        compare();

        assertThat(onlyFault().detail()).isEqualTo("the state as of checkpoint:" + last.getId() + " differs");
    }

    @Test
    void checkpointsThatNoPatchMadeOrThatAreMissingAreFaults() throws IOException {
        judge("csp-refactoring.jsonl");
        Checkpoint last = storedCheckpoints.get(storedCheckpoints.size() - 1);
        Checkpoint more = Checkpoint.newBuilder(last)
                .setId("FORGED")
                .setParent(last.getId())
                .setOrdinal(last.getOrdinal() + 1)
                .build();
        storedCheckpoints.add(more);

        compare();

        assertThat(onlyFault().detail()).isEqualTo("no accepted patch makes checkpoint FORGED");

        faults.clear();
        storedCheckpoints.removeIf(
                checkpoint -> checkpoint == more || checkpoint.getId().equals(last.getId()));
        compare();
        assertThat(onlyFault().chain()).contains("|CSP|");
    }

    @Test
    void aPrunedBranchHeadIsAFault() throws IOException {
        judge("csp-refactoring.jsonl");
        Checkpoint last = storedCheckpoints.get(storedCheckpoints.size() - 1);
        storedCheckpoints.add(stub(last));

        for (StageSettings settings : List.of(SETTINGS, withRetention())) {
            faults.clear();
            check = new StateComparison(api, settings);
            compare();

            assertThat(onlyFault().detail()).isEqualTo("no accepted patch makes checkpoint " + last.getId());
            assertThat(check.summary()).contains("; 1 not completely");
        }
    }

    @Test
    void aCheckpointThatNoBranchHeadIsRebuiltFromIsCompared() throws IOException {
        judge("csp-refactoring.jsonl");
        Checkpoint first = storedCheckpoints.get(0);
        addSnapshots(first);
        compare();
        assertThat(faults).isEmpty();

        Source later = Source.newBuilder(first.getSource())
                .setTimestamp(first.getSource().getTimestamp().plusSeconds(1))
                .build();
        for (Checkpoint changed : List.of(
                forged(first),
                stub(first),
                Checkpoint.newBuilder(first).setSender("MALLORY").build(),
                Checkpoint.newBuilder(first).setPatch("P999").build(),
                Checkpoint.newBuilder(first).setSource(later).build())) {
            faults.clear();
            storedCheckpoints.add(changed);
            compare();

            assertThat(onlyFault().detail()).isEqualTo("no accepted patch makes checkpoint " + first.getId());
        }
    }

    @Test
    void retentionMayRemoveOperationsButNotChangeThem() throws IOException {
        judge("csp-refactoring.jsonl");
        Checkpoint first = storedCheckpoints.get(0);
        addSnapshots(first);
        check = new StateComparison(api, withRetention());
        storedCheckpoints.add(stub(first));

        compare();

        assertThat(faults).isEmpty();
        assertThat(check.summary()).contains("; 0 not completely");

        storedCheckpoints.add(forged(first));
        compare();
        assertThat(onlyFault().detail()).isEqualTo("no accepted patch makes checkpoint " + first.getId());
    }

    /** Gives the branch heads of a context snapshots, so that a rebuild reads no earlier checkpoint. */
    private void addSnapshots(Checkpoint any) {
        ConversationKey key = CheckpointKey.chain(any.getNamespace(), any.getContext());
        InMemoryConversation stored = new InMemoryConversation(key);
        storedRecords.forEach(stored::accept);
        storedCheckpoints.forEach(stored::accept);
        StateQueries queries = new StateQueries(stored, SETTINGS::stateModel, visible, QueryBudget.UNLIMITED);
        for (String head : stored.heads(any.getNamespace(), any.getContext(), 16)) {
            Map<String, String> definitions = new TreeMap<>();
            ((Map<?, ?>) queries.state(key, new PointInTime.AtCheckpoint(head))
                            .members()
                            .get("definitions"))
                    .forEach((name, value) -> definitions.put((String) name, (String) value));
            Checkpoint node = stored.checkpoint(any.getNamespace(), any.getContext(), head)
                    .orElseThrow()
                    .checkpoint();
            storedCheckpoints.add(Checkpoint.newBuilder(node)
                    .setSnapshot(definitions)
                    .setSetters(Collections.nCopies(definitions.size(), 0L))
                    .build());
        }
    }

    private static Checkpoint stub(Checkpoint checkpoint) {
        return Checkpoint.newBuilder(checkpoint)
                .setOperations(List.of())
                .setSnapshot(null)
                .setSetters(null)
                .setPrunedAt(checkpoint.getSource().getTimestamp().plusSeconds(60))
                .build();
    }

    private static Checkpoint forged(Checkpoint checkpoint) {
        List<CspOperation> operations = new ArrayList<>(checkpoint.getOperations());
        operations.add(new CspOperation(CspOperator.ADD, "FORGED", "1"));
        return Checkpoint.newBuilder(checkpoint)
                .setOperations(operations)
                .setSnapshot(null)
                .setSetters(null)
                .build();
    }

    private static StageSettings withRetention() {
        CheckpointSettings all = CheckpointSettings.DEFAULT;
        return SETTINGS.with(new CheckpointSettings(
                all.branching(),
                all.parkingLimit(),
                all.parkingMillis(),
                all.stateBytes(),
                all.stateCache(),
                0,
                all.parkingTotal()));
    }

    @Test
    void conversationsWithEqualHashCodesAreNotInMemoryTogether() throws IOException {
        run(150, Map.of("AaAa", 100, "AaBB", 100, "BBAa", 100, "BBBB", 100));

        assertThat(check.summary()).startsWith("4 conversations compared with the API; 0 not");
        assertThat(String.join(" ", reads).split("read"))
                .allSatisfy(pass -> assertThat(pass.strip().split(" ")).hasSizeLessThanOrEqualTo(2));
    }

    @Test
    void aConversationLargerThanTheMemoryIsCountedAndReported() throws IOException {
        run(150, Map.of("a", 100, "b", 151));

        assertThat(reads).filteredOn(read -> !read.equals("read")).containsExactly("default|CSP|a");
        assertThat(check.summary()).startsWith("1 conversation compared with the API; 1 not completely");
        assertThat(faults).containsExactly(FaultCode.STATES_COMPARED.at(RecordLocation.NONE, check.summary()));
    }

    /** Compares CSP contexts with one record each, of these sizes. */
    private void run(long maxBytes, Map<String, Integer> sizes) throws IOException {
        judge("csp-refactoring.jsonl");
        AuditRecord any = storedRecords.get(0);
        storedRecords.clear();
        trail.clear();
        TopicPartition partition = new TopicPartition("audit", 0);
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        sizes.forEach((name, size) -> {
            AuditRecord record =
                    AuditRecord.newBuilder(any).setChain("default|CSP|" + name).build();
            trail.put(record.getChain(), List.of(record));
            storedRecords.add(record);
            byte[] key = record.getChain().getBytes(UTF_8);
            records.add(new ConsumerRecord<>(
                    partition.topic(),
                    partition.partition(),
                    records.size(),
                    0,
                    TimestampType.LOG_APPEND_TIME,
                    key.length,
                    size,
                    key,
                    key,
                    new RecordHeaders(),
                    Optional.empty()));
        });
        MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("none") {
            @Override
            public synchronized void assign(Collection<TopicPartition> partitions) {
                super.assign(partitions);
                reads.add("read");
                records.forEach(this::addRecord);
            }
        };
        Topic<String, AuditRecord> audit = new Topic<>(
                partition.topic(),
                Serdes.String(),
                Serdes.serdeFrom(
                        (topic, record) -> new byte[0],
                        (topic, chain) -> trail.get(new String(chain, UTF_8)).get(0)),
                Optional.empty());
        check = new StateComparison(api, SETTINGS, maxBytes);
        check.run(
                new TopicReader(null, consumer, Duration.ofSeconds(10)),
                audit,
                Map.of(partition, 0L),
                Map.of(partition, (long) records.size()),
                faults::add);
    }

    @Test
    void whatTheApiDoesNotReturnIsNotCompared() throws IOException {
        judge("subit-cycles.jsonl");
        problem = Optional.of("MESSAGES_PRUNED");

        compare();

        assertThat(faults).isEmpty();
        assertThat(check.summary()).startsWith("0 conversations");

        problem = Optional.of("VIEWS_UNAVAILABLE");
        assertThatThrownBy(this::compare).isInstanceOf(ApiException.class);
        problem = Optional.of("UNKNOWN_CONVERSATION");
        compare();
        assertThat(faults)
                .isNotEmpty()
                .allSatisfy(fault -> assertThat(fault.detail()).contains("Gone."));
    }

    @Test
    void aConversationWithMessagesThatTheTokenHidesIsNotCompared() throws IOException {
        judge("subit-cycles.jsonl");
        visible = record -> null;

        compare();

        assertThat(faults).isEmpty();
        assertThat(check.summary()).startsWith("0 conversations");
    }

    @Test
    void aChainWhoseBeginningHasExpiredIsNotCompared() throws IOException {
        judge("subit-cycles.jsonl");
        trail.values().forEach(records -> records.remove(0));

        compare();

        assertThat(faults).isEmpty();
        assertThat(check.summary()).startsWith("0 conversations");
    }
}
