package dev.parley.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.cli.io.VerifierKeys;
import dev.parley.log.KeyFiles;
import dev.parley.log.tlog.NoteSigner;
import dev.parley.log.tlog.WitnessState;
import dev.parley.server.http.BoundAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands of the audit trail and of the build, as far as they need no brokers. */
class AuditCommandsTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"junk", "{\"a\":1}", "[]", "\u0000\u0001\u0002", "# Title\n\nText, {\"start\":"})
    void aFileThatIsNoExportIsNamedOnceAndNotVerified(String line) throws IOException {
        Path file = Files.writeString(directory.resolve("notes.txt"), (line + "\n").repeat(500));
        CommandRun run = CommandRun.of("verify", file.toString());
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err().lines())
                .singleElement()
                .asString()
                .contains(file + " is not an export of the audit trail", "notes.txt:1", "parley export");
    }

    @Test
    void hostileFilesOfStoredHeadsAreNamed() throws IOException {
        Path export = Files.writeString(directory.resolve("export.jsonl"), "{\"start\":{}}\n");
        for (String heads : List.of(
                "",
                "{",
                "{}",
                "{\"a\":1}{",
                "{\"note\":{}}",
                "{\"origin\":1}",
                "{\"origin\":\"a\",\"partition\":0,\"size\":1e99,\"time\":\"now\",\"note\":\"\"}",
                "{\"note\":" + "[".repeat(5_000),
                "{\"note\":\"" + "x".repeat(30_000_000),
                "{\"a\":1,\"a\":2}",
                "a/b\n1\n",
                "\u0000".repeat(2_000_000),
                "Obj\u0001",
                "Obj\u0001\u0002\u0016avro.schema\u0000\u0000" + "s".repeat(16))) {
            Path file = Files.writeString(directory.resolve("heads"), heads);
            for (String option : List.of("--since", "--accept-expired-before")) {
                CommandRun run = CommandRun.of("verify", export.toString(), option, file.toString());
                assertThat(run.exit()).as(heads).isEqualTo(2);
                assertThat(run.err())
                        .as(heads)
                        .contains(option + " " + file)
                        .doesNotContain("Exception", "com.fasterxml", "java.", "`", "Source:");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "65"})
    void aNumberOfThreadsOutOfRangeIsRejected(String threads) throws IOException {
        Path file = Files.writeString(directory.resolve("export.jsonl"), "{\"start\":");
        CommandRun run = CommandRun.of("verify", "--threads", threads, file.toString());
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("--threads must be an integer from 1 to 64, but was " + threads);
    }

    @Test
    void aFileOfOneLongLineIsNotReadIntoMemory() throws IOException {
        Path file = Files.write(directory.resolve("image.bin"), new byte[4 << 20]);
        CommandRun run = CommandRun.of("verify", file.toString());
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("is not an export of the audit trail");
    }

    @Test
    void theBeginningOfAnExportIsAnIncompleteExport() throws IOException {
        Path file = Files.writeString(directory.resolve("cut.jsonl"), "{\"start\":{\"ver");
        CommandRun run = CommandRun.of("verify", file.toString());
        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.out()).contains("EXPORT_INCOMPLETE", "FAILED: 3 faults");
    }

    @Test
    void aParquetFileIsNamedWithTheCommandForOneThatCanBeVerified() throws IOException {
        Path file = Files.write(directory.resolve("audit.parquet"), "PAR1\u0015\u0000\u0001\nPAR1".getBytes(UTF_8));
        CommandRun run = CommandRun.of("verify", file.toString());
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err())
                .contains("It is a Parquet file", "Create an export with parley export.")
                .doesNotContain("UTF-8");
    }

    @Test
    void aSentenceBeforeTheReferenceToTheHelpHasNoPeriod() throws IOException {
        Path file = Files.writeString(directory.resolve("notes.txt"), "notes\n");
        CommandRun run = CommandRun.of("export", "--chain", "default|SLIP|1", "--sign", file.toString());
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err())
                .contains("must contain a private key in PEM. Create one with parley keygen; see parley export --help");
    }

    @Test
    void anEmptyFileIsNotAnExport() throws IOException {
        Path file = Files.writeString(directory.resolve("empty.jsonl"), "");
        CommandRun run = CommandRun.of("verify", file.toString());
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("is not an export of the audit trail. The file is empty.");
    }

    @Test
    void halfAKeyPairIsNotLeftBehind() throws IOException {
        // The public key cannot be written: its name is taken by a link to nowhere.
        Files.createSymbolicLink(directory.resolve("audit.vkey"), directory.resolve("none/audit.vkey"));
        CommandRun failed =
                CommandRun.of("keygen", "--out", directory.resolve("audit").toString());
        assertThat(failed.exit()).isPositive();
        assertThat(directory.resolve("audit.key")).doesNotExist();
        Files.delete(directory.resolve("audit.vkey"));
        assertThat(CommandRun.of("keygen", "--out", directory.resolve("audit").toString())
                        .exit())
                .isZero();
    }

    @Test
    void theKeyOfAWitnessIsOneThatTheOptionWitnessTakes() throws IOException {
        String w1 = directory.resolve("w1").toString();
        assertThat(CommandRun.of("keygen", "--witness", "--out", w1).err())
                .contains("--witness requires --name, such as witness.example/w1");
        assertThat(CommandRun.of("keygen", "--witness", "--out", w1, "--name", "witness.example/w1")
                        .exit())
                .isZero();

        assertThat(VerifierKeys.ofWitnesses("--witness", List.of(w1 + ".vkey")))
                .singleElement()
                .hasToString(NoteSigner.cosigner("witness.example/w1", KeyFiles.readPair(Path.of(w1 + ".key")))
                        .verifierKey()
                        .toString());
    }

    @Test
    void onlyThePublicKeyHasThePermissionsOfOtherFiles() throws IOException {
        CommandRun.of("keygen", "--out", directory.resolve("audit").toString());

        assertThat(Files.getPosixFilePermissions(directory.resolve("audit.key")))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        assertThat(Files.getPosixFilePermissions(directory.resolve("audit.vkey")))
                .isEqualTo(Files.getPosixFilePermissions(Files.createFile(directory.resolve("other"))));
    }

    @Test
    void aWitnessNeedsAKeyOfItsOwnAndAState() throws IOException {
        CommandRun.of("keygen", "--out", directory.resolve("audit").toString());
        CommandRun.of("keygen", "--out", directory.resolve("witness").toString());

        CommandRun sameKey = witness("audit.key", "w.example", "audit.vkey");
        assertThat(sameKey.exit()).isEqualTo(2);
        assertThat(sameKey.err()).contains("--key must not be the key of the log parley/audit");
        assertThat(witness("witness.key", "w example", "audit.vkey").err()).contains("--key and --name", "spaces");
        assertThat(witness("witness.vkey", "w.example", "audit.vkey").err()).contains("must contain a private key");
        assertThat(witness("witness.key", "w.example", "audit.key").err()).contains("--log", "verifier key");
        try (WitnessState state = WitnessState.open(directory.resolve("state"))) {
            CommandRun second = witness("witness.key", "w.example", "audit.vkey");
            assertThat(second.exit()).as("%s", state).isEqualTo(1);
            assertThat(second.err()).contains("in use by another witness");
        }
        try (BoundAddress used = BoundAddress.bind("127.0.0.1", 0)) {
            CommandRun second = witness("witness.key", "w.example", "audit.vkey", used.port());
            assertThat(second.exit()).isEqualTo(1);
            assertThat(second.err())
                    .contains(
                            "cannot listen on 127.0.0.1:" + used.port() + " (--host, --port): Address already in use");
        }
        Files.delete(directory.resolve("state/lock"));
        Files.delete(directory.resolve("state"));
        Files.writeString(directory.resolve("state"), "a file");
        CommandRun file = witness("witness.key", "w.example", "audit.vkey");
        assertThat(file.exit()).isEqualTo(2);
        assertThat(file.err()).contains("--state must be a directory, but " + directory.resolve("state"));
    }

    /** The .vkey file of a verifier names the end of a retired key, which may be stolen. */
    @Test
    void aWitnessTakesNoRetiredKey() throws IOException {
        CommandRun.of("keygen", "--out", directory.resolve("audit").toString());
        CommandRun.of("keygen", "--out", directory.resolve("witness").toString());
        String present = Files.readString(directory.resolve("audit.vkey"));
        String retired = present.strip() + " until 2026-01-31T12:00:00Z";
        Files.writeString(directory.resolve("both.vkey"), present + retired + "\n");
        // The lock ends a witness that would start.
        try (WitnessState state = WitnessState.open(directory.resolve("state"))) {
            CommandRun run = witness("witness.key", "w.example", "both.vkey");
            assertThat(run.exit()).as("%s", state).isEqualTo(2);
            assertThat(run.err()).contains("--log: the key must not be retired, but was '" + retired + "'. Remove it");
        }
        assertThatThrownBy(() -> VerifierKeys.read("audit.heads.keys", List.of(retired)))
                .hasMessageContaining("audit.heads.keys: the key must not be retired");
    }

    private CommandRun witness(String key, String name, String log) {
        return witness(key, name, log, 0);
    }

    private CommandRun witness(String key, String name, String log, int port) {
        return CommandRun.of(
                "witness",
                "--key",
                directory.resolve(key).toString(),
                "--name",
                name,
                "--state",
                directory.resolve("state").toString(),
                "--log",
                directory.resolve(log).toString(),
                "--port",
                Integer.toString(port));
    }

    @Test
    void anExportDoesNotReplaceAFile() throws IOException {
        Path file = Files.writeString(directory.resolve("export.jsonl"), "precious");
        CommandRun run = CommandRun.of("export", "--out", file.toString());
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("exists. Name another file or directory; see");
        assertThat(file).hasContent("precious");
        assertThat(directory).isDirectoryNotContaining("glob:**.part");
    }

    @Test
    void theVersionNamesCommitKafkaAndJava() {
        CommandRun run = CommandRun.of("--version");
        assertThat(run.exit()).isZero();
        assertThat(run.out().strip())
                .matches("parley \\S+ \\(commit ([0-9a-f]{12}|unknown)\\), Kafka \\d+\\.\\d+\\.\\d+, Java \\S+")
                .endsWith("Java " + System.getProperty("java.version"))
                .doesNotContain("${");
    }
}
