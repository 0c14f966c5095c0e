package dev.parley.server.tail;

import static org.apache.kafka.common.config.ConfigDef.Range.between;

import dev.parley.server.auth.Role;
import dev.parley.server.feature.Contributions;
import dev.parley.server.feature.Feature;
import dev.parley.server.feature.FeatureContext;
import dev.parley.server.feature.RunningFeature;
import dev.parley.server.http.Route;
import dev.parley.topology.config.KeyDefinitions;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.StreamsSettings;
import dev.parley.topology.topics.Topics;
import java.time.Duration;
import org.eclipse.jetty.http.HttpMethod;

/** Live tail: streams of audit records as they are committed. */
public final class TailFeature implements Feature {
    public static final String STREAMS = "http.tail.streams";
    public static final String CALLER_STREAMS = "http.tail.caller.streams";
    public static final String DURATION_MS = "http.tail.ms";
    public static final String SLOW_MS = "http.tail.slow.ms";

    @Override
    public void addTo(KeyDefinitions definitions) {
        definitions
                .key(STREAMS, 16, between(0, 1_000))
                .doc("Maximum streams of GET /v1/tail. Each has a consumer, and takes up to 4 MiB of heap. A further "
                        + "one gets 429. 0: there is no such path.")
                .key(CALLER_STREAMS, 4, between(1, 1_000))
                .doc("Maximum streams of GET /v1/tail of one caller.")
                .key(DURATION_MS, 900_000, between(1_000, 86_400_000))
                .doc("Maximum duration of a stream of GET /v1/tail, in milliseconds. The reader then reconnects, and "
                        + "its token is checked again.")
                .key(SLOW_MS, 10_000, between(100, 3_600_000))
                .doc("Maximum time, in milliseconds, that events wait for a reader of GET /v1/tail while 256 KiB wait "
                        + "already. Then the stream ends with SLOW_READER.");
    }

    @Override
    public boolean isEnabled(ParleyConfig config) {
        return config.getInt(STREAMS) > 0;
    }

    @Override
    public RunningFeature start(ParleyConfig config, Topics topics) {
        return new Running(
                new KafkaTailSource(StreamsSettings.clientSettings(config), topics.audit()),
                config.getInt(STREAMS),
                config.getInt(CALLER_STREAMS),
                new TailReader.Limits(
                        Duration.ofMillis(config.getInt(DURATION_MS)), Duration.ofMillis(config.getInt(SLOW_MS))));
    }

    /** The running feature. */
    public static final class Running implements RunningFeature {
        private final TailHandler.Settings settings;
        private volatile TailHandler handler;

        /**
         * Creates a feature without streams.
         *
         * @param streams maximum streams
         * @param callerStreams maximum streams of one caller
         * @param limits limits of each stream
         */
        public Running(TailSource source, int streams, int callerStreams, TailReader.Limits limits) {
            this.settings = new TailHandler.Settings(source, streams, callerStreams, limits);
        }

        @Override
        public void contribute(FeatureContext context, Contributions contributions) {
            handler = new TailHandler(settings, context);
            contributions.route(
                    "tail", new Route(HttpMethod.GET, TailHandler.PATH, Role.READER, handler::start).scoped());
        }

        @Override
        public void endStreams() {
            handler.close();
        }

        @Override
        public void close() {
            settings.source().close();
        }
    }
}
