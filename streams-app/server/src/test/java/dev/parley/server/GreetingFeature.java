package dev.parley.server;

import dev.parley.server.api.view.Parameters;
import dev.parley.server.feature.Contributions;
import dev.parley.server.feature.Feature;
import dev.parley.server.feature.FeatureContext;
import dev.parley.server.feature.RunningFeature;
import dev.parley.server.http.Route;
import dev.parley.topology.config.KeyDefinitions;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.topics.TopicSpec;
import dev.parley.topology.topics.Topics;
import io.micrometer.core.instrument.Counter;
import java.util.List;
import java.util.Map;

/** The smallest feature with one contribution of each kind: greets readers, and counts the greetings. */
final class GreetingFeature implements Feature {
    static final String TEXT = "greeting.text";
    static final String TOPIC = "greeting.v1";
    static final String PATH = "/v1/greeting";

    @Override
    public void addTo(KeyDefinitions definitions) {
        definitions.key(TEXT, "hello").doc("Text of a greeting.");
    }

    @Override
    public List<TopicSpec> topics(ParleyConfig config) {
        return List.of(TopicSpec.compacted(config.topics().named(TOPIC), 1_024));
    }

    @Override
    public RunningFeature start(ParleyConfig config, Topics topics) {
        return new Running(config.getString(TEXT));
    }

    private record Running(String text) implements RunningFeature {
        @Override
        public void contribute(FeatureContext context, Contributions contributions) {
            Counter greetings = Counter.builder("parley.greetings")
                    .description("Greetings")
                    .register(context.metrics().registry());
            contributions
                    .route("greeting", Route.local(PATH, request -> {
                        Parameters.of(request);
                        greetings.increment();
                        return Map.of("text", text);
                    }))
                    .statusLine("greetings", greetings::count);
        }
    }
}
