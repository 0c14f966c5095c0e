package dev.parley.cli;

import dev.parley.avro.Profile;
import dev.parley.avro.Protocol;
import dev.parley.cli.io.BaseCommand;
import dev.parley.cli.io.Counts;
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
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
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

    /** The codes of a protocol that vectors expect, and the others. */
    private record Coverage(Protocol protocol, Set<Code> covered, Set<Code> missing) {
        static Coverage of(Protocol protocol, ConformanceRun run) {
            Set<Code> covered = ConformanceRun.codesOf(protocol);
            Set<Code> missing = EnumSet.copyOf(covered);
            missing.removeAll(run.covered());
            covered.retainAll(run.covered());
            return new Coverage(protocol, covered, missing);
        }
    }

    @Override
    public Integer call() throws IOException {
        Set<Profile> profiles = profile == null ? EnumSet.allOf(Profile.class) : EnumSet.of(profile);
        ConformanceRun run = ConformanceRun.of(vectors(), profiles);
        List<Coverage> coverage = ConformanceRun.protocols().stream()
                .map(protocol -> Coverage.of(protocol, run))
                .toList();
        if (output.isTable()) {
            print(run, coverage);
        } else {
            Stream.of(run.failures(), run.groups(), coverage)
                    .flatMap(List::stream)
                    .forEach(JsonLines::print);
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

    private void print(ConformanceRun run, List<Coverage> coverage) {
        for (ConformanceRun.Failure failure : run.failures()) {
            out().println(failure.id() + " (" + failure.profile() + "): " + failure.title());
            failure.differences().forEach(difference -> out().println("  " + difference));
        }
        printTable(
                run.groups(),
                Table.Column.of("PROTOCOL", ConformanceRun.Group::protocol),
                Table.Column.of("KIND", ConformanceRun.Group::kind),
                Table.Column.of("VECTORS", ConformanceRun.Group::vectors),
                Table.Column.of("FAILED", ConformanceRun.Group::failed),
                Table.Column.of("CODES", ConformanceRun.Group::codes));
        int vectors =
                run.groups().stream().mapToInt(ConformanceRun.Group::vectors).sum();
        int failed =
                run.groups().stream().mapToInt(ConformanceRun.Group::failed).sum();
        out().println(Counts.of(vectors, "vector") + ", " + failed + " failed, "
                + Counts.of(run.covered().size(), "code"));
        for (Coverage line : coverage) {
            if (!line.missing().isEmpty()) {
                out().println("No vector expects, of " + line.protocol() + ": " + line.missing());
            }
        }
        out().println("Outside the kit: "
                + ConformanceRun.OUTSIDE.stream().map(Code::name).sorted().collect(Collectors.joining(", ")));
    }
}
