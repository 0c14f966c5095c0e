package dev.parley.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.ConversationSummary;
import dev.parley.avro.Protocol;
import dev.parley.checkpoint.CheckpointNode;
import dev.parley.decode.ConversationKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A context of three patches, a second apart, in one partition. */
class InMemoryConversationTest {
    private static final int ALL = 1_000;

    private final RecordedConversation csp = new RecordedConversation(Protocol.CSP)
            .patch("P1", "C0", "C1", "+ DEF A = 1")
            .patch("P2", "C1", "C2", "~ DEF A := 2")
            .patch("P3", "C1", "C3", "- DEF A");
    private final InMemoryConversation source = csp.source();

    @Test
    void aSummaryNamesTheConversationAndItsLastSequence() {
        ConversationSummary summary =
                source.conversation("default", Protocol.CSP, "talk").orElseThrow();

        assertThat(summary.getChain()).isEqualTo("default|CSP|talk");
        assertThat(summary.getNamespace()).isEqualTo("default");
        assertThat(summary.getProtocol()).isEqualTo(Protocol.CSP);
        assertThat(summary.getConversation()).isEqualTo("talk");
        assertThat(summary.getLastSequence()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({"other, CSP, talk", "default, SLIP, talk", "default, CSP, other"})
    void anotherConversationHasNoSummary(String namespace, Protocol protocol, String conversation) {
        assertThat(source.conversation(namespace, protocol, conversation)).isEmpty();
    }

    @Test
    void recordsAndCheckpointsOfOtherConversationsAreIgnored() {
        InMemoryConversation other = new InMemoryConversation(new ConversationKey("default", Protocol.CSP, "other"));
        csp.records.forEach(other::accept);
        csp.checkpoints.values().forEach(other::accept);

        assertThat(other.conversation("default", Protocol.CSP, "other")).isEmpty();
        assertThat(other.messages("default|CSP|other", 0, ALL)).isEmpty();
        assertThat(other.heads("default", "other", ALL)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "talk, 0, 2, 0 1",
        "talk, 1, 9, 1 2",
        "talk, 2, 1, 2",
        "talk, 3, 1, ''",
        "talk, 5, 1, ''",
        "other, 0, 9, ''",
    })
    void messagesAreThoseOfTheChainFromASequenceOn(String conversation, long from, int limit, String sequences) {
        assertThat(String.join(
                        " ",
                        source.messages("default|CSP|" + conversation, from, limit).stream()
                                .map(AuditRecord::getSequence)
                                .map(String::valueOf)
                                .toList()))
                .isEqualTo(sequences);
    }

    @ParameterizedTest
    @CsvSource({"other, talk", "default, other"})
    void anotherContextHasNoCheckpoints(String namespace, String context) {
        List<CheckpointNode> visited = new ArrayList<>();

        assertThat(source.checkpoints(namespace, context, Optional.empty(), 1, visited::add))
                .isEmpty();
        assertThat(visited).isEmpty();
        assertThat(source.checkpoint(namespace, context, "C1")).isEmpty();
        assertThat(source.checkpoint(namespace, context, 1)).isEmpty();
        assertThat(source.heads(namespace, context, ALL)).isEmpty();
        assertThat(source.latestAt(namespace, context, new PointInTime.AtTime(Instant.ofEpochSecond(9))))
                .isEmpty();
        assertThat(source.latestAt(namespace, context, new PointInTime.AtOffset("wire", 0, 9)))
                .isEmpty();
    }

    @Test
    void aCheckpointIsFoundByIdAndByOrdinal() {
        assertThat(source.checkpoint("default", "talk", "C2"))
                .hasValue(new CheckpointNode(csp.checkpoints.get("C2"), true));
        assertThat(source.checkpoint("default", "talk", 1))
                .hasValue(new CheckpointNode(csp.checkpoints.get("C1"), false));
        assertThat(source.checkpoint("default", "talk", "C9")).isEmpty();
        assertThat(source.checkpoint("default", "talk", 9)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"1, C2", "2, C2 C3", "9, C2 C3"})
    void headsAreSortedAndLimited(int limit, String heads) {
        assertThat(String.join(" ", source.heads("default", "talk", limit))).isEqualTo(heads);
    }

    @ParameterizedTest
    @CsvSource({"wire, 0, 0, C1", "wire, 0, 1, C2", "wire, 0, 9, C3", "wire, 1, 9, ", "other, 0, 9, "})
    void theLatestCheckpointAtAnOffsetIsThatOfItsInputPartition(
            String topic, int partition, long offset, String expected) {
        assertThat(source.latestAt("default", "talk", new PointInTime.AtOffset(topic, partition, offset)))
                .isEqualTo(Optional.ofNullable(expected));
    }

    @ParameterizedTest
    @CsvSource({"-1, ", "0, C1", "999, C1", "1000, C2", "9000, C3"})
    void theLatestCheckpointAtATimeIsNotLater(long millis, String expected) {
        assertThat(source.latestAt("default", "talk", new PointInTime.AtTime(Instant.ofEpochMilli(millis))))
                .isEqualTo(Optional.ofNullable(expected));
    }
}
