package dev.parley.query.http;

import dev.parley.operations.progress.SourceProgress;
import java.util.List;
import java.util.Optional;

/** How far the parts of the application are. */
@FunctionalInterface
public interface Readiness {

    /** The parts, in a stable order. */
    List<Part> parts();

    /**
     * Those parts that can fail for good, in the same order. Anybody may ask for them at any rate, so this is cheap.
     */
    default List<Part> vital() {
        return parts();
    }

    /** How far the sources are read; empty when it is not known. Cheap: nothing is asked of a broker. */
    default Optional<SourceProgress> progress() {
        return Optional.empty();
    }

    /** What a part can be. */
    enum Status {
        /** Does its work. */
        READY,
        /** Will be ready without anybody's help. */
        STARTING,
        /** Runs, but makes no progress. */
        STALLED,
        /** Stops in order, because it was told to. */
        STOPPING,
        /** Will not be ready before the process is started again. */
        FAILED
    }

    /**
     * One part.
     *
     * @param name its name
     * @param status how far it is
     * @param detail a sentence for a person
     */
    record Part(String name, Status status, String detail) {}
}
