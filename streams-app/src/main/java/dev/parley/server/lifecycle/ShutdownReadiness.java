package dev.parley.server.lifecycle;

import dev.parley.server.health.Readiness;
import dev.parley.server.health.SourceProgress;
import java.util.List;
import java.util.Optional;

/**
 * Readiness of an instance that may be stopping: then it is not ready, so that it gets no requests, but not failed
 * either.
 */
final class ShutdownReadiness implements Readiness {
    private final Readiness inner;
    private volatile boolean stopping;

    ShutdownReadiness(Readiness inner) {
        this.inner = inner;
    }

    /** Reports the instance as stopping from now on. */
    void stopping() {
        stopping = true;
    }

    @Override
    public List<Part> parts() {
        return marked(inner.parts());
    }

    @Override
    public List<Part> vital() {
        return marked(inner.vital());
    }

    @Override
    public Optional<SourceProgress> progress() {
        return inner.progress();
    }

    private List<Part> marked(List<Part> parts) {
        if (!stopping) {
            return parts;
        }
        return parts.stream()
                .map(part -> new Part(part.name(), Status.STOPPING, "The instance is stopping. " + part.detail()))
                .toList();
    }
}
