package dev.parley.topology.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.avro.Profile;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.Limits;
import dev.parley.dialogue.DialogueSettings;
import dev.parley.protocol.TopicNames;
import dev.parley.topology.kafka.StreamsSettings;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the keys of the topology and the groups of others. */
class ParleyConfigTest {
    private static final Map<String, String> NONE = Map.of();

    @Test
    void aGroupAddsKeysAndChecksThem() {
        KeyGroup group = new KeyGroup() {
            @Override
            public void addTo(KeyDefinitions definitions) {
                definitions.key("feature.size", 1).doc("Size of the feature.");
            }

            @Override
            public void check(ParleyConfig config) {
                ParleyConfig.requireAtLeast("feature.size", config.getInt("feature.size"), "another key", 1);
            }
        };
        assertThat(new ParleyConfig(List.of(group), Map.of("feature.size", "7")).getInt("feature.size"))
                .isEqualTo(7);
        assertThatThrownBy(() -> new ParleyConfig(List.of(group), Map.of("feature.size", "0")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("Value must be at least another key, which is 1");
        assertThatThrownBy(() -> new ParleyConfig(Map.of("feature.size", "7")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("Unknown configuration key feature.size");
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
    void thePrefixNamesTheTopicsAndTheApplication() {
        ParleyConfig config = new ParleyConfig(NONE);
        assertThat(config.topics()).isEqualTo(TopicNames.DEFAULT);
        assertThat(config.getString("application.id")).isEqualTo("parley");
        assertThat(StreamsSettings.outputReaderId(config, "views")).isEqualTo("parley-views");
        ParleyConfig team = new ParleyConfig(Map.of("topics.prefix", "team.a."));
        assertThat(team.topics().audit()).isEqualTo("team.a.audit.v1");
        assertThat(team.getString("application.id")).isEqualTo("team.a");
        assertThat(StreamsSettings.outputReaderId(team, "views")).isEqualTo("team.a-views");
        assertThat(new ParleyConfig(Map.of("topics.prefix", "team.", "application.id", "x"))
                        .getString("application.id"))
                .isEqualTo("x");
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
        ParleyConfig config = new ParleyConfig(Map.of("kafka.security.protocol", "SASL_SSL", "kafka.linger.ms", "7"));
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
    @CsvSource(
            delimiter = ';',
            value = {
                "topics.prefix;'';letters, digits",
                "topics.prefix;team;ending with one '.'",
                "topics.prefix;team-a.;letters, digits",
                "application.id;'';non-empty",
                "application.id;bad id!;letters, digits",
                "application.id;..;letters, digits",
                "bootstrap.servers;'';empty",
                "bootstrap.servers;localhost;host:port",
                "bootstrap.servers;a:1, a:1;duplicates",
                "bootstrap.servers;a:99999;host:port",
                "schema.registry.url;localhost:8081;http or https",
                "schema.registry.url;http://a:1,ftp://b;http or https",
                "schema.registry.url;'';non-empty",
                "state.dir;'';non-empty",
                "state.memory.bytes;0;-1 or at least 8388608",
                "state.memory.bytes;-2;-1 or at least 8388608",
                "roles;judge;pipeline, views",
                "roles;'';empty",
                "audit.origin;'';URL without a scheme",
                "audit.origin;example.com/our audit;URL without a scheme",
                "audit.origin;example.com/a+b;URL without a scheme",
                "audit.origin;https://example.com/audit;URL without a scheme",
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
                "csp.parking.ms;86400001;no more than 86400000",
                "traffic.grace.ms;-1;at least 0",
                "traffic.keys.max;0;at least 1",
                "topics.partitions;0;at least 1",
                "topics.replication.factor;0;-1 or at least 1",
                "topics.replication.factor;-2;-1 or at least 1",
                "topics.replication.factor;99999;SHORT",
                "topics.max.record.bytes;1;at least 1048576",
                "topics.max.record.bytes;268435457;no more than 268435456"
            })
    void anInvalidValueIsRefusedInOneLineWithKeyValueAndAllowedValues(String key, String value, String allowed) {
        assertThatThrownBy(() -> new ParleyConfig(Map.of(key, value)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(key)
                .hasMessageContaining(value)
                .hasMessageContaining(allowed)
                .message()
                .doesNotContain("\n");
    }
}
