package dev.parley.cli;

import dev.parley.operations.SourceProgress;
import dev.parley.query.Readiness;
import java.util.List;
import java.util.Optional;

/** The readiness of a process that may be about to stop: from then on it is not ready, so that nobody sends it anything, but it has not failed either. */
final class Leaving implements Readiness {
    private final Readiness inner;
    private volatile boolean leaving;

    Leaving(Readiness inner) {
        this.inner = inner;
    }

    void leave() {
        leaving = true;
    }

    @Override
    public List<Part> parts() {
        return told(inner.parts());
    }

    @Override
    public List<Part> vital() {
        return told(inner.vital());
    }

    @Override
    public Optional<SourceProgress> progress() {
        return inner.progress();
    }

    private List<Part> told(List<Part> parts) {
        if (!leaving) {
            return parts;
        }
        return parts.stream()
                .map(part -> new Part(part.name(), Status.STOPPING, "The process stops. " + part.detail()))
                .toList();
    }
}
