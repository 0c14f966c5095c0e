package dev.parley.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.CommandRun;
import dev.parley.protocol.TopicNames;
import dev.parley.testing.SharedCluster;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Commands that read topics of another prefix than that of the deployment: no topic is not an empty topic. */
class MissingTopicsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "sql;SELECT count(*) FROM audit;1;audit.v1",
                "sql;SELECT count(*) FROM definitions;1;audit.v1",
                "sql;SELECT count(*) FROM traffic;1;traffic-1m.v1",
                "sql;SELECT count(*) FROM dead_letters;1;dlq.",
                "verify;--json;2;audit.v1",
                "export;--format=jsonl;1;audit.v1",
                "export;--format=parquet;1;audit.v1",
                "export;--chain=default|SLIP|1;1;audit.v1",
                "heads;--text;1;audit-head.v1",
                "redact;--chain=default|SLIP|1;1;audit.v1"
            })
    void aMissingTopicIsNamedWithTheSettings(String command, String argument, int exit, String topic) {
        TopicNames names = SharedCluster.newDeployment();
        List<String> arguments = new ArrayList<>(List.of(command, argument));
        if (command.equals("redact")) {
            arguments.addAll(List.of("--sequence=0", "--reason=why"));
        }
        arguments.addAll(List.of(
                "--set",
                "bootstrap.servers=" + SharedCluster.brokers(),
                "--set",
                "schema.registry.url=http://127.0.0.1:1",
                "--set",
                "topics.prefix=" + names.prefix()));

        CommandRun run = CommandRun.of(arguments.toArray(String[]::new));

        assertThat(run.exit()).as(run.err()).isEqualTo(exit);
        assertThat(run.out()).isEmpty();
        assertThat(run.err())
                .contains("no topic " + names.prefix() + topic)
                .contains("Check topics.prefix and bootstrap.servers.")
                .doesNotContain("registry", "later");
    }
}
