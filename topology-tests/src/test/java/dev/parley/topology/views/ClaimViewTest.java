package dev.parley.topology.views;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.ClaimedRecord;
import dev.parley.avro.Claims;
import dev.parley.avro.Protocol;
import dev.parley.avro.Redaction;
import dev.parley.topology.views.read.InvalidCursorException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The conversations that undecodable records claim. A chain is idle after an hour. */
class ClaimViewTest {
    private static final Instant NOON = AuditRecords.NOON;
    private static final Duration HOUR = Duration.ofHours(1);

    @TempDir
    private Path directory;

    private ViewsDriver driver;

    @BeforeEach
    void open() {
        driver = ViewsDriver.forgetting(directory, HOUR, NOON.plus(Duration.ofDays(1)));
    }

    @AfterEach
    void close() throws IOException {
        driver.close();
    }

    private static AuditRecord undecodable(int partition, long sequence, Claims claims) {
        AuditRecord record = AuditRecords.undecodable(partition, sequence);
        record.getSource().setPartition(partition);
        record.setRaw(ByteBuffer.wrap("x".getBytes(StandardCharsets.UTF_8)));
        record.setClaims(claims);
        return record;
    }

    private void say(int partition, long sequence, String protocol, String namespace, String conversation) {
        driver.audit(undecodable(partition, sequence, new Claims(protocol, namespace, conversation, "S")));
    }

    private List<ClaimedRecord> claims(
            String namespace, Optional<Protocol> protocol, Optional<String> code, boolean seesPrivate, int limit) {
        List<ClaimedRecord> found = new ArrayList<>();
        Optional<Bytes> after = Optional.empty();
        do {
            after = driver.views()
                    .claims()
                    .list(namespace, protocol, code, seesPrivate, after, limit, (key, claim) -> found.add(claim));
        } while (after.isPresent());
        return found;
    }

    private List<String> names(String namespace, Optional<Protocol> protocol, boolean seesPrivate) {
        List<String> names = claims(namespace, protocol, Optional.empty(), seesPrivate, 100).stream()
                .map(claim -> claim.getProtocol() + "/" + claim.getConversation() + "@" + claim.getChain() + "#"
                        + claim.getSequence())
                .toList();
        assertThat(claims(namespace, protocol, Optional.empty(), seesPrivate, 1))
                .hasSameSizeAs(names);
        return names;
    }

    @Test
    void recordsAreListedByTheirClaimsHoweverOftenTheyAreRead() {
        for (int i = 0; i < 3; i++) {
            say(0, 0, "SLIP", "mine", "7");
            say(0, 1, "SLIP", "mine", "7");
            say(0, 2, "SLIP", "mine2", "7");
            say(0, 3, "UNKNOWN", "mine", null);
            say(0, 4, "SUBIT", "mine", "");
            say(0, 5, "PING", "mine", "7");
            say(0, 6, "SLIP", null, null);
            say(1, 0, "SLIP", "mine", "7");
            driver.audit(AuditRecords.undecodable(1, 1));
        }

        assertThat(names("mine", Optional.empty(), false))
                .containsExactly(
                        "EXTENSION/PING|7@|UNKNOWN|parley.wire-0#5",
                        "SLIP/7@|UNKNOWN|parley.wire-0#0",
                        "SLIP/7@|UNKNOWN|parley.wire-0#1",
                        "SLIP/7@|UNKNOWN|parley.wire-1#0",
                        "SUBIT/@|UNKNOWN|parley.wire-0#4",
                        "UNKNOWN/null@|UNKNOWN|parley.wire-0#3");
        assertThat(names("mine", Optional.of(Protocol.SUBIT), false)).hasSize(1);
        assertThat(names("min", Optional.empty(), true)).isEmpty();
        assertThat(claims("mine", Optional.empty(), Optional.of("UNKNOWN_PROTOCOL"), false, 2))
                .hasSize(6);
        assertThat(claims("mine", Optional.empty(), Optional.of("OTHER"), false, 2))
                .isEmpty();
    }

    @Test
    void aClaimChangesNoSummaryOfTheClaimedConversation() {
        driver.audit(AuditRecords.accepted("mine", Protocol.SLIP, "7", 0, "1", NOON));
        say(0, 0, "SLIP", "mine", "7");

        assertThat(driver.views()
                        .conversation("mine", Protocol.SLIP, "7")
                        .orElseThrow()
                        .getUndecodable())
                .isZero();
    }

    @Test
    void claimsOfPrivateRecordsNeedTheRight() {
        AuditRecord secret = undecodable(0, 0, new Claims("LAMBDA", "mine", "secret", "S"));
        secret.setRaw(ByteBuffer.wrap("prv: x".getBytes(StandardCharsets.UTF_8)));
        driver.audit(secret);
        say(0, 1, "LAMBDA", "mine", "open");

        assertThat(names("mine", Optional.empty(), false)).containsExactly("LAMBDA/open@|UNKNOWN|parley.wire-0#1");
        assertThat(names("mine", Optional.empty(), true))
                .containsExactly("LAMBDA/open@|UNKNOWN|parley.wire-0#1", "LAMBDA/secret@|UNKNOWN|parley.wire-0#0");
        Bytes privateKey = ClaimView.key(
                true,
                claims("mine", Optional.empty(), Optional.empty(), true, 9).get(1));
        assertThatThrownBy(() -> driver.views()
                        .claims()
                        .list(
                                "mine",
                                Optional.empty(),
                                Optional.empty(),
                                false,
                                Optional.of(privateKey),
                                9,
                                (key, claim) -> true))
                .isInstanceOf(InvalidCursorException.class);
    }

    @Test
    void aRedactedRecordLosesItsEntry() {
        AuditRecord known = undecodable(0, 0, new Claims("SLIP", "mine", "7", "S"));
        Redaction redaction = AuditRecords.redaction(known);
        driver.audit(known);
        say(0, 1, "SLIP", "mine", "7");
        for (int i = 0; i < 2; i++) {
            driver.audit(AuditRecords.redacting(redaction, 2));
            assertThat(names("mine", Optional.empty(), true)).containsExactly("SLIP/7@|UNKNOWN|parley.wire-0#1");
            driver.audit(known);
            assertThat(names("mine", Optional.empty(), true)).containsExactly("SLIP/7@|UNKNOWN|parley.wire-0#1");
        }
    }

    @Test
    void aRecordThatIsRedactedAlreadyHasNoEntry() {
        AuditRecord record = undecodable(0, 0, new Claims("SLIP", "mine", "7", "S"));
        driver.redaction(AuditRecords.redaction(record));
        driver.audit(record);

        assertThat(names("mine", Optional.empty(), true)).isEmpty();
    }

    /** The redaction becomes known before the record is read again, as after a crash. */
    @Test
    void aRecordThatIsReadAgainAfterItsRedactionLosesItsEntry() {
        AuditRecord record = undecodable(0, 0, new Claims("SLIP", "mine", "7", "S"));
        driver.audit(record);
        driver.redaction(AuditRecords.redaction(record));
        driver.audit(record);
        driver.audit(AuditRecords.redacting(AuditRecords.redaction(record), 1));

        assertThat(names("mine", Optional.empty(), true)).isEmpty();
    }

    @Test
    void aPrunedRecordLosesItsEntry() {
        say(0, 0, "SLIP", "mine", "7");
        AuditRecord later =
                AuditRecords.accepted("default", Protocol.SLIP, "7", 0, "1", NOON.plus(HOUR.multipliedBy(2)));
        driver.audit(later);
        driver.pass(Duration.ofSeconds(1));

        assertThat(names("mine", Optional.empty(), true)).isEmpty();
    }
}
