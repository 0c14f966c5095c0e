package dev.parley.server.http;

import static org.apache.kafka.common.config.ConfigDef.Range.atLeast;
import static org.apache.kafka.common.config.ConfigDef.Range.between;

import dev.parley.codec.json.MaskRules;
import dev.parley.oidc.JwtRules;
import dev.parley.server.auth.Role;
import dev.parley.server.auth.TokenFile;
import dev.parley.topology.config.KeyDefinitions;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.config.Validators;
import dev.parley.topology.topics.PublicContent;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ValidList;
import org.apache.kafka.common.config.ConfigDef.ValidString;

/**
 * Keys of {@link dev.parley.topology.config.ParleyConfig} for the address, the security and the limits of the HTTP API.
 */
public final class HttpKeys {
    public static final String HOST = "http.host";
    public static final String PORT = "http.port";
    public static final String HOST_NAMES = "http.host.names";
    public static final String STOP_NOTICE_MS = "stop.notice.ms";

    /** Prefix of the TLS keys. The rest of each key is named as in Kafka after "ssl.". */
    public static final String TLS_PREFIX = "http.tls.";

    public static final String TLS_KEYSTORE = TLS_PREFIX + "keystore.location";
    public static final String TLS_KEYSTORE_TYPE = TLS_PREFIX + "keystore.type";
    public static final String TLS_KEYSTORE_PASSWORD = TLS_PREFIX + "keystore.password";
    public static final String TLS_KEY_PASSWORD = TLS_PREFIX + "key.password";
    public static final String TLS_CHAIN = TLS_PREFIX + "keystore.certificate.chain";
    public static final String TLS_KEY = TLS_PREFIX + "keystore.key";
    public static final String TLS_TRUSTSTORE = TLS_PREFIX + "truststore.location";
    public static final String TLS_TRUSTSTORE_TYPE = TLS_PREFIX + "truststore.type";
    public static final String TLS_TRUSTSTORE_PASSWORD = TLS_PREFIX + "truststore.password";
    public static final String TLS_TRUSTED = TLS_PREFIX + "truststore.certificates";
    public static final String MASK = "http.mask";
    public static final String AUTH_NONE = "http.auth.none";
    public static final String TOKENS_FILE = TokenFile.SETTING;
    public static final String OIDC_ISSUER = "http.auth.oidc.issuer";
    public static final String OIDC_AUDIENCE = "http.auth.oidc.audience";
    public static final String OIDC_KEYS = "http.auth.oidc.jwks.url";
    public static final String OIDC_ALGORITHMS = "http.auth.oidc.algorithms";
    public static final String OIDC_SKEW_MS = "http.auth.oidc.clock.skew.ms";
    public static final String OIDC_NAME_CLAIM = "http.auth.oidc.name.claim";
    public static final String OIDC_ROLES_CLAIM = "http.auth.oidc.roles.claim";
    public static final String OIDC_CLIENT_ID = "http.auth.oidc.client.id";
    public static final String OIDC_CLIENT_SCOPE = "http.auth.oidc.client.scope";
    public static final String SESSION_IDLE_MS = "http.session.idle.ms";
    public static final String SESSION_LIFETIME_MS = "http.session.lifetime.ms";
    public static final String OIDC_NAMESPACES_CLAIM = "http.auth.oidc.namespaces.claim";
    /** Prefix of the keys that give the name of a role in that claim. The rest of the key is the role. */
    public static final String OIDC_ROLE_PREFIX = "http.auth.oidc.roles.";

    public static final String RATE = "http.limits.rate";
    public static final String BURST = "http.limits.burst";
    public static final String REQUESTS = "http.limits.requests";
    public static final String CONNECTIONS = "http.limits.connections";
    public static final String HEADER_BYTES = "http.limits.header.bytes";
    public static final String BODY_BYTES = "http.limits.body.bytes";
    public static final String RESPONSE_BYTES = "http.limits.response.bytes";
    public static final String ADDRESS_CONNECTIONS = "http.limits.address.connections";
    public static final String CALLER_REQUESTS = "http.limits.caller.requests";
    public static final String WAITING = "http.limits.waiting";
    public static final String HEADER_MS = "http.limits.header.ms";
    public static final String BODY_MS = "http.limits.body.ms";
    public static final String RESPONSE_MS = "http.limits.response.ms";
    public static final String IDLE_MS = "http.limits.idle.ms";
    public static final String BYTES_PER_SECOND = "http.limits.bytes.per.second";
    public static final String HEALTH_HOST = "http.health.host";
    public static final String HEALTH_PORT = "http.health.port";

    public static final String PATH_PREFIX = "http.path.prefix";
    public static final String METRICS_KAFKA = "http.metrics.kafka";

    private HttpKeys() {}

    public static void addTo(KeyDefinitions definitions) {
        address(definitions);
        tls(definitions);
        authentication(definitions);
        oidc(definitions);
        sessions(definitions);
        limits(definitions);
        deadlines(definitions);
        health(definitions);
    }

    private static void address(KeyDefinitions definitions) {
        definitions
                .key(STOP_NOTICE_MS, 2_000, atLeast(0))
                .doc("Time, in milliseconds, that the HTTP API keeps serving after a shutdown has started. "
                        + "/health/ready returns 503 meanwhile, so that load balancers stop routing to the instance. "
                        + "Part of stop.timeout.ms.")
                .key(HOST, "127.0.0.1", new ConfigDef.NonEmptyString())
                .doc("Address that the HTTP API listens on. Beyond loopback it requires tokens or http.auth.none.")
                .key(PORT, 8080, between(0, 65_535))
                .doc("Port that the HTTP API listens on. 0: any free port.")
                .list(HOST_NAMES, "")
                .doc(
                        "Further host names by which clients without tokens reach the HTTP API, such as the name that a "
                                + "reverse proxy passes on. IP addresses, localhost, http.host and http.advertised are always allowed.")
                .key(PATH_PREFIX, "", Validators.pathPrefix())
                .doc("Prefix of all paths for clients of a reverse proxy, such as /parley. Links have it; requests are "
                        + "served with it and without. The same on all instances.");
    }

    private static void tls(KeyDefinitions definitions) {
        definitions
                .text(TLS_KEYSTORE)
                .doc("File with the certificate and private key of the HTTP API, which then serves HTTPS. A PEM file "
                        + "must contain both.")
                .key(TLS_KEYSTORE_TYPE, "PKCS12", ValidString.in("PKCS12", "JKS", "PEM"))
                .doc("Format of the keystore.")
                .password(TLS_KEYSTORE_PASSWORD)
                .doc("Password of the keystore. PEM has none.")
                .password(TLS_KEY_PASSWORD)
                .doc("Password of the private key, if it has its own, or of an encrypted PEM key.")
                .password(TLS_CHAIN)
                .doc("Certificate chain in PEM, instead of the keystore file.")
                .password(TLS_KEY)
                .doc("Private key in PEM (PKCS#8), instead of the keystore file.")
                .text(TLS_TRUSTSTORE)
                .doc("File with the certificates that authenticate the other instances of the deployment. Default: "
                        + "the certificates that Java trusts.")
                .key(TLS_TRUSTSTORE_TYPE, "PKCS12", ValidString.in("PKCS12", "JKS", "PEM"))
                .doc("Format of the truststore.")
                .password(TLS_TRUSTSTORE_PASSWORD)
                .doc("Password of the truststore. PEM has none.")
                .password(TLS_TRUSTED)
                .doc("Trusted certificates in PEM, instead of the truststore file.");
    }

    private static void authentication(KeyDefinitions definitions) {
        definitions
                .key(AUTH_NONE, false)
                .doc("Disables authentication on any address. Otherwise, without tokens, the API listens only on "
                        + "loopback.")
                .text(TOKENS_FILE)
                .doc("File with the hashes of the accepted tokens, one line from parley token each. Read again when "
                        + "it changes.")
                .key(MASK, "", Validators.maskRules())
                .doc("Rules, separated by spaces, that mask values of JSON messages for readers: default, key:NAME, "
                        + "path:$.NAME, pattern:REGEX or keep:$.NAME (docs/security.md). A change builds the search "
                        + "index again. The same on all instances.");
    }

    /** The content that readers may see. */
    public static PublicContent readers(ParleyConfig config) {
        return new PublicContent(MaskRules.parse(config.getString(MASK)));
    }

    private static void oidc(KeyDefinitions definitions) {
        definitions
                .text(OIDC_ISSUER)
                .doc("Issuer (claim iss) of accepted JWTs. Requires audience and jwks.url.")
                .list(OIDC_AUDIENCE, "")
                .doc("Accepted audiences. The claim aud of a JWT must contain one of them.")
                .text(OIDC_KEYS)
                .doc("URL of the provider's keys (jwks_uri): https, or http on a loopback address.")
                .list(OIDC_ALGORITHMS, "RS256,ES256", ValidList.in(false, JwtRules.ALGORITHMS.toArray(String[]::new)))
                .doc("Accepted signature algorithms.")
                .key(OIDC_SKEW_MS, 60_000L, between(0, 600_000))
                .doc("Maximum difference between the clocks of the provider and Parley, in milliseconds.")
                .key(OIDC_NAME_CLAIM, "sub", new ConfigDef.NonEmptyString())
                .doc("Claim with the caller's name, for the log and the limits.")
                .key(OIDC_ROLES_CLAIM, "roles", new ConfigDef.NonEmptyString())
                .doc("Claim with the caller's roles: a list, or a string with spaces. Dots select nested objects, as "
                        + "in realm_access.roles.");
        Role.GIVEN.forEach(role -> definitions
                .list(OIDC_ROLE_PREFIX + role.text(), "parley-" + role.text())
                .doc("Name of the role " + role.text() + " in that claim."));
        definitions
                .text(OIDC_NAMESPACES_CLAIM)
                .doc("Claim with the namespaces that a caller may read and send to, in the form of the claim of the "
                        + "roles; * allows all. A caller without the claim has none. Default: all namespaces.")
                .text(OIDC_CLIENT_ID)
                .doc("Client ID of the console, a public client of the provider: users of the console sign in there. "
                        + "Default: they enter a token.")
                .key(OIDC_CLIENT_SCOPE, "openid", new ConfigDef.NonEmptyString())
                .doc("Scopes, separated by spaces, that the console requests. They must include openid.");
    }

    private static void sessions(KeyDefinitions definitions) {
        definitions
                .key(SESSION_IDLE_MS, 3_600_000L, between(900_000, 2_592_000_000L))
                .doc("Time without activity, in milliseconds, after which the console requires another sign-in.")
                .key(SESSION_LIFETIME_MS, 43_200_000L, between(900_000, 2_592_000_000L))
                .doc("Time after a sign-in, in milliseconds, after which the console requires another.");
    }

    private static void limits(KeyDefinitions definitions) {
        definitions
                .key(RATE, 100, between(0, 1_000_000))
                .doc("Sustained requests per second of one caller (a token's name, else an address). 0: no limit.")
                .key(BURST, 1_000, between(1, 1_000_000))
                .doc("Maximum burst of requests of one caller after a pause.")
                .key(REQUESTS, 64, between(1, 10_000))
                .doc("Maximum requests processed concurrently. Four times as many wait; further requests get 503.")
                .key(CONNECTIONS, 512, between(1, 100_000))
                .doc("Maximum connections of the HTTP API. A further connection closes the oldest one without a "
                        + "request in progress.")
                .key(HEADER_BYTES, 64 << 10, between(1 << 10, 1 << 20))
                .doc("Maximum bytes of a request's line and headers. Cursors contain names: a cursor with the longest "
                        + "names takes 37 kB.")
                .key(BODY_BYTES, 64 << 10, between(0, 16 << 20))
                .doc("Maximum bytes of a request body.")
                .key(RESPONSE_BYTES, 4 << 20, between(1 << 20, 64 << 20))
                .doc("Maximum bytes of a response. A page of a list ends there with a cursor; any other larger "
                        + "response is 422 ANSWER_TOO_LARGE. Set the same value on all instances. All responses in "
                        + "progress take at most an eighth of the heap together; then 503 TOO_BUSY.")
                .key(ADDRESS_CONNECTIONS, 128, between(1, 100_000))
                .doc("Maximum connections of one address, or of one IPv6 /64 network. A further connection closes its "
                        + "oldest one without a request in progress. Raise this limit for a proxy that connects for "
                        + "many clients.")
                .key(CALLER_REQUESTS, 32, between(1, 10_000))
                .doc("Maximum requests in progress of one caller (a token's name, else an address). A further request "
                        + "gets 429.")
                .key(WAITING, 256, between(0, 100_000))
                .doc("Maximum requests that wait for views, such as those with at-least; they hold no thread. A "
                        + "further request gets 503 at once instead of after http.peers.patience.ms.");
    }

    private static void deadlines(KeyDefinitions definitions) {
        ConfigDef.Range milliseconds = between(100, 3_600_000);
        definitions
                .key(HEADER_MS, 5_000, milliseconds)
                .doc("Maximum time, in milliseconds, from the connection, or from the first byte of a later request, "
                        + "to complete headers. Includes the TLS handshake. Then the connection is closed.")
                .key(BODY_MS, 5_000, milliseconds)
                .doc("Maximum time, in milliseconds, to receive a request body, in addition to the time its size "
                        + "takes at http.limits.bytes.per.second.")
                .key(RESPONSE_MS, 10_000, milliseconds)
                .doc("Maximum time, in milliseconds, to send a response, in addition to the time its size takes at "
                        + "http.limits.bytes.per.second.")
                .key(IDLE_MS, 30_000, milliseconds)
                .doc("Maximum idle time, in milliseconds, between two requests of a connection.")
                .key(BYTES_PER_SECOND, 16 << 10, between(1, 1 << 30))
                .doc("Minimum data rate, in bytes per second, of request bodies and of clients that read responses.");
    }

    private static void health(KeyDefinitions definitions) {
        definitions
                .key(HEALTH_HOST, "127.0.0.1", new ConfigDef.NonEmptyString())
                .doc("Address of http.health.port.")
                .key(HEALTH_PORT, -1, between(-1, 65_535))
                .doc("Port of a second listener for probes, with its own threads and connections. It serves the "
                        + "status of /health/live and /health/ready over plain HTTP without a token. -1: none. 0: any "
                        + "free port.")
                .key(METRICS_KAFKA, false)
                .doc("Adds all metrics of Kafka Streams and its clients to /metrics, and to those sent to "
                        + "otlp.endpoint: thousands of lines. Otherwise there are those of docs/operations.md, of the "
                        + "dashboard and of the alerts.");
    }
}
