package dev.parley.cli.offline;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.parley.cli.io.BaseCommand;
import dev.parley.cli.io.JsonLines;
import dev.parley.cli.io.Table;
import dev.parley.cli.io.Terminal;
import dev.parley.cli.io.UsageException;
import dev.parley.codec.Code;
import dev.parley.conformance.CodeGuide;
import dev.parley.conformance.ConformanceVector.Shown;
import dev.parley.conformance.InvalidVectorException;
import dev.parley.conformance.VectorHeader;
import dev.parley.json.model.Codes;
import dev.parley.topology.config.NearestNames;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code parley explain}: explains codes. */
@Command(
        name = "explain",
        description = "Explains codes: kind, meaning, an example message, and the remedy.",
        footer = {
            "",
            "Without a code it lists all codes with kind and meaning.",
            "Prints text on a terminal and JSON lines elsewhere; --text and --json override this.",
            "",
            "Example:",
            "  parley explain --text SLIP_BAD_STRING"
        })
public final class ExplainCommand extends BaseCommand {
    private static final List<Table.Column<Code>> COLUMNS = List.of(
            Table.Column.of("CODE", Code::name),
            Table.Column.of("KIND", code -> CodeGuide.kind(code.kind())),
            Table.Column.of("MEANING", Code::meaning));

    @Option(names = "--json", description = "Prints JSON lines even on a terminal.")
    private boolean asJson;

    @Option(names = "--text", description = "Prints text even without a terminal.")
    private boolean asText;

    @Parameters(paramLabel = "CODE", arity = "0..*", description = "The codes; case does not matter.")
    private List<String> names = List.of();

    private record Line(@JsonUnwrapped Codes.Description description, Example example) {
        static Line of(CodeGuide guide, Code code) {
            return new Line(
                    guide.entry(code),
                    guide.example(code)
                            .map(vector ->
                                    new Example(vector.id(), vector.title(), vector.settingsShown(), vector.shown()))
                            .orElse(null));
        }
    }

    private record Example(String id, String title, List<String> settings, List<Shown> messages) {}

    @Override
    public Integer call() throws IOException, InvalidVectorException {
        List<Code> codes = new ArrayList<>();
        for (String name : names) {
            codes.add(named(name.toUpperCase(Locale.ROOT)));
        }
        boolean json = asJson || (!asText && !Terminal.isOutput());
        CodeGuide guide = CodeGuide.load();
        if (json) {
            (codes.isEmpty() ? List.of(Code.values()) : codes).forEach(code -> JsonLines.print(Line.of(guide, code)));
        } else if (codes.isEmpty()) {
            if (Terminal.isOutput()) {
                printTable(out(), Terminal.width(), Terminal.hasColor());
            } else {
                printLines();
            }
        } else {
            codes.forEach(code -> print(guide.entry(code), guide.example(code)));
        }
        return 0;
    }

    /** Prints a line for each code, for programs. */
    private void printLines() {
        for (Code code : Code.values()) {
            out().printf("%-40s %-16s %s%n", code, CodeGuide.kind(code.kind()), code.meaning());
        }
    }

    /** Prints a table of all codes for a terminal of a width. */
    static void printTable(PrintWriter out, int width, boolean colored) {
        Table<Code> table = new Table<>(out, width, colored, COLUMNS);
        List.of(Code.values()).forEach(table::add);
        table.flush();
    }

    private Code named(String name) {
        try {
            return Code.of(name);
        } catch (IllegalArgumentException e) {
            List<String> all = Stream.of(Code.values()).map(Code::name).toList();
            List<String> begun =
                    all.stream().filter(code -> code.startsWith(name)).toList();
            throw new UsageException(
                    "unknown code " + name
                            + (begun.isEmpty()
                                    ? NearestNames.didYouMean(name, all, "; parley explain lists the codes")
                                    : "; these begin with it: " + String.join(", ", begun)),
                    e);
        }
    }

    private void print(Codes.Description entry, Optional<VectorHeader> shownBy) {
        out().println(entry.code() + ": " + entry.kind());
        out().println("  " + entry.meaning());
        shownBy.ifPresent(example -> {
            out().println();
            out().println("Example" + settings(example) + ": " + example.title());
            for (Shown shown : example.shown()) {
                out().println();
                if (!shown.record().isEmpty()) {
                    out().println("  " + String.join(", ", shown.record()));
                }
                shown.wire().lines().forEach(line -> out().println("    " + line));
                out().println("  " + shown.outcome());
            }
        });
        out().println();
        out().println("What to do: " + entry.remedy());
        out().println("Rule: docs/protocols.md, " + entry.section());
        out().println();
    }

    private static String settings(VectorHeader example) {
        return example.settingsShown().isEmpty() ? "" : " with " + String.join(", ", example.settingsShown());
    }
}
