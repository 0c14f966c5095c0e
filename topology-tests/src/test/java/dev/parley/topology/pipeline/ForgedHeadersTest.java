package dev.parley.topology.pipeline;

import static dev.parley.topology.pipeline.DeadLetterAssert.assertThatLetter;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.Source;
import dev.parley.avro.Stage;
import dev.parley.codec.Code;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Headers that say why a record failed are Parley's alone: an agent that sends them gains nothing. */
class ForgedHeadersTest extends AbstractPipelineTest {
    private static final List<String> FORGED = List.of(
            "parley.error.code",
            "parley.error.stage",
            "parley.error.offset",
            "parley.error.inner",
            "parley.error.conversation",
            "parley.error.attempt",
            "parley.error.value-sha256",
            "parley.error.value-size",
            "parley.error.anything",
            "PARLEY.ERROR.CODE",
            "Parley.Error.Conversation",
            "__streams.errors.topic",
            "__streams.errors.partition",
            "__streams.errors.offset",
            "__STREAMS.errors.topic",
            "__streams.errors.of.another.version");

    @Test
    void noDeadLetterHasForgedErrorHeaders() {
        start();
        Source malformed = pipeline.send(forged(InputRecord.text("hello").key("k")));
        Source illegal = pipeline.send(forged(InputRecord.slipAcceptOfNothing(7, 1)));
        Source conflicting = pipeline.send(forged(InputRecord.patch("ctx", "P1", "C0", "C1", "~ DEF A := 1")));

        assertThatLetter(only(Stage.DECODE))
                .failedAt(Stage.DECODE, Code.UNKNOWN_PROTOCOL)
                .cameFrom(malformed);
        assertThatLetter(only(Stage.JUDGE))
                .failedAt(Stage.JUDGE, Code.SLIP_NOTHING_TO_ACCEPT)
                .cameFrom(illegal);
        assertThatLetter(only(Stage.APPLY))
                .failedAt(Stage.APPLY, Code.CSP_CHANGE_MISSING)
                .cameFrom(conflicting);
        pipeline.deadLetters().forEach(ForgedHeadersTest::assertNothingForged);
    }

    @Test
    void forgedErrorHeadersOfAParkedPatchAreNotInItsDeadLetter() {
        start();
        Source parked = pipeline.send(forged(InputRecord.patch("ctx", "P2", "C1", "C2", "+ DEF A = 1")));
        pipeline.later(Duration.ofHours(2));
        pipeline.send(InputRecord.slipRequest(7, 1));

        assertThatLetter(only(Stage.APPLY))
                .failedAt(Stage.APPLY, Code.CSP_UNKNOWN_BASE)
                .cameFrom(parked);
        assertNothingForged(only(Stage.APPLY));
    }

    @Test
    void theDeadLetterOfAParkedPatchHasItsKeyAndAllHeadersInOrder() {
        start();
        InputRecord patch = InputRecord.patch("ctx", "P2", "C1", "C2", "+ DEF A = 1")
                .header("h", "1")
                .header("g", (byte[]) null)
                .header("h", new byte[] {(byte) 0xFF})
                .header("h", "");
        pipeline.send(patch);
        pipeline.later(Duration.ofHours(2));
        pipeline.send(InputRecord.slipRequest(7, 1));

        assertThatLetter(only(Stage.APPLY))
                .failedAt(Stage.APPLY, Code.CSP_UNKNOWN_BASE)
                .isTheRecord(patch);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "9999999999", "x", ""})
    void invalidClaimedAttemptCountsAsTheFirst(String claimed) {
        start();
        pipeline.send(InputRecord.text("hello").key("k").header("parley-attempt", claimed));
        assertThatLetter(only(Stage.DECODE)).has("parley.error.attempt", "1").hasNo("parley-attempt");
    }

    @Test
    void headersWithReservedPrefixesAreRemovedInAnyCase() {
        long seed = Long.getLong("parley.seed", new Random().nextLong());
        Random random = new Random(seed);
        start();
        for (int round = 0; round < 200; round++) {
            StringBuilder name = new StringBuilder();
            for (char c : (random.nextBoolean() ? "parley.error." : "__streams.errors.").toCharArray()) {
                name.append(random.nextBoolean() ? Character.toUpperCase(c) : c);
            }
            pipeline.send(
                    InputRecord.text("hello").key("k").header(name + Integer.toString(random.nextInt(), 36), "forged"));
        }
        assertThat(pipeline.deadLetters(Stage.DECODE))
                .as("parley.seed=" + seed)
                .hasSize(200)
                .allSatisfy(letter -> assertNothingForged(letter));
    }

    private TestRecord<byte[], byte[]> only(Stage stage) {
        assertThat(pipeline.deadLetters(stage)).hasSize(1);
        return pipeline.deadLetters(stage).get(0);
    }

    private static InputRecord forged(InputRecord wire) {
        InputRecord forged = wire;
        for (String name : FORGED) {
            forged = forged.header(name, "forged");
        }
        return forged;
    }

    private static void assertNothingForged(TestRecord<byte[], byte[]> letter) {
        for (Header header : letter.headers()) {
            assertThat(new String(header.value(), UTF_8)).as(header.key()).isNotEqualTo("forged");
            assertThat(header.key()).isEqualTo(header.key().toLowerCase(java.util.Locale.ROOT));
        }
        Map<String, String> texts = texts(letter.headers());
        assertThat(texts).containsEntry("__streams.errors.topic", "parley.wire");
    }
}
