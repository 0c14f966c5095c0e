package dev.parley.cli.offline;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.parley.cli.io.JsonLines;
import dev.parley.cli.io.Terminal;
import dev.parley.codec.Code;
import dev.parley.conformance.CodeGuide;
import dev.parley.conformance.ConformanceVector.Shown;
import dev.parley.conformance.InvalidVectorException;
import dev.parley.conformance.VectorHeader;
import dev.parley.topology.config.NearestNames;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

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
public final class ExplainCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--json", description = "Prints JSON lines even on a terminal.")
    private boolean asJson;

    @Option(names = "--text", description = "Prints text even without a terminal.")
    private boolean asText;

    @Parameters(paramLabel = "CODE", arity = "0..*", description = "The codes; case does not matter.")
    private List<String> names = List.of();

    @Override
    public Integer call() throws IOException, InvalidVectorException {
        List<Code> codes = new ArrayList<>();
        for (String name : names) {
            codes.add(named(name.toUpperCase(Locale.ROOT)));
        }
        boolean json = asJson || (!asText && !Terminal.isWatched());
        CodeGuide guide = CodeGuide.load();
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            printJson(guide, codes.isEmpty() ? List.of(Code.values()) : codes);
        } else if (codes.isEmpty()) {
            for (Code code : Code.values()) {
                out.printf("%-40s %-16s %s%n", code, CodeGuide.kind(code.kind()), code.meaning());
            }
        } else {
            codes.forEach(code -> print(guide.entry(code), out));
        }
        out.flush();
        return 0;
    }

    private Code named(String name) {
        try {
            return Code.of(name);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(
                    spec.commandLine(),
                    "unknown code " + name + "; the nearest are " + String.join(", ", nearest(name)),
                    e);
        }
    }

    private static List<String> nearest(String name) {
        return NearestNames.of(
                name, List.of(Code.values()).stream().map(Code::name).toList(), 3);
    }

    private static void print(CodeGuide.Entry entry, PrintWriter out) {
        out.println(entry.code() + ": " + entry.kind());
        out.println("  " + entry.code().meaning());
        if (entry.example().isPresent()) {
            VectorHeader example = entry.example().get();
            out.println();
            out.println("Example" + settings(example) + ": " + example.title());
            for (Shown shown : example.shown()) {
                out.println();
                if (!shown.record().isEmpty()) {
                    out.println("  " + String.join(", ", shown.record()));
                }
                shown.wire().lines().forEach(line -> out.println("    " + line));
                out.println("  " + shown.outcome());
            }
        }
        out.println();
        out.println("What to do: " + entry.remedy());
        out.println("Rule: docs/protocols.md, " + entry.section());
        out.println();
    }

    private static String settings(VectorHeader example) {
        return example.settingsShown().isEmpty() ? "" : " with " + String.join(", ", example.settingsShown());
    }

    private static void printJson(CodeGuide guide, List<Code> codes) throws IOException {
        try (JsonGenerator json = JsonLines.generator(System.out)) {
            for (Code code : codes) {
                CodeGuide.Entry entry = guide.entry(code);
                json.writeStartObject();
                json.writeStringField("code", code.name());
                json.writeStringField("kind", entry.kind());
                json.writeStringField("meaning", code.meaning());
                json.writeStringField("remedy", entry.remedy());
                json.writeStringField("section", entry.section());
                json.writeFieldName("example");
                if (entry.example().isPresent()) {
                    print(entry.example().get(), json);
                } else {
                    json.writeNull();
                }
                JsonLines.end(json);
            }
        }
    }

    private static void print(VectorHeader example, JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeStringField("id", example.id());
        json.writeStringField("title", example.title());
        json.writeArrayFieldStart("settings");
        for (String setting : example.settingsShown()) {
            json.writeString(setting);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("messages");
        for (Shown shown : example.shown()) {
            json.writeStartObject();
            json.writeArrayFieldStart("record");
            for (String part : shown.record()) {
                json.writeString(part);
            }
            json.writeEndArray();
            json.writeStringField("wire", shown.wire());
            json.writeStringField("outcome", shown.outcome());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }
}
