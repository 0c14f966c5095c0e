package dev.parley.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.avro.AuditRecord;
import dev.parley.cli.api.ApiClient;
import dev.parley.cli.environment.CommandResult;
import dev.parley.cli.environment.EmbeddedEnvironment;
import dev.parley.cli.environment.RunningParley;
import dev.parley.embedded.SchemaRegistryEndpoint;
import dev.parley.log.LogNotes;
import dev.parley.server.lifecycle.Application;
import dev.parley.topology.config.AuditKeys;
import dev.parley.topology.config.ParleyConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** verify, export, heads and redact as an operator meets them, on a real broker and registry. */
@Tag("long")
class AuditCommandsIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String NO_REGISTRY = "http://127.0.0.1:1";
    private static final Map<String, Object> FAST = Map.of(AuditKeys.HEADS_INTERVAL_MS, 200);

    @TempDir
    private Path directory;

    @Test
    void headsAreSignedAfterTheFactAndEveryMistakeIsNamed() throws Exception {
        try (EmbeddedEnvironment embeddedEnvironment = EmbeddedEnvironment.shared(directory)) {
            String origin = LogNotes.defaultOrigin(embeddedEnvironment.config().topics());
            assertThat(CommandResult.by(List.of(
                                    "keygen",
                                    "--out",
                                    directory.resolve("audit").toString(),
                                    "--name",
                                    origin))
                            .exit())
                    .isZero();
            try (Application application = Application.start(embeddedEnvironment.config(FAST))) {
                RunningParley.feed(embeddedEnvironment.config(), new ApiClient(application.uri()), TIMEOUT);
                await().atMost(TIMEOUT)
                        .untilAsserted(() -> assertThat(
                                        verify(embeddedEnvironment.config()).all())
                                .doesNotContain("not yet covered"));
                CommandResult states = verify(
                        embeddedEnvironment.config(),
                        "--states",
                        "--url",
                        application.uri().toString());
                assertThat(states.exit()).as(states.all()).isZero();
                assertThat(states.all()).containsPattern("\\d\\d conversations compared with the API; \\d not");
            }
            unsignedHeadsProveNothing(embeddedEnvironment.config());
            String chain = embeddedEnvironment.topics().audit().get(0).getChain();
            anUnavailableSystemIsNamedWithItsSetting(embeddedEnvironment.config(), chain);
            exportsAreCompleteOrAbsent(embeddedEnvironment.config());

            Map<String, Object> keyed = new HashMap<>(FAST);
            keyed.put(AuditKeys.HEADS_KEY_FILES, directory.resolve("audit.key").toString());
            try (Application application = Application.start(embeddedEnvironment.config(keyed))) {
                RunningParley.ready(application.uri(), TIMEOUT);
                // No message is sent: every log is inactive, and its task signs a head when it starts.
                await().atMost(TIMEOUT).untilAsserted(() -> {
                    CommandResult verified = verify(embeddedEnvironment.config(), "--key", publicKey());
                    assertThat(verified.all())
                            .containsPattern("OK: .*, up to .*, signatures verified")
                            .doesNotContain("not yet covered");
                    assertThat(verified.exit()).isZero();
                });
            }
            String conversation = embeddedEnvironment.topics().audit().stream()
                    .filter(record -> record.getMessage() != null)
                    .map(AuditRecord::getChain)
                    .findFirst()
                    .orElseThrow();
            String undecodable = embeddedEnvironment.topics().audit().stream()
                    .filter(record -> record.getRaw() != null)
                    .map(AuditRecord::getChain)
                    .findFirst()
                    .orElseThrow();
            for (String selected : List.of(conversation, undecodable)) {
                evidenceProvesItself(
                        embeddedEnvironment.config(),
                        "--chain",
                        selected,
                        "--sign",
                        directory.resolve("audit.key").toString());
            }
            evidenceProvesItself(embeddedEnvironment.config(), "--from", "2020-01-01T00:00:00Z");
        }
    }

    private void unsignedHeadsProveNothing(ParleyConfig config) {
        CommandResult unkeyed = verify(config);
        assertThat(unkeyed.exit()).as(unkeyed.all()).isZero();
        assertThat(unkeyed.all()).contains(". Signatures were not checked");
        CommandResult keyed = verify(config, "--key", publicKey());
        assertThat(keyed.exit()).isEqualTo(1);
        assertThat(keyed.all()).contains("STATEMENT_MISSING", "FAILED: ").doesNotContain("signatures verified");
    }

    private void anUnavailableSystemIsNamedWithItsSetting(ParleyConfig config, String chain) throws Exception {
        for (String[] command : new String[][] {
            {"verify"},
            {"export", "--out", directory.resolve("unavailable.jsonl").toString()},
            {"heads"},
            {"redact", "--chain", chain, "--sequence", "0", "--reason", "why"}
        }) {
            CommandResult result = CommandResult.by(with(config, NO_REGISTRY, command));
            assertThat(result.exit()).isPositive();
            assertThat(result.all())
                    .as(command[0])
                    .contains("the Schema Registry at " + NO_REGISTRY + " (schema.registry.url) is unavailable")
                    .contains("--set schema.registry.url=");
        }
        try (SchemaRegistryEndpoint other = SchemaRegistryEndpoint.start(directory.resolve("other"), 0)) {
            CommandResult result = CommandResult.by(with(config, other.url(), "verify"));
            assertThat(result.exit()).isEqualTo(1);
            assertThat(result.all()).contains(other.url() + " (schema.registry.url) is the registry of this cluster");
        }
        assertThat(directory.resolve("unavailable.jsonl")).doesNotExist();
        assertThat(directory.resolve("unavailable.jsonl.part")).doesNotExist();
    }

    private static List<String> with(ParleyConfig config, String registry, String... command) {
        List<String> arguments = new ArrayList<>(CommandResult.arguments(config, command));
        arguments.addAll(
                List.of("--set", ParleyConfig.REGISTRY_URL + "=" + registry, "--set", "schema.registry.max.retries=0"));
        return arguments;
    }

    private void exportsAreCompleteOrAbsent(ParleyConfig config) throws Exception {
        Path file = directory.resolve("export.jsonl");
        CommandResult unknown =
                CommandResult.by(config, "export", "--chain", "default|SLIP|none", "--out", file.toString());
        assertThat(unknown.exit()).isEqualTo(1);
        assertThat(unknown.all()).contains("no record of chain default|SLIP|none");
        assertThat(file).doesNotExist();

        CommandResult whole = CommandResult.by(config, "export", "--out", file.toString());
        assertThat(whole.exit()).as(whole.all()).isZero();
        assertThat(CommandResult.by(List.of("verify", file.toString())).exit()).isZero();
        CommandResult printed = CommandResult.by(config, "export", "--out", "-");
        assertThat(printed.exit()).isZero();
        assertThat(printed.all().lines().filter(line -> line.startsWith("{\"record\":")))
                .hasSameSizeAs(Files.readAllLines(file).stream()
                        .filter(line -> line.startsWith("{\"record\":"))
                        .toList());
        assertThat(Path.of("-")).doesNotExist();
    }

    private void evidenceProvesItself(ParleyConfig config, String... selection) throws Exception {
        Path out = directory.resolve("evidence" + List.of(selection).hashCode());
        Path file = directory.resolve(out.getFileName() + ".jsonl");
        List<String> words = new ArrayList<>(List.of("export", "--out", file.toString()));
        words.addAll(List.of(selection));
        CommandResult exported = CommandResult.by(config, words.toArray(String[]::new));
        assertThat(exported.exit()).as(exported.all()).isZero();
        CommandResult written = CommandResult.by(List.of("evidence", file.toString(), "--out", out.toString()));
        assertThat(written.exit()).as(written.all()).isZero();
        CommandResult verified =
                CommandResult.by(List.of("verify", out.resolve("export.jsonl").toString(), "--key", publicKey()));
        assertThat(verified.exit()).as(verified.all()).isZero();
        assertThat(verified.all())
                .contains("signatures verified")
                .doesNotContain("not proven: that the chain has no later records");
        try (Stream<Path> proofs = Files.list(out.resolve("proofs"))) {
            assertThat(proofs)
                    .isNotEmpty()
                    .allSatisfy(proof -> assertThat(CommandResult.by(
                                            List.of("prove", "--check", proof.toString(), "--key", publicKey()))
                                    .exit())
                            .isZero());
        }
        CommandResult again = CommandResult.by(
                config, "rejudge", "--json", out.resolve("export.jsonl").toString());
        assertThat(again.all()).contains(" 0 differences");
        assertThat(again.exit()).as(again.all()).isZero();
    }

    private String publicKey() {
        return directory.resolve("audit.vkey").toString();
    }

    private static CommandResult verify(ParleyConfig config, String... options) {
        List<String> words = new ArrayList<>(List.of("verify"));
        words.addAll(List.of(options));
        return CommandResult.by(config, words.toArray(String[]::new));
    }
}
