package dev.parley.server.lifecycle;

import dev.parley.server.cluster.ClusterKeys;
import dev.parley.server.http.HttpKeys;
import dev.parley.topology.config.ParleyConfig;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.streams.state.HostInfo;

/** The address at which other instances of the deployment reach this one. */
final class Advertised {
    private Advertised() {}

    /**
     * The configured address, else the address that the API listens on; for a wildcard, the address of this machine.
     *
     * @param port port on which the API listens
     * @throws ConfigException if the address of this machine is unknown
     */
    static HostInfo of(ParleyConfig config, int port) {
        String set = config.getString(ClusterKeys.ADVERTISED);
        if (set != null) {
            return HostInfo.buildFromEndpoint(set);
        }
        String host = config.getString(HttpKeys.HOST);
        try {
            return new HostInfo(
                    InetAddress.getByName(host).isAnyLocalAddress()
                            ? InetAddress.getLocalHost().getHostAddress()
                            : host,
                    port);
        } catch (UnknownHostException e) {
            throw new ConfigException("The address of this machine is unknown; set " + ClusterKeys.ADVERTISED
                    + " to the address at which other instances reach it: " + e.getMessage());
        }
    }
}
