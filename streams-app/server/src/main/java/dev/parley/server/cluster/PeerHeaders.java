package dev.parley.server.cluster;

/** Path, headers and media type of the peer protocol. The headers authenticate; {@link PeerRequest} has the content. */
public final class PeerHeaders {

    /** Path of proofs (GET, without a body) and requests (POST). */
    public static final String PATH = "/internal/peer";

    /** A {@link PeerAssertion}; once for each key during a rotation. */
    public static final String ASSERTION = "Parley-Peer";

    /** MAC of a response. */
    public static final String RESPONSE = "Parley-Peer-Response";

    /** Media type of requests and responses. */
    public static final String CONTENT_TYPE = "application/json";

    private PeerHeaders() {}
}
