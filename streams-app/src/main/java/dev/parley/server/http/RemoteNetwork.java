package dev.parley.server.http;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;

/** The network to which limits per address apply: an IPv4 address, or an IPv6 /64, which one client may own. */
final class RemoteNetwork {

    private static final int NETWORK_BYTES = 8;

    private RemoteNetwork() {}

    /** @param address a literal address; names are not resolved */
    static String of(String address) {
        try {
            return of(InetAddress.getByName(address), address);
        } catch (UnknownHostException e) {
            return address;
        }
    }

    static String of(SocketAddress remote) {
        return remote instanceof InetSocketAddress socket && socket.getAddress() != null
                ? of(socket.getAddress(), socket.getAddress().getHostAddress())
                : "";
    }

    private static String of(InetAddress address, String text) {
        return address instanceof Inet6Address
                ? HexFormat.of().formatHex(address.getAddress(), 0, NETWORK_BYTES)
                : text;
    }
}
