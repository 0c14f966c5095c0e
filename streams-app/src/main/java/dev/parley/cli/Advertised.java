package dev.parley.cli;

import dev.parley.config.InstanceKeys;
import dev.parley.config.ParleyConfig;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.streams.state.HostInfo;

/** Where the other processes of a deployment reach this one. */
final class Advertised {
    private Advertised() {}

    /**
     * As configured, else the address that the API listens on; a wildcard is nobody's address, so that of this machine then.
     *
     * @param port the port that the API listens on
     * @throws ConfigException when the setting is no host:port
     */
    static HostInfo of(ParleyConfig config, int port) {
        String set = config.getString(InstanceKeys.ADVERTISED);
        if (set != null) {
            HostInfo told;
            try {
                told = HostInfo.buildFromEndpoint(set);
            } catch (ConfigException e) {
                told = null;
            }
            if (told == null) {
                throw new ConfigException(InstanceKeys.ADVERTISED, set, "Must be host:port");
            }
            return told;
        }
        String host = config.getString(ParleyConfig.HTTP_HOST);
        try {
            return new HostInfo(
                    InetAddress.getByName(host).isAnyLocalAddress()
                            ? InetAddress.getLocalHost().getHostAddress()
                            : host,
                    port);
        } catch (UnknownHostException e) {
            throw new ConfigException("This machine does not know its own address; set " + InstanceKeys.ADVERTISED
                    + " to where other processes reach it: " + e.getMessage());
        }
    }
}
