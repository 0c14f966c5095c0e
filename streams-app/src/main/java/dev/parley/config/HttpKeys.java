package dev.parley.config;

import dev.parley.access.OidcSettings;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.ValidList;
import org.apache.kafka.common.config.ConfigDef.ValidString;

/** The keys of {@link ParleyConfig} that say who gets in to the HTTP API. */
public final class HttpKeys {
    /** Prefix of the keys about TLS; behind it they are called as Kafka calls them behind "ssl.". */
    public static final String TLS_PREFIX = "http.tls.";
    /** {@value}. */
    public static final String TLS_KEYSTORE = TLS_PREFIX + "keystore.location";
    /** {@value}. */
    public static final String TLS_KEYSTORE_TYPE = TLS_PREFIX + "keystore.type";
    /** {@value}. */
    public static final String TLS_KEYSTORE_PASSWORD = TLS_PREFIX + "keystore.password";
    /** {@value}. */
    public static final String TLS_KEY_PASSWORD = TLS_PREFIX + "key.password";
    /** {@value}. */
    public static final String TLS_CHAIN = TLS_PREFIX + "keystore.certificate.chain";
    /** {@value}. */
    public static final String TLS_KEY = TLS_PREFIX + "keystore.key";
    /** {@value}. */
    public static final String TLS_TRUSTSTORE = TLS_PREFIX + "truststore.location";
    /** {@value}. */
    public static final String TLS_TRUSTSTORE_TYPE = TLS_PREFIX + "truststore.type";
    /** {@value}. */
    public static final String TLS_TRUSTSTORE_PASSWORD = TLS_PREFIX + "truststore.password";
    /** {@value}. */
    public static final String TLS_TRUSTED = TLS_PREFIX + "truststore.certificates";
    /** {@value}. */
    public static final String AUTH_NONE = "http.auth.none";
    /** {@value}. */
    public static final String TOKENS_FILE = "http.auth.tokens.file";
    /** {@value}. */
    public static final String OIDC_ISSUER = "http.auth.oidc.issuer";
    /** {@value}. */
    public static final String OIDC_AUDIENCE = "http.auth.oidc.audience";
    /** {@value}. */
    public static final String OIDC_KEYS = "http.auth.oidc.jwks.url";
    /** {@value}. */
    public static final String OIDC_ALGORITHMS = "http.auth.oidc.algorithms";
    /** {@value}. */
    public static final String OIDC_SKEW_MS = "http.auth.oidc.clock.skew.ms";
    /** {@value}. */
    public static final String OIDC_NAME_CLAIM = "http.auth.oidc.name.claim";
    /** {@value}. */
    public static final String OIDC_ROLES_CLAIM = "http.auth.oidc.roles.claim";
    /** Prefix of the keys that say what a role is called in that claim; behind it stands the role. */
    public static final String OIDC_ROLE_PREFIX = "http.auth.oidc.roles.";
    /** {@value}. */
    public static final String RATE = "http.limits.rate";
    /** {@value}. */
    public static final String BURST = "http.limits.burst";
    /** {@value}. */
    public static final String REQUESTS = "http.limits.requests";
    /** {@value}. */
    public static final String CONNECTIONS = "http.limits.connections";
    /** {@value}. */
    public static final String HEADER_BYTES = "http.limits.header.bytes";
    /** {@value}. */
    public static final String BODY_BYTES = "http.limits.body.bytes";
    /** {@value}. */
    public static final String RESPONSE_BYTES = "http.limits.response.bytes";

    /** {@value}. */
    public static final String ADDRESS_CONNECTIONS = "http.limits.address.connections";
    /** {@value}. */
    public static final String CALLER_REQUESTS = "http.limits.caller.requests";
    /** {@value}. */
    public static final String WAITING = "http.limits.waiting";
    /** {@value}. */
    public static final String HEADER_MS = "http.limits.header.ms";
    /** {@value}. */
    public static final String BODY_MS = "http.limits.body.ms";
    /** {@value}. */
    public static final String RESPONSE_MS = "http.limits.response.ms";
    /** {@value}. */
    public static final String IDLE_MS = "http.limits.idle.ms";
    /** {@value}. */
    public static final String BYTES_PER_SECOND = "http.limits.bytes.per.second";
    /** {@value}. */
    public static final String HEALTH_HOST = "http.health.host";
    /** {@value}. */
    public static final String HEALTH_PORT = "http.health.port";

    private HttpKeys() {}

    static void addTo(ConfigDef definition) {
        tls(definition);
        authentication(definition);
        oidc(definition);
        limits(definition);
        shares(definition);
        deadlines(definition);
        health(definition);
    }

    private static void tls(ConfigDef definition) {
        definition
                .define(
                        TLS_KEYSTORE,
                        ConfigDef.Type.STRING,
                        null,
                        Importance.MEDIUM,
                        "File with the certificate and private key of the HTTP API, which then speaks HTTPS; for PEM a"
                                + " file with both.")
                .define(
                        TLS_KEYSTORE_TYPE,
                        ConfigDef.Type.STRING,
                        "PKCS12",
                        ValidString.in("PKCS12", "JKS", "PEM"),
                        Importance.MEDIUM,
                        "Format of the keystore.")
                .define(
                        TLS_KEYSTORE_PASSWORD,
                        ConfigDef.Type.PASSWORD,
                        null,
                        Importance.MEDIUM,
                        "Password of the keystore; PEM has none.")
                .define(
                        TLS_KEY_PASSWORD,
                        ConfigDef.Type.PASSWORD,
                        null,
                        Importance.LOW,
                        "Password of the private key, if it has its own; of an encrypted key in PEM.")
                .define(
                        TLS_CHAIN,
                        ConfigDef.Type.PASSWORD,
                        null,
                        Importance.LOW,
                        "Certificate chain in PEM, in place of the keystore file.")
                .define(
                        TLS_KEY,
                        ConfigDef.Type.PASSWORD,
                        null,
                        Importance.LOW,
                        "Private key in PEM (PKCS#8), in place of the keystore file.")
                .define(
                        TLS_TRUSTSTORE,
                        ConfigDef.Type.STRING,
                        null,
                        Importance.LOW,
                        "File with the certificates by which this process trusts the other processes of its"
                                + " deployment; without one, those that Java trusts.")
                .define(
                        TLS_TRUSTSTORE_TYPE,
                        ConfigDef.Type.STRING,
                        "PKCS12",
                        ValidString.in("PKCS12", "JKS", "PEM"),
                        Importance.LOW,
                        "Format of the truststore.")
                .define(
                        TLS_TRUSTSTORE_PASSWORD,
                        ConfigDef.Type.PASSWORD,
                        null,
                        Importance.LOW,
                        "Password of the truststore; PEM has none.")
                .define(
                        TLS_TRUSTED,
                        ConfigDef.Type.PASSWORD,
                        null,
                        Importance.LOW,
                        "Trusted certificates in PEM, in place of the truststore file.");
    }

    private static void authentication(ConfigDef definition) {
        definition
                .define(
                        AUTH_NONE,
                        ConfigDef.Type.BOOLEAN,
                        false,
                        Importance.MEDIUM,
                        "Says that the HTTP API shall ask nobody who they are, on whatever address it listens. Without"
                                + " tokens and without this it listens on loopback addresses only.")
                .define(
                        TOKENS_FILE,
                        ConfigDef.Type.STRING,
                        null,
                        Importance.HIGH,
                        "File with the hashes of the tokens that the HTTP API accepts, a line of parley token each;"
                                + " read again when it changes.");
    }

    private static void oidc(ConfigDef definition) {
        definition
                .define(
                        OIDC_ISSUER,
                        ConfigDef.Type.STRING,
                        null,
                        Importance.HIGH,
                        "Issuer (claim iss) of JWTs that the HTTP API accepts; needs audience and jwks.url too.")
                .define(
                        OIDC_AUDIENCE,
                        ConfigDef.Type.LIST,
                        "",
                        Importance.HIGH,
                        "Audiences, of which the claim aud of a JWT must have one.")
                .define(
                        OIDC_KEYS,
                        ConfigDef.Type.STRING,
                        null,
                        Importance.HIGH,
                        "Where the provider publishes its keys (jwks_uri): an https URL, or http on a loopback"
                                + " address.")
                .define(
                        OIDC_ALGORITHMS,
                        ConfigDef.Type.LIST,
                        "RS256,ES256",
                        ValidList.in(false, OidcSettings.ALGORITHMS.toArray(String[]::new)),
                        Importance.LOW,
                        "Signature algorithms that are accepted.")
                .define(
                        OIDC_SKEW_MS,
                        ConfigDef.Type.LONG,
                        60_000L,
                        Range.between(0, 600_000),
                        Importance.LOW,
                        "How far the clocks of provider and Parley may be apart, in milliseconds.")
                .define(
                        OIDC_NAME_CLAIM,
                        ConfigDef.Type.STRING,
                        "sub",
                        new ConfigDef.NonEmptyString(),
                        Importance.LOW,
                        "Claim that names the caller, for the log and the limits.")
                .define(
                        OIDC_ROLES_CLAIM,
                        ConfigDef.Type.STRING,
                        "roles",
                        new ConfigDef.NonEmptyString(),
                        Importance.MEDIUM,
                        "Claim with the caller's roles, a list or a text with blanks; dots lead into objects, as in"
                                + " realm_access.roles.")
                .define(
                        OIDC_ROLE_PREFIX + "reader",
                        ConfigDef.Type.LIST,
                        "parley-reader",
                        Importance.LOW,
                        "What the role reader is called in that claim.")
                .define(
                        OIDC_ROLE_PREFIX + "auditor",
                        ConfigDef.Type.LIST,
                        "parley-auditor",
                        Importance.LOW,
                        "What the role auditor is called in that claim.")
                .define(
                        OIDC_ROLE_PREFIX + "operator",
                        ConfigDef.Type.LIST,
                        "parley-operator",
                        Importance.LOW,
                        "What the role operator is called in that claim.");
    }

    private static void limits(ConfigDef definition) {
        definition
                .define(
                        RATE,
                        ConfigDef.Type.INT,
                        100,
                        Range.between(0, 1_000_000),
                        Importance.MEDIUM,
                        "Requests a second that one caller (a token's name, else an address) may make in the long run;"
                                + " 0 for no limit.")
                .define(
                        BURST,
                        ConfigDef.Type.INT,
                        1_000,
                        Range.between(1, 1_000_000),
                        Importance.LOW,
                        "Requests that one caller may make at once after a rest.")
                .define(
                        REQUESTS,
                        ConfigDef.Type.INT,
                        64,
                        Range.between(1, 10_000),
                        Importance.LOW,
                        "Most requests that are answered at the same time; four times as many wait for their turn, the"
                                + " others get 503.")
                .define(
                        CONNECTIONS,
                        ConfigDef.Type.INT,
                        512,
                        Range.between(1, 100_000),
                        Importance.LOW,
                        "Maximum connections of the HTTP API; for one more, the oldest without a request in progress is"
                                + " closed.")
                .define(
                        HEADER_BYTES,
                        ConfigDef.Type.INT,
                        64 << 10,
                        Range.between(1 << 10, 1 << 20),
                        Importance.LOW,
                        "Maximum bytes of a request's line and headers. Cursors contain names, so a cursor of the longest names has 37 kB.")
                .define(
                        BODY_BYTES,
                        ConfigDef.Type.INT,
                        64 << 10,
                        Range.between(0, 16 << 20),
                        Importance.LOW,
                        "Most bytes of a request's body.")
                .define(
                        RESPONSE_BYTES,
                        ConfigDef.Type.INT,
                        4 << 20,
                        Range.between(1 << 20, 64 << 20),
                        Importance.LOW,
                        "Maximum bytes of a response: a page of a list ends there and has a cursor, and any other answer"
                                + " that is larger is 422 ANSWER_TOO_LARGE. Set the same in all instances. All responses in"
                                + " progress together take at most an eighth of the heap, then 503 TOO_BUSY.");
    }

    private static void shares(ConfigDef definition) {
        definition
                .define(
                        ADDRESS_CONNECTIONS,
                        ConfigDef.Type.INT,
                        128,
                        Range.between(1, 100_000),
                        Importance.LOW,
                        "Maximum connections of one address, or of one IPv6 /64 network; for one more, its oldest"
                                + " without a request in progress is closed. Raise it where a proxy connects for many.")
                .define(
                        CALLER_REQUESTS,
                        ConfigDef.Type.INT,
                        32,
                        Range.between(1, 10_000),
                        Importance.MEDIUM,
                        "Maximum requests in progress of one caller (a token's name, else an address); one more gets"
                                + " 429.")
                .define(
                        WAITING,
                        ConfigDef.Type.INT,
                        256,
                        Range.between(0, 100_000),
                        Importance.LOW,
                        "Maximum requests that wait for views, such as those with at-least; they hold no thread. One"
                                + " more gets 503 at once instead of after http.peers.patience.ms.");
    }

    private static void deadlines(ConfigDef definition) {
        Range milliseconds = Range.between(100, 3_600_000);
        definition
                .define(
                        HEADER_MS,
                        ConfigDef.Type.INT,
                        5_000,
                        milliseconds,
                        Importance.LOW,
                        "Maximum time, in milliseconds, from connecting, or from the first byte of a later request, to"
                                + " complete headers; includes the TLS handshake. Then the connection is closed.")
                .define(
                        BODY_MS,
                        ConfigDef.Type.INT,
                        5_000,
                        milliseconds,
                        Importance.LOW,
                        "Maximum time, in milliseconds, for a request's body, on top of what its size takes at"
                                + " http.limits.bytes.per.second.")
                .define(
                        RESPONSE_MS,
                        ConfigDef.Type.INT,
                        10_000,
                        milliseconds,
                        Importance.LOW,
                        "Maximum time, in milliseconds, for reading a response, on top of what its size takes at"
                                + " http.limits.bytes.per.second.")
                .define(
                        IDLE_MS,
                        ConfigDef.Type.INT,
                        30_000,
                        milliseconds,
                        Importance.LOW,
                        "Maximum time, in milliseconds, between two requests of a connection.")
                .define(
                        BYTES_PER_SECOND,
                        ConfigDef.Type.INT,
                        16 << 10,
                        Range.between(1, 1 << 30),
                        Importance.LOW,
                        "Minimum data rate, in bytes per second, of request bodies and of clients that read responses.");
    }

    private static void health(ConfigDef definition) {
        definition
                .define(
                        HEALTH_HOST,
                        ConfigDef.Type.STRING,
                        "127.0.0.1",
                        new ConfigDef.NonEmptyString(),
                        Importance.LOW,
                        "Address of http.health.port.")
                .define(
                        HEALTH_PORT,
                        ConfigDef.Type.INT,
                        -1,
                        Range.between(-1, 65_535),
                        Importance.MEDIUM,
                        "Port of a second listener for probes, with threads and connections of its own: /health/live and"
                                + " /health/ready, status only, by plain HTTP without a token. -1 for none, 0 for a free"
                                + " one.");
    }
}
