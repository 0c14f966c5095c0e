package dev.parley.demo;

import dev.parley.server.http.HttpKeys;
import dev.parley.topology.config.ParleyConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.common.config.ConfigException;

/**
 * The ports that the demo listens on: those that the configuration names, else the usual ones, else any free ones.
 *
 * @param kafka port of the broker; 0 for any
 * @param registry port of the Schema Registry endpoint; 0 for any
 * @param http port of the HTTP API; 0 for any
 */
record Addresses(int kafka, int registry, int http) {
    /** The ports that clients expect without configuration. */
    static final Addresses USUAL = new Addresses(9092, 8081, 8080);

    /**
     * Determines the ports.
     *
     * @param settings what the user configured
     * @param usual the ports to prefer where the configuration names none
     * @param note receives a sentence if usual ports are in use
     * @throws ConfigException if an address is not one that the demo can listen on
     */
    static Addresses of(ParleyConfig settings, Addresses usual, Consumer<String> note) {
        Map<String, Object> set = settings.originals();
        List<String> inUse = new ArrayList<>();
        Addresses addresses = new Addresses(
                set.containsKey(ParleyConfig.BOOTSTRAP_SERVERS) ? brokerPort(settings) : free(usual.kafka(), inUse),
                set.containsKey(ParleyConfig.REGISTRY_URL) ? registryPort(settings) : free(usual.registry(), inUse),
                set.containsKey(HttpKeys.PORT) ? settings.getInt(HttpKeys.PORT) : free(usual.http(), inUse));
        if (!inUse.isEmpty()) {
            note.accept(
                    inUse.size() == 1
                            ? "port " + inUse.get(0) + " is in use; a free port is used instead"
                            : "ports " + String.join(", ", inUse) + " are in use; free ports are used instead");
        }
        return addresses;
    }

    private static int free(int port, List<String> inUse) {
        try (ServerSocket probe = new ServerSocket(port)) {
            return probe.getLocalPort();
        } catch (IOException e) {
            inUse.add(Integer.toString(port));
            return 0;
        }
    }

    private static int brokerPort(ParleyConfig settings) {
        List<String> servers = settings.getList(ParleyConfig.BOOTSTRAP_SERVERS);
        return port(ParleyConfig.BOOTSTRAP_SERVERS, servers, "http://" + String.join(",", servers));
    }

    private static int registryPort(ParleyConfig settings) {
        return port(
                ParleyConfig.REGISTRY_URL, settings.shownRegistryUrl(), settings.getString(ParleyConfig.REGISTRY_URL));
    }

    /** The port of a URL on this machine. */
    private static int port(String key, Object value, String url) {
        try {
            URI uri = new URI(url);
            if (!"http".equals(uri.getScheme())
                    || uri.getHost() == null
                    || uri.getPort() < 0
                    || !InetAddress.getByName(uri.getHost()).isLoopbackAddress()) {
                throw rejected(key, value);
            }
            return uri.getPort();
        } catch (URISyntaxException | UnknownHostException e) {
            throw rejected(key, value);
        }
    }

    private static ConfigException rejected(String key, Object value) {
        return new ConfigException(
                key,
                value,
                "The demo starts its own Kafka broker and Schema Registry endpoint on this machine. Remove the setting"
                        + " (or the variable " + ParleyConfig.variable(key) + "), or name one address such as "
                        + (key.equals(ParleyConfig.REGISTRY_URL) ? "http://127.0.0.1:18081" : "127.0.0.1:19092"));
    }
}
