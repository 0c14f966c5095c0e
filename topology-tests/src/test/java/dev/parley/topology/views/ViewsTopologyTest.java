package dev.parley.topology.views;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.audit.InputPosition;
import dev.parley.audit.Redactions;
import dev.parley.avro.Accounting;
import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.AuditTile;
import dev.parley.avro.Checkpoint;
import dev.parley.avro.ConversationSummary;
import dev.parley.avro.DeadLetterSummary;
import dev.parley.avro.OpenItem;
import dev.parley.avro.ParkedItem;
import dev.parley.avro.Protocol;
import dev.parley.avro.Redaction;
import dev.parley.avro.Source;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.checkpoint.CheckpointNode;
import dev.parley.log.KeyFiles;
import dev.parley.log.LogNoteReader;
import dev.parley.log.LogNotes;
import dev.parley.log.tlog.NoteSigner;
import dev.parley.protocol.TopicNames;
import dev.parley.state.PointInTime;
import dev.parley.topology.kafka.MacConsumerInterceptor;
import dev.parley.topology.kafka.RecordMac;
import dev.parley.topology.kafka.UnreadableValues;
import dev.parley.topology.topics.ClosureKey;
import dev.parley.topology.topics.PublicContent;
import dev.parley.topology.views.DeadLetterView.State;
import dev.parley.topology.views.ViewPages.Page;
import dev.parley.topology.views.read.Cursor;
import dev.parley.topology.views.read.InvalidCursorException;
import dev.parley.topology.views.store.ChainPosition;
import dev.parley.topology.views.store.ViewStores;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ViewsTopologyTest {

    @TempDir
    private Path directory;

    private ViewsDriver driver;
    private Views views;
    private final List<Instant> shown = new ArrayList<>();

    @BeforeEach
    void open() {
        driver = new ViewsDriver(directory, ViewRetention.NONE, shown::add, Instant.now());
        views = driver.views();
    }

    @AfterEach
    void close() throws IOException {
        driver.close();
    }

    @Test
    void everyNodeAndStoreHasAnExplicitName() {
        String description = ViewsTopology.build(
                        driver.topics(),
                        1,
                        ViewRetention.NONE,
                        LogNoteReader::ofAll,
                        Optional.of(PublicContent.WITHOUT_RULES),
                        ViewsListener.NONE)
                .describe()
                .toString();

        assertThat(description).doesNotContain("KSTREAM", "KTABLE", "0000");
        assertThat(description).contains("audit-source", "audit-view", ViewStores.AUDIT, "dead-letters-view");
    }

    @Test
    void conversationHasASummaryAndItsMessagesInOrder() {
        driver.audit(AuditRecords.accepted("default", Protocol.SLIP, "7", 0, "1", AuditRecords.NOON));
        driver.audit(AuditRecords.rejected("7", 1, "SLIP_TURN_REUSED"));

        ConversationSummary summary =
                views.conversation("default", Protocol.SLIP, "7").orElseThrow();
        assertThat(summary.getAccepted()).isEqualTo(1);
        assertThat(summary.getRejected()).isEqualTo(1);
        assertThat(summary.getFirstTime()).isEqualTo(AuditRecords.NOON);
        assertThat(summary.getLastTime()).isEqualTo(AuditRecords.NOON.plusSeconds(1));
        assertThat(summary.getLastVerdict()).isEqualTo(Verdict.REJECTED);
        assertThat(summary.getLastCode()).isEqualTo("SLIP_TURN_REUSED");
        assertThat(views.messages(summary.getChain(), 0, 10))
                .extracting(AuditRecord::getSequence)
                .containsExactly(0L, 1L);
        assertThat(views.messages(summary.getChain(), 1, 10)).hasSize(1);
        assertThat(views.messages(summary.getChain(), 0, 1)).hasSize(1);
        assertThat(views.messages(summary.getChain(), Long.MAX_VALUE, 10)).isEmpty();
    }

    @Test
    void listenerReceivesTheTimeOfEveryVisibleInput() {
        driver.audit(AuditRecords.accepted("default", Protocol.SLIP, "7", 0, "1", AuditRecords.NOON));
        driver.audit(AuditRecords.rejected("7", 1, "SLIP_TURN_REUSED"));

        assertThat(shown).containsExactly(AuditRecords.NOON, AuditRecords.NOON.plusSeconds(1));
    }

    @Test
    void reprocessedRecordsChangeNothing() {
        for (int time = 0; time < 3; time++) {
            driver.audit(AuditRecords.accepted("default", Protocol.SLIP, "7", 0, "1", AuditRecords.NOON));
            driver.audit(AuditRecords.rejected("7", 1, "SLIP_TURN_REUSED"));
        }

        ConversationSummary summary =
                views.conversation("default", Protocol.SLIP, "7").orElseThrow();
        assertThat(summary.getAccepted()).isEqualTo(1);
        assertThat(summary.getRejected()).isEqualTo(1);
        assertThat(views.messages(summary.getChain(), 0, 10)).hasSize(2);
    }

    @Test
    void undecodableRecordsAreListedByPartition() {
        driver.audit(AuditRecords.undecodable(3, 0));

        ConversationSummary summary =
                views.conversation("-", Protocol.UNKNOWN, "parley.wire-3").orElseThrow();
        assertThat(summary.getUndecodable()).isEqualTo(1);
        assertThat(views.messages(summary.getChain(), 0, 10)).hasSize(1);
    }

    /** Another writer of the audit topic, or a later version, may use symbols that this version does not know. */
    @Test
    void recordsOfUnknownSymbolsAreListedWithoutACount() {
        AuditRecord record = AuditRecords.accepted("default", Protocol.SLIP, "7", 0, "1", AuditRecords.NOON);
        record.setVerdict("POSTPONED");
        record.setStage("ELSEWHERE");
        record.getMessage().setProtocol("SLIP2");
        record.getMessage().setPerformative("PONDER");
        driver.audit(record);
        driver.audit(AuditRecords.accepted("default", Protocol.SLIP, "7", 1, "1", AuditRecords.NOON));

        ConversationSummary summary =
                views.conversation("default", Protocol.SLIP, "7").orElseThrow();
        assertThat(summary.getAccepted()).isEqualTo(1);
        assertThat(summary.getRejected() + summary.getFlagged() + summary.getUndecodable())
                .isZero();
        assertThat(summary.getLastVerdict()).isEqualTo(Verdict.ACCEPTED);
        assertThat(views.messages(summary.getChain(), 0, 10)).contains(record);
    }

    @Test
    void unusualNamesDoNotCollide() {
        List<String> names = List.of("a", "a\0", "a\0\u0001b", "a|b", "ab", "", "Λ", "a%7Cb");
        for (String namespace : names) {
            for (String conversation : names) {
                driver.audit(
                        AuditRecords.accepted(namespace, Protocol.SUBIT, conversation, 0, null, AuditRecords.NOON));
            }
        }

        for (String namespace : names) {
            assertThat(walk(cursor ->
                            ViewPages.conversations(views, Optional.of(namespace), Optional.empty(), cursor, 3)))
                    .extracting(ConversationSummary::getConversation)
                    .containsExactlyInAnyOrderElementsOf(names);
            for (String conversation : names) {
                ConversationSummary summary = views.conversation(namespace, Protocol.SUBIT, conversation)
                        .orElseThrow();
                assertThat(views.messages(summary.getChain(), 0, 10)).hasSize(1);
            }
        }
        assertThat(walk(cursor -> ViewPages.conversations(views, Optional.empty(), Optional.empty(), cursor, 7)))
                .hasSize(64);
    }

    @Test
    void conversationsOfAProtocolAreListedInAllNamespaces() {
        driver.audit(AuditRecords.accepted("a", Protocol.SUBIT, "1", 0, null, AuditRecords.NOON));
        driver.audit(AuditRecords.accepted("a", Protocol.CSP, "2", 0, null, AuditRecords.NOON));
        driver.audit(AuditRecords.accepted("b", Protocol.SUBIT, "3", 0, null, AuditRecords.NOON));

        assertThat(walk(cursor ->
                        ViewPages.conversations(views, Optional.empty(), Optional.of(Protocol.SUBIT), cursor, 1)))
                .extracting(ConversationSummary::getConversation)
                .containsExactly("1", "3");
        assertThat(walk(cursor ->
                        ViewPages.conversations(views, Optional.of("a"), Optional.of(Protocol.CSP), cursor, 1)))
                .extracting(ConversationSummary::getConversation)
                .containsExactly("2");
    }

    @Test
    void cursorOfAnotherQueryIsRejected() {
        driver.audit(AuditRecords.accepted("a", Protocol.SUBIT, "1", 0, null, AuditRecords.NOON));
        driver.audit(AuditRecords.accepted("a", Protocol.SUBIT, "2", 0, null, AuditRecords.NOON));
        Optional<String> cursor = Optional.of(Cursor.of(ConversationView.key("a", Protocol.SUBIT, "1")));

        assertThatThrownBy(() -> ViewPages.conversations(views, Optional.of("b"), Optional.empty(), cursor, 1))
                .isInstanceOf(InvalidCursorException.class);
        assertThatThrownBy(() ->
                        ViewPages.conversations(views, Optional.empty(), Optional.empty(), Optional.of("\u00e9"), 1))
                .isInstanceOf(InvalidCursorException.class);
    }

    @Test
    void checkpointsAreInOrderOfApplicationWithBranchHeads() {
        for (int i = 1; i <= 12; i++) {
            driver.checkpoint(AuditRecords.checkpoint("build", "C" + i, "C" + (i - 1), i));
        }
        driver.checkpoint(AuditRecords.checkpoint("build", "fork", "C3", 13));
        driver.checkpoint(AuditRecords.checkpoint("other", "C1", "C0", 1));

        List<CheckpointNode> nodes = walk(cursor -> ViewPages.checkpoints(views, "default", "build", cursor, 5));

        assertThat(nodes)
                .extracting(node -> node.checkpoint().getId())
                .containsExactly("C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8", "C9", "C10", "C11", "C12", "fork");
        assertThat(nodes.stream()
                        .filter(CheckpointNode::head)
                        .map(node -> node.checkpoint().getId()))
                .containsExactly("C12", "fork");
        assertThat(views.heads("default", "build", 10)).containsExactlyInAnyOrder("C12", "fork");
        assertThat(views.checkpoint("default", "build", "C13")).isEmpty();
    }

    @Test
    void parentAfterItsChildIsNotABranchHead() {
        driver.checkpoint(AuditRecords.checkpoint("build", "C2", "C1", 2));
        driver.checkpoint(AuditRecords.checkpoint("build", "C1", "C0", 1));
        driver.checkpoint(AuditRecords.checkpoint("build", "C2", "C1", 2));

        assertThat(views.heads("default", "build", 10)).containsExactly("C2");
        assertThat(walk(cursor -> ViewPages.checkpoints(views, "default", "build", cursor, 1)))
                .extracting(node -> node.checkpoint().getId())
                .containsExactly("C1", "C2");
    }

    @Test
    void latestCheckpointAtATimeIsTheLastAppliedBeforeIt() {
        driver.checkpoint(AuditRecords.checkpoint("build", "C1", "C0", 1));
        Checkpoint early = AuditRecords.checkpoint("build", "parked", "C1", 2);
        early.getSource().setTimestamp(AuditRecords.NOON.minusSeconds(60));
        driver.checkpoint(early);
        driver.checkpoint(AuditRecords.checkpoint("build", "C3", "C1", 3));

        assertThat(latestAt(AuditRecords.NOON.minusSeconds(61))).isEmpty();
        assertThat(latestAt(AuditRecords.NOON)).hasValue("parked");
        assertThat(latestAt(AuditRecords.NOON.plusSeconds(1))).hasValue("parked");
        assertThat(latestAt(AuditRecords.NOON.plusSeconds(3))).hasValue("C3");
        assertThat(views.latestAt("default", "nowhere", new PointInTime.AtTime(AuditRecords.NOON)))
                .isEmpty();
    }

    private Optional<String> latestAt(Instant time) {
        return views.latestAt("default", "build", new PointInTime.AtTime(time));
    }

    @Test
    void deadLetterIsListedWithoutItsPayload() {
        byte[] value = "x".repeat(300).getBytes(StandardCharsets.UTF_8);
        deadLetter(Stage.DECODE, null, value, "SLIP_BAD_STRING", 17);

        DeadLetterSummary summary = ViewPages.deadLetters(
                        views, Optional.empty(), Optional.empty(), Optional.empty(), 10)
                .items()
                .get(0);

        assertThat(summary.getCode()).isEqualTo("SLIP_BAD_STRING");
        assertThat(summary.getDetail()).isEqualTo("The string does not end.");
        assertThat(summary.getPosition()).isEqualTo(4);
        assertThat(summary.getProtocol()).isEqualTo(Protocol.SLIP);
        assertThat(summary.getConversation()).as("claimed").isEqualTo("7");
        assertThat(summary.getAttempt()).isNull();
        assertThat(summary.getSourceTopic()).isEqualTo("parley.wire");
        assertThat(summary.getSourcePartition()).isEqualTo(2);
        assertThat(summary.getSourceOffset()).isEqualTo(17);
        assertThat(summary.getTopic()).isEqualTo("parley.dlq.decode.v1");
        assertThat(summary.getValueSize()).isEqualTo(300);
        assertThat(summary.getPreview().remaining()).isEqualTo(200);
        assertThat(summary.getSha256().remaining()).isEqualTo(32);
    }

    @Test
    void deadLetterWithoutValueAndHeadersIsListed() {
        driver.record(TopicNames.DEFAULT.deadLetters(Stage.INTERNAL), new byte[] {1}, null);

        DeadLetterSummary summary = ViewPages.deadLetters(
                        views, Optional.of(Stage.INTERNAL), Optional.of(""), Optional.empty(), 10)
                .items()
                .get(0);

        assertThat(summary.getValueSize()).isNull();
        assertThat(summary.getSourceOffset()).isNull();
        assertThat(summary.getProtocol()).isEqualTo(Protocol.UNKNOWN);
    }

    @Test
    void deadLettersAreListedLatestFirstWithinTheirTimesAndCountedByCode() {
        for (int i = 0; i < 6; i++) {
            driver.deadLetter(
                    i % 2 == 0 ? Stage.DECODE : Stage.APPLY,
                    null,
                    new byte[] {1},
                    new RecordHeaders()
                            .add("__streams.errors.offset", Integer.toString(i).getBytes(UTF_8))
                            .add("parley.error.namespace", ("n" + i % 3).getBytes(UTF_8)),
                    AuditRecords.NOON.plusMillis(i));
        }

        for (int size = 1; size <= 6; size++) {
            int limit = size;
            assertThat(offsets(filter("", null, null), limit)).containsExactly(5L, 4L, 3L, 2L, 1L, 0L);
            assertThat(offsets(filter("", AuditRecords.NOON.plusMillis(2), AuditRecords.NOON.plusMillis(4)), limit))
                    .containsExactly(3L, 2L);
            assertThat(offsets(filter("n0", null, AuditRecords.NOON.plusNanos(3_000_001)), limit))
                    .containsExactly(3L, 0L);
            assertThat(offsets(filter("n0", Instant.EPOCH, AuditRecords.NOON), limit))
                    .isEmpty();
        }
        List<Stage> counted = new ArrayList<>();
        views.deadLetters().byCode(filter("", null, null), each -> true, Optional.empty(), 10, (key, letter) -> {
            counted.add(letter.getStage());
            return true;
        });
        assertThat(counted)
                .containsExactly(Stage.DECODE, Stage.DECODE, Stage.DECODE, Stage.APPLY, Stage.APPLY, Stage.APPLY);
    }

    private List<Long> offsets(DeadLetterView.Filter filter, int limit) {
        return walk(cursor -> ViewPages.deadLetters(views, filter, cursor, limit)).stream()
                .map(DeadLetterSummary::getSourceOffset)
                .toList();
    }

    private static DeadLetterView.Filter filter(String namespace, Instant from, Instant to) {
        return new DeadLetterView.Filter(
                Optional.empty(),
                Optional.empty(),
                Optional.of(namespace).filter(name -> !name.isEmpty()),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.ofNullable(from),
                Optional.ofNullable(to),
                Optional.empty());
    }

    @Test
    void aPageOfAFilterWithoutMatchesExaminesABoundedNumberOfDeadLetters() {
        for (int i = 0; i < 10_001; i++) {
            driver.deadLetter(Stage.DECODE, null, new byte[] {1}, new RecordHeaders(), AuditRecords.NOON);
        }

        ViewPages.Page<DeadLetterSummary> first =
                ViewPages.deadLetters(views, filter("other", null, null), Optional.empty(), 10);
        assertThat(first.items()).isEmpty();
        assertThat(first.next()).isPresent();
        assertThat(ViewPages.deadLetters(views, filter("other", null, null), first.next(), 10)
                        .next())
                .isEmpty();
    }

    @Test
    void aRedrivenRecordIsReturned() {
        InputPosition failed = new InputPosition("parley.wire", 2, 17);
        assertThat(views.deadLetters().state(failed)).isEqualTo(State.OPEN);
        driver.record(TopicNames.DEFAULT.redrive(), failed.toString().getBytes(UTF_8), new byte[] {1});

        assertThat(views.deadLetters().state(failed)).isEqualTo(State.RETURNED);
        assertThat(views.deadLetters().state(new InputPosition("parley.wire", 2, 18)))
                .isEqualTo(State.OPEN);
        driver.record(TopicNames.DEFAULT.redrive(), failed.toString().getBytes(UTF_8), null);
        assertThat(views.deadLetters().state(failed)).isEqualTo(State.OPEN);
    }

    @Test
    void aRedriveWithoutAValidCodeReturnsNothing() {
        InputPosition failed = new InputPosition("parley.wire", 2, 17);
        forge(TopicNames.DEFAULT.redrive(), failed.toString(), new byte[] {1});

        assertThat(views.deadLetters().state(failed)).isEqualTo(State.OPEN);
    }

    @Test
    void aClosedDeadLetterStaysClosedUntilItIsReopened() {
        InputPosition failed = new InputPosition("parley.wire", 2, 17);
        change(1, failed);
        assertThat(views.deadLetters().state(failed)).isEqualTo(State.CLOSED);
        change(2, failed);
        assertThat(views.deadLetters().state(failed)).isEqualTo(State.OPEN);
        change(3, failed);
        assertThat(views.deadLetters().state(failed)).isEqualTo(State.CLOSED);
        driver.record(TopicNames.DEFAULT.redrive(), failed.toString().getBytes(UTF_8), new byte[] {1});
        assertThat(views.deadLetters().state(failed)).isEqualTo(State.RETURNED);
    }

    @Test
    void aRepeatedOldChangeNeitherClosesNorReopensADeadLetter() {
        InputPosition failed = new InputPosition("parley.wire", 2, 17);
        change(1, failed);
        change(2, failed);
        change(1, failed);

        assertThat(views.deadLetters().state(failed)).isEqualTo(State.OPEN);
    }

    @Test
    void aChangeWithoutAValidCodeHidesNoDeadLetter() {
        InputPosition failed = new InputPosition("parley.wire", 2, 17);
        forge(TopicNames.DEFAULT.redrive(), new ClosureKey(1, failed).toString(), new byte[] {1});
        assertThat(views.deadLetters().state(failed)).isEqualTo(State.OPEN);

        change(1, failed);
        change(2, failed);
        // In place of the second change, and beyond a gap.
        forge(TopicNames.DEFAULT.redrive(), new ClosureKey(2, failed).toString(), new byte[] {1});
        forge(TopicNames.DEFAULT.redrive(), new ClosureKey(49, failed).toString(), new byte[] {1});
        assertThat(views.deadLetters().state(failed)).isEqualTo(State.OPEN);
    }

    private void change(int number, InputPosition failed) {
        byte[] key = new ClosureKey(number, failed).toString().getBytes(UTF_8);
        driver.record(TopicNames.DEFAULT.redrive(), key, new byte[] {1});
    }

    @Test
    void countsWithoutAValidCodeChangeNoLine() {
        String key = "parley.wire-0@inputs-0_0";
        driver.accounting(key, AuditRecords.accounting(0, 5));
        forge(TopicNames.DEFAULT.accounting(), key, driver.topics().accounting().write(AuditRecords.accounting(0, 9)));

        assertThat(views.accounting()).extracting(Accounting::getInputs).containsExactly(5L);
    }

    /** A record without a code, as an instance with a key reads it. */
    private void forge(String topic, String key, byte[] value) {
        RecordMac mac = new RecordMac(
                "parley", Set.of(topic), TopicNames.DEFAULT.redaction(), List.of("secret".getBytes(UTF_8)));
        MacConsumerInterceptor interceptor = new MacConsumerInterceptor();
        interceptor.configure(Map.of(RecordMac.CONFIG, mac));
        ConsumerRecords<byte[], byte[]> read = interceptor.onConsume(new ConsumerRecords<>(
                Map.of(
                        new TopicPartition(topic, 0),
                        List.of(new ConsumerRecord<>(topic, 0, 0, key.getBytes(UTF_8), value))),
                Map.of()));
        read.forEach(record -> driver.record(topic, record.key(), record.value()));
    }

    /** The summary in the headers stands for a value that was too large. */
    @Test
    void deadLetterWithOmittedValueHasItsSummary() {
        Headers headers = new RecordHeaders()
                .add("parley.error.code", "MESSAGE_TOO_LARGE".getBytes(UTF_8))
                .add("parley.error.value-sha256", "ab".repeat(32).getBytes(UTF_8))
                .add("parley.error.value-size", "41943040".getBytes(UTF_8))
                .add("parley.error.value-prefix", "{\"type\"".getBytes(UTF_8));
        driver.deadLetter(Stage.DECODE, null, null, headers, AuditRecords.NOON);
        driver.deadLetter(
                Stage.DECODE,
                null,
                null,
                new RecordHeaders().add("parley.error.value-sha256", "no hash".getBytes(UTF_8)),
                AuditRecords.NOON);

        List<DeadLetterSummary> letters = ViewPages.deadLetters(
                        views, Optional.empty(), Optional.empty(), Optional.empty(), 10)
                .items();
        assertThat(letters)
                .hasSize(2)
                .filteredOn(letter -> !letter.getCode().isEmpty())
                .singleElement()
                .satisfies(letter -> {
                    assertThat(letter.getValueSize()).isEqualTo(40 << 20);
                    assertThat(letter.getSha256().get(0)).isEqualTo((byte) 0xab);
                    assertThat(letter.getPreview()).isEqualTo(ByteBuffer.wrap("{\"type\"".getBytes(UTF_8)));
                });
    }

    @Test
    void deadLettersArePagedThroughAllStagesAndTimes() {
        for (int i = 0; i < 5; i++) {
            deadLetter(Stage.DECODE, new byte[] {1}, new byte[] {1}, i % 2 == 0 ? "A" : "AB", i);
            deadLetter(Stage.APPLY, new byte[] {1}, new byte[] {1}, "A", 10 + i);
        }

        for (int limit = 1; limit <= 11; limit++) {
            int size = limit;
            assertThat(walk(cursor -> ViewPages.deadLetters(views, Optional.empty(), Optional.empty(), cursor, size)))
                    .extracting(DeadLetterSummary::getSourceOffset)
                    .as("the latest first; at one time by stage and position")
                    .containsExactly(0L, 1L, 2L, 3L, 4L, 10L, 11L, 12L, 13L, 14L);
            assertThat(walk(cursor -> ViewPages.deadLetters(views, Optional.empty(), Optional.of("A"), cursor, size)))
                    .hasSize(8);
            assertThat(walk(cursor ->
                            ViewPages.deadLetters(views, Optional.of(Stage.APPLY), Optional.empty(), cursor, size)))
                    .hasSize(5);
        }
        assertThatThrownBy(() -> ViewPages.deadLetters(
                        views, Optional.of(Stage.APPLY), Optional.empty(), Optional.of("DECODE"), 1))
                .isInstanceOf(InvalidCursorException.class);
    }

    @Test
    void latestCountsOfATaskRemainUntilTheyAreDeleted() {
        driver.accounting("parley.wire-0@0_0", AuditRecords.accounting(0, 5));
        driver.accounting("parley.wire-0@0_0", AuditRecords.accounting(0, 9));
        driver.accounting("parley.wire-0@0_1", AuditRecords.accounting(0, 2));

        assertThat(views.accounting()).extracting(Accounting::getInputs).containsExactly(9L, 2L);

        driver.accounting("parley.wire-0@0_1", null);
        assertThat(views.accounting()).hasSize(1);
    }

    @Test
    void unreadableOrImplausibleCountsChangeNoLine() {
        String key = "parley.wire-0@inputs-0_0";
        driver.accounting(key, AuditRecords.accounting(0, 5));
        driver.accounting("parley.wire-1@inputs-0_1", AuditRecords.accounting(1, 7));

        long reported = UnreadableValues.total();
        driver.record(TopicNames.DEFAULT.accounting(), key.getBytes(UTF_8), new byte[] {1});
        driver.accounting(key, AuditRecords.accounting(0, -5));
        driver.accounting(key, AuditRecords.accounting(1, 1_000));

        assertThat(views.accounting()).extracting(Accounting::getInputs).containsExactly(5L, 7L);
        assertThat(UnreadableValues.total() - reported).isEqualTo(3);
    }

    @Test
    void openItemsAreListedByTimeUntilTheyEnd() {
        driver.openItem("b", openItem("7", 20));
        driver.openItem("a", openItem("8", 30));
        driver.openItem("c", openItem("9", 10));
        assertThat(openItems()).containsExactly("9", "7", "8");

        // The same row again, as after a restart, and with another time.
        driver.openItem("b", openItem("7", 20));
        driver.openItem("c", openItem("9", 40));
        assertThat(openItems()).containsExactly("7", "8", "9");

        driver.openItem("b", null);
        driver.openItem("b", null);
        driver.openItem("never", null);
        assertThat(openItems()).containsExactly("8", "9");
        assertThat(views.openItems()
                        .list(
                                new OpenItemView.Filter(
                                        Optional.empty(),
                                        Optional.of(Protocol.CSP),
                                        Optional.empty(),
                                        Optional.empty()),
                                Optional.empty(),
                                10,
                                (key, item) -> {
                                    throw new AssertionError(item);
                                }))
                .isEmpty();
    }

    private static OpenItem openItem(String conversation, long second) {
        return OpenItem.newBuilder()
                .setNamespace("default")
                .setProtocol("SLIP")
                .setConversation(conversation)
                .setSequence(second)
                .setKind("TASK")
                .setSince(AuditRecords.NOON.plusSeconds(second))
                .build();
    }

    /** The conversations of all open items, read in pages of one. */
    private List<String> openItems() {
        List<String> conversations = new ArrayList<>();
        Optional<Bytes> after = Optional.empty();
        do {
            after = views.openItems()
                    .list(
                            new OpenItemView.Filter(
                                    Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty()),
                            after,
                            1,
                            (key, item) -> conversations.add(item.getConversation()));
        } while (after.isPresent());
        return conversations;
    }

    @Test
    void parkedPatchesAreListedByTimeUntilTheyEnd() {
        driver.parked("default|CSP|x|parley.wire-0@1", parked("default", "x", 1, 20));
        driver.parked("a|CSP|x|parley.wire-0@2", parked("a", "x", 2, 30));
        // A bar in the name of a context.
        driver.parked("default|CSP|y|z|parley.wire-0@3", parked("default", "y|z", 3, 10));
        assertThat(parked(Optional.empty(), Optional.empty())).containsExactly(3L, 1L, 2L);
        assertThat(parked(Optional.of("default"), Optional.empty())).containsExactly(3L, 1L);
        assertThat(parked(Optional.of("default"), Optional.of("y|z"))).containsExactly(3L);
        assertThat(parked(Optional.of("b"), Optional.empty())).isEmpty();
        InputPosition third = new InputPosition("parley.wire", 0, 3);
        assertThat(views.parked().at(third)).hasValue(parked("default", "y|z", 3, 10));
        assertThat(PositionVisibility.visible(ViewStores.CHECKPOINTS, views, Set.of(third)))
                .containsExactly(third);
        assertThat(PositionVisibility.visible(ViewStores.AUDIT, views, Set.of(third)))
                .isEmpty();

        // The same rows again, as after a restart.
        driver.parked("default|CSP|x|parley.wire-0@1", parked("default", "x", 1, 20));
        driver.parked("default|CSP|y|z|parley.wire-0@3", null);
        driver.parked("default|CSP|y|z|parley.wire-0@3", null);
        driver.parked("default|CSP|x|parley.wire-0@9", null);
        assertThat(parked(Optional.empty(), Optional.empty())).containsExactly(1L, 2L);
        assertThat(views.parked().at(third)).isEmpty();
    }

    private static ParkedItem parked(String namespace, String context, long offset, long second) {
        return new ParkedItem(
                namespace,
                context,
                "P" + offset,
                "C1",
                "C2",
                null,
                new Source("parley.wire", 0, offset, AuditRecords.NOON.plusSeconds(second), null));
    }

    /** The offsets of the parked patches, read in pages of one. */
    private List<Long> parked(Optional<String> namespace, Optional<String> context) {
        List<Long> offsets = new ArrayList<>();
        Optional<Bytes> after = Optional.empty();
        do {
            after = views.parked()
                    .list(
                            namespace,
                            context,
                            after,
                            1,
                            (key, item) -> offsets.add(item.getSource().getOffset()));
        } while (after.isPresent());
        return offsets;
    }

    @Test
    void inputRecordIsFoundByItsPosition() {
        AuditRecord record = AuditRecords.accepted("default", Protocol.SLIP, "7", 0, "1", AuditRecords.NOON);
        driver.audit(record);
        deadLetter(Stage.DECODE, null, new byte[] {1}, "SLIP_BAD_STRING", 17);
        InputPosition position = new InputPosition(
                record.getSource().getTopic(),
                record.getSource().getPartition(),
                record.getSource().getOffset());

        assertThat(views.messages().position(position)).hasValue(new ChainPosition("default|SLIP|7", 0));
        assertThat(views.messages()
                        .position(new InputPosition(position.topic(), position.partition(), position.offset() + 1)))
                .isEmpty();
        assertThat(views.deadLetters().has(new InputPosition("parley.wire", 2, 17)))
                .isTrue();
        assertThat(views.deadLetters().has(new InputPosition("parley.wire", 2, 18)))
                .isFalse();
    }

    private static final InputPosition POSITION = new InputPosition("parley.wire", 0, 0);

    @Test
    void redactedMessageLosesItsContentWhenItsRedactionIsRecorded() {
        AuditRecord record = AuditRecords.accepted("default", Protocol.SLIP, "7", 0, "1", AuditRecords.NOON);
        driver.audit(record);
        Redaction redaction = AuditRecords.redaction(record);
        driver.audit(AuditRecords.redacting(redaction, 1));

        assertThat(views.messages("default|SLIP|7", 0, 10).get(0)).isEqualTo(Redactions.redact(record, redaction));
        assertThat(views.messages().position(POSITION)).isPresent();
        assertThat(views.conversation("default", Protocol.SLIP, "7")
                        .orElseThrow()
                        .getAccepted())
                .isEqualTo(2);
    }

    @Test
    void lastHeadOfEachLogRemainsWhateverIsReadAgain() {
        LogNotes notes = new LogNotes("parley/audit", List.of());
        AuditHead statement = notes.statement(2, Collections.emptySortedMap(), AuditRecords.NOON);
        AuditHead older = notes.head(0, 5, new byte[32], AuditRecords.NOON);
        AuditHead last = notes.head(0, 7, new byte[32], AuditRecords.NOON.plusSeconds(60));
        AuditHead other = notes.head(1, 3, new byte[32], AuditRecords.NOON);
        List.of(statement, older, last, other, older).forEach(driver::head);
        driver.record(TopicNames.DEFAULT.auditHead(), new byte[] {1}, null);

        assertThat(views.log().head(0)).hasValue(last);
        assertThat(views.log().head(1)).hasValue(other);
        assertThat(views.log().head(2)).isEmpty();
        assertThat(views.log().heads()).containsExactlyInAnyOrder(statement, last, other);

        // The same records, signed with a new key.
        AuditHead again = notes.head(0, 7, new byte[32], AuditRecords.NOON.plusSeconds(120));
        driver.head(again);
        driver.head(last);
        assertThat(views.log().head(0)).hasValue(again);
    }

    @Test
    void headsThatNoKeyOfTheDeploymentSignedAreNotShown() throws Exception {
        NoteSigner key = NoteSigner.of("parley/audit", KeyFiles.newPair());
        AuditHead head = new LogNotes("parley/audit", List.of(key)).head(0, 5, new byte[32], AuditRecords.NOON);
        AuditHead forged = new LogNotes("parley/audit", List.of()).head(0, 100_000, new byte[32], AuditRecords.NOON);
        try (ViewsDriver trusting = ViewsDriver.trusting(directory.resolve("trusting"), key.verifierKey())) {
            List.of(forged, head, forged).forEach(trusting::head);
            assertThat(trusting.views().log().heads()).containsExactly(head);
        }
    }

    @Test
    void longestOfEachTileRemainsWhateverIsReadAgain() {
        AuditTile shorter = new AuditTile(0, 0, 1L, ByteBuffer.wrap(new byte[32]));
        AuditTile longer = new AuditTile(0, 0, 1L, ByteBuffer.wrap(new byte[96]));
        AuditTile above = new AuditTile(0, 1, 1L, ByteBuffer.wrap(new byte[64]));
        AuditTile other = new AuditTile(1, 0, 1L, ByteBuffer.wrap(new byte[64]));
        List.of(shorter, longer, above, other, shorter).forEach(driver::tile);
        driver.record(TopicNames.DEFAULT.auditTile(), new byte[] {1}, null);

        assertThat(views.log().tile(0, 0, 1)).hasValue(longer);
        assertThat(views.log().tile(0, 1, 1)).hasValue(above);
        assertThat(views.log().tile(1, 0, 1)).hasValue(other);
        assertThat(views.log().tile(0, 0, 0)).isEmpty();
    }

    @Test
    void rebuiltViewKnowsOfARedactionBeforeItsMessage() {
        AuditRecord record = AuditRecords.accepted("default", Protocol.SLIP, "7", 0, "1", AuditRecords.NOON);
        Redaction redaction = AuditRecords.redaction(record);
        driver.redaction(redaction);
        driver.audit(record);

        assertThat(views.redactions().of(POSITION, record.getHash())).hasValue(redaction);
        assertThat(views.messages("default|SLIP|7", 0, 10)).containsExactly(Redactions.redact(record, redaction));
    }

    @Test
    void redactionOfAnotherRecordRemovesNothing() {
        AuditRecord record = AuditRecords.accepted("default", Protocol.SLIP, "7", 0, "1", AuditRecords.NOON);
        Redaction redaction = AuditRecords.redaction(record);
        redaction.setRecordHash(ByteBuffer.wrap(new byte[] {1}));
        driver.redaction(redaction);
        driver.audit(record);
        driver.audit(AuditRecords.redacting(redaction, 1));

        assertThat(views.messages("default|SLIP|7", 0, 1)).containsExactly(record);
    }

    @Test
    void invalidRedactionRequestChangesNothing() {
        driver.record(TopicNames.DEFAULT.redaction(), new byte[] {1}, new byte[] {1, 2, 3});
        driver.record(TopicNames.DEFAULT.redaction(), new byte[] {1}, null);
        AuditRecord record = AuditRecords.accepted("default", Protocol.SLIP, "7", 0, "1", AuditRecords.NOON);
        driver.audit(AuditRecords.redacting(AuditRecords.redaction(record), 1));

        assertThat(views.redactions().of(POSITION, record.getHash())).isEmpty();
        assertThat(views.messages("default|SLIP|7", 0, 10)).hasSize(1);
    }

    @Test
    void laterRequestWithAnotherHashRestoresNothing() {
        AuditRecord record = AuditRecords.accepted("default", Protocol.SLIP, "7", 0, "1", AuditRecords.NOON);
        Redaction redaction = AuditRecords.redaction(record);
        Redaction wrong = AuditRecords.redaction(record);
        wrong.setRecordHash(ByteBuffer.wrap(new byte[32]).put(0, (byte) 9));
        driver.redaction(redaction);
        driver.redaction(wrong);
        driver.audit(record);

        assertThat(views.messages("default|SLIP|7", 0, 10)).containsExactly(Redactions.redact(record, redaction));
    }

    @Test
    void aRequestWithoutAValidCodeRemovesNothing() {
        AuditRecord record = AuditRecords.accepted("default", Protocol.SLIP, "7", 0, "1", AuditRecords.NOON);
        // As MacConsumerInterceptor marks it.
        driver.redaction(
                AuditRecords.redaction(record), new RecordHeaders().add(RecordMac.HEADER, UnreadableValues.refused()));
        driver.audit(record);

        assertThat(views.messages("default|SLIP|7", 0, 10)).containsExactly(record);
    }

    @Test
    void earlierRequestWithAnotherHashDoesNotBlockAMatchingOne() {
        AuditRecord record = AuditRecords.accepted("default", Protocol.SLIP, "7", 0, "1", AuditRecords.NOON);
        Redaction wrong = AuditRecords.redaction(record);
        wrong.setRecordHash(ByteBuffer.wrap(new byte[32]).put(0, (byte) 9));
        driver.redaction(wrong);
        driver.redaction(AuditRecords.redaction(record));
        driver.audit(record);

        assertThat(views.messages("default|SLIP|7", 0, 10).get(0).getMessage()).isNull();
    }

    @Test
    void firstRecordedRedactionRemains() {
        AuditRecord record = AuditRecords.accepted("default", Protocol.SLIP, "7", 0, "1", AuditRecords.NOON);
        Redaction first = AuditRecords.redaction(record);
        Redaction second = AuditRecords.redaction(record);
        second.setReason("another reason");
        second.setBy("mallory");
        driver.redaction(first);
        driver.audit(record);
        driver.audit(AuditRecords.redacting(first, 1));
        driver.redaction(second);
        driver.audit(AuditRecords.redacting(second, 2));

        assertThat(views.messages("default|SLIP|7", 0, 1)).containsExactly(Redactions.redact(record, first));
    }

    @Test
    void aRedactedMessageThatIsLostAndReadAgainStaysRedacted() {
        AuditRecord record = AuditRecords.accepted("default", Protocol.SLIP, "7", 0, "1", AuditRecords.NOON);
        Redaction redaction = AuditRecords.redaction(record);
        driver.audit(record);
        driver.audit(AuditRecords.redacting(redaction, 1));
        Bytes key = MessageView.key("default|SLIP|7", 0);

        driver.store(ViewStores.AUDIT).delete(key);
        driver.audit(record);
        assertThat(views.messages("default|SLIP|7", 0, 1)).containsExactly(Redactions.redact(record, redaction));

        // As if its redaction were read again before it.
        driver.store(ViewStores.AUDIT).put(key, driver.topics().audit().write(record));
        driver.audit(AuditRecords.redacting(redaction, 1));
        assertThat(views.messages("default|SLIP|7", 0, 1)).containsExactly(Redactions.redact(record, redaction));
    }

    @Test
    void firstRecordedRedactionOverridesARejectedRequest() {
        AuditRecord record = AuditRecords.accepted("default", Protocol.SLIP, "7", 0, "1", AuditRecords.NOON);
        Redaction refused = AuditRecords.redaction(record);
        refused.setReason("came before its record");
        Redaction recorded = AuditRecords.redaction(record);
        driver.redaction(refused);
        driver.redaction(recorded);
        driver.audit(record);
        driver.audit(AuditRecords.redacting(recorded, 1));

        assertThat(views.messages("default|SLIP|7", 0, 1)).containsExactly(Redactions.redact(record, recorded));
    }

    @Test
    void reprocessedRecordStaysRedacted() {
        AuditRecord record = AuditRecords.accepted("default", Protocol.SLIP, "7", 0, "1", AuditRecords.NOON);
        Redaction redaction = AuditRecords.redaction(record);
        driver.audit(record);
        driver.audit(AuditRecords.redacting(redaction, 1));
        driver.audit(record);

        assertThat(views.messages("default|SLIP|7", 0, 1)).containsExactly(Redactions.redact(record, redaction));
    }

    @Test
    void requestForAnotherSequenceRemovesNothing() {
        AuditRecord record = AuditRecords.accepted("default", Protocol.SLIP, "7", 0, "1", AuditRecords.NOON);
        AuditRecord other = AuditRecords.accepted("default", Protocol.SLIP, "7", 1, "1", AuditRecords.NOON);
        Redaction redaction = AuditRecords.redaction(record);
        redaction.setSequence(1L);
        driver.redaction(redaction);
        driver.audit(record);
        driver.audit(other);
        driver.audit(AuditRecords.redacting(redaction, 2));

        assertThat(views.messages("default|SLIP|7", 0, 2)).containsExactly(record, other);
    }

    @Test
    void redactionRecordedByAnotherChainRemovesNothing() {
        AuditRecord record = AuditRecords.accepted("default", Protocol.SLIP, "7", 0, "1", AuditRecords.NOON);
        AuditRecord other = AuditRecords.accepted("default", Protocol.SLIP, "8", 0, "1", AuditRecords.NOON);
        AuditRecord event = AuditRecords.redacting(AuditRecords.redaction(record), 1);
        event.setChain("default|SLIP|8");
        driver.audit(record);
        driver.audit(other);
        driver.audit(event);

        assertThat(views.messages("default|SLIP|7", 0, 1)).containsExactly(record);
    }

    @Test
    void deadLetterLosesItsContentWhenItsRecordIsRedacted() throws Exception {
        byte[] value = "names a customer".getBytes(StandardCharsets.UTF_8);
        deadLetter(Stage.DECODE, null, value, "SLIP_NO_START", 9);
        assertThat(deadLetter())
                .returns("mine", DeadLetterSummary::getNamespace)
                .returns("7", DeadLetterSummary::getConversation)
                .returns("0", DeadLetterSummary::getSender);
        Redaction redaction =
                AuditRecords.redaction(AuditRecords.accepted("default", Protocol.SLIP, "7", 0, "1", AuditRecords.NOON));
        redaction.setSource(Source.newBuilder()
                .setTopic("parley.wire")
                .setPartition(2)
                .setOffset(8)
                .setTimestamp(AuditRecords.NOON)
                .build());
        driver.redaction(redaction);
        driver.pass(Duration.ofSeconds(10));
        assertThat(deadLetter().getPreview().remaining()).as("another record").isPositive();

        redaction.getSource().setOffset(9L);
        driver.redaction(redaction);
        driver.pass(Duration.ofSeconds(10));
        assertThat(deadLetter().getPreview().remaining()).isZero();
        assertThat(deadLetter().getDetail()).isNull();
        deadLetter(Stage.DECODE, null, value, "SLIP_NO_START", 9);
        assertThat(ViewPages.deadLetters(views, Optional.empty(), Optional.empty(), Optional.empty(), 10)
                        .items())
                .as("read again")
                .allSatisfy(letter -> assertThat(letter)
                        .returns(null, DeadLetterSummary::getDetail)
                        .returns(null, DeadLetterSummary::getNamespace)
                        .returns(null, DeadLetterSummary::getConversation)
                        .returns(null, DeadLetterSummary::getSender));
    }

    private DeadLetterSummary deadLetter() {
        return ViewPages.deadLetters(views, Optional.empty(), Optional.empty(), Optional.empty(), 1)
                .items()
                .get(0);
    }

    private void deadLetter(Stage stage, byte[] key, byte[] value, String code, long sourceOffset) {
        RecordHeaders headers = new RecordHeaders();
        if (stage == Stage.DECODE) {
            headers.add("parley.error.claimed-namespace", "mine".getBytes(UTF_8))
                    .add("parley.error.claimed-conversation", "7".getBytes(UTF_8))
                    .add("parley.error.claimed-sender", "0".getBytes(UTF_8));
        }
        Map.of(
                        "parley.error.code", code,
                        "parley.error.offset", "4",
                        "parley.error.protocol", "SLIP",
                        "parley.error.attempt", "one",
                        "__streams.errors.message", "The string does not end.",
                        "__streams.errors.topic", "parley.wire",
                        "__streams.errors.partition", "2",
                        "__streams.errors.offset", Long.toString(sourceOffset))
                .forEach((name, text) -> headers.add(name, text.getBytes(StandardCharsets.UTF_8)));
        driver.deadLetter(stage, key, value, headers, AuditRecords.NOON);
    }

    private static <T> List<T> walk(Function<Optional<String>, Page<T>> pages) {
        List<T> all = new ArrayList<>();
        Optional<String> cursor = Optional.empty();
        do {
            Page<T> page = pages.apply(cursor);
            all.addAll(page.items());
            cursor = page.next();
        } while (cursor.isPresent());
        return all;
    }
}
