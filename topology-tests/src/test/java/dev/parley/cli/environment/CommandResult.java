package dev.parley.cli.environment;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AuditRecord;
import dev.parley.cli.Parley;
import dev.parley.topology.config.ParleyConfig;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;

/**
 * What a command said inside the test.
 *
 * @param exit its exit status
 * @param all output and error output
 */
public record CommandResult(int exit, String all) {

    /** A command under a configuration. */
    public static CommandResult by(ParleyConfig config, String... words) {
        return by(arguments(config, words));
    }

    /** Redacts a message, which must succeed. */
    public static void redact(ParleyConfig config, AuditRecord record) {
        String sequence = Long.toString(record.getSequence());
        CommandResult result =
                by(config, "redact", "--chain", record.getChain(), "--sequence", sequence, "--reason", "why");
        assertThat(result.exit()).as(result.all()).isZero();
    }

    /** The words of a command, and the configuration behind them. */
    public static List<String> arguments(ParleyConfig config, String... words) {
        List<String> arguments = new ArrayList<>(List.of(words));
        config.originals().forEach((key, value) -> arguments.addAll(List.of("--set", key + "=" + value)));
        return arguments;
    }

    public static CommandResult by(List<String> arguments) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        PrintStream before = System.out;
        PrintStream captured = new PrintStream(all, true, UTF_8);
        try {
            System.setOut(captured);
            CommandLine line = Parley.commandLine();
            line.setOut(new PrintWriter(captured, true, UTF_8));
            line.setErr(new PrintWriter(captured, true, UTF_8));
            return new CommandResult(line.execute(arguments.toArray(String[]::new)), all.toString(UTF_8));
        } finally {
            System.setOut(before);
        }
    }
}
