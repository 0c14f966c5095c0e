package dev.parley.server.auth;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.encoding.Sha256;
import dev.parley.topology.config.ConfigLine;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A line of the tokens file: one JSON object with the caller and the hash of the token, but not the token. A token has
 * 256 random bits, so its hash needs neither salt nor stretching.
 *
 * @param name name of the caller; several tokens may share one
 * @param role role of the caller
 * @param hash SHA-256 of the token in UTF-8, in lower-case hexadecimal
 * @param namespaces namespaces of the caller; empty for all
 * @param expires expiry time; empty for none
 */
public record StoredToken(
        String name, Role role, String hash, Optional<Set<String>> namespaces, Optional<Instant> expires) {

    /** Prefix of every token, so that secret scanners and readers recognize one. */
    public static final String PREFIX = "parley_";

    private static final Set<String> MEMBERS = Set.of("name", "role", "sha256", "namespaces", "expires");
    private static final HexFormat HEX = HexFormat.of();
    private static final int TOKEN_BYTES = 32;

    /** Creates a random token. Only the return value contains it. */
    public static String newToken(SecureRandom random) {
        byte[] bytes = new byte[TOKEN_BYTES];
        random.nextBytes(bytes);
        return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /**
     * Creates the line of a token.
     *
     * @param namespaces namespaces of the caller; empty for all
     */
    public static StoredToken of(
            String token, String name, Role role, Optional<Set<String>> namespaces, Optional<Instant> expires) {
        return new StoredToken(name, role, HEX.formatHex(sha256(token)), namespaces, expires);
    }

    /** Compares a hash with the stored one in constant time. */
    boolean matches(byte[] hashOfToken) {
        return MessageDigest.isEqual(HEX.parseHex(hash), hashOfToken);
    }

    /** The line for the file. */
    public String line() {
        ObjectNode line = JsonNodeFactory.instance.objectNode();
        line.put("name", name).put("role", role.text()).put("sha256", hash);
        namespaces.ifPresent(bound -> new TreeSet<>(bound).forEach(line.putArray("namespaces")::add));
        expires.ifPresent(time -> line.put("expires", time.toString()));
        return line.toString();
    }

    /**
     * Parses a line.
     *
     * @throws IllegalArgumentException if the line is invalid; the message repeats no content, which may be a token by
     *     mistake
     */
    static StoredToken parse(ConfigLine line) {
        if (line.unknownKey(MEMBERS).isPresent()) {
            throw new IllegalArgumentException("unknown key; allowed are name, role, sha256, namespaces and expires");
        }
        String name = text(line, "name");
        Role role = Role.of(text(line, "role"))
                .orElseThrow(() -> new IllegalArgumentException("role must be one of " + Role.names()));
        String hash = text(line, "sha256").toLowerCase(Locale.ROOT);
        if (hash.length() != 2 * Sha256.BYTES || !hash.chars().allMatch(HexFormat::isHexDigit)) {
            throw new IllegalArgumentException("sha256 must be 64 hexadecimal digits");
        }
        try {
            return new StoredToken(
                    name,
                    role,
                    hash,
                    line.has("namespaces") ? Optional.of(line.names("namespaces")) : Optional.empty(),
                    line.has("expires") ? Optional.of(Instant.parse(text(line, "expires"))) : Optional.empty());
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("expires must be a time such as 2027-01-31T12:00:00Z", e);
        }
    }

    /** SHA-256 of a token. */
    static byte[] sha256(String token) {
        return Sha256.of(token.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(ConfigLine line, String name) {
        if (line.text(name).isBlank()) {
            throw new IllegalArgumentException(name + " is missing");
        }
        return line.text(name);
    }
}
