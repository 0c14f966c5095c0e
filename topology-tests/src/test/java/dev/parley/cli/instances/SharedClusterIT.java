package dev.parley.cli.instances;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Verdict;
import dev.parley.cli.api.ApiClient;
import dev.parley.cli.environment.CommandResult;
import dev.parley.cli.environment.EmbeddedEnvironment;
import dev.parley.cli.environment.RunningParley;
import dev.parley.protocol.Protocols;
import dev.parley.protocol.TopicNames;
import dev.parley.server.auth.Role;
import dev.parley.server.auth.StoredToken;
import dev.parley.server.http.HttpKeys;
import dev.parley.server.lifecycle.Application;
import dev.parley.testing.SharedCluster;
import dev.parley.topology.config.AuditKeys;
import dev.parley.topology.config.ParleyConfig;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two deployments with similar prefixes and the same traffic, at the same time on one broker and one registry. */
@Tag("long")
class SharedClusterIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(90);
    private static final String TOKEN = StoredToken.newToken(new SecureRandom());
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path directory;

    private Deployed one;
    private Deployed other;

    /** A deployment and its only instance. */
    private record Deployed(EmbeddedEnvironment environment, ParleyConfig config, Application application)
            implements AutoCloseable {

        static Deployed start(Path directory, TopicNames names) throws Exception {
            EmbeddedEnvironment environment = EmbeddedEnvironment.shared(directory, names);
            Path tokens = Files.writeString(
                    Files.createDirectories(directory).resolve("tokens.jsonl"),
                    StoredToken.of(TOKEN, "ops", Role.OPERATOR, Optional.empty(), Optional.empty())
                            .line());
            ParleyConfig config = environment.config(Map.of(
                    AuditKeys.HEADS_INTERVAL_MS,
                    200,
                    HttpKeys.TOKENS_FILE,
                    tokens.toString(),
                    "http.ingest",
                    true,
                    "http.access-log",
                    true));
            return new Deployed(environment, config, Application.start(config));
        }

        TopicNames names() {
            return environment.names();
        }

        ApiClient api() {
            return new ApiClient(application.uri(), Optional.of(TOKEN));
        }

        HttpResponse<String> post(String path, ObjectNode body) throws IOException, InterruptedException {
            return send(
                    path,
                    request -> request.header("Content-Type", "application/json")
                            .POST(HttpRequest.BodyPublishers.ofString(body.toString())));
        }

        int status(String path) throws IOException, InterruptedException {
            return send(path, HttpRequest.Builder::GET).statusCode();
        }

        private HttpResponse<String> send(String path, UnaryOperator<HttpRequest.Builder> method)
                throws IOException, InterruptedException {
            HttpRequest.Builder request =
                    HttpRequest.newBuilder(application.uri().resolve(path)).header("Authorization", "Bearer " + TOKEN);
            return HttpClient.newHttpClient().send(method.apply(request).build(), HttpResponse.BodyHandlers.ofString());
        }

        /** A text with the prefix and the application ID of this deployment replaced. */
        String neutral(String text) {
            return text.replace(names().prefix(), "P.").replace(names().applicationId() + "-", "ID-");
        }

        @Override
        public void close() {
            application.close();
            environment.close();
        }
    }

    @BeforeEach
    void start() throws Exception {
        TopicNames names = SharedCluster.newDeployment();
        one = Deployed.start(directory.resolve("one"), names);
        other = Deployed.start(directory.resolve("other"), new TopicNames(names.prefix() + "a."));
        RunningParley.feed(one.config(), one.api(), TIMEOUT);
        RunningParley.feed(other.config(), other.api(), TIMEOUT);
    }

    @AfterEach
    void close() {
        // The names of the other begin with the prefix of the one, which deletes all topics that do.
        for (Deployed deployed : new Deployed[] {other, one}) {
            if (deployed != null) {
                deployed.close();
            }
        }
    }

    @Test
    void aDeploymentNeitherReadsNorChangesAnother() throws Exception {
        eachHasItsOwnRecordsAndVerdicts();
        eachHasItsOwnTopicsGroupsAndSubjects();
        noRequestNamesTopicsOfTheOther();
        aRedactionConcernsOneDeployment();
        aRedriveConcernsOneDeployment();
        aResetConcernsOneDeployment();
    }

    private void eachHasItsOwnRecordsAndVerdicts() {
        for (Deployed deployed : List.of(one, other)) {
            deployed.environment()
                    .topics()
                    .nothingIsLostAndNothingIsTwice()
                    .everyChainVerifies()
                    .everyDeadLetterIsItsInput();
            assertThat(deployed.api().get("/v1/dead-letters", JsonNode.class).path("items"))
                    .isNotEmpty()
                    .allSatisfy(letter -> assertThat(letter.path("id").asText())
                            .startsWith(deployed.names().prefix() + "dlq."));
        }
        assertThat(verdicts(one)).isEqualTo(verdicts(other));
        for (String path : List.of("/v1/conversations?limit=1000", "/v1/dead-letters?limit=1000", "/v1/accounting")) {
            assertThat(sizes(one, path)).isEqualTo(sizes(other, path));
        }
    }

    /** The producer chooses the partitions of records without a conversation. */
    private static Map<String, Long> verdicts(Deployed deployed) {
        return deployed.environment().topics().audit().stream()
                .collect(Collectors.groupingBy(
                        record -> deployed.neutral(record.getChain()).replaceFirst("^([|]UNKNOWN[|].*)-\\d+$", "$1")
                                + ' '
                                + record.getVerdict(),
                        Collectors.counting()));
    }

    private static List<Integer> sizes(Deployed deployed, String path) {
        JsonNode answer = deployed.api().get(path, JsonNode.class);
        return List.of(
                answer.path("items").size(),
                answer.path("partitions").size(),
                answer.path("total").path("inputs").asInt());
    }

    private void eachHasItsOwnTopicsGroupsAndSubjects() throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", SharedCluster.brokers()))) {
            Set<String> topics = admin.listTopics().names().get();
            assertThat(own(one, topics)).isEqualTo(own(other, topics)).contains("P.audit.v1", "P.wire.slip");
            Set<String> groups = admin.listGroups().all().get().stream()
                    .map(group -> group.groupId())
                    .collect(Collectors.toSet());
            for (Deployed deployed : List.of(one, other)) {
                String id = deployed.names().applicationId();
                assertThat(groups).contains(id, id + "-views", id + "-traffic");
                for (String group : List.of(id, id + "-views", id + "-traffic")) {
                    await().atMost(TIMEOUT)
                            .untilAsserted(() -> assertThat(admin.listConsumerGroupOffsets(group)
                                            .partitionsToOffsetAndMetadata()
                                            .get()
                                            .keySet())
                                    .isNotEmpty()
                                    .allMatch(partition -> isOf(deployed, partition.topic())));
                }
            }
        }
        JsonNode subjects =
                JSON.readTree(URI.create(SharedCluster.registry() + "/subjects").toURL());
        Set<String> names = new TreeSet<>();
        subjects.forEach(subject -> names.add(subject.asText()));
        assertThat(own(one, names)).isEqualTo(own(other, names)).contains("P.audit.v1-value");
    }

    /** The names of one deployment: those of the other begin with its prefix, too. */
    private Set<String> own(Deployed deployed, Set<String> names) {
        return names.stream()
                .filter(name -> isOf(deployed, name))
                .map(deployed::neutral)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private boolean isOf(Deployed deployed, String name) {
        return starts(deployed, name) && (deployed == other || !starts(other, name));
    }

    private static boolean starts(Deployed deployed, String name) {
        return name.startsWith(deployed.names().prefix())
                || name.startsWith(deployed.names().applicationId() + "-");
    }

    private void noRequestNamesTopicsOfTheOther() throws Exception {
        assertThat(one.status("/v1/conversations?at-least=" + one.names().wire() + "-0@0"))
                .isEqualTo(200);
        assertThat(one.status("/v1/conversations?at-least=" + other.names().wire() + "-0@0"))
                .isEqualTo(400);
        JsonNode letter = other.api().get("/v1/dead-letters", JsonNode.class).at("/items/0");
        String id = letter.path("id").asText();
        assertThat(other.status("/v1/dead-letters/" + id)).isEqualTo(200);
        assertThat(one.status("/v1/dead-letters/" + id)).isEqualTo(404);
        ObjectNode body = JSON.createObjectNode().put("dryRun", false).put("reason", "test");
        body.putArray("ids").add(id);
        assertThat(one.post("/v1/dead-letters:redrive", body).statusCode()).isEqualTo(404);
    }

    private void aRedactionConcernsOneDeployment() throws Exception {
        AuditRecord record = one.environment().topics().audit().stream()
                .filter(audit -> audit.getVerdict().equals(Verdict.ACCEPTED.name())
                        && audit.getMessage().getProtocol().equals("SLIP"))
                .findFirst()
                .orElseThrow();
        CommandResult.redact(one.config(), record);
        String message = "/v1/conversations/" + record.getMessage().getNamespace() + "/SLIP/"
                + record.getMessage().getConversation() + "/messages/" + record.getSequence();
        await().atMost(TIMEOUT)
                .until(() ->
                        one.api().get(message, JsonNode.class).path("redacted").asBoolean());
        assertThat(other.api().get(message, JsonNode.class).path("redacted").asBoolean())
                .isFalse();
        assertThat(end(one.names().redaction())).isPositive();
        assertThat(end(other.names().redaction())).isZero();
    }

    private void aRedriveConcernsOneDeployment() throws Exception {
        long before = inputs(other);
        String id = one.api()
                .get("/v1/dead-letters?stage=judge", JsonNode.class)
                .at("/items/0/id")
                .asText();
        ObjectNode body = JSON.createObjectNode().put("dryRun", false).put("reason", "test");
        body.putArray("ids").add(id);
        HttpResponse<String> response = one.post("/v1/dead-letters:redrive", body);
        JsonNode result = JSON.readTree(response.body()).at("/results/0");
        assertThat(result.path("outcome").asText()).as(response.body()).isEqualTo("ENTERED");
        assertThat(result.path("sent").asText()).startsWith(one.names().wire());
        assertThat(inputs(other)).isEqualTo(before);
        assertThat(end(one.names().redrive())).isPositive();
        assertThat(end(other.names().redrive())).isZero();
        for (Deployed deployed : List.of(one, other)) {
            CommandResult verified = CommandResult.by(deployed.config(), "verify");
            assertThat(verified.exit()).as(verified.all()).isZero();
        }
    }

    private void aResetConcernsOneDeployment() throws Exception {
        int records = other.environment().topics().audit().size();
        one.application().close();
        CommandResult reset = CommandResult.by(one.config(), "reset", "--empty-outputs", "--execute");
        assertThat(reset.exit()).as(reset.all()).isZero();
        assertThat(reset.all()).doesNotContain(other.names().prefix());
        assertThat(one.environment().topics().audit()).isEmpty();
        assertThat(other.environment().topics().audit()).hasSize(records);
        other.environment().topics().nothingIsLostAndNothingIsTwice();
    }

    private static long inputs(Deployed deployed) throws Exception {
        long inputs = 0;
        for (String topic : deployed.names().inputs(Protocols.STANDARD)) {
            inputs += end(topic);
        }
        return inputs;
    }

    /** The sum of the ends of all partitions. */
    private static long end(String topic) throws ExecutionException, InterruptedException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", SharedCluster.brokers()))) {
            Map<TopicPartition, OffsetSpec> partitions =
                    admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic).partitions().stream()
                            .collect(Collectors.toMap(
                                    partition -> new TopicPartition(topic, partition.partition()),
                                    partition -> OffsetSpec.latest()));
            return admin.listOffsets(partitions).all().get().values().stream()
                    .mapToLong(info -> info.offset())
                    .sum();
        }
    }
}
