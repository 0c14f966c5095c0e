package dev.parley.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.cli.io.ApiClient;
import dev.parley.cli.io.TranscriptProducer;
import dev.parley.config.ParleyConfig;
import dev.parley.server.Application;
import dev.parley.topology.setup.StreamsSettings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The dashboard that docker-compose.yml provides for Grafana asks for what a running Parley has. */
class DashboardIT {
    private static final Path DASHBOARD = Path.of("../deploy/grafana/dashboards/parley.json");
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    /** In a query, what is no metric's name: selectors, ranges, numbers, and labels in parentheses after a keyword. */
    private static final Pattern NO_METRIC = Pattern.compile(
            "\\{[^}]*}|\\[[^]]*]|\\b\\d[\\d.]*|\\b(?:by|without|on|ignoring|group_left|group_right)\\s*\\([^)]*\\)");

    private static final Pattern NAME = Pattern.compile("[a-zA-Z_:][a-zA-Z0-9_:]*(?!\\w*\\s*\\()");
    private static final Set<String> OPERATORS = Set.of("or", "and", "unless");

    @TempDir
    private Path directory;

    @Test
    void everyMetricOfTheDashboardIsExported() throws Exception {
        Set<String> asked = new TreeSet<>();
        queries().forEach(query -> asked.addAll(metricsOf(query)));
        assertThat(asked)
                .contains("parley_accounting_records", "parley_verdicts_total", "parley_latency_seconds_bucket")
                .hasSizeGreaterThan(15);

        RepeatedSamples traffic = new RepeatedSamples();
        try (EmbeddedEnvironment embeddedEnvironment = EmbeddedEnvironment.open(directory);
                Application application = Application.start(embeddedEnvironment.config())) {
            URI uri = application.uri();
            ApiClient apiClient = new ApiClient(uri);
            apiClient.awaitReady(TIMEOUT, new CountDownLatch(1));
            ParleyConfig config = embeddedEnvironment.config();
            try (TranscriptProducer transcriptProducer = new TranscriptProducer(
                    StreamsSettings.clientSettings(config), config.getInt(ParleyConfig.RECORD_BYTES))) {
                traffic.rounds(1).forEach(transcriptProducer::send);
                transcriptProducer.flush();
            }
            assertThat(apiClient.awaitAccounted(traffic.taken(), TIMEOUT, new CountDownLatch(1)))
                    .isTrue();
            await().atMost(TIMEOUT)
                    .untilAsserted(() -> assertThat(exported(uri)).containsAll(asked));
        }
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

    private static List<String> queries() throws IOException {
        JsonNode dashboard = new ObjectMapper().readTree(DASHBOARD.toFile());
        List<String> queries =
                dashboard.findValues("expr").stream().map(JsonNode::textValue).toList();
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

    private static Set<String> exported(URI uri) throws IOException {
        String text = new String(uri.resolve("/metrics").toURL().openStream().readAllBytes(), UTF_8);
        return text.lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.split("[{ ]", 2)[0])
                .collect(Collectors.toSet());
    }
}
