package dev.parley.server.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.server.auth.AuthenticationResult.Known;
import dev.parley.server.auth.AuthenticationResult.Reason;
import dev.parley.server.auth.AuthenticationResult.Refused;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class TokenFileTest {
    private static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");
    private static final String HASH = "0123456789abcdef".repeat(4);

    @TempDir
    private Path directory;

    private final HandClock clock = new HandClock();
    private final SecureRandom random = new SecureRandom();

    @ParameterizedTest
    @EnumSource(
            value = Role.class,
            names = {"READER", "AUDITOR", "OPERATOR"})
    void aTokenHasTheNameAndRoleOfItsLine(Role role) throws IOException {
        String token = StoredToken.newToken(random);
        TokenFile file = file(line(token, "alice", role, Optional.empty()));

        assertThat(file.identify(token)).contains(new Known(new Caller("token:alice", role)));
    }

    @Test
    void aTokenOfAProducerMayBeBoundToNamespaces() throws IOException {
        String token = StoredToken.newToken(random);
        StoredToken stored =
                StoredToken.of(token, "line-4", Role.PRODUCER, Optional.of(Set.of("plant", "a\"b")), Optional.empty());

        assertThat(file(stored.line()).identify(token))
                .contains(new Known(new Caller("token:line-4", Role.PRODUCER, Optional.of(Set.of("plant", "a\"b")))));
    }

    @Test
    void theFileContainsNoToken() {
        String token = StoredToken.newToken(random);
        assertThat(line(token, "alice", Role.READER, Optional.empty()))
                .doesNotContain(token, token.substring(StoredToken.PREFIX.length()))
                .contains("\"role\":\"reader\"");
    }

    @Test
    void noTwoTokensAreEqual() {
        assertThat(StoredToken.newToken(random))
                .isNotEqualTo(StoredToken.newToken(random))
                .hasSize(50);
    }

    @Test
    void anUnknownParleyTokenIsRefusedAndOthersAreOfAnotherKind() throws IOException {
        TokenFile file = file(line(StoredToken.newToken(random), "alice", Role.READER, Optional.empty()));

        assertThat(file.identify(StoredToken.newToken(random))).contains(new Refused(Reason.UNKNOWN));
        assertThat(file.identify("eyJhbGciOiJSUzI1NiJ9.e30.x")).isEmpty();
    }

    @Test
    void theHashOfATokenIsNotAToken() throws IOException {
        String token = StoredToken.newToken(random);
        StoredToken stored = StoredToken.of(token, "alice", Role.READER, Optional.empty(), Optional.empty());

        assertThat(file(stored.line()).identify(stored.hash())).isEmpty();
    }

    @Test
    void aTokenIsValidUntilItExpires() throws IOException {
        String token = StoredToken.newToken(random);
        TokenFile file = file(line(token, "alice", Role.READER, Optional.of(NOON.plusSeconds(1))));

        assertThat(file.identify(token)).containsInstanceOf(Known.class);
        clock.now = NOON.plusSeconds(1);
        assertThat(file.identify(token)).contains(new Refused(Reason.EXPIRED));
    }

    @Test
    void oneNameMayHaveTwoTokensForRotation() throws IOException {
        String before = StoredToken.newToken(random);
        String after = StoredToken.newToken(random);
        TokenFile file = file(
                "# tokens",
                "",
                line(before, "alice", Role.READER, Optional.empty()),
                line(after, "alice", Role.OPERATOR, Optional.empty()));

        assertThat(file.identify(before)).contains(new Known(new Caller("token:alice", Role.READER)));
        assertThat(file.identify(after)).contains(new Known(new Caller("token:alice", Role.OPERATOR)));
    }

    @Test
    void aTokenRemovedFromTheFileSoonBecomesInvalid() throws IOException {
        String token = StoredToken.newToken(random);
        TokenFile file = file(line(token, "alice", Role.READER, Optional.empty()));

        change("# nobody");
        assertThat(file.identify(token)).as("not checked yet").containsInstanceOf(Known.class);
        clock.now = clock.now.plusSeconds(2);
        assertThat(file.identify(token)).contains(new Refused(Reason.UNKNOWN));
    }

    @Test
    void aClockThatStepsBackKeepsNoTokenInUse() throws IOException {
        String token = StoredToken.newToken(random);
        TokenFile file = file(line(token, "alice", Role.READER, Optional.empty()));
        clock.now = clock.now.plus(Duration.ofHours(1));
        assertThat(file.identify(token)).containsInstanceOf(Known.class);

        change("# nobody");
        clock.now = clock.now.minus(Duration.ofHours(1));

        assertThat(file.identify(token)).contains(new Refused(Reason.UNKNOWN));
    }

    @Test
    void aCommentInAnotherEncodingKeepsNoTokenInUse() throws IOException {
        String token = StoredToken.newToken(random);
        TokenFile file = file(line(token, "alice", Role.READER, Optional.empty()));

        Files.write(path(), "# für Müller".getBytes(StandardCharsets.ISO_8859_1));
        clock.now = clock.now.plusSeconds(2);

        assertThat(file.identify(token)).contains(new Refused(Reason.UNKNOWN));
        assertThat(TokenFile.open(path(), clock).identify(token)).contains(new Refused(Reason.UNKNOWN));
    }

    @Test
    void anUnreadableFileChangesNothingUntilItIsFixed() throws IOException {
        String token = StoredToken.newToken(random);
        TokenFile file = file(line(token, "alice", Role.READER, Optional.empty()));

        change("{");
        clock.now = clock.now.plusSeconds(2);
        assertThat(file.identify(token)).containsInstanceOf(Known.class);
        Files.delete(path());
        clock.now = clock.now.plusSeconds(2);
        assertThat(file.identify(token)).containsInstanceOf(Known.class);
        change("");
        clock.now = clock.now.plusSeconds(2);
        assertThat(file.identify(token)).contains(new Refused(Reason.UNKNOWN));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "parley_SECRET;must be JSON",
                "[\"parley_SECRET\"];must be a JSON object",
                "{\"name\":\"a\",\"role\":\"reader\",\"sha256\":\"parley_SECRET\"};64 hexadecimal",
                "{\"name\":\"a\",\"role\":\"reader\",\"sha256\":\"abcd\"};64 hexadecimal",
                "{\"name\":\"a\",\"role\":\"SECRET\",\"sha256\":\"HASH\"};reader, auditor, operator",
                "{\"name\":\"a\",\"role\":\"none\",\"sha256\":\"HASH\"};reader, auditor, operator",
                "{\"name\":\" \",\"role\":\"reader\",\"sha256\":\"HASH\"};name is missing",
                "{\"role\":\"reader\",\"sha256\":\"HASH\"};name is missing",
                "{\"name\":\"a\",\"sha256\":\"HASH\"};role is missing",
                "{\"name\":\"a\",\"role\":\"reader\"};sha256 is missing",
                "{\"name\":\"a\",\"role\":\"reader\",\"sha256\":\"HASH\",\"token\":\"parley_SECRET\"};unknown key",
                "{\"name\":\"a\",\"role\":\"reader\",\"sha256\":\"HASH\",\"expires\":\"soon SECRET\"};expires",
                "{\"name\":\"a\",\"role\":\"producer\",\"sha256\":\"HASH\",\"namespaces\":[]};at least one name",
                "{\"name\":\"a\",\"role\":\"producer\",\"sha256\":\"HASH\",\"namespaces\":\"SECRET\"};at least one name",
                "{\"name\":\"a\",\"role\":\"producer\",\"sha256\":\"HASH\",\"namespaces\":{\"a\":\"SECRET\"}};array of at least one",
                "{\"name\":\"a\",\"role\":\"producer\",\"sha256\":\"HASH\",\"namespaces\":[\"SECRET\",7]};array of at least one name",
                "{\"name\":\"a\",\"role\":\"producer\",\"sha256\":\"HASH\",\"namespaces\":[\" \"]};array of at least one name",
                "{\"name\":\"a\",\"role\":\"producer\",\"sha256\":\"HASH\",\"namespace\":[\"SECRET\"]};unknown key",
                "{\"name\":\"a\",\"role\":\"reader\",\"sha256\":\"HASH\"} {};must be JSON",
            })
    void anInvalidLineIsReportedButNotRepeated(String line, String wrong) {
        assertThatThrownBy(() -> file("# first", line.replace("HASH", HASH)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("line 2")
                .hasMessageContaining(wrong)
                .message()
                .doesNotContain("SECRET");
    }

    @Test
    void aRepeatedTokenIsRefused() {
        String line = "{\"name\":\"a\",\"role\":\"reader\",\"sha256\":\"" + HASH + "\"}";
        assertThatThrownBy(() ->
                        file(line, line.replace("reader", "operator").replace(HASH, HASH.toUpperCase(Locale.ROOT))))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("one token twice");
    }

    @Test
    void aMissingFileIsReported() {
        assertThatThrownBy(() -> TokenFile.open(directory.resolve("nowhere"), clock))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("nowhere");
    }

    private TokenFile file(String... lines) throws IOException {
        Files.write(path(), List.of(lines));
        return TokenFile.open(path(), clock);
    }

    /** Writes the file and advances its modification time, because file times may be coarse. */
    private void change(String text) throws IOException {
        FileTime before = Files.exists(path()) ? Files.getLastModifiedTime(path()) : FileTime.from(NOON);
        Files.writeString(path(), text);
        Files.setLastModifiedTime(path(), FileTime.from(before.toInstant().plus(Duration.ofSeconds(5))));
    }

    private Path path() {
        return directory.resolve("tokens.jsonl");
    }

    private static String line(String token, String name, Role role, Optional<Instant> expires) {
        return StoredToken.of(token, name, role, Optional.empty(), expires).line();
    }

    /** A clock that only the test moves. */
    private static final class HandClock extends Clock {
        private Instant now = NOON;

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return now;
        }
    }
}
