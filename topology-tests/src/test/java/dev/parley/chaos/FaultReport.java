package dev.parley.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;

/** Writes the faults and their effects as Markdown. */
final class FaultReport {
    private final Path file;
    private final List<String> rows = new ArrayList<>();

    /**
     * Creates an empty report.
     *
     * @param name of its file in {@code topology-tests/target}
     */
    FaultReport(String name) {
        file = Path.of("topology-tests", "target", name);
    }

    /**
     * Adds a fault.
     *
     * @param fault what it was
     * @param victim names of the targets
     * @param outcome what Parley did
     * @param lasted seconds until it was healed
     * @param messages sent meanwhile
     * @param silence longest time without a verdict in one partition, in seconds, from its beginning to the end of
     *     recovery
     * @param recovery seconds from its end until each message had its verdict
     * @param total what had become of all messages so far
     */
    void add(
            String fault,
            String victim,
            String outcome,
            double lasted,
            long messages,
            double silence,
            double recovery,
            Tally total) {
        rows.add(String.format(
                Locale.ROOT,
                "| %d | %s | %s | %s | %.0f | %d | %.1f | %.1f | %d = %d + %d + %d + %d + %d |",
                rows.size() + 1,
                fault,
                victim,
                outcome,
                lasted,
                messages,
                silence,
                recovery,
                total.inputs(),
                total.accepted(),
                total.rejected(),
                total.flagged(),
                total.undecodable(),
                total.parked()));
        System.out.println("chaos: " + rows.get(rows.size() - 1));
    }

    /** Writes the report to its file. */
    void write(String headline, Oracle oracle) throws IOException {
        StringBuilder page = new StringBuilder(headline).append("\n\n");
        page.append("| | Failure | Target | Outcome | Lasted, s | Messages | Longest silence, s | Recovery, s "
                + "| inputs = accepted + rejected + flagged + undecodable + parked |\n");
        page.append("|---|---|---|---|---|---|---|---|---|\n");
        rows.forEach(row -> page.append(row).append('\n'));
        page.append(String.format(
                "%nAt the end %d audit chains verified, and %d checkpoints had the states of the oracle. The inputs"
                        + " by partition:%n%n",
                oracle.chains(), oracle.checkpoints()));
        page.append(
                "| | Inputs | Accepted | Rejected | Flagged | Undecodable | Parked |\n|---|---|---|---|---|---|---|\n");
        new TreeMap<>(oracle.tallies())
                .forEach((partition, tally) -> page.append(String.format(
                        "| %s | %d | %d | %d | %d | %d | %d |%n",
                        partition,
                        tally.inputs(),
                        tally.accepted(),
                        tally.rejected(),
                        tally.flagged(),
                        tally.undecodable(),
                        tally.parked())));
        Files.writeString(file, page);
        System.out.println("chaos: " + headline + " See " + file);
    }
}
