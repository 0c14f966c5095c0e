package dev.parley.topology.views;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.audit.InputPosition;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.ChainStart;
import dev.parley.avro.DeadLetterSummary;
import dev.parley.avro.Protocol;
import dev.parley.avro.Redaction;
import dev.parley.avro.Stage;
import dev.parley.state.StateSource.Beginning;
import dev.parley.topology.topics.DeadLetterHeaders;
import dev.parley.topology.views.store.ViewStores;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The views keep a conversation for an hour of silence, and dead letters for a day. */
@Tag("long")
class ViewRetentionTest {
    private static final Instant NOON = AuditRecords.NOON;
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration DAY = Duration.ofDays(1);
    private static final ViewRetention RETENTION =
            new ViewRetention(HOUR.toMillis(), DAY.toMillis(), ViewRetention.FOREVER);
    private static final String CHAIN = "default|SLIP|7";

    @TempDir
    private Path directory;

    private ViewsDriver driver;
    private Views views;

    private void open(ViewRetention retention, Instant clock) {
        driver = new ViewsDriver(directory, retention, ViewsListener.NONE, clock);
        views = driver.views();
    }

    @AfterEach
    void close() throws IOException {
        driver.close();
    }

    private void say(String conversation, long sequence, Instant time) {
        driver.audit(AuditRecords.accepted("default", Protocol.SLIP, conversation, sequence, "1", time));
    }

    private void slice() {
        driver.pass(Duration.ofSeconds(10));
    }

    private long lastSequence(String conversation) {
        return views.conversation("default", Protocol.SLIP, conversation)
                .orElseThrow()
                .getLastSequence();
    }

    @Test
    void idleConversationLosesItsMessagesAndKeepsItsSummary() {
        open(RETENTION, NOON.plus(DAY));
        say("7", 0, NOON);
        say("7", 1, NOON.plusSeconds(1));
        say("8", 0, NOON.plusSeconds(1).plus(HOUR));
        slice();
        assertThat(views.messages(CHAIN, 0, 10)).hasSize(2);

        say("8", 1, NOON.plusSeconds(2).plus(HOUR));
        slice();

        assertThat(views.messages(CHAIN, 0, 10)).isEmpty();
        assertThat(views.beginning(CHAIN))
                .hasValue(new Beginning(2, Optional.of(NOON.plusSeconds(2).plus(HOUR))));
        assertThat(lastSequence("7")).isEqualTo(1);
        assertThat(views.messages().position(new InputPosition("parley.wire", 0, 0)))
                .isPresent();
        assertThat(views.messages("default|SLIP|8", 0, 10)).hasSize(2);
        assertThat(views.beginning("default|SLIP|8")).isEmpty();
    }

    @Test
    void resumedConversationIsVisibleFromItsNextMessage() {
        open(RETENTION, NOON.plus(DAY));
        say("7", 0, NOON);
        say("8", 0, NOON.plus(HOUR.multipliedBy(2)));
        slice();
        say("7", 1, NOON.plus(HOUR.multipliedBy(2)));
        slice();

        assertThat(views.messages(CHAIN, 0, 10))
                .extracting(AuditRecord::getSequence)
                .containsExactly(1L);
        assertThat(views.beginning(CHAIN).orElseThrow().first()).isEqualTo(1);

        say("8", 1, NOON.plus(HOUR.multipliedBy(4)));
        slice();

        assertThat(views.messages(CHAIN, 0, 10)).isEmpty();
        assertThat(views.beginning(CHAIN).orElseThrow().first()).isEqualTo(2);
    }

    @Test
    void activeConversationIsKeptCompletely() {
        open(RETENTION, NOON.plus(DAY));
        for (int i = 0; i < 10; i++) {
            say("7", i, NOON.plus(Duration.ofMinutes(50L * i)));
            slice();
        }

        assertThat(views.messages(CHAIN, 0, 20)).hasSize(10);
    }

    @Test
    void futureTimestampExpiresNothing() {
        open(RETENTION, NOON.plusSeconds(60));
        say("7", 0, NOON);
        say("8", 0, NOON.plus(DAY));
        slice();

        assertThat(views.messages(CHAIN, 0, 10)).hasSize(1);
    }

    @Test
    void pastTimestampDoesNotMakeItsConversationOlder() {
        open(RETENTION, NOON.plus(DAY));
        say("7", 0, NOON);
        say("7", 1, Instant.EPOCH);
        slice();

        assertThat(views.messages(CHAIN, 0, 10)).hasSize(2);
    }

    @Test
    void nothingIsPrunedUntilARecordAdvancesTheTime() {
        open(RETENTION, NOON.plus(DAY));
        say("7", 0, NOON);
        slice();

        assertThat(views.messages(CHAIN, 0, 10)).hasSize(1);
    }

    @Test
    void withoutRetentionEverythingIsKept() {
        open(ViewRetention.NONE, NOON.plus(DAY));
        say("7", 0, NOON);
        say("8", 0, NOON.plus(DAY));
        deadLetter(17, NOON);
        deadLetter(18, NOON.plus(DAY).plus(DAY));
        driver.pass(DAY.multipliedBy(5));
        slice();

        assertThat(views.messages(CHAIN, 0, 10)).hasSize(1);
        assertThat(ViewPages.deadLetters(views, Optional.empty(), Optional.empty(), Optional.empty(), 10)
                        .items())
                .hasSize(2);
    }

    @Test
    void reprocessedRecordsStayPruned() {
        open(RETENTION, NOON.plus(DAY));
        say("7", 0, NOON);
        say("7", 1, NOON);
        say("8", 0, NOON.plus(HOUR.multipliedBy(2)));
        slice();
        say("7", 0, NOON);
        say("7", 1, NOON);
        say("7", 2, NOON.plus(HOUR.multipliedBy(2)));

        assertThat(views.messages(CHAIN, 0, 10))
                .extracting(AuditRecord::getSequence)
                .containsExactly(2L);
    }

    @Test
    void redactionOfAPrunedRecordChangesNothing() {
        open(RETENTION, NOON.plus(DAY));
        AuditRecord record = AuditRecords.accepted("default", Protocol.SLIP, "7", 0, "1", NOON);
        driver.audit(record);
        say("8", 1, NOON.plus(HOUR.multipliedBy(2)));
        slice();
        Redaction redaction = AuditRecords.redaction(record);
        driver.audit(AuditRecords.redacting(redaction, 1));

        assertThat(views.messages(CHAIN, 0, 10))
                .extracting(AuditRecord::getSequence)
                .containsExactly(1L);
    }

    @Test
    void manyConversationsArePrunedInSlicesWithoutPartialResponses() {
        open(RETENTION, NOON.plus(DAY));
        int messages = 2 * IdleConversationPruner.MAX_MESSAGES + 100;
        for (int i = 0; i < messages; i++) {
            say("7", i, NOON);
        }
        for (int i = 0; i < 1_200; i++) {
            say("c" + i, 0, NOON);
        }
        say("late", 0, NOON.plus(HOUR.multipliedBy(2)));

        int slices = 0;
        int left = messages + 1_201;
        while (left > 1) {
            driver.pass(Duration.ofSeconds(1));
            slices++;
            int before = left;
            left = countMessages();
            assertThat(before - left).isLessThanOrEqualTo(IdleConversationPruner.MAX_MESSAGES);
            if (views.messages(CHAIN, 0, 1).stream().noneMatch(first -> first.getSequence() == 0)) {
                assertThat(views.beginning(CHAIN)).isPresent();
            }
            assertThat(slices).isLessThan(20);
        }
        assertThat(slices).isGreaterThan(3);
        assertThat(views.messages("default|SLIP|late", 0, 1)).hasSize(1);
    }

    private int countMessages() {
        Bytes from = MessageView.key("", 0);
        int count = 0;
        try (KeyValueIterator<Bytes, byte[]> all =
                driver.store(ViewStores.AUDIT).all()) {
            while (all.hasNext()) {
                KeyValue<Bytes, byte[]> next = all.next();
                count += next.key.get()[0] == from.get()[0] ? 1 : 0;
            }
        }
        return count;
    }

    @Test
    void pruningContinuesAfterACrash() {
        open(RETENTION, NOON.plus(DAY));
        say("7", 0, NOON);
        say("7", 1, NOON);
        say("7", 2, NOON);
        driver.store(ViewStores.AUDIT)
                .put(MessageView.chainStart(CHAIN), MessageView.CHAIN_START_VALUE.encode(new ChainStart(2L, NOON)));
        slice();

        assertThat(views.messages(CHAIN, 0, 10))
                .extracting(AuditRecord::getSequence)
                .containsExactly(2L);
    }

    @Test
    void chainWithExpiredStartReportsIt() {
        open(ViewRetention.NONE, NOON);
        say("7", 4, NOON);
        say("7", 5, NOON);

        assertThat(views.beginning(CHAIN)).hasValue(new Beginning(4, Optional.empty()));
        assertThat(views.messages(CHAIN, 0, 10)).hasSize(2);
    }

    @Test
    void expiredDeadLetterLeavesTheListAndItsPositionRemains() {
        open(RETENTION, NOON.plus(DAY.multipliedBy(3)));
        deadLetter(17, NOON);
        deadLetter(18, NOON.plus(DAY));
        slice();
        assertThat(ViewPages.deadLetters(views, Optional.empty(), Optional.empty(), Optional.empty(), 10)
                        .items())
                .hasSize(2);

        deadLetter(19, NOON.plus(DAY).plusMillis(1));
        slice();

        assertThat(ViewPages.deadLetters(views, Optional.empty(), Optional.empty(), Optional.empty(), 10)
                        .items())
                .extracting(DeadLetterSummary::getSourceOffset)
                .as("the latest first")
                .containsExactly(19L, 18L);
        assertThat(views.deadLetters().has(new InputPosition("parley.wire", 2, 17)))
                .isTrue();
    }

    private void deadLetter(long offset, Instant time) {
        RecordHeaders headers = new RecordHeaders();
        DeadLetterHeaders.set(headers, DeadLetterHeaders.CODE, "SLIP_BAD_STRING");
        DeadLetterHeaders.set(headers, DeadLetterHeaders.TOPIC, "parley.wire");
        DeadLetterHeaders.set(headers, DeadLetterHeaders.PARTITION, "2");
        DeadLetterHeaders.set(headers, DeadLetterHeaders.SOURCE_OFFSET, Long.toString(offset));
        driver.deadLetter(Stage.DECODE, null, "x".getBytes(StandardCharsets.UTF_8), headers, time);
    }
}
