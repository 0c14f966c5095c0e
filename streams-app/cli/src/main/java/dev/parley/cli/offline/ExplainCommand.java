package dev.parley.cli.offline;

import dev.parley.cli.io.BaseCommand;
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
import picocli.CommandLine.Parameters;

/** {@code parley explain}: explains codes. */
@Command(
        name = "explain",
        description = "Explains codes: kind, meaning, an example message, and the remedy.",
        footer = {
            "",
            "Without a code it lists all codes with kind and meaning.",
            "",
            "Example:",
            "  parley explain SLIP_BAD_STRING"
        })
public final class ExplainCommand extends BaseCommand {
    private static final List<Table.Column<Code>> COLUMNS = List.of(
            Table.Column.of("CODE", Code::name),
            Table.Column.of("KIND", code -> CodeGuide.kind(code.kind())),
            Table.Column.of("MEANING", Code::meaning));

    @Parameters(paramLabel = "CODE", arity = "0..*", description = "The codes; case does not matter.")
    private List<String> names = List.of();

    @Override
    public Integer call() throws IOException, InvalidVectorException {
        List<Code> codes = new ArrayList<>();
        for (String name : names) {
            codes.add(named(name.toUpperCase(Locale.ROOT)));
        }
        if (codes.isEmpty()) {
            printTable(out(), Terminal.width(), Terminal.hasColor());
            return 0;
        }
        CodeGuide guide = CodeGuide.load(codes);
        codes.forEach(code -> print(guide.entry(code), guide.example(code)));
        return 0;
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
