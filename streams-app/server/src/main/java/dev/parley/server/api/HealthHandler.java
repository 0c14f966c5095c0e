package dev.parley.server.api;

import dev.parley.json.model.Health;
import dev.parley.server.api.view.Parameters;
import dev.parley.server.health.Readiness;
import dev.parley.server.health.Readiness.Part;
import dev.parley.server.health.Readiness.Status;
import dev.parley.server.http.ApiRequest;
import dev.parley.server.http.ProblemException;
import dev.parley.server.http.Route;
import dev.parley.server.metrics.Metrics;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** Answers requests about the instance itself: health, metrics, OpenAPI. */
final class HealthHandler {

    private static final String PATHS = "paths:\n";

    private final Readiness readiness;
    private final Metrics metrics;
    private final byte[] openApi;

    /** @param prefix of the paths of the API */
    HealthHandler(Readiness readiness, Metrics metrics, String prefix) {
        this.readiness = readiness;
        this.metrics = metrics;
        String document = new String(resource("/openapi.yaml"), StandardCharsets.UTF_8);
        this.openApi = (prefix.isEmpty()
                        ? document
                        : document.replaceFirst(PATHS, "servers:\n  - url: " + prefix + '\n' + PATHS))
                .getBytes(StandardCharsets.UTF_8);
    }

    /** UP unless a component needs a restart of the instance. Without components, because it needs no token. */
    Health live(ApiRequest request) {
        boolean up = readiness.vital().stream().allMatch(part -> part.status() != Status.FAILED);
        return health(request, up, List.of());
    }

    /** UP if every component is ready. */
    Health ready(ApiRequest request) {
        List<Part> parts = readiness.parts();
        return health(request, parts.stream().allMatch(Part::isReady), parts);
    }

    Route.Content metrics(ApiRequest request) {
        Parameters.of(request);
        return new Route.Content(Metrics.CONTENT_TYPE, metrics.scrape().getBytes(StandardCharsets.UTF_8));
    }

    Route.Content openApi(ApiRequest request) {
        Parameters.of(request);
        return new Route.Content("application/yaml; charset=utf-8", openApi);
    }

    private static Health health(ApiRequest request, boolean up, List<Part> parts) {
        Parameters.of(request);
        if (!up) {
            request.status(503).header("Retry-After", ProblemException.RETRY_AFTER_SECONDS);
        }
        return new Health(up ? "UP" : "DOWN", parts(parts));
    }

    static List<Health.Part> parts(List<Part> parts) {
        return parts.stream()
                .map(part -> new Health.Part(part.name(), part.status().name().toLowerCase(Locale.ROOT), part.detail()))
                .toList();
    }

    private static byte[] resource(String name) {
        try (InputStream in = HealthHandler.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("missing resource " + name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
