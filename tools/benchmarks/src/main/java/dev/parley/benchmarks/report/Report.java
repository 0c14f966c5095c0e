package dev.parley.benchmarks.report;

import dev.parley.load.process.Page;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Prints the ratios of one run as Markdown, or writes them into a page. */
public final class Report {
    private static final String COMMAND = "benchmarks/run";

    private Report() {}

    /**
     * Prints the report.
     *
     * @param args the file of JMH's results, and optionally the page for the report
     * @throws IOException if a file cannot be read or written
     */
    public static void main(String[] args) throws IOException {
        String report = markdown(Results.read(Path.of(args[0])), processor());
        new PrintStream(System.out, true, StandardCharsets.UTF_8).print(report);
        if (args.length > 1) {
            Page.write(Path.of(args[1]), COMMAND, report);
        }
    }

    static String markdown(Results results, String processor) {
        StringBuilder out = new StringBuilder();
        out.append("JMH ")
                .append(results.jmh())
                .append(", ")
                .append(results.machine())
                .append(",\non ");
        out.append(processor).append(", one thread");
        out.append(results.isByProcessor() ? ", by processor time on a busy machine" : "");
        out.append(results.forks() < 2 ? "; a quick run, for orientation only.\n" : ".\n");
        Ratios ratios = new Ratios(results);
        Growth growth = new Growth(results);
        table(out, "Decoding", ratios.decoding());
        table(out, "Encoding", ratios.encoding());
        table(out, "Allocation", ratios.allocation());
        table(out, "Judging", ratios.judging());
        List<String> shapes = growth.shapes();
        if (!shapes.isEmpty()) {
            out.append("\n### Growth\n\n");
            out.append(
                    "| time per byte, the best size = 1 | 100 B | 1 kB | 10 kB | 100 kB | 1 MB | worst | target | |\n");
            out.append("|---|---|---|---|---|---|---|---|---|\n");
            shapes.forEach(line -> out.append(line).append('\n'));
        }
        table(out, "Inputs made to hurt: time per byte of 1 MB over that of 100 kB", growth.adversaries());
        table(out, "To know, without a target", ratios.others());
        return out.toString();
    }

    private static void table(StringBuilder out, String title, List<Row> rows) {
        if (rows.isEmpty()) {
            return;
        }
        out.append("\n### ").append(title).append("\n\n| | ratio (99.9 % interval) | target | |\n|---|---|---|---|\n");
        for (Row row : rows) {
            out.append(row.markdown()).append('\n');
        }
    }

    /** The name of the processor and the number of processors. */
    private static String processor() throws IOException {
        String name = System.getProperty("os.arch");
        Path linux = Path.of("/proc/cpuinfo");
        if (Files.isReadable(linux)) {
            for (String line : Files.readAllLines(linux)) {
                if (line.startsWith("model name")) {
                    name = line.substring(line.indexOf(':') + 1).strip();
                    break;
                }
            }
        }
        return name + " with " + Runtime.getRuntime().availableProcessors() + " processors";
    }
}
