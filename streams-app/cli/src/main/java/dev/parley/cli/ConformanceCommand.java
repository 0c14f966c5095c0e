package dev.parley.cli;

import dev.parley.avro.Profile;
import dev.parley.avro.Protocol;
import dev.parley.cli.io.BaseCommand;
import dev.parley.cli.io.JsonLines;
import dev.parley.cli.io.OutputOptions;
import dev.parley.cli.io.Table;
import dev.parley.cli.io.UsageException;
import dev.parley.codec.Code;
import dev.parley.conformance.ConformanceRun;
import dev.parley.conformance.ConformanceVector;
import dev.parley.conformance.InvalidVectorException;
import dev.parley.conformance.VectorFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code parley conformance}: runs the vectors of the conformance kit. */
@Command(
        name = "conformance",
        description = "Runs the conformance kit: its vectors through codecs, dialogue rules and checkpoints. Needs no"
                + " broker.",
        footer = {
            "",
            OutputOptions.HELP,
            "Exit status: 0 if every vector passed, 1 otherwise; 2 if a line is not a vector.",
            "",
            "Example:",
            "  parley conformance --table"
        })
final class ConformanceCommand extends BaseCommand {
    @Option(
            names = "--profile",
            paramLabel = "PROFILE",
            description = "lenient or strict: only what vectors expect under this profile. Default: both.")
    private Profile profile;

    @Mixin
    private OutputOptions output;

    @Parameters(
            paramLabel = "PATH",
            arity = "0..*",
            description = "Files of vectors, or directories of .jsonl files. Default: the kit in the jar.")
    private List<Path> paths = List.of();

    private record FailureLine(String id, String title, String profile, List<String> differences) {}

    private record GroupLine(String protocol, String kind, int vectors, int passed, int failed, int codes) {
        static GroupLine of(String protocol, String kind, int vectors, int failed, int codes) {
            return new GroupLine(protocol, kind, vectors, vectors - failed, failed, codes);
        }
    }

    private record CoverageLine(String protocol, int codes, int covered, Set<Code> missing) {
        static CoverageLine of(Protocol protocol, Set<Code> covered) {
            Set<Code> missing = EnumSet.copyOf(ConformanceRun.codesOf(protocol));
            int codes = missing.size();
            missing.removeAll(covered);
            return new CoverageLine(label(protocol), codes, codes - missing.size(), missing);
        }
    }

    @Override
    public Integer call() throws IOException {
        Set<Profile> profiles = profile == null ? EnumSet.allOf(Profile.class) : EnumSet.of(profile);
        ConformanceRun run = ConformanceRun.of(vectors(), profiles);
        List<FailureLine> failures = run.failures().stream()
                .map(failure ->
                        new FailureLine(failure.id(), failure.title(), name(failure.profile()), failure.differences()))
                .toList();
        List<GroupLine> groups = run.groups().stream()
                .map(group -> GroupLine.of(
                        label(group.protocol()), name(group.kind()), group.vectors(), group.failed(), group.codes()))
                .toList();
        List<CoverageLine> coverage = ConformanceRun.protocols().stream()
                .map(protocol -> CoverageLine.of(protocol, run.covered()))
                .toList();
        if (output.isTable()) {
            print(failures, groups, run.covered().size(), coverage);
        } else {
            Stream.of(failures, groups, coverage).flatMap(List::stream).forEach(JsonLines::print);
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
                    throw new UsageException("no file " + path);
                }
                List<ConformanceVector> read = VectorFiles.read(path);
                if (read.isEmpty()) {
                    throw new UsageException(path + " has no vectors");
                }
                vectors.addAll(read);
            }
            return vectors;
        } catch (InvalidVectorException e) {
            throw new UsageException(e.getMessage(), e);
        }
    }

    private void print(List<FailureLine> failures, List<GroupLine> groups, int codes, List<CoverageLine> coverage) {
        for (FailureLine failure : failures) {
            out().println(failure.id() + " (" + failure.profile() + "): " + failure.title());
            failure.differences().forEach(difference -> out().println("  " + difference));
        }
        if (!failures.isEmpty()) {
            out().println();
        }
        Table<GroupLine> table = output.table(List.of(
                Table.Column.of("protocol", GroupLine::protocol),
                Table.Column.of("kind", GroupLine::kind),
                Table.Column.of("vectors", GroupLine::vectors),
                Table.Column.of("passed", GroupLine::passed),
                Table.Column.of("failed", GroupLine::failed),
                Table.Column.of("codes", GroupLine::codes)));
        groups.forEach(table::add);
        int vectors = groups.stream().mapToInt(GroupLine::vectors).sum();
        int failed = groups.stream().mapToInt(GroupLine::failed).sum();
        table.add(GroupLine.of("all", "", vectors, failed, codes));
        table.flush();
        out().println();
        for (CoverageLine line : coverage) {
            out().println(line.protocol() + ": " + line.covered() + " of " + line.codes() + " codes"
                    + (line.missing().isEmpty() ? "" : ", not " + line.missing()));
        }
        out().println("Outside the kit: " + String.join(", ", names(ConformanceRun.OUTSIDE)));
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
