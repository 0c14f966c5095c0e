package dev.parley.server.cluster;

import dev.parley.audit.InputPosition;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;

/** A response of the peer protocol; {@link PeerJson} writes it. */
public sealed interface PeerResponse {

    /** The operation succeeded; the answer may still be {@link ViewAnswer.Absent} or {@link ViewAnswer.Refusal}. */
    record Success(ViewResponse response) implements PeerResponse {

        public Success {
            Objects.requireNonNull(response);
        }
    }

    /**
     * The operation failed.
     *
     * @param error error code
     * @param detail one sentence for the log
     * @param visible those of the requested input positions that are visible, for {@link Error#POSITION_NOT_VISIBLE}
     */
    record Failure(Error error, String detail, Set<InputPosition> visible) implements PeerResponse {

        public Failure {
            visible = Collections.unmodifiableSet(new LinkedHashSet<>(visible));
        }

        Failure(Error error, String detail) {
            this(error, detail, Set.of());
        }
    }

    /** Reasons for which a peer does not answer. */
    enum Error {
        /** The request is malformed. */
        MALFORMED_REQUEST,
        /** The peer does not have the operation. */
        UNKNOWN_OPERATION,
        /** The caller's role does not allow the operation. */
        FORBIDDEN,
        /** The peer cannot read the partitions now. */
        VIEWS_UNAVAILABLE,
        /** An input position is not visible yet. */
        POSITION_NOT_VISIBLE
    }
}
