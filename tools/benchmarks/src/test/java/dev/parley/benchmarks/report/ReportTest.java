package dev.parley.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.load.process.Page;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
    @TempDir
    Path directory;

    @Test
    void aRatioIncludesTheErrorsOfBothSides() {
        Ratio ratio = Ratio.of(new Score(400, 20), new Score(100, 5));

        assertThat(ratio).hasToString("4.00 (3.62 to 4.42)");
    }

    @Test
    void aRatioOverAPossibleZeroHasNoUpperBound() {
        assertThat(Ratio.of(new Score(10, 1), new Score(1, 2)).high()).isInfinite();
    }

    @Test
    void aRatioOfUnknownErrorHasNoInterval() {
        assertThat(Ratio.of(new Score(10, Double.NaN), new Score(5, 1))).hasToString("2.00");
    }

    @Test
    void aValueAtTheBoundMeetsTheTarget() {
        Ratio four = new Ratio(4, 4, 4);

        assertThat(Target.atLeast(4).isMetBy(four)).isTrue();
        assertThat(Target.atMost(4).isMetBy(four)).isTrue();
    }

    @Test
    void aVerdictReportsAnErrorAcrossTheBound() {
        assertThat(Target.atMost(1).verdict(new Ratio(1.1, 1.05, 1.2))).isEqualTo("**missed**");
        assertThat(Target.atMost(1).verdict(new Ratio(1.1, 0.9, 1.2))).isEqualTo("**missed**, within the error");
        assertThat(Target.atLeast(4).verdict(new Ratio(5, 4.5, 5.5))).isEqualTo("ok");
        assertThat(Target.atLeast(4).verdict(new Ratio(5, 3.9, 5.5))).isEqualTo("ok, within the error");
        assertThat(Target.atLeast(4).verdict(new Ratio(5, Double.NaN, Double.NaN)))
                .isEqualTo("ok");
    }

    @Test
    void theTableContainsTheResults() throws IOException {
        String report = Report.markdown(
                results(
                        entry("CodecBenchmark.decode", "\"protocol\":\"SLIP\"", "100.0", "1.0", "300"),
                        entry("CodecBenchmark.encode", "\"protocol\":\"SLIP\"", "120.0", "1.2", "90"),
                        entry("CodecBenchmark.buildRecord", "\"protocol\":\"SLIP\"", "50.0", "0.5", "250"),
                        entry("JacksonBenchmark.bind", "\"protocol\":\"SLIP\"", "900.0", "\"NaN\"", "900")),
                "a processor");

        assertThat(report)
                .contains("JMH 1.37, A VM 17,\non a processor, one thread; a quick run")
                .contains("| nSLIP: databind of the same content in JSON takes … times decode | 9.00 | ≥ 8.0 | ok |")
                .contains("| nSLIP: encode takes … times decode | 1.20 (1.18 to 1.22) | ≤ 1.0 | **missed** |")
                .contains("| nSLIP: decode allocates … times what building the record does | 1.20 | ≤ 1.5 | ok |")
                .contains("| nSLIP: building the record takes … times decode | 0.50 (0.49 to 0.51) |  |  |")
                .doesNotContain("CSP", "Growth", "Judging");
    }

    @Test
    void growthIsReportedPerByte() throws IOException {
        String report = Report.markdown(
                results(
                        entry("GrowthBenchmark.decode", growth("CSP_TEXT", 100), "200.0", "0.0", "0"),
                        entry("GrowthBenchmark.decode", growth("CSP_TEXT", 1000), "1000.0", "0.0", "0"),
                        entry("AdversaryBenchmark.decode", adversary("CSP_QUOTES", 100_000), "10.0", "0.0", "0"),
                        entry("AdversaryBenchmark.decode", adversary("CSP_QUOTES", 1_000_000), "1000.0", "0.0", "0")),
                "a processor");

        assertThat(report)
                .contains("| CSP: text | 2.00 | 1.00 |  |  |  | 2.00 (2.00 to 2.00) | ≤ 1.3 | **missed** |")
                .contains("| CSP: quotes | 10.00 (10.00 to 10.00) | ≤ 1.3 | **missed** |");
    }

    @Test
    void aPageContainsTheSectionOfEachCommandBetweenItsMarks() throws IOException {
        String page = "before\n" + section("benchmarks/a", "old") + "between\n" + section("benchmarks/a b", "other");

        assertThat(Page.within(page, "benchmarks/a", "new\n"))
                .isEqualTo(
                        "before\n" + section("benchmarks/a", "new") + "between\n" + section("benchmarks/a b", "other"));
        assertThat(Page.section(page, "benchmarks/a b")).isEqualTo("other");
    }

    private static String section(String command, String text) {
        return Page.begin(command) + "\n" + text + "\n" + Page.end(command) + "\n";
    }

    @Test
    void aPageWithoutMarksIsUnchanged() {
        assertThatThrownBy(() -> Page.within("text", "benchmarks/a", "new")).isInstanceOf(IOException.class);
    }

    @Test
    void aFileWithoutResultsIsRefused() {
        assertThatThrownBy(() -> results()).isInstanceOf(IOException.class).hasMessageContaining("no results");
    }

    private Results results(String... entries) throws IOException {
        Path file = directory.resolve("results.json");
        Files.writeString(file, "[" + String.join(",", entries) + "]");
        return Results.read(file);
    }

    private static String growth(String shape, int size) {
        return "\"shape\":\"" + shape + "\",\"size\":\"" + size + "\"";
    }

    private static String adversary(String adversary, int size) {
        return "\"adversary\":\"" + adversary + "\",\"size\":\"" + size + "\"";
    }

    private static String entry(String benchmark, String parameters, String score, String error, String bytes) {
        return """
                {"jmhVersion":"1.37","benchmark":"dev.parley.benchmarks.%s","forks":1,"vmName":"A VM","vmVersion":"17",
                "params":{%s},"primaryMetric":{"score":%s,"scoreError":%s},
                "secondaryMetrics":{"gc.alloc.rate.norm":{"score":%s,"scoreError":"NaN"}}}
                """.formatted(benchmark, parameters, score, error, bytes);
    }
}
