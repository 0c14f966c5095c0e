package dev.parley.server.auth;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.decode.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Iterator;
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
 * @param namespaces namespaces to which a producer may send; empty if it may send to all
 * @param expires expiry time; empty for none
 */
public record StoredToken(
        String name, Role role, String hash, Optional<Set<String>> namespaces, Optional<Instant> expires) {

    /** Prefix of every token, so that secret scanners and readers recognize one. */
    public static final String PREFIX = "parley_";

    private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
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
     * @param namespaces namespaces to which a producer may send; must be empty for other roles
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
     * @throws InvalidTokenFileException if the line is invalid; the message repeats no content, which may be a token by
     *     mistake
     */
    static StoredToken parse(String line) {
        JsonNode node;
        try {
            node = JSON.readTree(line);
        } catch (JsonProcessingException e) {
            throw new InvalidTokenFileException("it must be JSON");
        }
        if (node == null || !node.isObject()) {
            throw new InvalidTokenFileException("it must be a JSON object");
        }
        for (Iterator<String> names = node.fieldNames(); names.hasNext(); ) {
            if (!MEMBERS.contains(names.next())) {
                throw new InvalidTokenFileException(
                        "unknown key; allowed are name, role, sha256, namespaces and expires");
            }
        }
        String name = text(node, "name");
        Role role = Role.of(text(node, "role"))
                .orElseThrow(() -> new InvalidTokenFileException("role must be one of " + Role.names()));
        String hash = text(node, "sha256").toLowerCase(Locale.ROOT);
        if (hash.length() != 2 * Sha256.BYTES || !hash.chars().allMatch(HexFormat::isHexDigit)) {
            throw new InvalidTokenFileException("sha256 must be 64 hexadecimal digits");
        }
        try {
            return new StoredToken(
                    name,
                    role,
                    hash,
                    namespaces(node, role),
                    node.has("expires") ? Optional.of(Instant.parse(text(node, "expires"))) : Optional.empty());
        } catch (DateTimeException e) {
            throw new InvalidTokenFileException("expires must be a time such as 2027-01-31T12:00:00Z");
        }
    }

    /** SHA-256 of a token. */
    static byte[] sha256(String token) {
        return Sha256.of(token.getBytes(StandardCharsets.UTF_8));
    }

    /** A misspelled or empty list must not give a token more than its line intends. */
    private static Optional<Set<String>> namespaces(JsonNode node, Role role) {
        if (!node.has("namespaces")) {
            return Optional.empty();
        }
        if (role != Role.PRODUCER) {
            throw new InvalidTokenFileException("namespaces is for the role producer only");
        }
        JsonNode list = node.path("namespaces");
        Set<String> names = new TreeSet<>();
        for (JsonNode name : list) {
            if (!name.isTextual() || name.textValue().isBlank()) {
                throw new InvalidTokenFileException("namespaces must be an array of names");
            }
            names.add(name.textValue());
        }
        if (!list.isArray() || names.isEmpty()) {
            throw new InvalidTokenFileException("namespaces must be an array of at least one name");
        }
        return Optional.of(names);
    }

    private static String text(JsonNode node, String name) {
        JsonNode value = node.path(name);
        if (!value.isTextual() || value.textValue().isBlank()) {
            throw new InvalidTokenFileException(name + " is missing");
        }
        return value.textValue();
    }
}
