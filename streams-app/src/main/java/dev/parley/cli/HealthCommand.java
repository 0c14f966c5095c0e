package dev.parley.cli;

import dev.parley.cli.io.ConfigOptions;
import dev.parley.config.HttpKeys;
import dev.parley.config.ParleyConfig;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.concurrent.Callable;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code parley health}: asks the process beside it, under the same configuration; for containers, whose images have no
 * HTTP client.
 */
@Command(
        name = "health",
        description = "Asks the parley run of this machine, under the same configuration, whether it is alive.",
        footer = {
            "",
            "Uses http.health.port if that is set. Otherwise, as it sends no token, --ready fails if authentication is"
                    + " on. Accepts any certificate.",
            "Exit status: 0 when it is; 1 when it is not.",
            "",
            "Example:",
            "  parley health --ready --set http.port=9090"
        })
final class HealthCommand implements Callable<Integer> {
    private static final int TIMEOUT_MS = 5_000;

    @Spec
    private CommandSpec spec;

    @Mixin
    private ConfigOptions config;

    @Option(names = "--ready", description = "Asks whether it is ready: all parts run and their stores are restored.")
    private boolean ready;

    @Override
    public Integer call() throws IOException, GeneralSecurityException {
        URI uri = uri(config.read(spec));
        HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
        if (connection instanceof HttpsURLConnection secured) {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new AnyCertificate()}, null);
            secured.setSSLSocketFactory(context.getSocketFactory());
            secured.setHostnameVerifier((host, session) -> true);
        }
        connection.setConnectTimeout(TIMEOUT_MS);
        connection.setReadTimeout(TIMEOUT_MS);
        try {
            int status = connection.getResponseCode();
            System.out.println(uri + " answered " + status);
            return status == HttpURLConnection.HTTP_OK ? 0 : 1;
        } catch (IOException e) {
            System.out.println(uri + " did not answer: " + e.getMessage());
            return 1;
        } finally {
            connection.disconnect();
        }
    }

    /** Where the process listens, seen from its own machine: an address that stands for all is asked by loopback. */
    private URI uri(ParleyConfig settings) throws IOException {
        boolean ownListener = settings.getInt(HttpKeys.HEALTH_PORT) > 0;
        String host = settings.getString(ownListener ? HttpKeys.HEALTH_HOST : ParleyConfig.HTTP_HOST);
        if (InetAddress.getByName(host).isAnyLocalAddress()) {
            host = InetAddress.getLoopbackAddress().getHostAddress();
        }
        String authority = host.indexOf(':') < 0 ? host : '[' + host + ']';
        return URI.create((!ownListener && speaksTls(settings) ? "https://" : "http://")
                + authority
                + ':'
                + settings.getInt(ownListener ? HttpKeys.HEALTH_PORT : ParleyConfig.HTTP_PORT)
                + (ready ? "/health/ready" : "/health/live"));
    }

    private static boolean speaksTls(ParleyConfig settings) {
        return settings.getString(HttpKeys.TLS_KEYSTORE) != null
                || settings.getPassword(HttpKeys.TLS_KEY) != null
                || settings.getPassword(HttpKeys.TLS_CHAIN) != null;
    }

    /** A certificate is made out for the name by which others reach the process, not for loopback. */
    private static final class AnyCertificate implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {
            // Nobody is a client of this.
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {
            // Whoever listens on this port of this machine is asked, and told nothing.
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
