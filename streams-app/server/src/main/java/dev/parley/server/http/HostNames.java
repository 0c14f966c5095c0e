package dev.parley.server.http;

import java.util.Collection;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;

/**
 * Host names by which clients may address a listener without tokens. A web page whose name an attacker's DNS server
 * resolves to this machine (DNS rebinding) sends another name. IP addresses need no permission: no DNS server resolves
 * them.
 */
public final class HostNames {
    /** Allows every name, because requests need a token, which such a page does not have. */
    public static final HostNames ANY = new HostNames(null);

    /** Null to allow every name. */
    private final Set<String> names;

    private HostNames(Set<String> names) {
        this.names = names;
    }

    /** Allows localhost and names, in any case. */
    public static HostNames of(Collection<String> names) {
        Set<String> allowed = new HashSet<>(Set.of("localhost"));
        names.forEach(name -> allowed.add(name.toLowerCase(Locale.ROOT)));
        return new HostNames(Set.copyOf(allowed));
    }

    /** Whether the Host header is absent, as browsers never send it, or has an allowed name or an IP address. */
    boolean allow(Request request) {
        String host = request.getHeaders().get(HttpHeader.HOST);
        if (names == null || host == null || host.startsWith("[")) {
            return true;
        }
        int colon = host.indexOf(':');
        String name = colon < 0 ? host : host.substring(0, colon);
        return isAddress(name) || names.contains(name.toLowerCase(Locale.ROOT));
    }

    /** Whether a name is an IPv4 address: digits and dots, in which no domain name ends. */
    private static boolean isAddress(String name) {
        return !name.isEmpty() && name.chars().allMatch(character -> character == '.' || isDigit(character));
    }

    private static boolean isDigit(int character) {
        return character >= '0' && character <= '9';
    }
}
