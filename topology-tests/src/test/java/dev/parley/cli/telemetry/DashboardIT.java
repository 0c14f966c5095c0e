package dev.parley.cli.telemetry;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.parley.cli.api.ApiClient;
import dev.parley.cli.environment.EmbeddedEnvironment;
import dev.parley.cli.environment.RepeatedSamples;
import dev.parley.cli.environment.RunningParley;
import dev.parley.log.KeyFiles;
import dev.parley.log.tlog.NoteSigner;
import dev.parley.server.http.TimedPeers;
import dev.parley.server.ingest.IngestFeature;
import dev.parley.server.lifecycle.Application;
import dev.parley.server.metrics.Metrics;
import dev.parley.server.witness.WitnessFeature;
import dev.parley.topology.config.AuditKeys;
import dev.parley.topology.config.ParleyConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The metrics of a running Parley are those of the documentation, and of the dashboard and alerts. */
@Tag("long")
class DashboardIT {
    private static final Path DASHBOARD = Path.of("deploy", "grafana", "dashboards", "parley.json");
    private static final Path RULES = Path.of("deploy", "prometheus", "parley.rules.yml");
    private static final Path OPERATIONS = Path.of("docs", "operations.md");
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    /** In a query, what is no metric's name: selectors, ranges, numbers, and labels in parentheses after a keyword. */
    private static final Pattern NO_METRIC = Pattern.compile(
            "\\{[^}]*}|\\[[^]]*]|\\b\\d[\\d.]*|\\b(?:by|without|on|ignoring|group_left|group_right)\\s*\\([^)]*\\)");

    private static final Pattern NAME = Pattern.compile("[a-zA-Z_:][a-zA-Z0-9_:]*(?!\\w*\\s*\\()");
    private static final Set<String> OPERATORS = Set.of("or", "and", "unless");

    /** A row of the table of docs/operations.md: names and labels. */
    private static final Pattern ROW = Pattern.compile("\\| (`parley_[^|]+) \\|[^|]*\\| ([^|]*)\\|");

    private static final Pattern NAMED = Pattern.compile("`((?:parley|kafka|jvm|process|system)_[a-z0-9_]+)[`{]");
    private static final Pattern SAMPLE = Pattern.compile("([a-z0-9_]+)(?:\\{(.*)})? \\S+");
    private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"(?:[^\"\\\\]|\\\\.)*\"");

    /** A timer is exported as several metrics. */
    private static final Pattern PART = Pattern.compile("(_seconds)_(?:bucket|count|sum|max)$");

    @TempDir
    private static Path directory;

    private static EmbeddedEnvironment environment;
    private static Application application;

    @BeforeAll
    static void runWithTraffic() throws IOException, InterruptedException {
        environment = EmbeddedEnvironment.shared(directory);
        // Only a signed head has an age.
        Path key = Files.writeString(directory.resolve("audit.key"), KeyFiles.privatePem(KeyFiles.newPair()));
        // Nothing listens there.
        String witness = NoteSigner.cosigner("w1", KeyFiles.newPair()).verifierKey() + " http://127.0.0.1:1";
        ParleyConfig config = environment.config(Map.of(
                AuditKeys.HEADS_KEY_FILES,
                key.toString(),
                AuditKeys.HEADS_INTERVAL_MS,
                200,
                WitnessFeature.WITNESSES,
                witness,
                IngestFeature.ENABLED,
                true));
        application = Application.start(config);
        ApiClient apiClient = RunningParley.ready(application.uri(), TIMEOUT);
        RepeatedSamples traffic = new RepeatedSamples();
        RunningParley.send(config, traffic.rounds(1));
        RunningParley.awaitAccounted(apiClient, traffic.taken(), TIMEOUT);
    }

    @AfterAll
    static void stop() {
        if (application != null) {
            application.close();
        }
        environment.close();
    }

    @Test
    void everyMetricOfTheDashboardAndTheAlertsIsExported() throws IOException {
        Set<String> asked = new TreeSet<>();
        queries(new ObjectMapper(), DASHBOARD).forEach(query -> asked.addAll(metricsOf(query)));
        asked.addAll(alerted());
        assertThat(asked)
                .contains("parley_accounting_records", "parley_verdicts_total", "parley_latency_seconds_bucket")
                .hasSizeGreaterThan(15);
        await().atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(exported().keySet()).containsAll(asked));
    }

    @Test
    void thePageListsTheAlertsAndTheirMetrics() throws IOException {
        String page = Files.readString(OPERATIONS);
        String table = page.substring(page.indexOf("| Alert on |"), page.indexOf("See also the [dashboard]"));
        Set<String> listed = new TreeSet<>();
        NAMED.matcher(table)
                .results()
                .forEach(name -> listed.add(PART.matcher(name.group(1)).replaceFirst("$1")));
        assertThat(alerted().stream()
                        .map(name -> PART.matcher(name).replaceFirst("$1"))
                        .collect(Collectors.toSet()))
                .isEqualTo(listed);
    }

    /** Each scrape takes time for thousands of lines, and operators use only a few of them. */
    @Test
    void aScrapeIsSmall() throws IOException {
        assertThat(exported().keySet().stream().filter(name -> name.startsWith("kafka_")))
                .hasSizeLessThan(20);
    }

    private static Set<String> alerted() throws IOException {
        Set<String> alerted = new TreeSet<>();
        queries(new YAMLMapper(), RULES).forEach(query -> alerted.addAll(metricsOf(query)));
        return alerted;
    }

    @Test
    void theTableListsEveryMetricOfParleyWithItsLabelsAndNoOther() throws IOException {
        Map<String, Set<String>> listed = new TreeMap<>();
        for (MatchResult row :
                ROW.matcher(Files.readString(OPERATIONS)).results().toList()) {
            Set<String> labels = Pattern.compile("[a-z_]+")
                    .matcher(row.group(2))
                    .results()
                    .map(MatchResult::group)
                    .collect(Collectors.toCollection(TreeSet::new));
            NAMED.matcher(row.group(1)).results().forEach(name -> listed.put(name.group(1), labels));
        }

        await().atMost(TIMEOUT).untilAsserted(() -> {
            Map<String, Set<String>> families = new TreeMap<>();
            exported().forEach((name, labels) -> {
                if (name.startsWith("parley_")) {
                    families.computeIfAbsent(PART.matcher(name).replaceFirst("$1"), family -> new TreeSet<>())
                            .addAll(labels);
                }
            });
            families.values().forEach(labels -> labels.remove("le"));
            assertThat(listed)
                    .as("metrics in docs/operations.md#health-and-metrics, with their labels")
                    .isEqualTo(families);
        });
    }

    @Test
    void everyMetricThatAPageNamesIsExported() throws IOException {
        Map<String, String> named = new TreeMap<>();
        try (Stream<Path> pages = Files.list(OPERATIONS.getParent())) {
            for (Path page :
                    pages.filter(file -> file.toString().endsWith(".md")).toList()) {
                NAMED.matcher(Files.readString(page))
                        .results()
                        .forEach(name ->
                                named.put(name.group(1), page.getFileName().toString()));
            }
        }
        // Columns of the tables in docs/analytics.md.
        named.keySet().removeAll(Set.of("kafka_partition", "kafka_offset"));
        assertThat(named)
                .containsKeys("parley_peers_seconds_count", "kafka_stream_failed_stream_threads_total")
                .hasSizeGreaterThan(12);
        await().atMost(TIMEOUT).untilAsserted(() -> {
            Set<String> exported = new TreeSet<>(exported().keySet());
            exported().keySet().forEach(name -> exported.add(PART.matcher(name).replaceFirst("$1")));
            Map<String, String> unknown = new TreeMap<>(named);
            unknown.keySet().removeAll(exported);
            assertThat(unknown).isEmpty();
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "sum by (a) (max by (a, b) (rate(x_total{c=\"d e\"}[$__rate_interval])));x_total",
                "histogram_quantile(0.99, sum by (le) (rate(y_bucket[5m])));y_bucket",
                "count(z == 0) or vector(0);z",
                "p * on (instance) q;p q",
                "topk(10, r{s=~\"t[.].+\"});r"
            })
    void findsTheMetricsOfAQuery(String query, String metrics) {
        assertThat(metricsOf(query)).containsExactlyInAnyOrder(metrics.split(" "));
    }

    private static List<String> queries(ObjectMapper mapper, Path file) throws IOException {
        List<String> queries = mapper.readTree(file.toFile()).findValues("expr").stream()
                .map(JsonNode::textValue)
                .toList();
        assertThat(queries).isNotEmpty().doesNotContainNull();
        return queries;
    }

    private static Set<String> metricsOf(String query) {
        Matcher names = NAME.matcher(NO_METRIC.matcher(query).replaceAll(" "));
        return names.results()
                .map(result -> result.group())
                .filter(name -> !OPERATORS.contains(name))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The metrics of the running instance and those of requests to peers, with their labels. */
    private static Map<String, Set<String>> exported() throws IOException {
        String text = new String(
                application.uri().resolve("/metrics").toURL().openStream().readAllBytes(), UTF_8);
        Map<String, Set<String>> found = new TreeMap<>();
        Stream.concat(text.lines(), peerMetrics().lines())
                .filter(line -> !line.startsWith("#"))
                .forEach(line -> {
                    Matcher sample = SAMPLE.matcher(line);
                    assertThat(sample.matches()).as(line).isTrue();
                    Set<String> labels = found.computeIfAbsent(sample.group(1), name -> new TreeSet<>());
                    if (sample.group(2) != null) {
                        LABEL.matcher(sample.group(2)).results().forEach(label -> labels.add(label.group(1)));
                    }
                });
        return found;
    }

    /** One instance has no peers, so their metrics come from a request that fails. */
    private static String peerMetrics() {
        try (Metrics metrics = new Metrics(Optional.empty(), false)) {
            new TimedPeers(
                            (peer, request, caller, result) ->
                                    CompletableFuture.failedFuture(new IOException("no peer")),
                            metrics)
                    .ask(null, null, null, null);
            return metrics.scrape();
        }
    }
}
