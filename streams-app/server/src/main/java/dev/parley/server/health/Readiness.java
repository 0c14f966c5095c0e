package dev.parley.server.health;

import java.util.List;
import java.util.Optional;

/** Status of the components of this instance. */
@FunctionalInterface
public interface Readiness {

    /** The components, in a stable order. */
    List<Part> parts();

    /** The components that can fail permanently, in the same order. Cheap, because liveness checks are not limited. */
    default List<Part> vital() {
        return parts();
    }

    /** Progress on the source partitions, as last measured; empty if unknown. */
    default Optional<SourceProgress> progress() {
        return Optional.empty();
    }

    /** Partitions of the audit logs that this instance writes and does not sign, in order. */
    default List<Integer> unsignedLogs() {
        return List.of();
    }

    /** Status of a component. */
    enum Status {
        /** Works. */
        READY,
        /** Works, but cannot read what some other instances have. */
        PARTIAL,
        /** Starts or recovers, and will be ready without intervention. */
        STARTING,
        /** Runs, but makes no progress. */
        STALLED,
        /** Shuts down gracefully. */
        STOPPING,
        /** Needs a restart of the instance. */
        FAILED
    }

    /**
     * The status of one component.
     *
     * @param detail one sentence for operators
     */
    record Part(String name, Status status, String detail) {
        /** Whether the component does not keep this instance from serving requests. */
        public boolean isReady() {
            return status == Status.READY || status == Status.PARTIAL;
        }
    }
}
