package dev.parley.server.cluster;

/** Thrown for a peer that does not authenticate, or bytes that are not a message of the peer protocol. */
public final class PeerProtocolException extends Exception {

    private static final long serialVersionUID = 1L;

    PeerProtocolException(String message) {
        super(message, null, false, false);
    }
}
