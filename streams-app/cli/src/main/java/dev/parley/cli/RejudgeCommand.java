package dev.parley.cli;

import dev.parley.cli.io.ConfigCommand;
import dev.parley.cli.io.Counts;
import dev.parley.cli.io.Options;
import dev.parley.cli.io.OutputOptions;
import dev.parley.cli.io.Table;
import dev.parley.log.evidence.Rejudgement;
import dev.parley.log.evidence.Rejudgement.Difference;
import dev.parley.stage.RuleVersion;
import dev.parley.topology.pipeline.PipelineSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code parley rejudge}: compares recorded verdicts with those of the current rules. */
@Command(
        name = "rejudge",
        description =
                "Judges the messages of an export again, and lists those that the current rules decide differently. "
                        + OutputOptions.HELP,
        footer = {
            "",
            "Verdicts depend on the configuration of the deployment: pass it with --config. A chain that begins late is"
                    + " not judged; neither are undecodable records, nor what follows redacted content in a chain.",
            "Run parley verify first: this command does not.",
            "Exit status: 0 without differences; 1 with differences; 2 if the export cannot be read.",
            "",
            "Example:",
            "  parley rejudge export.jsonl --config parley.properties"
        })
final class RejudgeCommand extends ConfigCommand {
    private static final List<Table.Column<Difference>> COLUMNS = List.of(
            Table.Column.of("CHAIN", Difference::chain),
            Table.Column.of("SEQUENCE", Difference::sequence),
            Table.Column.of("RULES", Difference::rules),
            Table.Column.of("RECORDED", Difference::recorded),
            Table.Column.of("NOW", Difference::now),
            Table.Column.of("DETAIL", Difference::detail));

    @Mixin
    private OutputOptions output;

    @Parameters(paramLabel = "FILE", description = "An export.")
    private Path file;

    @Override
    public Integer call() throws IOException {
        Options.requireFile(file);
        Rejudgement.Result result;
        try (OutputOptions.Rows<Difference> rows = output.rows(COLUMNS)) {
            result = new Rejudgement(PipelineSettings.stages(settings()), rows).run(file);
        }
        if (result.records() == 0) {
            report(file + " is not an export with records");
            return 2;
        }
        report(Counts.of(result.records(), "record") + ", " + result.judged() + " judged by rules "
                + RuleVersion.CURRENT + ", " + Counts.of(result.differences(), "difference"));
        return result.damaged() ? 2 : result.differences() > 0 ? 1 : 0;
    }
}
