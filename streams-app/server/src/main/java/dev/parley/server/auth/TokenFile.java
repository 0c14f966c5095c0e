package dev.parley.server.auth;

import dev.parley.logging.FileErrors;
import dev.parley.topology.config.ConfigLine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.config.ConfigException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The static tokens of a file: one {@link StoredToken} per line. Skips blank lines and lines that start with #. Reads
 * the file again when it has changed, so tokens can be added and removed while Parley runs. If the file becomes
 * unreadable, logs the error and keeps the previous tokens.
 */
public final class TokenFile implements TokenVerifier {
    /** Key of the setting that names the file. */
    public static final String SETTING = "http.auth.tokens.file";

    private static final Logger LOG = LoggerFactory.getLogger(TokenFile.class);
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(2);

    private final Path file;
    private final Clock clock;
    private String text;
    private List<StoredToken> tokens;
    private Instant lastCheck;

    private TokenFile(Path file, Clock clock) throws IOException {
        this.file = file;
        this.clock = clock;
        this.text = read(file);
        this.tokens = parse(text);
        this.lastCheck = clock.instant();
    }

    /** The text in UTF-8. Other bytes, such as those of a comment, must keep no token in use. */
    private static String read(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    }

    /**
     * Reads the file.
     *
     * @param clock time source for the expiry of tokens and for checking the file
     * @throws ConfigException if the file cannot be read or a line is invalid; the message names both
     */
    public static TokenFile open(Path file, Clock clock) {
        try {
            return new TokenFile(file, clock);
        } catch (IOException e) {
            throw new ConfigException(SETTING + ": " + file + ": cannot be read: " + FileErrors.reason(e));
        }
    }

    @Override
    public Optional<AuthenticationResult> identify(String token) {
        byte[] hash = StoredToken.sha256(token);
        StoredToken found = null;
        for (StoredToken stored : current()) {
            // No early exit: the duration must not reveal which hashes exist.
            if (stored.matches(hash)) {
                found = stored;
            }
        }
        if (found == null) {
            return token.startsWith(StoredToken.PREFIX)
                    ? Optional.of(new AuthenticationResult.Refused(AuthenticationResult.Reason.UNKNOWN))
                    : Optional.empty();
        }
        Instant now = clock.instant();
        boolean expired = found.expires().filter(end -> !now.isBefore(end)).isPresent();
        return Optional.of(
                expired
                        ? new AuthenticationResult.Refused(AuthenticationResult.Reason.EXPIRED)
                        : new AuthenticationResult.Known(
                                new Caller("token:" + found.name(), found.role(), found.namespaces())));
    }

    private synchronized List<StoredToken> current() {
        Instant now = clock.instant();
        // A clock that steps back must not keep a revoked token.
        if (Duration.between(lastCheck, now).abs().compareTo(CHECK_INTERVAL) < 0) {
            return tokens;
        }
        lastCheck = now;
        try {
            String found = read(file);
            if (!found.equals(text)) {
                text = found;
                tokens = parse(found);
                LOG.info("Tokens file changed: read {} tokens from {}", tokens.size(), file);
            }
        } catch (IOException e) {
            LOG.error("Cannot read the tokens file {}; keeping the previous tokens: {}", file, FileErrors.reason(e));
        } catch (ConfigException e) {
            LOG.error("Invalid change of the tokens file; keeping the previous tokens: {}", e.getMessage());
        }
        return tokens;
    }

    private List<StoredToken> parse(String lines) {
        List<StoredToken> read = ConfigLine.parse(
                SETTING + ": " + file, lines, StoredToken::parse, ". Create a line with parley token.");
        if (read.stream().map(StoredToken::hash).distinct().count() < read.size()) {
            throw new ConfigException(SETTING + ": " + file + " must not contain one token twice");
        }
        return List.copyOf(read);
    }
}
