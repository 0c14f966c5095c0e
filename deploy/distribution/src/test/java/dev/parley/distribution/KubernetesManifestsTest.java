package dev.parley.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.parley.server.ServerConfig;
import dev.parley.server.http.HttpKeys;
import dev.parley.topology.config.ParleyConfig;
import java.io.IOException;
import java.io.StringReader;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The Kubernetes manifests against the types of Kubernetes' API and against Parley's own settings. */
class KubernetesManifestsTest {
    private static final Path DIRECTORY = Path.of("deploy", "kubernetes");
    private static final Path UNIT = Path.of("deploy", "systemd", "parley.service");
    private static final String MODELS = "io.kubernetes.client.openapi.models.V1";

    private final Map<String, JsonNode> manifests = new LinkedHashMap<>();
    private final ObjectMapper json = new ObjectMapper();

    @BeforeEach
    void read() throws IOException {
        YAMLMapper yaml = new YAMLMapper();
        for (JsonNode name :
                yaml.readTree(DIRECTORY.resolve("kustomization.yaml").toFile()).path("resources")) {
            try (MappingIterator<JsonNode> documents = yaml.readerFor(JsonNode.class)
                    .readValues(DIRECTORY.resolve(name.asText()).toFile())) {
                while (documents.hasNext()) {
                    JsonNode manifest = documents.next();
                    assertThat(manifests.put(name(manifest), manifest))
                            .as(name(manifest))
                            .isNull();
                }
            }
        }
    }

    private static String name(JsonNode manifest) {
        return manifest.path("kind").asText() + "/"
                + manifest.at("/metadata/name").asText();
    }

    @Test
    void everyManifestIsListedAndEveryFieldIsOneOfKubernetes() throws Exception {
        assertThat(manifests)
                .containsOnlyKeys(
                        "ConfigMap/parley",
                        "Service/parley",
                        "Service/parley-peers",
                        "StatefulSet/parley",
                        "NetworkPolicy/parley",
                        "PodDisruptionBudget/parley");
        try (Stream<Path> files = Files.list(DIRECTORY)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder(
                            "kustomization.yaml",
                            "configmap.yaml",
                            "service.yaml",
                            "statefulset.yaml",
                            "user.yaml",
                            "networkpolicy.yaml",
                            "poddisruptionbudget.yaml");
        }
        for (JsonNode manifest : manifests.values()) {
            assertThat(withoutEmpty(readAsKubernetesDoes(manifest)))
                    .as(name(manifest))
                    .isEqualTo(manifest);
        }
    }

    @Test
    void aMisspelledOrMistypedFieldIsFound() throws Exception {
        ObjectNode misspelled = manifests.get("StatefulSet/parley").deepCopy();
        ((ObjectNode) misspelled.at("/spec/template/spec")).put("terminationGracePeriod", 40);
        assertThatThrownBy(() -> readAsKubernetesDoes(misspelled)).hasStackTraceContaining("terminationGracePeriod");
        ObjectNode mistyped = manifests.get("StatefulSet/parley").deepCopy();
        ((ObjectNode) mistyped.at("/spec")).put("replicas", "two");
        assertThatThrownBy(() -> readAsKubernetesDoes(mistyped)).hasStackTraceContaining("two");
    }

    /** Without empty objects and lists, which the client adds and the manifests do not have. */
    private static JsonNode withoutEmpty(JsonNode node) {
        if (node instanceof ObjectNode object) {
            List<String> empty = new ArrayList<>();
            object.properties().forEach(field -> {
                if (withoutEmpty(field.getValue()).isContainerNode()
                        && field.getValue().isEmpty()) {
                    empty.add(field.getKey());
                }
            });
            object.remove(empty);
        } else {
            node.forEach(KubernetesManifestsTest::withoutEmpty);
        }
        return node;
    }

    /** Reads a manifest as the client's type of its kind, and writes it again. */
    private JsonNode readAsKubernetesDoes(JsonNode manifest) throws Exception {
        Class<?> codec = Class.forName("io.kubernetes.client.openapi.JSON");
        Class<?> type = Class.forName(MODELS + manifest.path("kind").asText());
        try {
            Object read =
                    codec.getMethod("deserialize", String.class, Type.class).invoke(null, manifest.toString(), type);
            return json.readTree(
                    (String) codec.getMethod("serialize", Object.class).invoke(null, read));
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException(e.getCause());
        }
    }

    @Test
    void theSettingsAreParleysAndLeaveTimeToStop() throws IOException {
        Properties properties = new Properties();
        properties.load(new StringReader(
                manifests.get("ConfigMap/parley").at("/data/parley.properties").asText()));
        Map<String, String> values = new LinkedHashMap<>();
        properties.forEach((key, value) -> values.put(key.toString(), value.toString()));
        Map<String, String> variables = new LinkedHashMap<>();
        container().path("env").forEach(variable -> {
            if (variable.path("name").asText().startsWith("PARLEY_")) {
                variables.put(
                        variable.path("name").asText(),
                        variable.path("value").asText("a secret of at least thirty-two bytes"));
            }
        });
        variables.remove("PARLEY_LOG_FORMAT");
        variables.put("PARLEY_HTTP_ADVERTISED", "parley-0.parley-peers.default.svc:8080");

        ParleyConfig config = ServerConfig.of(Map.of(), variables, values);

        assertThat(Duration.ofSeconds(
                        pod().path("terminationGracePeriodSeconds").asLong()))
                .isGreaterThan(Duration.ofMillis(config.getInt(ParleyConfig.STOP_MS)));
        assertThat(port("http")).isEqualTo(config.getInt(HttpKeys.PORT));
        assertThat(port("health")).isEqualTo(config.getInt("http.health.port"));
        assertThat(mounts())
                .anyMatch(mount -> config.getString(ParleyConfig.STATE_DIR).startsWith(mount + "/"))
                .anyMatch(mount -> config.getString("http.auth.tokens.file").startsWith(mount + "/"));
        assertThat(container().path("args").get(2).asText()).isEqualTo("/etc/parley/parley.properties");
    }

    /** The Service parley makes Kubernetes set PARLEY_PORT, PARLEY_SERVICE_HOST and others. */
    @Test
    void noServiceSetsVariablesThatParleyTakesForSettings() {
        assertThat(pod().path("enableServiceLinks").isBoolean()).isTrue();
        assertThat(pod().path("enableServiceLinks").asBoolean()).isFalse();
    }

    @Test
    void everySelectorSelectsThePods() {
        JsonNode labels = manifests.get("StatefulSet/parley").at("/spec/template/metadata/labels");
        List<JsonNode> selectors = List.of(
                manifests.get("StatefulSet/parley").at("/spec/selector/matchLabels"),
                manifests.get("Service/parley").at("/spec/selector"),
                manifests.get("Service/parley-peers").at("/spec/selector"),
                manifests.get("NetworkPolicy/parley").at("/spec/podSelector/matchLabels"),
                manifests.get("PodDisruptionBudget/parley").at("/spec/selector/matchLabels"));
        assertThat(selectors).allSatisfy(selector -> assertThat(selector).isEqualTo(labels));
        assertThat(manifests.get("StatefulSet/parley").at("/spec/serviceName").asText())
                .isEqualTo("parley-peers");
    }

    @Test
    void everyMountHasAVolumeAndEveryProbeAPort() {
        List<String> volumes = new ArrayList<>();
        pod().path("volumes").forEach(volume -> volumes.add(volume.path("name").asText()));
        manifests
                .get("StatefulSet/parley")
                .at("/spec/volumeClaimTemplates")
                .forEach(claim -> volumes.add(claim.at("/metadata/name").asText()));
        assertThat(container().path("volumeMounts"))
                .extracting(mount -> mount.path("name").asText())
                .containsExactlyInAnyOrderElementsOf(volumes);
        for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
            assertThat(port(container().path(probe).at("/httpGet/port").asText()))
                    .as(probe)
                    .isEqualTo(8079);
        }
    }

    @Test
    void theContainerHasNoRightsThatItDoesNotNeed() {
        JsonNode rights = container().path("securityContext");
        assertThat(rights.path("readOnlyRootFilesystem").asBoolean()).isTrue();
        assertThat(rights.path("allowPrivilegeEscalation").asBoolean(true)).isFalse();
        assertThat(rights.at("/capabilities/drop/0").asText()).isEqualTo("ALL");
        assertThat(pod().at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
        assertThat(pod().at("/securityContext/seccompProfile/type").asText()).isEqualTo("RuntimeDefault");
        assertThat(pod().path("automountServiceAccountToken").asBoolean(true)).isFalse();
        assertThat(mounts()).contains("/tmp");
    }

    @Test
    void onlyAPatchChoosesTheUserBecausePlatformsMayAssignOne() throws IOException {
        JsonNode assigned = pod().path("securityContext");
        assertThat(assigned.has("runAsUser") || assigned.has("runAsGroup") || assigned.has("fsGroup"))
                .isFalse();
        ObjectNode patch = (ObjectNode)
                new YAMLMapper().readTree(DIRECTORY.resolve("user.yaml").toFile());
        assertThat(name(patch)).isEqualTo("StatefulSet/parley");
        assertThat(patch.at("/spec/template/spec/securityContext"))
                .isEqualTo(json.readTree("{\"runAsUser\":10001,\"runAsGroup\":10001,\"fsGroup\":10001}"));
        assertThat(Files.readString(DIRECTORY.resolve("kustomization.yaml"))).contains("- path: user.yaml");
        assertThat(Files.readString(Path.of("Dockerfile")))
                .contains("USER 10001:10001", "chown 10001:0 /var/lib/parley && chmod 770 /var/lib/parley");
    }

    @Test
    void namesAreResolvedByTheUsualPortsOfResolvers() {
        List<String> ports = new ArrayList<>();
        manifests
                .get("NetworkPolicy/parley")
                .at("/spec/egress")
                .findValues("ports")
                .forEach(list -> list.forEach(port -> ports.add(
                        port.path("protocol").asText() + port.path("port").asText())));
        assertThat(ports).contains("UDP53", "TCP53", "UDP5353", "TCP5353");
    }

    @Test
    void theUnitLeavesTimeToStopAndKeepsItsStateInItsOwnDirectory() throws IOException {
        List<String> unit = Files.readAllLines(UNIT);
        assertThat(unit)
                .contains(
                        "ExecStart=/opt/parley/bin/parley run --config /etc/parley/parley.properties",
                        "Environment=PARLEY_STATE_DIR=/var/lib/parley/state",
                        "StateDirectory=parley",
                        "DynamicUser=yes",
                        "NoNewPrivileges=yes",
                        "ProtectSystem=strict",
                        "TimeoutStopSec=40");
        int stop = ServerConfig.of(Map.of()).getInt(ParleyConfig.STOP_MS);
        assertThat(Duration.ofSeconds(40)).isGreaterThan(Duration.ofMillis(stop));
    }

    private JsonNode pod() {
        return manifests.get("StatefulSet/parley").at("/spec/template/spec");
    }

    private JsonNode container() {
        return pod().path("containers").get(0);
    }

    private int port(String name) {
        for (JsonNode port : container().path("ports")) {
            if (port.path("name").asText().equals(name)) {
                return port.path("containerPort").asInt();
            }
        }
        throw new AssertionError("no port " + name);
    }

    private List<String> mounts() {
        List<String> mounts = new ArrayList<>();
        container()
                .path("volumeMounts")
                .forEach(mount -> mounts.add(mount.path("mountPath").asText()));
        return mounts;
    }
}
