package dev.parley.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The alert rules for Prometheus use documented metrics and settings. */
class AlertRulesTest {
    private static final Path RULES = Path.of("deploy", "prometheus", "rules.yml");
    private static final Pattern METRIC = Pattern.compile("parley_[a-z_]+");

    @Test
    void everyMetricOfARuleIsDocumented() throws IOException {
        JsonNode rules =
                new ObjectMapper(new YAMLFactory()).readTree(RULES.toFile()).at("/groups/0/rules");
        List<String> metrics = new ArrayList<>();
        for (JsonNode rule : rules) {
            assertThat(rule.path("alert").asText()).startsWith("Parley");
            Matcher matcher = METRIC.matcher(rule.path("expr").asText());
            while (matcher.find()) {
                metrics.add(matcher.group());
            }
        }
        String page = Files.readString(Path.of("docs", "operations.md"));
        assertThat(metrics)
                .contains("parley_audit_log_size", "parley_audit_head_size", "parley_audit_head_age_seconds")
                .allSatisfy(metric -> assertThat(page).contains('`' + metric + '`'));
    }

    @Test
    void prometheusReadsTheRules() throws IOException {
        assertThat(Files.readString(Path.of("deploy", "prometheus", "prometheus.yml")))
                .contains("- rules.yml");
        assertThat(Files.readString(Path.of("docker-compose.yml")))
                .contains("./deploy/prometheus/rules.yml:/etc/prometheus/rules.yml:ro");
    }
}
