package dev.parley.cli;

import dev.parley.cli.io.ConfigCommand;
import dev.parley.cli.io.ErrorMessages;
import dev.parley.server.http.HttpKeys;
import dev.parley.topology.config.ParleyConfig;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.URI;
import java.security.GeneralSecurityException;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code parley health}: asks the instance of this machine; for containers, whose images have no HTTP client. */
@Command(
        name = "health",
        description = "Checks whether the instance on this machine, with the same configuration, is alive.",
        footer = {
            "",
            "Uses http.health.port if it is set. Sends no token, so otherwise --ready fails if authentication is on."
                    + " Accepts any certificate.",
            "",
            "Exit status: 0 if it is alive or ready; 1 if not.",
            "",
            "Example:",
            "  parley health --ready --set http.port=9090"
        })
final class HealthCommand extends ConfigCommand {
    private static final int TIMEOUT_MS = 5_000;

    @Option(
            names = "--ready",
            description = "Checks whether it is ready: all parts run, and their stores are restored.")
    private boolean ready;

    @Override
    public Integer call() throws IOException, GeneralSecurityException {
        URI uri = uri(settings());
        HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
        if (connection instanceof HttpsURLConnection secured) {
            SSLContext context = SSLContext.getInstance("TLS");
            // The certificate names the public host of the instance, not loopback, and the request has nothing secret.
            context.init(null, SslContextFactory.TRUST_ALL_CERTS, null);
            secured.setSSLSocketFactory(context.getSocketFactory());
            secured.setHostnameVerifier((host, session) -> true);
        }
        connection.setConnectTimeout(TIMEOUT_MS);
        connection.setReadTimeout(TIMEOUT_MS);
        try {
            int status = connection.getResponseCode();
            System.out.println(uri + " returned " + status);
            return status == HttpURLConnection.HTTP_OK ? 0 : 1;
        } catch (IOException e) {
            System.out.println(uri + " is unavailable: " + ErrorMessages.reason(e));
            return 1;
        } finally {
            connection.disconnect();
        }
    }

    /** The address of the instance on its own machine: loopback if it listens on all addresses. */
    private URI uri(ParleyConfig settings) throws IOException {
        boolean ownListener = settings.getInt(HttpKeys.HEALTH_PORT) > 0;
        String host = settings.getString(ownListener ? HttpKeys.HEALTH_HOST : HttpKeys.HOST);
        if (InetAddress.getByName(host).isAnyLocalAddress()) {
            host = InetAddress.getLoopbackAddress().getHostAddress();
        }
        String authority = host.indexOf(':') < 0 ? host : '[' + host + ']';
        return URI.create((!ownListener && speaksTls(settings) ? "https://" : "http://")
                + authority
                + ':'
                + settings.getInt(ownListener ? HttpKeys.HEALTH_PORT : HttpKeys.PORT)
                + (ready ? "/health/ready" : "/health/live"));
    }

    private static boolean speaksTls(ParleyConfig settings) {
        return settings.getString(HttpKeys.TLS_KEYSTORE) != null
                || settings.getPassword(HttpKeys.TLS_KEY) != null
                || settings.getPassword(HttpKeys.TLS_CHAIN) != null;
    }
}
