package dev.parley.topology.views;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Protocol;
import dev.parley.avro.Verdict;
import dev.parley.topology.views.store.ViewKeys;
import dev.parley.topology.views.store.ViewStores;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The conversations of an agent. A conversation is idle after an hour. */
class AgentViewTest {
    private static final Instant NOON = AuditRecords.NOON;
    private static final Duration HOUR = Duration.ofHours(1);

    @TempDir
    private Path directory;

    private ViewsDriver driver;
    private final Map<String, Long> sequences = new HashMap<>();

    @BeforeEach
    void open() {
        driver = ViewsDriver.forgetting(directory, HOUR, NOON.plus(Duration.ofDays(1)));
    }

    @AfterEach
    void close() throws IOException {
        driver.close();
    }

    private AuditRecord record(
            String namespace, Protocol protocol, String conversation, String sender, List<String> recipients) {
        long sequence = sequences.merge(namespace + '|' + protocol + '|' + conversation, 1L, Long::sum) - 1;
        AuditRecord record = AuditRecords.accepted(namespace, protocol, conversation, sequence, sender, NOON);
        record.getMessage().setRecipients(recipients);
        return record;
    }

    private void say(String conversation, String sender, String... recipients) {
        driver.audit(record("a", Protocol.CSP, conversation, sender, List.of(recipients)));
    }

    private void sayAt(Instant time, String conversation, String sender) {
        AuditRecord record = record("a", Protocol.CSP, conversation, sender, List.of());
        record.getSource().setTimestamp(time);
        driver.audit(record);
        driver.pass(Duration.ofSeconds(10));
    }

    private List<String> conversations(String namespace, String agent, int limit) {
        List<String> found = new ArrayList<>();
        Optional<Bytes> after = Optional.empty();
        do {
            after = driver.views()
                    .agents()
                    .list(
                            namespace,
                            agent,
                            after,
                            limit,
                            (key, summary) -> found.add(summary.getProtocol() + "/" + summary.getConversation()));
        } while (after.isPresent());
        return found;
    }

    private List<String> conversations(String agent) {
        return conversations("a", agent, 100);
    }

    @ParameterizedTest
    @CsvSource({
        "a, X, CSP/1 CSP/3 SLIP/1",
        "b, X, CSP/9",
        "a, Y, CSP/1",
        "a, M, CSP/1 CSP/2 CSP/3 SLIP/1",
        "a, '', ''",
        "a, x, ''",
        "'', X, ''",
    })
    void anAgentIsFoundBySenderAndRecipientsInItsNamespace(String namespace, String agent, String expected) {
        for (int i = 0; i < 3; i++) {
            say("1", "M", "X", "Y");
            say("2", "M", "XY");
            say("3", "X", "M");
            driver.audit(record("a", Protocol.SLIP, "1", "M", List.of("X")));
            driver.audit(record("b", Protocol.CSP, "9", null, List.of("X")));
        }

        assertThat(String.join(" ", conversations(namespace, agent, 100))).isEqualTo(expected);
        assertThat(String.join(" ", conversations(namespace, agent, 1))).isEqualTo(expected);
    }

    @Test
    void onlyAcceptedMessagesCount() {
        AuditRecord rejected = record("a", Protocol.CSP, "1", "X", List.of());
        rejected.setVerdict(Verdict.REJECTED.name());
        driver.audit(rejected);
        driver.audit(AuditRecords.undecodable(0, 0));

        assertThat(conversations("X")).isEmpty();
    }

    @Test
    void aRecordThatIsProcessedAgainAddsNothing() {
        AuditRecord record = record("a", Protocol.CSP, "1", "X", List.of("Y"));
        driver.audit(record);
        driver.audit(record);

        assertThat(conversations("X")).containsExactly("CSP/1");
        assertThat(entries()).hasSize(2);
    }

    @Test
    void aMessageAddsABoundedNumberOfEntriesAndBytes() {
        String[] names = IntStream.range(0, 5_000).mapToObj(Integer::toString).toArray(String[]::new);
        say("1", "X", names);
        assertThat(entries()).hasSize(AgentView.MAX_AGENTS);
        assertThat(conversations("X")).as("the sender").isNotEmpty();

        String[] longNames =
                IntStream.range(0, 100).mapToObj(i -> "n".repeat(4_000) + i).toArray(String[]::new);
        say("c".repeat(4_000), "Z", longNames);
        assertThat(entries().stream().mapToInt(key -> key.get().length).sum())
                .isLessThan(AgentView.MAX_BYTES + 100 * 100 + 2 * 10_000);
    }

    @Test
    void anAgentIsRemovedWithTheMessagesOfItsConversation() {
        sayAt(NOON, "1", "X");
        sayAt(NOON.plus(HOUR.multipliedBy(2)), "2", "Y");

        assertThat(conversations("X")).isEmpty();
        assertThat(conversations("Y")).containsExactly("CSP/2");

        sayAt(NOON.plus(HOUR.multipliedBy(2)), "1", "X");

        assertThat(conversations("X")).as("resumed").containsExactly("CSP/1");
    }

    @Test
    void anAgentOfAResumedConversationRemains() {
        sayAt(NOON, "1", "X");
        say("1", "X");
        sayAt(NOON.plusSeconds(1), "1", "X");
        sayAt(NOON.plus(HOUR.dividedBy(2)), "1", "X");
        sayAt(NOON.plus(HOUR.multipliedBy(5).dividedBy(4)), "2", "Y");

        assertThat(conversations("X")).containsExactly("CSP/1");
    }

    @Test
    void aRedactionRemovesTheAgentsThatNoOtherMessageNames() {
        AuditRecord redacted = record("a", Protocol.CSP, "1", "X", List.of("Y"));
        driver.audit(redacted);
        say("1", "Z", "Y");
        driver.audit(AuditRecords.redacting(AuditRecords.redaction(redacted), 2));

        assertThat(conversations("X")).isEmpty();
        assertThat(conversations("Y")).containsExactly("CSP/1");
        assertThat(conversations("Z")).containsExactly("CSP/1");
    }

    /** The redaction becomes known before the message is read again, as after a crash. */
    @Test
    void aMessageThatIsReadAgainAfterItsRedactionLosesItsAgents() {
        AuditRecord redacted = record("a", Protocol.CSP, "1", "X", List.of("Y"));
        driver.audit(redacted);
        say("1", "Z", "Y");
        driver.redaction(AuditRecords.redaction(redacted));
        driver.audit(redacted);

        assertThat(conversations("X")).isEmpty();
        assertThat(conversations("Y")).containsExactly("CSP/1");
        say("1", "X");
        assertThat(conversations("X")).containsExactly("CSP/1");
    }

    @Test
    void aMessageOfAnotherClientDoesNotStopARedaction() {
        AuditRecord redacted = record("a", Protocol.CSP, "1", "X", List.of("Z"));
        driver.audit(redacted);
        say("1", "Y");
        say("1", "Z");
        driver.store(ViewStores.AUDIT).put(MessageView.key(redacted.getChain(), 1), new byte[] {1, 2, 3});
        driver.audit(AuditRecords.redacting(AuditRecords.redaction(redacted), 3));

        assertThat(conversations("X")).isEmpty();
        assertThat(conversations("Z")).containsExactly("CSP/1");
        assertThat(driver.views().message(redacted.getChain(), 0).orElseThrow().getRedacted())
                .isNotNull();
    }

    private List<Bytes> entries() {
        List<Bytes> keys = new ArrayList<>();
        Bytes kind = Bytes.wrap(new byte[] {AgentView.index("").get()[0]});
        try (KeyValueIterator<Bytes, byte[]> range =
                driver.store(ViewStores.AUDIT).range(kind, ViewKeys.after(kind))) {
            range.forEachRemaining(entry -> keys.add(entry.key));
        }
        return keys;
    }
}
