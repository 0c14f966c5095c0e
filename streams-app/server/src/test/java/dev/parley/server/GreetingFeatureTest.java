package dev.parley.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.server.api.HttpTest;
import dev.parley.server.feature.Feature;
import dev.parley.server.feature.RunningFeature;
import dev.parley.topology.config.ParleyConfig;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** One element in the list of features brings its key, topic, route, capability, metric and status line. */
class GreetingFeatureTest extends HttpTest {
    private static final Feature GREETING = new GreetingFeature();
    private static final List<Feature> FEATURES =
            Stream.concat(Features.STANDARD.stream(), Stream.of(GREETING)).toList();
    private static final ParleyConfig CONFIG =
            new ParleyConfig(ServerConfig.groups(FEATURES), Map.of(GreetingFeature.TEXT, "good day"));

    @Override
    protected List<RunningFeature> features() {
        return Stream.concat(super.features().stream(), Stream.of(GREETING.start(CONFIG, null)))
                .toList();
    }

    @Test
    void itsKeyIsConfigured() {
        assertThat(CONFIG.getString(GreetingFeature.TEXT)).isEqualTo("good day");
        assertThat(ParleyConfig.definition(ServerConfig.groups(FEATURES)).configKeys())
                .containsKey(GreetingFeature.TEXT);
        assertThat(ServerConfig.definition().configKeys()).doesNotContainKey(GreetingFeature.TEXT);
    }

    @Test
    void itsTopicIsCreated() {
        assertThat(Feature.topics(FEATURES, CONFIG).names()).contains("parley.greeting.v1");
        assertThat(Feature.topics(Features.STANDARD, CONFIG).names()).doesNotContain("parley.greeting.v1");
    }

    @Test
    void itsRouteCapabilityMetricAndStatusLineAppear() {
        assertThat(json(GreetingFeature.PATH)).hasToString("{\"text\":\"good day\"}");

        assertThat(json("/").toString()).contains(GreetingFeature.PATH);
        assertThat(json("/v1/whoami").at("/features/greeting").asBoolean()).isTrue();
        assertThat(get("/metrics").body()).contains("parley_greetings_total 1.0");
        assertThat(json("/v1/status").at("/features/greetings").asInt()).isEqualTo(1);
    }
}
