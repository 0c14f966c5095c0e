package dev.parley.server.api;

import dev.parley.protocol.Glosses;
import dev.parley.protocol.TopicNames;
import dev.parley.server.auth.RateLimiter;
import dev.parley.server.cluster.DistributedViews;
import dev.parley.server.feature.RunningFeature;
import dev.parley.server.health.Accounts;
import dev.parley.server.health.Readiness;
import dev.parley.server.health.StatisticBounds;
import dev.parley.server.http.BoundAddress;
import dev.parley.server.http.HostNames;
import dev.parley.server.http.HttpSecurity;
import dev.parley.server.metrics.Metrics;
import dev.parley.stage.StageSettings;
import dev.parley.topology.topics.PublicContent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;

/** Loopback addresses, and an API without access control. */
public final class Loopback {
    /** Address of the loopback interface. */
    public static final String HOST = "127.0.0.1";

    /** No TLS, no authentication, no rate limit, any host name. */
    public static final HttpSecurity OPEN = new HttpSecurity(
            Optional.empty(),
            Optional.empty(),
            RateLimiter.NONE,
            HttpLimits.DEFAULT,
            Optional.empty(),
            "",
            HostNames.ANY);

    private Loopback() {}

    /** Components of a server with search, standard glosses and the default names of topics. */
    public static QueryServer.Components components(
            Optional<DistributedViews> views, Readiness readiness, Metrics metrics, List<RunningFeature> features) {
        return components(views, readiness, metrics, PublicContent.WITHOUT_RULES, features);
    }

    /** The same, with the content that readers may see. */
    public static QueryServer.Components components(
            Optional<DistributedViews> views,
            Readiness readiness,
            Metrics metrics,
            PublicContent readers,
            List<RunningFeature> features) {
        return new QueryServer.Components(
                views,
                readiness,
                new Accounts(
                        () -> views.map(found -> found.local().accounting()).orElse(List.of())),
                StatisticBounds.UNKNOWN,
                metrics,
                Glosses.STANDARD,
                readers,
                true,
                TopicNames.DEFAULT,
                StageSettings.DEFAULT,
                features);
    }

    /** Binds a free port. */
    public static BoundAddress bind() {
        try {
            return BoundAddress.bind(HOST, 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
