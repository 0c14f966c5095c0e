package dev.parley.topology.views;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.audit.Redactions;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Protocol;
import dev.parley.avro.Redaction;
import dev.parley.avro.Verdict;
import dev.parley.topology.views.read.InvalidCursorException;
import dev.parley.topology.views.read.NamespaceScope;
import dev.parley.topology.views.store.ViewStores;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The records with a changed definition, and their approvals. A chain is idle after an hour. */
class ApprovalViewTest {
    private static final Instant NOON = AuditRecords.NOON;
    private static final Duration HOUR = Duration.ofHours(1);
    private static final String CHAIN = "default|MCP|s";

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

    private static AuditRecord changed(String namespace, String conversation, long sequence) {
        AuditRecord record = AuditRecords.accepted(
                namespace, Protocol.MCP, conversation, sequence, "server", NOON.plusSeconds(sequence));
        record.setWarnings(List.of("MCP_DEFINITION_CHANGED"));
        return record;
    }

    private AuditRecord change(long sequence) {
        AuditRecord record = changed("default", "s", sequence);
        driver.audit(record);
        return record;
    }

    private static Redaction approval(AuditRecord record) {
        Redaction approval = AuditRecords.redaction(record);
        approval.setApproves(true);
        return approval;
    }

    private List<String> unapproved(Views views, Optional<String> namespace, int limit) {
        List<String> found = new ArrayList<>();
        Optional<Bytes> after = Optional.empty();
        do {
            after = views.approvals()
                    .list(
                            namespace,
                            after,
                            limit,
                            (key, record) -> found.add(record.getChain() + "#" + record.getSequence()));
        } while (after.isPresent());
        return found;
    }

    private List<String> unapproved() {
        List<String> all = unapproved(driver.views(), Optional.empty(), 100);
        assertThat(unapproved(driver.views(), Optional.empty(), 1)).isEqualTo(all);
        assertThat(driver.views().approvals().count()).isEqualTo(all.size());
        return all;
    }

    @Test
    void aChangeIsListedUntilItsApprovalIsRecorded() {
        AuditRecord first = change(0);
        change(1);
        driver.audit(AuditRecords.accepted("default", Protocol.MCP, "s", 2, "server", NOON.plusSeconds(2)));
        assertThat(unapproved()).containsExactly(CHAIN + "#0", CHAIN + "#1");
        assertThat(driver.views().approvals().of(first)).isEmpty();

        Redaction approval = approval(first);
        driver.redaction(approval);
        assertThat(unapproved()).as("a request alone approves nothing").hasSize(2);
        driver.audit(AuditRecords.redacting(approval, 3));

        assertThat(unapproved()).containsExactly(CHAIN + "#1");
        assertThat(driver.views().approvals().of(first)).hasValue(approval);
    }

    @Test
    void theFirstRecordedApprovalRemains() {
        AuditRecord record = change(0);
        Redaction first = approval(record);
        Redaction second = approval(record);
        second.setBy("mallory");
        driver.audit(AuditRecords.redacting(first, 1));
        driver.audit(AuditRecords.redacting(second, 2));
        assertThat(driver.views().approvals().of(record)).hasValue(first);
    }

    @Test
    void recordsThatAreReadAgainChangeNothing() {
        AuditRecord record = change(0);
        AuditRecord event = AuditRecords.redacting(approval(record), 1);
        driver.audit(event);
        driver.audit(record);
        assertThat(unapproved()).isEmpty();

        // As if the deletion of the entry were lost in a crash.
        driver.store(ViewStores.AUDIT)
                .put(ApprovalView.unapproved(record), MessageView.key(CHAIN, 0).get());
        assertThat(unapproved()).hasSize(1);
        driver.audit(event);
        assertThat(unapproved()).isEmpty();
        assertThat(driver.views().approvals().of(record)).hasValue(event.getRedaction());
    }

    static Stream<Arguments> unfitApprovals() {
        return Stream.of(
                change("another hash", approval -> approval.setRecordHash(ByteBuffer.wrap(new byte[32]))),
                change("another position", approval -> approval.getSource().setOffset(7L)),
                change("another sequence", approval -> approval.setSequence(1L)),
                change("another chain", approval -> approval.setChain("default|MCP|other")),
                change("a redaction", approval -> approval.setApproves(false)));
    }

    private static Arguments change(String what, Consumer<Redaction> change) {
        return Arguments.of(what, change);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("unfitApprovals")
    void anApprovalThatFitsNoRecordApprovesNothing(String what, Consumer<Redaction> change) {
        AuditRecord record = change(0);
        driver.audit(AuditRecords.accepted("default", Protocol.MCP, "s", 1, "server", NOON));
        Redaction approval = approval(changed("default", "s", 0));
        change.accept(approval);
        AuditRecord event = AuditRecords.redacting(approval(record), 2);
        event.setRedaction(approval);
        driver.audit(event);
        assertThat(unapproved()).containsExactly(CHAIN + "#0");
        assertThat(driver.views().approvals().of(record)).isEmpty();
    }

    @Test
    void onlyAnAcceptedRecordApproves() {
        AuditRecord record = change(0);
        AuditRecord event = AuditRecords.redacting(approval(record), 1);
        event.setVerdict(Verdict.REJECTED.name());
        driver.audit(event);
        assertThat(unapproved()).hasSize(1);
    }

    @Test
    void anApprovalRemovesNoContent() {
        AuditRecord record = change(0);
        Redaction approval = approval(record);
        driver.redaction(approval);
        driver.audit(AuditRecords.redacting(approval, 1));
        driver.audit(record);
        assertThat(driver.views().messages(CHAIN, 0, 1)).containsExactly(record);
    }

    @Test
    void aRequestToApproveHidesNoLaterRequestToRedact() {
        AuditRecord record = changed("default", "s", 0);
        Redaction redaction = AuditRecords.redaction(record);
        driver.redaction(approval(record));
        driver.redaction(redaction);
        driver.audit(record);
        assertThat(driver.views().messages(CHAIN, 0, 1)).containsExactly(Redactions.redact(record, redaction));
    }

    @Test
    void aRecordIsApprovedAndRedactedInEitherOrder() {
        AuditRecord first = change(0);
        AuditRecord second = change(1);
        Redaction redaction = AuditRecords.redaction(first);
        driver.audit(AuditRecords.redacting(redaction, 2));
        assertThat(unapproved()).containsExactly(CHAIN + "#0", CHAIN + "#1");
        driver.audit(AuditRecords.redacting(approval(first), 3));
        driver.audit(AuditRecords.redacting(approval(second), 4));
        driver.audit(AuditRecords.redacting(AuditRecords.redaction(second), 5));

        assertThat(unapproved()).isEmpty();
        AuditRecord copy = driver.views().messages(CHAIN, 0, 1).get(0);
        assertThat(copy).isEqualTo(Redactions.redact(first, redaction));
        assertThat(driver.views().approvals().of(copy)).hasValue(approval(first));
        assertThat(driver.views().messages(CHAIN, 1, 1).get(0).getMessage()).isNull();
    }

    @Test
    void aListHasOnlyTheNamespacesOfItsReader() {
        change(0);
        driver.audit(changed("other", "s", 0));
        Views views = driver.views().within(new NamespaceScope(Optional.of(Set.of("other"))));

        assertThat(unapproved(driver.views(), Optional.of("default"), 10)).containsExactly(CHAIN + "#0");
        assertThat(unapproved(views, Optional.empty(), 10)).containsExactly("other|MCP|s#0");
        assertThat(unapproved(views, Optional.of("default"), 10)).isEmpty();
        assertThat(views.approvals().of(changed("default", "s", 0))).isEmpty();

        // An insider copies an entry into another namespace.
        driver.store(ViewStores.AUDIT)
                .put(
                        ApprovalView.unapproved(changed("other", "forged", 0)),
                        MessageView.key(CHAIN, 0).get());
        assertThat(unapproved(views, Optional.empty(), 10)).containsExactly("other|MCP|s#0");
    }

    @Test
    void aCursorOfAnotherListIsRefused() {
        change(0);
        Optional<Bytes> foreign = Optional.of(MessageView.key(CHAIN, 0));
        assertThatThrownBy(() -> driver.views().approvals().list(Optional.empty(), foreign, 10, (key, record) -> true))
                .isInstanceOf(InvalidCursorException.class);
    }

    @Test
    void aFloodOfChangesIsListedInPagesAndCountedUpToTheMaximum() {
        for (long sequence = 0; sequence <= ApprovalView.MAX_COUNT; sequence++) {
            driver.store(ViewStores.AUDIT)
                    .put(
                            ApprovalView.unapproved(changed("default", "s", sequence)),
                            MessageView.key(CHAIN, 0).get());
        }
        change(0);
        assertThat(driver.views().approvals().count()).isEqualTo(ApprovalView.MAX_COUNT);
        assertThat(unapproved(driver.views(), Optional.empty(), 1_000)).hasSize((int) ApprovalView.MAX_COUNT + 1);
    }

    @Test
    void aPrunedConversationHasNoChanges() {
        AuditRecord record = change(0);
        change(1);
        driver.audit(AuditRecords.redacting(approval(record), 2));
        driver.audit(AuditRecords.accepted(
                "default", Protocol.MCP, "later", 0, "server", NOON.plus(HOUR).plus(HOUR)));
        driver.pass(Duration.ofSeconds(10));
        assertThat(driver.views().messages(CHAIN, 0, 10)).isEmpty();
        assertThat(unapproved()).isEmpty();
        assertThat(driver.store(ViewStores.AUDIT).get(ApprovalView.approved(CHAIN, 0)))
                .isNull();
    }
}
