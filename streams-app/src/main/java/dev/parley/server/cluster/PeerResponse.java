package dev.parley.server.cluster;

import dev.parley.audit.InputPosition;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/** A response of the peer protocol; {@link PeerCodec} has its encoding. */
public sealed interface PeerResponse {

    /** The operation succeeded; the answer may still be {@link ViewAnswer.Absent} or {@link ViewAnswer.Refusal}. */
    record Success(ViewResponse response) implements PeerResponse {}

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

    /** Error codes of the peer protocol. The number of a code never changes, whatever the version of the protocol. */
    enum Error {
        /** The peer has another version of the protocol. */
        UNSUPPORTED_VERSION(1),
        /** The request is not a valid message of this version. */
        MALFORMED_REQUEST(2),
        /** The peer does not have the operation. */
        UNKNOWN_OPERATION(3),
        /** The caller's role does not allow the operation. */
        FORBIDDEN(4),
        /** The peer cannot read the partitions now. */
        VIEWS_UNAVAILABLE(5),
        /** An input position is not visible yet. */
        POSITION_NOT_VISIBLE(6);

        private final int number;

        Error(int number) {
            this.number = number;
        }

        int number() {
            return number;
        }
    }
}
