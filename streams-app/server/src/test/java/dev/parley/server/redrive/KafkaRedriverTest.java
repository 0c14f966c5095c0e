package dev.parley.server.redrive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.audit.InputPosition;
import dev.parley.protocol.TopicNames;
import dev.parley.server.http.ProblemException;
import dev.parley.topology.topics.Topic;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.Serdes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Brokers are unavailable. */
class KafkaRedriverTest {
    private static final InputPosition ID =
            new InputPosition(TopicNames.DEFAULT.deadLetters().get(0), 0, 7);

    private final KafkaRedriver redriver = new KafkaRedriver(
            new KafkaRedriver.Settings(
                    Map.of("bootstrap.servers", "127.0.0.1:1"),
                    TopicNames.DEFAULT.deadLetters(),
                    List.of("parley.wire"),
                    false,
                    "test-redrive",
                    1 << 20,
                    5,
                    Duration.ofMillis(300)),
            new Topic<>(TopicNames.DEFAULT.redrive(), Serdes.String(), null, Optional.empty()),
            Clock.systemUTC());

    @AfterEach
    void close() {
        redriver.close();
    }

    @Test
    void aRedriveWithoutACommitSentNothing() {
        DeadLetterRecord letter = new DeadLetterRecord(ID, 0, null, "value".getBytes(UTF_8), new RecordHeaders());

        assertThatThrownBy(() -> redriver.redrive(
                        List.of(new RedriveItem(letter, RedriveEdit.NONE, false)),
                        new Redriver.Order("mia", "test", "operation")))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining("Nothing was sent.")
                .hasMessageNotContaining("may have entered");
    }

    @Test
    void onlyTheReadsOfARedriveMentionThatNothingWasSent() {
        assertThatThrownBy(() -> redriver.find(List.of(ID), letter -> true))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining("Nothing was sent.");
        assertThatThrownBy(() -> redriver.show(ID))
                .isInstanceOf(ProblemException.class)
                .hasMessageNotContaining("sent");
        assertThatThrownBy(() -> redriver.redrives(List.of(ID)))
                .isInstanceOf(ProblemException.class)
                .hasMessageNotContaining("sent");
    }
}
