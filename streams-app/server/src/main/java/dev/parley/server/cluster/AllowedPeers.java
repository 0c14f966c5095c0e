package dev.parley.server.cluster;

import dev.parley.server.auth.Caller;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.streams.state.HostInfo;

/**
 * Peers at allowed hosts. Any member of the views' consumer group advertises a host of its choice, so this instance
 * sends nothing to others.
 */
public final class AllowedPeers implements Peers {
    private final Peers peers;
    private final List<Predicate<String>> allowed;

    /**
     * Allows some peers.
     *
     * @param configured names of hosts, names that begin with "*." for all of a domain, addresses, and networks such as
     *     10.1.0.0/16; if empty, the domain or the network of this instance
     * @param self host that this instance advertises
     * @throws ConfigException if a network is invalid
     */
    public AllowedPeers(Peers peers, List<String> configured, String self) {
        this.peers = peers;
        this.allowed = (configured.isEmpty() ? neighbors(self) : configured)
                .stream().map(AllowedPeers::rule).toList();
    }

    @Override
    public CompletableFuture<PeerResponse> ask(HostInfo peer, PeerRequest request, Caller caller, Class<?> result) {
        return refusal(peer)
                .map(refusal -> CompletableFuture.<PeerResponse>failedFuture(new PeerProtocolException(refusal)))
                .orElseGet(() -> peers.ask(peer, request, caller, result));
    }

    @Override
    public Optional<String> problem(HostInfo peer) {
        return refusal(peer).or(() -> peers.problem(peer));
    }

    private Optional<String> refusal(HostInfo peer) {
        return allowed.stream().anyMatch(rule -> rule.test(peer.host()))
                ? Optional.empty()
                : Optional.of("A member of the consumer group of the views advertises " + PeerAuthenticator.name(peer)
                        + ", which " + ClusterKeys.ALLOWED + " does not allow. Add it if it is an instance of this"
                        + " deployment; otherwise find out who may join the group.");
    }

    /** The other hosts of the domain of a name with at least three labels, or of the network of an address. */
    private static List<String> neighbors(String self) {
        if (isAddress(self)) {
            return List.of(self + (self.indexOf(':') < 0 ? "/24" : "/64"));
        }
        int label = self.indexOf('.');
        return self.indexOf('.', label + 1) < 0 ? List.of(self) : List.of(self, "*" + self.substring(label));
    }

    private static Predicate<String> rule(String text) {
        int slash = text.indexOf('/');
        if (text.startsWith("*.")) {
            String domain = text.substring(1).toLowerCase(Locale.ROOT);
            return host -> !isAddress(host) && host.toLowerCase(Locale.ROOT).endsWith(domain);
        }
        if (slash < 0) {
            return text::equalsIgnoreCase;
        }
        try {
            int bits = Integer.parseInt(text.substring(slash + 1));
            Optional<byte[]> network = address(text.substring(0, slash));
            if (network.isPresent() && bits >= 0 && bits <= network.get().length * Byte.SIZE) {
                return host -> address(host)
                        .filter(bytes -> bytes.length == network.get().length)
                        .filter(bytes -> prefix(bytes, bits).equals(prefix(network.get(), bits)))
                        .isPresent();
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw new ConfigException(ClusterKeys.ALLOWED, text, "Value must be a host, or a network such as 10.1.0.0/16");
    }

    private static BigInteger prefix(byte[] address, int bits) {
        return new BigInteger(1, address).shiftRight(address.length * Byte.SIZE - bits);
    }

    /** The bytes of an address; empty for a name, which is not resolved. */
    private static Optional<byte[]> address(String host) {
        try {
            return isAddress(host) ? Optional.of(InetAddress.getByName(host).getAddress()) : Optional.empty();
        } catch (UnknownHostException e) {
            return Optional.empty();
        }
    }

    private static boolean isAddress(String host) {
        return host.indexOf(':') >= 0
                || !host.isEmpty() && host.chars().allMatch(c -> c == '.' || c >= '0' && c <= '9');
    }
}
