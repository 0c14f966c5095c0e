package dev.parley.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.cli.io.StandardOutput;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;

/**
 * One run of the parley command inside the test.
 *
 * @param exit its exit status
 * @param out its standard output
 * @param err its error output
 */
public record CommandRun(int exit, String out, String err) {
    private static final ObjectMapper JSON = new ObjectMapper();

    public static CommandRun of(String... arguments) {
        return fed(new byte[0], arguments);
    }

    public static CommandRun fed(String in, String... arguments) {
        return fed(in.getBytes(UTF_8), arguments);
    }

    public static CommandRun fed(byte[] in, String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        StringWriter err = new StringWriter();
        int exit = run(new ByteArrayInputStream(in), out, err, arguments);
        return new CommandRun(exit, out.toString(UTF_8), err.toString());
    }

    /** Runs a command between two streams. What picocli prints itself, help for example, goes to the output too. */
    public static int run(InputStream in, OutputStream out, StringWriter err, String... arguments) {
        InputStream inBefore = System.in;
        PrintStream outBefore = System.out;
        PrintStream captured = StandardOutput.over(out);
        try {
            System.setIn(in);
            System.setOut(captured);
            CommandLine line = Parley.commandLine();
            line.setOut(new PrintWriter(captured, true, UTF_8));
            line.setErr(new PrintWriter(err, true));
            return line.execute(arguments);
        } finally {
            captured.flush();
            System.setIn(inBefore);
            System.setOut(outBefore);
        }
    }

    /** The output's lines as JSON; fails when one is none. */
    public List<JsonNode> json() {
        List<JsonNode> objects = new ArrayList<>();
        out.lines().forEach(line -> {
            try {
                objects.add(JSON.readTree(line));
            } catch (IOException e) {
                throw new UncheckedIOException("not JSON: " + line, e);
            }
        });
        return objects;
    }
}
