package dev.parley.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.io.StandardOutput;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Output that cannot be written is a failure of the command, whatever it prints. */
class OutputTest {
    private static final String SLIP = "@a3|f0|c1|S0|d1|T1|g1|k1|q2|t\"auth\"#\n";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "decode",
                "decode --table",
                "judge samples/wrong.jsonl",
                "judge --table samples/wrong.jsonl",
                "state samples/csp-refactoring.jsonl auth-refactor",
                "state --table samples/csp-refactoring.jsonl auth-refactor",
                "blame samples/csp-refactoring.jsonl auth-refactor",
                "diff samples/csp-refactoring.jsonl auth-refactor --from checkpoint:C1",
                "history samples/csp-refactoring.jsonl auth-refactor --entry TOKEN_TTL",
                "tree samples/csp-refactoring.jsonl auth-refactor",
                "explain CSP_FORK",
                "explain",
                "conformance --table conformance/decode",
                "conformance --json conformance/decode",
                "token --role reader --name alice",
                "acls --principal User:parley --role pipeline",
                "acls --principal User:parley --role pipeline --json",
                "--help",
                "--version",
                "decode --help",
                "help decode"
            })
    void aFullDiskIsAFailureWithItsReason(String arguments) {
        StringWriter err = new StringWriter();
        OutputStream full = failing("No space left on device");
        int exit = CommandRun.run(new ByteArrayInputStream(SLIP.getBytes(UTF_8)), full, err, arguments.split(" "));

        assertThat(exit).as(err.toString()).isNotZero();
        assertThat(err.toString()).contains("cannot write standard output: No space left on device");
    }

    @ParameterizedTest
    @CsvSource({
        "Broken pipe, ''",
        "No space left on device, parley verify: cannot write standard output: No space left on device"
    })
    void aLostReportOfVerifySaysNothingOfTheTrail(String failure, String reported, @TempDir Path directory)
            throws IOException {
        Path export = Files.writeString(directory.resolve("cut.jsonl"), "{\"start\":{\"ver");
        for (String format : List.of("", " --json")) {
            StringWriter err = new StringWriter();
            int exit = CommandRun.run(
                    new ByteArrayInputStream(new byte[0]),
                    failing(failure),
                    err,
                    ("verify " + export + format).split(" "));

            assertThat(exit).as(format).isEqualTo(1);
            assertThat(err.toString().strip()).as(format).isEqualTo(reported);
        }
    }

    @Test
    void theReaderOfAPipeMayLeave() {
        StringWriter err = new StringWriter();
        int exit =
                CommandRun.run(new ByteArrayInputStream(SLIP.getBytes(UTF_8)), failing("Broken pipe"), err, "decode");

        assertThat(exit).isEqualTo(1);
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void aFailureIsRepeatedAtEveryLaterWrite() {
        int[] writes = {0};
        StandardOutput out = StandardOutput.over(new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                writes[0]++;
                throw new IOException("No space left on device");
            }
        });
        out.println("a");
        out.println("b");

        assertThat(writes[0]).isEqualTo(1);
        assertThat(out.checkError()).isTrue();
    }

    private static OutputStream failing(String reason) {
        return new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException(reason);
            }
        };
    }
}
