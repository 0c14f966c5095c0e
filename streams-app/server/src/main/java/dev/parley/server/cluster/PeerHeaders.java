package dev.parley.server.cluster;

/** Path, headers and media type of the peer protocol. The headers authenticate; {@link PeerRequest} has the content. */
public final class PeerHeaders {

    /** Path of challenges (GET) and requests (POST). */
    public static final String PATH = "/internal/peer";

    public static final String ASSERTION = "Parley-Peer";

    /** The challenge in a request, and the proof in its response. */
    public static final String PROOF = "Parley-Peer-Proof";

    /** MAC of a response. */
    public static final String RESPONSE = "Parley-Peer-Response";

    /** Media type of requests and responses. */
    public static final String CONTENT_TYPE = "application/json";

    private PeerHeaders() {}
}
