package dev.parley.topology.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.avro.Profile;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.Limits;
import dev.parley.dialogue.DialogueSettings;
import dev.parley.server.tracing.OtlpKeys;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the sources and the validation of the configuration. */
class ParleyConfigTest {
    private static final Map<String, String> NONE = Map.of();

    @Test
    void theCommandLineOverridesEnvironmentFileAndDefaults() {
        Map<String, String> file = Map.of("http.port", "1", "http.host", "file", "application.id", "file");
        Map<String, String> environment = Map.of("PARLEY_HTTP_PORT", "2", "PARLEY_HTTP_HOST", "environment");
        ParleyConfig config = ParleyConfig.of(Map.of("http.port", "3"), environment, file);
        assertThat(config.getInt(ParleyConfig.HTTP_PORT)).isEqualTo(3);
        assertThat(config.getString(ParleyConfig.HTTP_HOST)).isEqualTo("environment");
        assertThat(config.getString(ParleyConfig.APPLICATION_ID)).isEqualTo("file");
        assertThat(config.getString(ParleyConfig.STATE_DIR)).isEqualTo("parley-data/state");
    }

    @Test
    void theEnvironmentReachesTheClientsToo() {
        Map<String, String> environment = Map.of(
                "PARLEY_KAFKA_SASL_JAAS_CONFIG", "jaas",
                "PARLEY_SCHEMA_REGISTRY_BASIC_AUTH_USER_INFO", "me:secret",
                "PARLEY_SCHEMA_REGISTRY_URL", "http://registry:8081");
        ParleyConfig config = ParleyConfig.of(NONE, environment, NONE);
        assertThat(config.kafkaClientSettings()).containsEntry("sasl.jaas.config", "jaas");
        assertThat(config.registrySettings())
                .containsEntry("schema.registry.basic.auth.user.info", "me:secret")
                .containsEntry("schema.registry.url", "http://registry:8081");
    }

    @Test
    void everyKeyHasItsOwnVariable() {
        assertThat(ParleyConfig.variable("input.keyed-by-conversation"))
                .isEqualTo("PARLEY_INPUT_KEYED_BY_CONVERSATION");
        assertThat(ParleyConfig.definition().names())
                .extracting(ParleyConfig::variable)
                .doesNotHaveDuplicates();
        assertThat(ParleyConfig.of(NONE, Map.of("PARLEY_INPUT_KEYED_BY_CONVERSATION", "true"), NONE)
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
        assertThatThrownBy(() -> new ParleyConfig(Map.of(OtlpKeys.ENDPOINT, endpoint)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("otlp.endpoint must be an http or https URL")
                .message()
                .doesNotContain("SECRET");
    }

    @Test
    void otherVariablesAreIgnored() {
        assertThat(ParleyConfig.of(NONE, Map.of("PARLEY_HOME", "/opt", "HTTP_PORT", "1", "PATH", "x"), NONE)
                        .getInt(ParleyConfig.HTTP_PORT))
                .isEqualTo(8080);
    }

    @Test
    void theDefaultsAreThoseOfTheCore() {
        ParleyConfig config = new ParleyConfig(NONE);
        assertThat(config.decodeOptions()).isEqualTo(DecodeOptions.LENIENT);
        assertThat(config.dialogueSettings()).isEqualTo(DialogueSettings.DEFAULT);
        assertThat(config.hasRole("pipeline")).isTrue();
        assertThat(config.hasRole("views")).isTrue();
        assertThat(config.kafkaClientSettings()).isEmpty();
        assertThat(config.registrySettings()).isEqualTo(Map.of("schema.registry.url", "http://localhost:8081"));
        assertThat(config.outputRecordBytes()).isEqualTo(32 << 20);
    }

    @Test
    void settingsReachTheCore() {
        ParleyConfig config = new ParleyConfig(Map.of(
                "decode.profile", "strict",
                "limits.message.bytes", "10",
                "limits.depth", "2",
                "limits.fields", "3",
                "limits.operations", "4",
                "dialogue.mode", "observe",
                "dialogue.idle.ms", "5",
                "dialogue.max.entries", "6",
                "roles", "views"));
        assertThat(config.decodeOptions().profile()).isEqualTo(Profile.STRICT);
        assertThat(config.decodeOptions().limits()).isEqualTo(new Limits(10, 2, 3, 4));
        assertThat(config.dialogueSettings()).isEqualTo(new DialogueSettings(DialogueSettings.Mode.OBSERVE, 5, 6));
        assertThat(config.hasRole("pipeline")).isFalse();
    }

    @Test
    void kafkaKeysGoToTheClientsWithoutTheirPrefix() {
        ParleyConfig config = new ParleyConfig(
                Map.of("kafka.security.protocol", "SASL_SSL", "kafka.linger.ms", "7", "http.port", "1"));
        assertThat(config.kafkaClientSettings()).isEqualTo(Map.of("security.protocol", "SASL_SSL", "linger.ms", "7"));
        assertThat(config.registrySettings()).containsOnlyKeys("schema.registry.url");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            nullValues = "-",
            value = {
                "https://registry:8443; https://registry:8443; -",
                "https://me:s%40cr%2Bt+@registry/path; https://registry/path; me:s@cr+t+",
                "http://me:pw@one:1,http://me:pw@two:2; http://one:1,http://two:2; me:pw",
                "http://registry/a@b; http://registry/a@b; -"
            })
    void aPasswordInTheRegistryUrlIsRemovedFromIt(String url, String shown, String userInfo) {
        ParleyConfig config = new ParleyConfig(Map.of("schema.registry.url", url));
        assertThat(config.shownRegistryUrl()).isEqualTo(shown);
        assertThat(config.registrySettings().get("schema.registry.url")).isEqualTo(shown);
        assertThat(config.registrySettings().get("schema.registry.basic.auth.user.info"))
                .isEqualTo(userInfo);
        assertThat(config.registrySettings().get("schema.registry.basic.auth.credentials.source"))
                .isEqualTo(userInfo == null ? null : "USER_INFO");
    }

    @Test
    void registryKeysGoToItsClientUnchanged() {
        ParleyConfig config = new ParleyConfig(Map.of(
                "schema.registry.url", "https://registry:8443",
                "schema.registry.basic.auth.user.info", "u:p",
                "kafka.linger.ms", "7"));
        assertThat(config.registrySettings())
                .isEqualTo(Map.of(
                        "schema.registry.url", "https://registry:8443", "schema.registry.basic.auth.user.info", "u:p"));
    }

    @ParameterizedTest
    @CsvSource({"http.prot", "Http.Port", "kafka", "schema.registry", "PARLEY_HTTP_PORT", "bootstrap.server", "''"})
    void anUnknownKeyIsRefusedWithTheWayToListTheAllowedKeys(String key) {
        assertThatThrownBy(() -> ParleyConfig.of(Map.of(key, "x"), NONE, NONE))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(key)
                .hasMessageContaining("parley run --describe-config lists the keys")
                .hasMessageContaining("kafka.*")
                .hasMessageContaining("schema.registry.*")
                .message()
                .doesNotContain("\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "application.id;'';non-empty",
                "application.id;bad id!;letters, digits",
                "application.id;..;letters, digits",
                "bootstrap.servers;'';empty",
                "bootstrap.servers;localhost;host:port",
                "bootstrap.servers;a:1, a:1;duplicates",
                "bootstrap.servers;a:99999;host:port",
                "schema.registry.url;localhost:8081;http or https",
                "schema.registry.url;http://a:1,ftp://b;http or https",
                "http.advertised;here;host:port",
                "schema.registry.url;'';non-empty",
                "state.dir;'';non-empty",
                "state.memory.bytes;0;-1 or at least 8388608",
                "state.memory.bytes;-2;-1 or at least 8388608",
                "roles;judge;pipeline, views",
                "roles;'';empty",
                "pipeline.threads;0;at least 1",
                "pipeline.threads;257;no more than 256",
                "pipeline.threads;two;INT",
                "input.keyed-by-conversation;yes;true or false",
                "decode.profile;STRICT;lenient, strict",
                "decode.profile;loose;lenient, strict",
                "limits.message.bytes;0;at least 1",
                "limits.message.bytes;16777217;no more than 16777216",
                "limits.message.bytes;99999999999;INT",
                "limits.depth;0;at least 1",
                "limits.depth;1001;no more than 1000",
                "limits.fields;0;at least 1",
                "limits.operations;-1;at least 1",
                "dialogue.mode;watch;enforce, observe",
                "dialogue.idle.ms;0;at least 1",
                "dialogue.idle.ms;1h;LONG",
                "dialogue.max.entries;0;at least 1",
                "csp.branching;allow;warn, reject",
                "csp.parking.max;-1;at least 0",
                "csp.parking.ms;0;at least 1",
                "traffic.grace.ms;-1;at least 0",
                "traffic.keys.max;0;at least 1",
                "topics.partitions;0;at least 1",
                "topics.replication.factor;0;-1 or at least 1",
                "topics.replication.factor;-2;-1 or at least 1",
                "topics.replication.factor;99999;SHORT",
                "topics.max.record.bytes;1;at least 1048576",
                "topics.max.record.bytes;268435457;no more than 268435456",
                "http.host;'';non-empty",
                "http.port;-1;at least 0",
                "http.port;65536;no more than 65535",
                "http.port;http;INT",
                "http.tls.keystore.type;P12;PKCS12, JKS, PEM",
                "http.auth.none;perhaps;true or false",
                "http.auth.oidc.algorithms;HS256;RS256",
                "http.auth.oidc.algorithms;none;RS256",
                "http.auth.oidc.clock.skew.ms;600001;no more than 600000",
                "http.auth.oidc.name.claim;'';non-empty",
                "http.limits.rate;-1;at least 0",
                "http.limits.burst;0;at least 1",
                "http.limits.requests;0;at least 1",
                "http.limits.connections;0;at least 1",
                "http.limits.header.bytes;1023;at least 1024",
                "http.limits.body.bytes;-1;at least 0"
            })
    void anInvalidValueIsRefusedInOneLineWithKeyValueAndAllowedValues(String key, String value, String allowed) {
        assertThatThrownBy(() -> ParleyConfig.of(Map.of(key, value), NONE, NONE))
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
        "PARLEY_SOMETHING_ENTIRELY_DIFFERENT,--describe-config"
    })
    void anUnknownVariableIsAnErrorWithASuggestion(String variable, String suggestion) {
        assertThatThrownBy(() -> ParleyConfig.of(NONE, Map.of(variable, "1"), NONE))
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
        assertThat(ParleyConfig.of(NONE, Map.of(variable, value), NONE).getInt(ParleyConfig.HTTP_PORT))
                .isEqualTo(8080);
    }

    @ParameterizedTest
    @CsvSource({"PARLEY_HTTP_PORT", "PARLEY_PIPELINE_THREADS"})
    void anInvalidValueInTheEnvironmentIsRefusedToo(String variable) {
        assertThatThrownBy(() -> ParleyConfig.of(NONE, Map.of(variable, "x"), NONE))
                .isInstanceOf(ConfigException.class);
    }

    @Test
    void everyKeyIsDocumentedInASentence() {
        for (ConfigDef.ConfigKey key : ParleyConfig.definition().configKeys().values()) {
            assertThat(key.documentation).as(key.name).isNotBlank().endsWith(".");
            assertThat(key.hasDefault()).as(key.name).isTrue();
        }
    }
}
