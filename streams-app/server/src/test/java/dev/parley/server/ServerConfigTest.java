package dev.parley.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.server.http.HttpKeys;
import dev.parley.server.telemetry.OtlpKeys;
import dev.parley.topology.config.ParleyConfig;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the sources and the validation of the configuration of a server. */
class ServerConfigTest {
    private static final Map<String, String> NONE = Map.of();

    @Test
    void theCommandLineOverridesEnvironmentFileAndDefaults() {
        Map<String, String> file = Map.of("http.port", "1", "http.host", "file", "application.id", "file");
        Map<String, String> environment = Map.of("PARLEY_HTTP_PORT", "2", "PARLEY_HTTP_HOST", "environment");
        ParleyConfig config = ServerConfig.of(Map.of("http.port", "3"), environment, file);
        assertThat(config.getInt(HttpKeys.PORT)).isEqualTo(3);
        assertThat(config.getString(HttpKeys.HOST)).isEqualTo("environment");
        assertThat(config.getString(ParleyConfig.APPLICATION_ID)).isEqualTo("file");
        assertThat(config.getString(ParleyConfig.STATE_DIR)).isEqualTo("parley-data/state");
    }

    @Test
    void theEnvironmentReachesTheClientsToo() {
        Map<String, String> environment = Map.of(
                "PARLEY_KAFKA_SASL_JAAS_CONFIG", "jaas",
                "PARLEY_SCHEMA_REGISTRY_BASIC_AUTH_USER_INFO", "me:secret",
                "PARLEY_SCHEMA_REGISTRY_URL", "http://registry:8081");
        ParleyConfig config = ServerConfig.of(NONE, environment, NONE);
        assertThat(config.kafkaClientSettings()).containsEntry("sasl.jaas.config", "jaas");
        assertThat(config.registrySettings())
                .containsEntry("schema.registry.basic.auth.user.info", "me:secret")
                .containsEntry("schema.registry.url", "http://registry:8081");
    }

    @Test
    void everyKeyHasItsOwnVariable() {
        assertThat(ParleyConfig.variable("input.keyed-by-conversation"))
                .isEqualTo("PARLEY_INPUT_KEYED_BY_CONVERSATION");
        assertThat(ServerConfig.definition().names())
                .extracting(ParleyConfig::variable)
                .doesNotHaveDuplicates();
        assertThat(ServerConfig.of(NONE, Map.of("PARLEY_INPUT_KEYED_BY_CONVERSATION", "true"), NONE)
                        .getBoolean(ParleyConfig.KEYED))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1:4318",
                "ftp://collector:4318",
                "mock://collector",
                "http://user:SECRET@collector:4318",
                "http://collector:4318/?token=SECRET",
                "http://collector:4318#SECRET",
                "http:///v1",
                "http://col lector",
                ""
            })
    void theEndpointOfOtlpMustBeAPlainUrlAndIsNotRepeated(String endpoint) {
        assertThatThrownBy(() -> ServerConfig.of(Map.of(OtlpKeys.ENDPOINT, endpoint)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("otlp.endpoint must be an http or https URL")
                .message()
                .doesNotContain("SECRET");
    }

    @Test
    void otherVariablesAreIgnored() {
        assertThat(ServerConfig.of(NONE, Map.of("PARLEY_HOME", "/opt", "HTTP_PORT", "1", "PATH", "x"), NONE)
                        .getInt(HttpKeys.PORT))
                .isEqualTo(8080);
    }

    @ParameterizedTest
    @CsvSource({"http.prot", "Http.Port", "kafka", "schema.registry", "PARLEY_HTTP_PORT", "bootstrap.server", "''"})
    void anUnknownKeyIsRefusedWithTheWayToListTheAllowedKeys(String key) {
        assertThatThrownBy(() -> ServerConfig.of(Map.of(key, "x"), NONE, NONE))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(key)
                .hasMessageContaining("docs/configuration.md lists the keys")
                .hasMessageContaining("kafka.*")
                .hasMessageContaining("schema.registry.*")
                .message()
                .doesNotContain("\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "http.advertised;here;host:port",
                "http.host;'';non-empty",
                "http.port;-1;at least 0",
                "http.port;65536;no more than 65535",
                "http.port;http;INT",
                "http.tls.keystore.type;P12;PKCS12, JKS, PEM",
                "http.auth.none;perhaps;true or false",
                "http.mask;password;key:NAME",
                "http.auth.oidc.algorithms;HS256;RS256",
                "http.auth.oidc.algorithms;none;RS256",
                "http.auth.oidc.clock.skew.ms;600001;no more than 600000",
                "http.session.idle.ms;899999;at least 900000",
                "http.session.lifetime.ms;0;at least 900000",
                "http.auth.oidc.name.claim;'';non-empty",
                "http.limits.rate;-1;at least 0",
                "http.limits.burst;0;at least 1",
                "http.limits.requests;0;at least 1",
                "http.limits.connections;0;at least 1",
                "http.limits.header.bytes;1023;at least 1024",
                "http.limits.body.bytes;-1;at least 0"
            })
    void anInvalidValueIsRefusedInOneLineWithKeyValueAndAllowedValues(String key, String value, String allowed) {
        assertThatThrownBy(() -> ServerConfig.of(Map.of(key, value), NONE, NONE))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(key)
                .hasMessageContaining(value)
                .hasMessageContaining(allowed)
                .message()
                .doesNotContain("\n");
    }

    @ParameterizedTest
    @CsvSource({
        "PARLEY_HTTP_PRT,PARLEY_HTTP_PORT",
        "PARLEY_http_port,PARLEY_HTTP_PORT",
        "PARLEY_LOG_FORMT,PARLEY_LOG_FORMAT",
        "PARLEY_BOOTSTRAP_SERVER,PARLEY_BOOTSTRAP_SERVERS",
        "PARLEY_SOMETHING_ENTIRELY_DIFFERENT,docs/configuration.md"
    })
    void anUnknownVariableIsAnErrorWithASuggestion(String variable, String suggestion) {
        assertThatThrownBy(() -> ServerConfig.of(NONE, Map.of(variable, "1"), NONE))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(variable)
                .hasMessageContaining(suggestion);
    }

    @ParameterizedTest
    @CsvSource({
        "PARLEY_SERVICE_HOST,10.0.0.1",
        "PARLEY_SERVICE_PORT,8080",
        "PARLEY_SERVICE_PORT_HTTP,8080",
        "PARLEY_PORT,tcp://10.0.0.1:8080",
        "PARLEY_PORT_8080_TCP,tcp://10.0.0.1:8080",
        "PARLEY_PORT_8080_TCP_ADDR,10.0.0.1",
        "PARLEY_VIEWS_SERVICE_HOST,10.0.0.1",
        "PARLEY_VIEWS_PORT,tcp://10.0.0.1:8080",
        "PARLEY_VIEWS_PORT_8080_TCP_PROTO,tcp"
    })
    void variablesOfKubernetesAreIgnored(String variable, String value) {
        assertThat(ServerConfig.of(NONE, Map.of(variable, value), NONE).getInt(HttpKeys.PORT))
                .isEqualTo(8080);
    }

    @ParameterizedTest
    @CsvSource({"PARLEY_HTTP_PORT", "PARLEY_PIPELINE_THREADS"})
    void anInvalidValueInTheEnvironmentIsRefusedToo(String variable) {
        assertThatThrownBy(() -> ServerConfig.of(NONE, Map.of(variable, "x"), NONE))
                .isInstanceOf(ConfigException.class);
    }

    @Test
    void everyKeyIsDocumentedInASentence() {
        for (ConfigDef.ConfigKey key : ServerConfig.definition().configKeys().values()) {
            assertThat(key.documentation).as(key.name).isNotBlank().endsWith(".");
            assertThat(key.hasDefault()).as(key.name).isTrue();
        }
    }
}
