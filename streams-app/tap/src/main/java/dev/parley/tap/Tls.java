package dev.parley.tap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.security.ssl.DefaultSslEngineFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/** TLS with files in PEM. Kafka's code reads them, so they have the formats of those of the HTTP API. */
final class Tls {
    private Tls() {}

    /** TLS towards clients; null without a certificate. */
    static SslContextFactory.Server server(TapOptions options) throws UsageException {
        if (options.get("tls-certificate") == null) {
            return null;
        }
        SslContextFactory.Server server = new SslContextFactory.Server();
        server.setSslContext(context(options, "tls-certificate", "tls-key", "tls-client-ca"));
        server.setNeedClientAuth(options.get("tls-client-ca") != null);
        return server;
    }

    /** TLS towards the server. The name in its certificate must be that of its address. */
    static SslContextFactory.Client client(TapOptions options) throws UsageException {
        SslContextFactory.Client client = new SslContextFactory.Client();
        if (options.get("ca") != null) {
            client.setSslContext(context(options, null, null, "ca"));
        }
        return client;
    }

    private static SSLContext context(TapOptions options, String chain, String key, String trusted)
            throws UsageException {
        Map<String, Object> settings = new HashMap<>();
        if (chain != null) {
            settings.put("ssl.keystore.type", "PEM");
            settings.put("ssl.keystore.certificate.chain", pem(options, chain));
            settings.put("ssl.keystore.key", pem(options, key));
        }
        if (options.get(trusted) != null) {
            settings.put("ssl.truststore.type", "PEM");
            settings.put("ssl.truststore.certificates", pem(options, trusted));
        }
        try (DefaultSslEngineFactory factory = new DefaultSslEngineFactory()) {
            factory.configure(new ConfigDef().withClientSslSupport().parse(settings));
            return factory.sslContext();
        } catch (KafkaException e) {
            throw new UsageException((chain == null
                            ? ""
                            : "--" + chain + " must have certificates, --" + key + " their private key (PKCS#8), and ")
                    + "--" + trusted + " certificates, in PEM: "
                    + Console.reason(e.getCause() == null ? e : e.getCause()));
        }
    }

    private static String pem(TapOptions options, String option) throws UsageException {
        try {
            return Files.readString(Path.of(options.get(option)));
        } catch (IOException e) {
            throw new UsageException("--" + option + " cannot be read: " + Console.reason(e));
        }
    }
}
