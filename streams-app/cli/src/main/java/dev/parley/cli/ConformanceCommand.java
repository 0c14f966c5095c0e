package dev.parley.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.parley.avro.Profile;
import dev.parley.avro.Protocol;
import dev.parley.cli.io.JsonLines;
import dev.parley.cli.io.Options;
import dev.parley.cli.io.Terminal;
import dev.parley.codec.Code;
import dev.parley.conformance.ConformanceRun;
import dev.parley.conformance.ConformanceVector;
import dev.parley.conformance.InvalidVectorException;
import dev.parley.conformance.VectorFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code parley conformance}: runs the vectors of the conformance kit. */
@Command(
        name = "conformance",
        description = "Runs the conformance kit: its vectors through codecs, dialogue rules and checkpoints. Needs no"
                + " broker.",
        footer = {
            "",
            "Prints a table on a terminal and JSON lines elsewhere; --table and --json override this.",
            "Exit status: 0 if every vector passed, 1 otherwise; 2 if a line is not a vector.",
            "",
            "Example:",
            "  parley conformance --table"
        })
final class ConformanceCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(
            names = "--profile",
            paramLabel = "PROFILE",
            description = "lenient or strict: only what vectors expect under this profile. Default: both.")
    private String profileName;

    @Option(names = "--json", description = "Prints JSON lines even on a terminal.")
    private boolean asJson;

    @Option(names = "--table", description = "Prints a table even without a terminal.")
    private boolean asTable;

    @Parameters(
            paramLabel = "PATH",
            arity = "0..*",
            description = "Files of vectors, or directories of .jsonl files. Default: the kit in the jar.")
    private List<Path> paths = List.of();

    @Override
    public Integer call() throws IOException {
        Set<Profile> profiles = profileName == null
                ? EnumSet.of(Profile.LENIENT, Profile.STRICT)
                : EnumSet.of(Options.profile(spec, profileName));
        ConformanceRun run = ConformanceRun.of(vectors(), profiles);
        if (asJson || (!asTable && !Terminal.isWatched())) {
            printJson(run);
        } else {
            printTable(run, spec.commandLine().getOut());
        }
        return run.failures().isEmpty() ? 0 : 1;
    }

    private List<ConformanceVector> vectors() throws IOException {
        try {
            if (paths.isEmpty()) {
                return VectorFiles.bundled();
            }
            List<ConformanceVector> vectors = new ArrayList<>();
            for (Path path : paths) {
                if (!Files.exists(path)) {
                    throw new ParameterException(spec.commandLine(), "no file " + path);
                }
                List<ConformanceVector> read = VectorFiles.read(path);
                if (read.isEmpty()) {
                    throw new ParameterException(spec.commandLine(), path + " has no vectors");
                }
                vectors.addAll(read);
            }
            return vectors;
        } catch (InvalidVectorException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private static void printTable(ConformanceRun run, PrintWriter out) {
        for (ConformanceRun.Failure failure : run.failures()) {
            out.println(failure.id() + " (" + name(failure.profile()) + "): " + failure.title());
            failure.differences().forEach(difference -> out.println("  " + difference));
        }
        if (!run.failures().isEmpty()) {
            out.println();
        }
        out.printf("%-9s %-9s %8s %8s %8s %7s%n", "protocol", "kind", "vectors", "passed", "failed", "codes");
        int vectors = 0;
        int failed = 0;
        for (ConformanceRun.Group group : run.groups()) {
            row(out, label(group.protocol()), name(group.kind()), group.vectors(), group.failed(), group.codes());
            vectors += group.vectors();
            failed += group.failed();
        }
        row(out, "all", "", vectors, failed, run.covered().size());
        out.println();
        for (Protocol protocol : ConformanceRun.protocols()) {
            Set<Code> codes = ConformanceRun.codesOf(protocol);
            Set<Code> missing = missing(run, codes);
            out.printf(
                    "%-9s %3d of %3d codes%s%n",
                    label(protocol),
                    codes.size() - missing.size(),
                    codes.size(),
                    missing.isEmpty() ? "" : ", not " + missing);
        }
        out.println("Outside the kit: " + String.join(", ", names(ConformanceRun.OUTSIDE)));
        out.flush();
    }

    private static void row(PrintWriter out, String protocol, String kind, int vectors, int failed, int codes) {
        out.printf("%-9s %-9s %8d %8d %8d %7d%n", protocol, kind, vectors, vectors - failed, failed, codes);
    }

    private static void printJson(ConformanceRun run) throws IOException {
        try (JsonGenerator json = JsonLines.generator(System.out)) {
            for (ConformanceRun.Failure failure : run.failures()) {
                json.writeStartObject();
                json.writeStringField("id", failure.id());
                json.writeStringField("title", failure.title());
                json.writeStringField("profile", name(failure.profile()));
                json.writeArrayFieldStart("differences");
                for (String difference : failure.differences()) {
                    json.writeString(difference);
                }
                json.writeEndArray();
                JsonLines.end(json);
            }
            for (ConformanceRun.Group group : run.groups()) {
                json.writeStartObject();
                json.writeStringField("protocol", label(group.protocol()));
                json.writeStringField("kind", name(group.kind()));
                json.writeNumberField("vectors", group.vectors());
                json.writeNumberField("passed", group.vectors() - group.failed());
                json.writeNumberField("failed", group.failed());
                json.writeNumberField("codes", group.codes());
                JsonLines.end(json);
            }
            for (Protocol protocol : ConformanceRun.protocols()) {
                Set<Code> codes = ConformanceRun.codesOf(protocol);
                Set<Code> missing = missing(run, codes);
                json.writeStartObject();
                json.writeStringField("protocol", label(protocol));
                json.writeNumberField("codes", codes.size());
                json.writeNumberField("covered", codes.size() - missing.size());
                JsonLines.codes(json, "missing", List.copyOf(missing));
                JsonLines.end(json);
            }
        }
    }

    private static Set<Code> missing(ConformanceRun run, Set<Code> codes) {
        Set<Code> missing = EnumSet.copyOf(codes);
        missing.removeAll(run.covered());
        return missing;
    }

    private static List<String> names(Collection<Code> codes) {
        return codes.stream().map(Code::name).sorted().toList();
    }

    private static String label(Protocol protocol) {
        return protocol == Protocol.UNKNOWN ? "any" : protocol.name();
    }

    private static String name(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
