package dev.parley.cli;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.parley.cli.io.ConfigCommand;
import dev.parley.cli.io.Counts;
import dev.parley.cli.io.ErrorMessages;
import dev.parley.cli.io.JsonLines;
import dev.parley.codec.ControlCharacters;
import dev.parley.codec.Excerpt;
import dev.parley.server.Features;
import dev.parley.server.HttpSecurityFactory;
import dev.parley.server.lifecycle.Application;
import dev.parley.server.operations.Preflight;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.topics.Check;
import dev.parley.topology.topics.Finding;
import dev.parley.topology.topics.Severity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code parley check}: runs the preflight checks of {@code parley run}. */
@Command(
        name = "check",
        description =
                "Checks whether parley run can start and reports how to fix each problem: brokers, topics, access,"
                        + " registry, state directory and clock.",
        footer = {
            "",
            "Changes nothing. docs/operations.md explains each check.",
            "Exit status: 0; 1 if there is an error, with which parley run does not start.",
            "",
            "Example:",
            "  parley check --config parley.properties"
        })
final class CheckCommand extends ConfigCommand {
    @Option(names = "--json", description = "Prints a JSON object per finding.")
    private boolean json;

    private record Line(Severity severity, @JsonUnwrapped Finding finding) {}

    @Override
    public Integer call() {
        ParleyConfig settings = settings();
        List<Finding> findings = new ArrayList<>(http(settings));
        findings.addAll(Preflight.of(settings, Features.STANDARD));
        findings.sort(Comparator.comparing(Finding::severity));
        if (json) {
            findings.forEach(finding -> JsonLines.print(new Line(finding.severity(), finding)));
        } else {
            print(findings);
        }
        return has(findings, Severity.ERROR) ? 1 : 0;
    }

    /** Checks the settings of the HTTP API, which {@code parley run} reads before it waits for the brokers. */
    private static List<Finding> http(ParleyConfig settings) {
        List<Finding> findings = new ArrayList<>();
        try {
            HttpSecurityFactory.of(
                    settings,
                    warning -> findings.add(
                            Check.HTTP_UNSAFE.finding("http.*", warning, "See docs/security.md, section HTTP.")));
            Application.checkAddresses(settings);
        } catch (ConfigException e) {
            findings.add(Check.HTTP_SETTINGS.finding(
                    "http.*",
                    Excerpt.withoutPeriod(ErrorMessages.of(e)) + ".",
                    "Fix the http.* settings and the files they name."));
        }
        return findings;
    }

    static boolean has(List<Finding> findings, Severity severity) {
        return findings.stream().anyMatch(finding -> finding.severity() == severity);
    }

    private void print(List<Finding> findings) {
        for (Finding finding : findings) {
            out().printf(
                            "%-8s %s  %s%n",
                            finding.severity(), finding.check(), ControlCharacters.escape(finding.subject()));
            out().println("         " + ControlCharacters.escapeLines(finding.problem()));
            out().println("         " + ControlCharacters.escapeLines(finding.remedy()));
        }
        out().println(summary(findings));
    }

    private static String summary(List<Finding> findings) {
        return Stream.of(Severity.values())
                .map(severity -> {
                    long count = findings.stream()
                            .filter(finding -> finding.severity() == severity)
                            .count();
                    String noun = severity.name().toLowerCase(Locale.ROOT);
                    return severity == Severity.INFO ? count + " " + noun : Counts.of(count, noun);
                })
                .collect(Collectors.joining(", ", "parley check: ", ""));
    }
}
