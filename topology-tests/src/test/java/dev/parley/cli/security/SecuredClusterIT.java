package dev.parley.cli.security;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.cli.api.ApiClient;
import dev.parley.cli.environment.Certificates;
import dev.parley.cli.environment.CommandResult;
import dev.parley.cli.environment.RepeatedSamples;
import dev.parley.cli.environment.RunningParley;
import dev.parley.cli.environment.SecuredCluster;
import dev.parley.cli.environment.TokenIssuer;
import dev.parley.cli.transcript.Transcript;
import dev.parley.embedded.SchemaRegistryEndpoint;
import dev.parley.protocol.TopicNames;
import dev.parley.server.Features;
import dev.parley.server.ServerConfig;
import dev.parley.server.auth.Role;
import dev.parley.server.auth.StoredToken;
import dev.parley.server.deployment.AclRole;
import dev.parley.server.deployment.Deployment;
import dev.parley.server.http.HttpKeys;
import dev.parley.server.ingest.IngestFeature;
import dev.parley.server.lifecycle.Application;
import dev.parley.server.operations.ChangePlan;
import dev.parley.server.operations.Preflight;
import dev.parley.server.operations.Reset;
import dev.parley.server.redrive.RedriveFeature;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.StreamsSettings;
import dev.parley.topology.topics.Check;
import dev.parley.topology.topics.Finding;
import dev.parley.topology.topics.Severity;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Parley on a broker with TLS, SASL and an authorizer. */
@Tag("long")
class SecuredClusterIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    /** Kafka asks no URL for tokens or keys that this does not name. */
    private static final String ALLOWED_URLS = "org.apache.kafka.sasl.oauthbearer.allowed.urls";

    private static final String PASSWORD = "the-users-password";

    @TempDir
    private Path directory;

    @Test
    void everyPrincipalWorksWithExactlyItsListedAcls() throws Exception {
        try (SecuredCluster cluster = SecuredCluster.start(directory);
                SchemaRegistryEndpoint registry = SchemaRegistryEndpoint.start(directory.resolve("registry"), 0)) {
            ParleyConfig pipeline = config(cluster, registry, "pipe", Map.of("roles", "pipeline"));
            ParleyConfig views = config(cluster, registry, "view", Map.of("roles", "views"));
            Deployment deployment = Deployment.of(pipeline);
            Map<String, AclRole> principals = Map.of(
                    "pipe", AclRole.PIPELINE,
                    "view", AclRole.VIEWS,
                    "agent", AclRole.PRODUCER,
                    "analyst", AclRole.CONSUMER,
                    "redriver", new RedriveFeature().role().orElseThrow(),
                    "resetter", AclRole.RESET);
            for (Map.Entry<String, AclRole> entry : principals.entrySet()) {
                cluster.addUser(entry.getKey(), PASSWORD);
                cluster.allow(entry.getKey(), entry.getValue().needs(deployment));
            }
            assertThat(errors(Preflight.of(pipeline, Features.STANDARD))).isEmpty();
            RepeatedSamples traffic = new RepeatedSamples();
            try (Application judging = Application.start(pipeline);
                    Application viewing = Application.start(views)) {
                assertThat(errors(Preflight.of(views, Features.STANDARD)).stream()
                                .filter(finding -> finding.check() != Check.STATE_LOCKED)
                                .toList())
                        .isEmpty();
                ApiClient apiClient = RunningParley.ready(viewing.uri(), TIMEOUT);
                send(cluster, "agent", traffic.rounds(1));
                RunningParley.awaitAccounted(apiClient, traffic.taken(), TIMEOUT);
                assertThat(read(cluster, "analyst", TopicNames.DEFAULT.audit(), "parley-consumer-one"))
                        .isPositive();
                assertThat(read(cluster, "redriver", "parley.dlq.decode.v1", null))
                        .isPositive();
                send(cluster, "redriver", new RepeatedSamples().rounds(1).subList(0, 1));
                assertThatThrownBy(() -> send(cluster, "analyst", traffic.rounds(1)))
                        .isInstanceOf(AuthorizationException.class);
                assertThatThrownBy(() -> read(cluster, "agent", TopicNames.DEFAULT.audit(), null))
                        .isInstanceOf(AuthorizationException.class);
                RunningParley.ready(judging.uri(), TIMEOUT);
            }
            reset(cluster, config(cluster, registry, "resetter", Map.of()));
        }
    }

    @Test
    void httpIngestWorksWithExactlyItsListedAclsAndNotWithoutThem() throws Exception {
        String token = StoredToken.newToken(new SecureRandom());
        Path tokens = RunningParley.tokens(directory, token, "agent", Role.PRODUCER);
        try (SecuredCluster cluster = SecuredCluster.start(directory);
                SchemaRegistryEndpoint registry = SchemaRegistryEndpoint.start(directory.resolve("registry"), 0)) {
            Map<String, String> ingest = Map.of("http.ingest", "true", "http.auth.tokens.file", tokens.toString());
            ParleyConfig config = config(cluster, registry, "both", ingest);
            Deployment deployment = Deployment.of(config);
            cluster.addUser("both", PASSWORD);
            cluster.allow("both", AclRole.PIPELINE.needs(deployment));
            cluster.allow("both", AclRole.VIEWS.needs(deployment));

            assertThat(errors(Preflight.of(config, Features.STANDARD)))
                    .extracting(Finding::check, Finding::subject)
                    .contains(
                            tuple(Check.ACCESS_DENIED, "topic " + TopicNames.DEFAULT.named(IngestFeature.KEYS_TOPIC)));

            cluster.allow("both", new IngestFeature().role().orElseThrow().needs(deployment));
            await().atMost(TIMEOUT)
                    .until(() -> errors(Preflight.of(config, Features.STANDARD)).isEmpty());
            try (Application application = Application.start(config)) {
                await().atMost(TIMEOUT).until(application::isReady);
                assertThat(post(application, token, "@a3|f0|c1|S0|d1|T1|k1#").statusCode())
                        .isEqualTo(202);
                assertThat(post(application, token, "@a3|f0|c2|S0|d1|T1|k1#", "Idempotency-Key", "one")
                                .body())
                        .contains("\"repeated\":false", "\"verdict\":\"ACCEPTED\"");
                assertThat(post(application, token, "@a3|f0|c2|S0|d1|T1|k1#", "Idempotency-Key", "one")
                                .body())
                        .contains("\"repeated\":true");

                for (AclBinding binding : SecuredCluster.bindings(
                        "both", new IngestFeature().role().orElseThrow().needs(deployment))) {
                    if (binding.pattern().name().equals(TopicNames.DEFAULT.wire())
                            && binding.entry().operation() == AclOperation.WRITE) {
                        cluster.forbid(binding);
                    }
                }
                await().atMost(TIMEOUT).untilAsserted(() -> {
                    HttpResponse<String> refused = post(application, token, "@a3|f0|c3|S0|d1|T1|k1#");
                    assertThat(refused.statusCode()).isEqualTo(503);
                    assertThat(refused.body()).contains("BROKERS_UNAVAILABLE", TopicNames.DEFAULT.wire());
                });
            }
        }
    }

    @Test
    void redriveNeedsItsListedAclsAndChangesNothingWithoutThem() throws Exception {
        String token = StoredToken.newToken(new SecureRandom());
        Path tokens = RunningParley.tokens(directory, token, "operator", Role.OPERATOR);
        try (SecuredCluster cluster = SecuredCluster.start(directory);
                SchemaRegistryEndpoint registry = SchemaRegistryEndpoint.start(directory.resolve("registry"), 0)) {
            ParleyConfig pipeline =
                    config(cluster, registry, "pipe", Map.of("roles", "pipeline", ParleyConfig.PARTITIONS, "1"));
            ParleyConfig views = config(
                    cluster,
                    registry,
                    "view",
                    Map.of("roles", "views", ParleyConfig.PARTITIONS, "1", "http.auth.tokens.file", tokens.toString()));
            Deployment deployment = Deployment.of(pipeline);
            Map<String, AclRole> principals =
                    Map.of("pipe", AclRole.PIPELINE, "view", AclRole.VIEWS, "agent", AclRole.PRODUCER);
            for (Map.Entry<String, AclRole> entry : principals.entrySet()) {
                cluster.addUser(entry.getKey(), PASSWORD);
                cluster.allow(entry.getKey(), entry.getValue().needs(deployment));
            }
            await().atMost(TIMEOUT)
                    .until(() ->
                            errors(Preflight.of(pipeline, Features.STANDARD)).isEmpty());
            try (Application judging = Application.start(pipeline);
                    Application viewing = Application.start(views)) {
                await().atMost(TIMEOUT).until(() -> judging.isReady() && viewing.isReady());
                assertThat(redriveDenied(views))
                        .singleElement()
                        .satisfies(finding -> assertThat(finding.problem())
                                .contains(
                                        "topic " + TopicNames.DEFAULT.wire(),
                                        "topic " + TopicNames.DEFAULT.redrive(),
                                        "parley-redrive"));
                ApiClient api = new ApiClient(viewing.uri(), Optional.of(token));
                send(
                        cluster,
                        "agent",
                        List.of(new Transcript.Line(
                                null,
                                Map.of(),
                                "@a3|f0|c1|S0|d1|broken".getBytes(UTF_8),
                                TopicNames.DEFAULT.wire(),
                                null,
                                Optional.empty())));
                await().atMost(TIMEOUT)
                        .until(() -> !api.get("/v1/dead-letters", JsonNode.class)
                                .path("items")
                                .isEmpty());
                String letter = api.get("/v1/dead-letters", JsonNode.class)
                        .path("items")
                        .path(0)
                        .path("id")
                        .asText();
                assertThat(api.get("/v1/dead-letters/" + letter, JsonNode.class).path("redrives"))
                        .isEmpty();
                int before = read(cluster, "pipe", TopicNames.DEFAULT.wire(), null);

                isRefused(viewing, token, letter);
                assertNothingWasSent(cluster, before);

                cluster.allow("view", new RedriveFeature().role().orElseThrow().needs(deployment));
                AclBinding record =
                        SecuredCluster.bindings(
                                        "view",
                                        new RedriveFeature()
                                                .role()
                                                .orElseThrow()
                                                .needs(deployment))
                                .stream()
                                .filter(binding -> binding.pattern().name().equals(TopicNames.DEFAULT.redrive())
                                        && binding.entry().operation() == AclOperation.WRITE)
                                .findFirst()
                                .orElseThrow();
                cluster.forbid(record);
                await().atMost(TIMEOUT)
                        .untilAsserted(() -> assertThat(redriveDenied(views))
                                .singleElement()
                                .satisfies(finding -> assertThat(finding.problem())
                                        .contains("for topic " + TopicNames.DEFAULT.redrive() + ".")));
                isRefused(viewing, token, letter);
                assertNothingWasSent(cluster, before);

                cluster.admin().createAcls(List.of(record)).all().get();
                await().atMost(TIMEOUT).until(() -> redriveDenied(views).isEmpty());
                assertThat(redrive(viewing, token, letter).body()).contains("\"outcome\":\"ENTERED\"");
                await().atMost(TIMEOUT)
                        .untilAsserted(() -> assertThat(read(cluster, "pipe", TopicNames.DEFAULT.wire(), null))
                                .isEqualTo(before + 1));
                assertThat(api.get("/v1/dead-letters/" + letter, JsonNode.class).path("redrives"))
                        .hasSize(1);
            }
        }
    }

    private static List<Finding> redriveDenied(ParleyConfig config) {
        return Preflight.of(config, Features.STANDARD).stream()
                .filter(finding -> finding.check() == Check.REDRIVE_DENIED)
                .toList();
    }

    private static void isRefused(Application application, String token, String letter) throws Exception {
        HttpResponse<String> refused = redrive(application, token, letter);
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.body())
                .contains("BROKERS_UNAVAILABLE", "do not permit this instance to redrive, so nothing was sent");
    }

    /** Nothing committed, and no open transaction that readers of the input would wait for. */
    private static void assertNothingWasSent(SecuredCluster cluster, int before) throws Exception {
        assertThat(read(cluster, "pipe", TopicNames.DEFAULT.wire(), null)).isEqualTo(before);
        assertThat(read(cluster, "view", TopicNames.DEFAULT.redrive(), null)).isZero();
        assertThat(end(cluster, IsolationLevel.READ_COMMITTED))
                .isEqualTo(end(cluster, IsolationLevel.READ_UNCOMMITTED));
    }

    private static long end(SecuredCluster cluster, IsolationLevel level) throws Exception {
        TopicPartition input = new TopicPartition(TopicNames.DEFAULT.wire(), 0);
        return cluster.admin()
                .listOffsets(Map.of(input, OffsetSpec.latest()), new ListOffsetsOptions(level))
                .partitionResult(input)
                .get()
                .offset();
    }

    private static HttpResponse<String> redrive(Application application, String token, String letter) throws Exception {
        String body = "{\"reason\":\"test\",\"ids\":[\"" + letter + "\"]}";
        HttpRequest request = HttpRequest.newBuilder(application.uri().resolve("/v1/dead-letters:redrive"))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    }

    private static HttpResponse<String> post(Application application, String token, String message, String... headers)
            throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(application.uri().resolve("/v1/wire?wait=verdict"))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "text/plain")
                .POST(BodyPublishers.ofString(message));
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
    }

    private static void reset(SecuredCluster cluster, ParleyConfig config) throws Exception {
        try (Admin admin = Admin.create(StreamsSettings.clientSettings(config))) {
            ChangePlan plan = Reset.plan(admin, Deployment.of(config), Optional.empty(), true);
            assertThat(plan.refusals()).isEmpty();
            plan.steps().forEach(step -> step.work().run());
        }
        await().atMost(TIMEOUT)
                .untilAsserted(
                        () -> assertThat(cluster.admin().listTopics().names().get())
                                .contains(TopicNames.DEFAULT.audit())
                                .noneMatch(name -> name.startsWith("parley-")));
    }

    @Test
    void rejectedClientFailsWithTheReasonAndDoesNotRetryForever() throws Exception {
        try (SecuredCluster cluster = SecuredCluster.start(directory);
                SchemaRegistryEndpoint registry = SchemaRegistryEndpoint.start(directory.resolve("registry"), 0)) {
            cluster.addUser("parley", PASSWORD);
            Certificates others = Certificates.make(directory, "others");

            Map<String, String> wrongPassword = new HashMap<>(cluster.scram("parley", "not-" + PASSWORD));
            isRefused(registry, wrongPassword, Check.BROKERS_REFUSE, "invalid credentials");

            Map<String, String> wrongTrust = new HashMap<>(cluster.scram("parley", PASSWORD));
            wrongTrust.put("kafka.ssl.truststore.location", others.certificate().toString());
            isRefused(registry, wrongTrust, Check.BROKERS_REFUSE, "certification path");

            Map<String, String> noTrust = new HashMap<>(cluster.scram("parley", PASSWORD));
            noTrust.put(
                    "kafka.ssl.truststore.location",
                    directory.resolve("nothing.pem").toString());
            isRefused(registry, noTrust, Check.CLIENT_SETTINGS, "nothing.pem");
        }
    }

    @Test
    void clientCanAuthenticateWithAnOAuthToken() throws Exception {
        try (TokenIssuer issuer = TokenIssuer.start("parley", "client-secret")) {
            String before = System.getProperty(ALLOWED_URLS);
            System.setProperty(ALLOWED_URLS, issuer.tokenUrl() + "," + issuer.jwksUrl());
            try (SecuredCluster cluster = SecuredCluster.start(directory, oauth(issuer));
                    SchemaRegistryEndpoint registry = SchemaRegistryEndpoint.start(directory.resolve("registry"), 0)) {
                Map<String, String> settings = new HashMap<>(cluster.settings(
                        "OAUTHBEARER",
                        "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required;"));
                settings.put(
                        "kafka.sasl.login.callback.handler.class",
                        "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginCallbackHandler");
                settings.put("kafka.sasl.oauthbearer.token.endpoint.url", issuer.tokenUrl());
                settings.put("kafka.sasl.oauthbearer.client.credentials.client.id", "parley");
                settings.put("kafka.sasl.oauthbearer.client.credentials.client.secret", "client-secret");
                ParleyConfig config = config(cluster, registry, "parley", settings);
                cluster.allow("parley", AclRole.PIPELINE.needs(Deployment.of(config)));
                cluster.allow("parley", AclRole.VIEWS.needs(Deployment.of(config)));
                assertThat(errors(Preflight.of(config, Features.STANDARD))).isEmpty();
                assertThat(issuer.issued()).isPositive();
                try (Application application = Application.start(config)) {
                    RunningParley.ready(application.uri(), TIMEOUT);
                }

                settings.put("kafka.sasl.oauthbearer.client.credentials.client.secret", "another-secret");
                isRefused(registry, settings, Check.CLIENT_SETTINGS, "invalid_client");
            } finally {
                if (before == null) {
                    System.clearProperty(ALLOWED_URLS);
                } else {
                    System.setProperty(ALLOWED_URLS, before);
                }
            }
        }
    }

    private static Map<String, String> oauth(TokenIssuer issuer) {
        return Map.of(
                "sasl.enabled.mechanisms",
                "PLAIN,OAUTHBEARER",
                "listener.name.plaintext.oauthbearer.sasl.jaas.config",
                "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required;",
                "listener.name.plaintext.oauthbearer.sasl.server.callback.handler.class",
                "org.apache.kafka.common.security.oauthbearer.OAuthBearerValidatorCallbackHandler",
                "sasl.oauthbearer.jwks.endpoint.url",
                issuer.jwksUrl(),
                "sasl.oauthbearer.expected.audience",
                TokenIssuer.AUDIENCE);
    }

    private void isRefused(SchemaRegistryEndpoint registry, Map<String, String> settings, Check check, String reason) {
        List<String> arguments = new ArrayList<>();
        settings.forEach((key, value) -> arguments.addAll(List.of("--set", key + "=" + value)));
        arguments.addAll(List.of("--set", "schema.registry.url=" + registry.url()));
        arguments.addAll(List.of("--set", "state.dir=" + directory.resolve("state")));

        List<String> checking = new ArrayList<>(List.of("check", "--json"));
        checking.addAll(arguments);
        CommandResult commandResult = CommandResult.by(checking);
        assertThat(commandResult.exit()).isEqualTo(1);
        assertThat(commandResult.all()).contains(check.name()).contains(reason).doesNotContain(PASSWORD);

        List<String> running = new ArrayList<>(List.of("run"));
        running.addAll(arguments);
        CommandResult run = CommandResult.by(running);
        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.all()).contains(reason).doesNotContain(PASSWORD).doesNotContain("trying again");
    }

    private ParleyConfig config(
            SecuredCluster cluster, SchemaRegistryEndpoint registry, String user, Map<String, String> more) {
        Map<String, Object> values = new HashMap<>(cluster.scram(user, PASSWORD));
        values.put(ParleyConfig.REGISTRY_URL, registry.url());
        values.put(ParleyConfig.STATE_DIR, directory.resolve("state-" + user).toString());
        values.put(ParleyConfig.STATE_FREE_BYTES, 0L);
        values.put(ParleyConfig.PARTITIONS, 2);
        values.put(ParleyConfig.REPLICATION, (short) 1);
        values.put(HttpKeys.PORT, 0);
        values.put(HttpKeys.STOP_NOTICE_MS, 0);
        values.putAll(more);
        return ServerConfig.of(values);
    }

    private static List<Finding> errors(List<Finding> findings) {
        return findings.stream()
                .filter(finding -> finding.severity() == Severity.ERROR)
                .toList();
    }

    private static void send(SecuredCluster cluster, String user, List<Transcript.Line> lines) {
        RunningParley.send(ServerConfig.of(cluster.scram(user, PASSWORD)), lines);
    }

    /** Reads records; with a group, also commits its offsets. */
    private static int read(SecuredCluster cluster, String user, String topic, String group) {
        Map<String, Object> settings = SecuredCluster.strip(cluster.scram(user, PASSWORD));
        settings.put("isolation.level", "read_committed");
        settings.put("enable.auto.commit", "false");
        if (group != null) {
            settings.put("group.id", group);
        }
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(info -> new TopicPartition(topic, info.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            int records = 0;
            while (partitions.stream()
                    .anyMatch(partition -> consumer.position(partition)
                            < consumer.endOffsets(List.of(partition)).get(partition))) {
                records += consumer.poll(Duration.ofMillis(200)).count();
            }
            if (group != null) {
                consumer.commitSync();
            }
            return records;
        }
    }
}
