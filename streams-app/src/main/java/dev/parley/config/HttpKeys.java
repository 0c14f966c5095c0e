package dev.parley.config;

import dev.parley.access.OidcSettings;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.ValidList;
import org.apache.kafka.common.config.ConfigDef.ValidString;

/** Keys of {@link ParleyConfig} for the security and the limits of the HTTP API. */
public final class HttpKeys {
    /** Prefix of the TLS keys. The rest of each key is named as in Kafka after "ssl.". */
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
    /** Prefix of the keys that give the name of a role in that claim. The rest of the key is the role. */
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
                        "File with the certificate and private key of the HTTP API, which then serves HTTPS. A PEM "
                                + "file must contain both.")
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
                        "Password of the keystore. PEM has none.")
                .define(
                        TLS_KEY_PASSWORD,
                        ConfigDef.Type.PASSWORD,
                        null,
                        Importance.LOW,
                        "Password of the private key, if it has its own, or of an encrypted PEM key.")
                .define(
                        TLS_CHAIN,
                        ConfigDef.Type.PASSWORD,
                        null,
                        Importance.LOW,
                        "Certificate chain in PEM, instead of the keystore file.")
                .define(
                        TLS_KEY,
                        ConfigDef.Type.PASSWORD,
                        null,
                        Importance.LOW,
                        "Private key in PEM (PKCS#8), instead of the keystore file.")
                .define(
                        TLS_TRUSTSTORE,
                        ConfigDef.Type.STRING,
                        null,
                        Importance.LOW,
                        "File with the certificates that authenticate the other instances of the deployment. Default: "
                                + "the certificates that Java trusts.")
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
                        "Password of the truststore. PEM has none.")
                .define(
                        TLS_TRUSTED,
                        ConfigDef.Type.PASSWORD,
                        null,
                        Importance.LOW,
                        "Trusted certificates in PEM, instead of the truststore file.");
    }

    private static void authentication(ConfigDef definition) {
        definition
                .define(
                        AUTH_NONE,
                        ConfigDef.Type.BOOLEAN,
                        false,
                        Importance.MEDIUM,
                        "Disables authentication on any address. Otherwise, without tokens, the API listens only on "
                                + "loopback.")
                .define(
                        TOKENS_FILE,
                        ConfigDef.Type.STRING,
                        null,
                        Importance.HIGH,
                        "File with the hashes of the accepted tokens, one line from parley token each. Read again "
                                + "when it changes.");
    }

    private static void oidc(ConfigDef definition) {
        definition
                .define(
                        OIDC_ISSUER,
                        ConfigDef.Type.STRING,
                        null,
                        Importance.HIGH,
                        "Issuer (claim iss) of accepted JWTs. Requires audience and jwks.url.")
                .define(
                        OIDC_AUDIENCE,
                        ConfigDef.Type.LIST,
                        "",
                        Importance.HIGH,
                        "Accepted audiences. The claim aud of a JWT must contain one of them.")
                .define(
                        OIDC_KEYS,
                        ConfigDef.Type.STRING,
                        null,
                        Importance.HIGH,
                        "URL of the provider's keys (jwks_uri): https, or http on a loopback address.")
                .define(
                        OIDC_ALGORITHMS,
                        ConfigDef.Type.LIST,
                        "RS256,ES256",
                        ValidList.in(false, OidcSettings.ALGORITHMS.toArray(String[]::new)),
                        Importance.LOW,
                        "Accepted signature algorithms.")
                .define(
                        OIDC_SKEW_MS,
                        ConfigDef.Type.LONG,
                        60_000L,
                        Range.between(0, 600_000),
                        Importance.LOW,
                        "Maximum difference between the clocks of the provider and Parley, in milliseconds.")
                .define(
                        OIDC_NAME_CLAIM,
                        ConfigDef.Type.STRING,
                        "sub",
                        new ConfigDef.NonEmptyString(),
                        Importance.LOW,
                        "Claim with the caller's name, for the log and the limits.")
                .define(
                        OIDC_ROLES_CLAIM,
                        ConfigDef.Type.STRING,
                        "roles",
                        new ConfigDef.NonEmptyString(),
                        Importance.MEDIUM,
                        "Claim with the caller's roles: a list, or a string with spaces. Dots select nested objects, "
                                + "as in realm_access.roles.")
                .define(
                        OIDC_ROLE_PREFIX + "reader",
                        ConfigDef.Type.LIST,
                        "parley-reader",
                        Importance.LOW,
                        "Name of the role reader in that claim.")
                .define(
                        OIDC_ROLE_PREFIX + "auditor",
                        ConfigDef.Type.LIST,
                        "parley-auditor",
                        Importance.LOW,
                        "Name of the role auditor in that claim.")
                .define(
                        OIDC_ROLE_PREFIX + "operator",
                        ConfigDef.Type.LIST,
                        "parley-operator",
                        Importance.LOW,
                        "Name of the role operator in that claim.");
    }

    private static void limits(ConfigDef definition) {
        definition
                .define(
                        RATE,
                        ConfigDef.Type.INT,
                        100,
                        Range.between(0, 1_000_000),
                        Importance.MEDIUM,
                        "Sustained requests per second of one caller (a token's name, else an address). 0: no limit.")
                .define(
                        BURST,
                        ConfigDef.Type.INT,
                        1_000,
                        Range.between(1, 1_000_000),
                        Importance.LOW,
                        "Maximum burst of requests of one caller after a pause.")
                .define(
                        REQUESTS,
                        ConfigDef.Type.INT,
                        64,
                        Range.between(1, 10_000),
                        Importance.LOW,
                        "Maximum requests processed concurrently. Four times as many wait; further requests get 503.")
                .define(
                        CONNECTIONS,
                        ConfigDef.Type.INT,
                        512,
                        Range.between(1, 100_000),
                        Importance.LOW,
                        "Maximum connections of the HTTP API. A further connection closes the oldest one without a "
                                + "request in progress.")
                .define(
                        HEADER_BYTES,
                        ConfigDef.Type.INT,
                        64 << 10,
                        Range.between(1 << 10, 1 << 20),
                        Importance.LOW,
                        "Maximum bytes of a request's line and headers. Cursors contain names: a cursor with the "
                                + "longest names takes 37 kB.")
                .define(
                        BODY_BYTES,
                        ConfigDef.Type.INT,
                        64 << 10,
                        Range.between(0, 16 << 20),
                        Importance.LOW,
                        "Maximum bytes of a request body.")
                .define(
                        RESPONSE_BYTES,
                        ConfigDef.Type.INT,
                        4 << 20,
                        Range.between(1 << 20, 64 << 20),
                        Importance.LOW,
                        "Maximum bytes of a response. A page of a list ends there with a cursor; any other larger "
                                + "response is 422 ANSWER_TOO_LARGE. Set the same value on all instances. All "
                                + "responses in progress take at most an eighth of the heap together; then 503 "
                                + "TOO_BUSY.");
    }

    private static void shares(ConfigDef definition) {
        definition
                .define(
                        ADDRESS_CONNECTIONS,
                        ConfigDef.Type.INT,
                        128,
                        Range.between(1, 100_000),
                        Importance.LOW,
                        "Maximum connections of one address, or of one IPv6 /64 network. A further connection closes "
                                + "its oldest one without a request in progress. Raise this limit for a proxy that "
                                + "connects for many clients.")
                .define(
                        CALLER_REQUESTS,
                        ConfigDef.Type.INT,
                        32,
                        Range.between(1, 10_000),
                        Importance.MEDIUM,
                        "Maximum requests in progress of one caller (a token's name, else an address). A further "
                                + "request gets 429.")
                .define(
                        WAITING,
                        ConfigDef.Type.INT,
                        256,
                        Range.between(0, 100_000),
                        Importance.LOW,
                        "Maximum requests that wait for views, such as those with at-least; they hold no thread. A "
                                + "further request gets 503 at once instead of after http.peers.patience.ms.");
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
                        "Maximum time, in milliseconds, from the connection, or from the first byte of a later "
                                + "request, to complete headers. Includes the TLS handshake. Then the connection is "
                                + "closed.")
                .define(
                        BODY_MS,
                        ConfigDef.Type.INT,
                        5_000,
                        milliseconds,
                        Importance.LOW,
                        "Maximum time, in milliseconds, to receive a request body, in addition to the time its size "
                                + "takes at http.limits.bytes.per.second.")
                .define(
                        RESPONSE_MS,
                        ConfigDef.Type.INT,
                        10_000,
                        milliseconds,
                        Importance.LOW,
                        "Maximum time, in milliseconds, to send a response, in addition to the time its size takes at "
                                + "http.limits.bytes.per.second.")
                .define(
                        IDLE_MS,
                        ConfigDef.Type.INT,
                        30_000,
                        milliseconds,
                        Importance.LOW,
                        "Maximum idle time, in milliseconds, between two requests of a connection.")
                .define(
                        BYTES_PER_SECOND,
                        ConfigDef.Type.INT,
                        16 << 10,
                        Range.between(1, 1 << 30),
                        Importance.LOW,
                        "Minimum data rate, in bytes per second, of request bodies and of clients that read "
                                + "responses.");
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
                        "Port of a second listener for probes, with its own threads and connections. It serves the "
                                + "status of /health/live and /health/ready over plain HTTP without a token. -1: "
                                + "none. 0: any free port.");
    }
}
