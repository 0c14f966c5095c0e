package dev.parley.topology.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.parley.decode.WireProtocols;
import dev.parley.stage.InputPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests reading the input policy file with the configuration. */
class InputPolicyFileTest {
    @TempDir
    private Path directory;

    @Test
    void withoutAFileThereIsNoPolicy() {
        assertThat(new ParleyConfig(Map.of()).inputPolicy()).isEmpty();
    }

    @Test
    void eachLineIsARule() throws IOException {
        InputPolicy policy = read("""
                # who writes where

                {"topic":"parley.wire","namespaces":["default"],"senders":["*"]}
                {"topic":"team-a.wire","protocol":"csp","namespaces":["a","b"],"senders":["X"],"conversations":["c"]}
                """);
        assertThat(policy.rules())
                .containsExactly(
                        new InputPolicy.Rule("parley.wire", null, Set.of("default"), Set.of("*"), Set.of("*")),
                        new InputPolicy.Rule(
                                "team-a.wire", WireProtocols.CSP, Set.of("a", "b"), Set.of("X"), Set.of("c")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            quoteCharacter = '^',
            value = {
                "x ! it must be JSON",
                "[] ! must be a JSON object",
                "{\"topic\":\"a\",\"namespaces\":[\"a\"],\"senders\":[\"x\"]} {} ! it must be JSON",
                "{\"topic\":\"a\",\"namespace\":[\"a\"],\"senders\":[\"x\"]} ! unknown key 'namespace'",
                "{\"topic\":\"a\",\"topic\":\"b\",\"namespaces\":[\"a\"],\"senders\":[\"x\"]} ! it must be JSON",
                "{\"namespaces\":[\"a\"],\"senders\":[\"x\"]} ! topic must be a Kafka topic name",
                "{\"topic\":\"a b\",\"namespaces\":[\"a\"],\"senders\":[\"x\"]} ! topic must be a Kafka topic name",
                "{\"topic\":\"..\",\"namespaces\":[\"a\"],\"senders\":[\"x\"]} ! topic must be a Kafka topic name",
                "{\"topic\":\"parley.audit.v1\",\"namespaces\":[\"a\"],\"senders\":[\"x\"]} ! must be parley.wire",
                "{\"topic\":\"__consumer_offsets\",\"namespaces\":[\"a\"],\"senders\":[\"x\"]} ! must be parley.wire",
                "{\"topic\":\"a\",\"protocol\":\"smtp\",\"namespaces\":[\"a\"],\"senders\":[\"x\"]} ! protocol must be "
                        + "mcp, slip",
                "{\"topic\":\"parley.wire\",\"protocol\":\"csp\",\"namespaces\":[\"a\"],\"senders\":[\"x\"]} ! "
                        + "protocol must be omitted",
                "{\"topic\":\"a\",\"senders\":[\"x\"]} ! namespaces must be an array",
                "{\"topic\":\"a\",\"namespaces\":[],\"senders\":[\"x\"]} ! namespaces must be an array",
                "{\"topic\":\"a\",\"namespaces\":\"a\",\"senders\":[\"x\"]} ! namespaces must be an array",
                "{\"topic\":\"a\",\"namespaces\":[\"a\"]} ! senders must be an array",
                "{\"topic\":\"a\",\"namespaces\":[\"a\"],\"senders\":[1]} ! senders must be an array",
                "{\"topic\":\"a\",\"namespaces\":[\"a\"],\"senders\":[\"x\"],\"conversations\":[]} ! conversations "
                        + "must be",
            })
    void anInvalidLineIsReportedWithItsNumber(String line, String problem) {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> read("# first\n" + line))
                .withMessageContaining("input.policy.file")
                .withMessageContaining("line 2: ")
                .withMessageContaining(problem);
    }

    @Test
    void theTopicsOfTheDeploymentHaveItsPrefix() throws IOException {
        String line = "{\"topic\":\"%s\",\"namespaces\":[\"a\"],\"senders\":[\"x\"]}";
        Path file = directory.resolve("policy.jsonl");
        Map<String, String> team = Map.of("topics.prefix", "team.", "input.policy.file", file.toString());

        Files.writeString(file, line.formatted("team.wire.slip") + "\n" + line.formatted("parley.wire"));
        assertThat(new ParleyConfig(team).inputPolicy().orElseThrow().rules())
                .extracting(InputPolicy.Rule::topic)
                .containsExactly("team.wire.slip", "parley.wire");
        Files.writeString(file, line.formatted("team.a.wire"));
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> new ParleyConfig(team))
                .withMessageContaining(
                        "must be team.wire, team.wire.PROTOCOL, or a name that does not start with __ or" + " team.");
    }

    @Test
    void aTopicHasOneLine() {
        String line = "{\"topic\":\"a\",\"namespaces\":[\"a\"],\"senders\":[\"x\"]}\n";
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> read(line + line))
                .withMessageContaining("line 2: topic a may have only one line");
    }

    @Test
    void aFileThatAllowsNothingOrCannotBeReadIsRefused() {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> read("# nothing\n"))
                .withMessageContaining("at least one line");
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> new ParleyConfig(
                        Map.of("input.policy.file", directory.resolve("absent").toString())))
                .withMessageEndingWith("cannot be read: no such file or directory");
    }

    private InputPolicy read(String text) throws IOException {
        Path file = Files.writeString(directory.resolve("policy.jsonl"), text);
        return new ParleyConfig(Map.of("input.policy.file", file.toString()))
                .inputPolicy()
                .orElseThrow();
    }
}
