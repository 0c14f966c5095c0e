package dev.parley.cli.offline;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.parley.avro.Rule;
import dev.parley.cli.io.BuildInfo;
import dev.parley.cli.io.JsonLines;
import dev.parley.cli.io.Options;
import dev.parley.cli.offline.TranscriptCheck.Difference;
import dev.parley.codec.Code;
import dev.parley.codec.ControlCharacters;
import dev.parley.conformance.CodeGuide;
import dev.parley.json.model.Codes;
import java.io.PrintWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import picocli.CommandLine;

/** Formats in which CI systems read what {@code parley judge} found in a transcript. */
enum CheckReport {
    /** SARIF 2.1.0 (OASIS) on one line: a result for each difference, and a rule for each code among them. */
    SARIF {
        @Override
        void print(PrintWriter out, Path file, TranscriptCheck check) {
            CodeGuide guide = CodeGuide.withoutExamples();
            List<ReportingDescriptor> rules = check.differences().values().stream()
                    .map(CheckReport::ruleId)
                    .distinct()
                    .sorted()
                    .map(id -> descriptor(id, guide))
                    .toList();
            List<Result> results = check.differences().values().stream()
                    .map(difference -> result(file, difference))
                    .toList();
            JsonLines.print(new Sarif(
                    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
                    "2.1.0",
                    List.of(new Run(new Tool(new Driver("Parley", BuildInfo.version(), rules)), results))));
        }
    },

    /** JUnit XML: a test case for each line that was checked. */
    JUNIT {
        @Override
        void print(PrintWriter out, Path file, TranscriptCheck check) {
            try {
                XMLStreamWriter xml = XMLOutputFactory.newInstance().createXMLStreamWriter(out);
                xml.writeStartDocument();
                xml.writeStartElement("testsuite");
                xml.writeAttribute("name", xml(file.toString()));
                xml.writeAttribute("tests", Long.toString(check.checked()));
                xml.writeAttribute(
                        "failures", Integer.toString(check.differences().size()));
                for (long line : (Iterable<Long>) check.checkedLines()::iterator) {
                    xml.writeStartElement("testcase");
                    xml.writeAttribute("classname", xml(file.toString()));
                    xml.writeAttribute("name", "line " + line);
                    Difference difference = check.differences().get(line);
                    if (difference != null) {
                        xml.writeStartElement("failure");
                        xml.writeAttribute("type", ruleId(difference));
                        xml.writeAttribute("message", xml(sentence(difference)));
                        xml.writeEndElement();
                    }
                    xml.writeEndElement();
                }
                xml.writeEndDocument();
                xml.flush();
                out.println();
            } catch (XMLStreamException e) {
                throw new IllegalStateException("cannot write XML: " + e.getMessage(), e);
            }
        }
    };

    /** Rule of a line that was accepted and should not have been. */
    private static final String UNEXPECTED = "UNEXPECTED_VERDICT";

    /** Reads the name of a format. */
    static final class Converter implements CommandLine.ITypeConverter<CheckReport> {
        @Override
        public CheckReport convert(String text) {
            return Options.constant(values(), text);
        }
    }

    /** Prints the report of a check that has taken all verdicts. */
    abstract void print(PrintWriter out, Path file, TranscriptCheck check);

    private record Sarif(@JsonProperty("$schema") String schema, String version, List<Run> runs) {}

    private record Run(Tool tool, List<Result> results) {}

    private record Tool(Driver driver) {}

    private record Driver(String name, String version, List<ReportingDescriptor> rules) {}

    private record ReportingDescriptor(String id, Text shortDescription, Text help) {}

    private record Text(String text) {}

    private record Result(String ruleId, String level, Text message, List<Location> locations) {}

    private record Location(PhysicalLocation physicalLocation) {}

    private record PhysicalLocation(ArtifactLocation artifactLocation, Region region) {}

    private record ArtifactLocation(String uri) {}

    private record Region(long startLine) {}

    private static String ruleId(Difference difference) {
        String code = difference.actual().code();
        return code == null ? UNEXPECTED : code;
    }

    private static ReportingDescriptor descriptor(String id, CodeGuide guide) {
        if (!Code.isName(id)) {
            return new ReportingDescriptor(
                    id,
                    new Text("The verdict is not the expected one."),
                    new Text("Correct the line, or what it expects."));
        }
        Codes.Description code = guide.entry(Code.of(id));
        return new ReportingDescriptor(id, new Text(code.meaning()), new Text(code.remedy()));
    }

    private static Result result(Path file, Difference difference) {
        return new Result(
                ruleId(difference),
                "error",
                new Text(sentence(difference)),
                List.of(new Location(
                        new PhysicalLocation(new ArtifactLocation(uri(file)), new Region(difference.line())))));
    }

    /** The difference, and the rule that decided. */
    private static String sentence(Difference difference) {
        Rule rule = difference.rule();
        return "Expected " + difference.expected() + ", but was " + difference.actual()
                + (difference.detail() == null ? "" : ": " + difference.detail())
                + (rule == null ? "" : " (docs/protocols.md " + rule.getSection() + ": " + rule.getText() + ")");
    }

    /** A file as a relative reference, so that a CI system finds it below its checkout. */
    private static String uri(Path file) {
        return file.isAbsolute()
                ? file.toUri().toString()
                : StreamSupport.stream(file.spliterator(), false)
                        .map(name -> URLEncoder.encode(name.toString(), StandardCharsets.UTF_8)
                                .replace("+", "%20"))
                        .collect(Collectors.joining("/"));
    }

    /** The text without the characters that XML 1.0 cannot contain. */
    private static String xml(String text) {
        return ControlCharacters.escape(text)
                .codePoints()
                .map(c -> c >= 0xD800 && c < 0xE000 || (c & 0xFFFE) == 0xFFFE ? 0xFFFD : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
