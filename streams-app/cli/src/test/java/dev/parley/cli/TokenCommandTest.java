package dev.parley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TokenCommandTest {

    @Test
    void theLineGoesToTheFileAndTheTokenToThePerson() throws NoSuchAlgorithmException {
        CommandRun run = CommandRun.of("token", "--role", "auditor", "--name", "alice");

        assertThat(run.exit()).as(run.err()).isZero();
        String token = run.err().strip();
        assertThat(token).startsWith("parley_").doesNotContain("\n");
        JsonNode line = run.json().get(0);
        assertThat(line.path("name").asText()).isEqualTo("alice");
        assertThat(line.path("role").asText()).isEqualTo("auditor");
        assertThat(line.has("expires")).isFalse();
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
        assertThat(line.path("sha256").asText()).isEqualTo(HexFormat.of().formatHex(hash));
        assertThat(run.out()).doesNotContain(token);
    }

    @ParameterizedTest
    @ValueSource(strings = {"producer", "recorder", "reader", "auditor", "operator"})
    void aTokenCanBeBoundToNamespaces(String role) {
        CommandRun run = CommandRun.of(
                "token", "--role", role, "--name", "line-4", "--namespace", "plant", "--namespace", "lab");

        assertThat(run.json().get(0).path("namespaces"))
                .extracting(JsonNode::asText)
                .containsExactly("lab", "plant");
    }

    @Test
    void aTokenCanEnd() {
        Instant before = Instant.now();
        CommandRun run = CommandRun.of("token", "--role", "reader", "--name", "alice", "--days", "90");

        assertThat(Instant.parse(run.json().get(0).path("expires").asText()))
                .isBetween(
                        before.plus(Duration.ofDays(90)).minusSeconds(1),
                        Instant.now().plus(Duration.ofDays(90)));
    }

    @ParameterizedTest
    @CsvSource({
        "--role admin --name a, 'reader, auditor, operator'",
        "--role none --name a, 'reader, auditor, operator'",
        "--role reader, --name",
        "--name a, --role",
        "--role reader --name a --days 0, --days",
        "--role reader --name a --days soon, --days",
    })
    void aWrongCommandLineIsNamed(String arguments, String named) {
        CommandRun run = CommandRun.of(("token " + arguments).split(" ", -1));

        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains(named).doesNotContain("parley_");
        assertThat(run.out()).isEmpty();
    }
}
