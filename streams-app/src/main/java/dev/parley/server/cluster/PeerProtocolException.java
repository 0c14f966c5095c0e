package dev.parley.server.cluster;

/** Thrown for bytes that are not a message of this version of the peer protocol. */
public final class PeerProtocolException extends Exception {

    private static final long serialVersionUID = 1L;

    private final PeerResponse.Error error;

    PeerProtocolException(PeerResponse.Error error, String message) {
        super(message, null, false, false);
        this.error = error;
    }

    /** {@link PeerResponse.Error#UNSUPPORTED_VERSION} or {@link PeerResponse.Error#MALFORMED_REQUEST}. */
    PeerResponse.Error error() {
        return error;
    }
}
