package dev.parley.topology.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Stage;
import dev.parley.protocol.TopicNames;
import dev.parley.topology.views.ViewsDriver;
import dev.parley.topology.views.store.ViewStores;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Bytes that the views write for each byte received, for messages that have as many names and words as possible. The
 * audit records and dead letters are those of the pipeline. A message may write {@value #FLOOR} bytes, because its
 * audit record and the entries of its conversation are written however short it is, and {@value #FACTOR} bytes for each
 * of its own.
 */
class ViewAmplificationTest extends AbstractPipelineTest {
    private static final int FLOOR = 4_096;
    private static final int FACTOR = 20;
    private static final int MANY = 400;

    @TempDir
    private Path directory;

    private ViewsDriver views;
    private int audited;
    private final Map<Stage, Integer> failed = new EnumMap<>(Stage.class);

    @BeforeEach
    void begin() {
        start();
        views = ViewsDriver.in(directory);
        bounded(i -> InputRecord.text("!It").key("another"), 1);
    }

    @AfterEach
    void end() throws IOException {
        views.close();
    }

    @Test
    void shortMessagesOfNewNamesAreBounded() {
        bounded(i -> named(Integer.toString(i, 36), i % 2 == 0 ? "<+" : "?Uc"), MANY);
    }

    @Test
    void longNamesAreBounded() {
        bounded(i -> named("n".repeat(4_000) + i, "<+"), 20);
        bounded(i -> named("n".repeat(4_000), "?Uc"), 20);
    }

    @Test
    void manyShortWordsAreBounded() {
        String words = IntStream.range(0, 100).mapToObj(i -> "w" + i).collect(Collectors.joining(" "));
        bounded(i -> named("talk", "!Ik/co{no:\"" + words.replace("w", i + "w") + "\"}"), MANY);
        bounded(i -> named("talk", "w" + i + " " + words), MANY);
    }

    @Test
    void aMessageOfManyRecipientsIsBounded() {
        String recipients = IntStream.range(0, 2_000).mapToObj(i -> "A" + i).collect(Collectors.joining(","));
        bounded(
                i -> InputRecord.text("CSP/1\nFROM MAIN\nTO " + recipients + "\nCTX C0\nINTENT TASK\n\nTASK T" + i
                                + "\nREQ find\nIN x\nOUT F\nOWNER CODER\nPRIORITY P1")
                        .key("tasks" + i),
                20);
    }

    @Test
    void aMessageOfManyReferencesIsBounded() {
        String chain = IntStream.range(0, 16).mapToObj(i -> "\"a" + i + '"').collect(Collectors.joining(",", "[", "]"));
        bounded(
                i -> named("session", "{\"jsonrpc\":\"2.0\",\"id\":" + i + ",\"method\":\"ping\"}")
                        .header("traceparent", "00-%032x-00f067aa0ba902b7-01".formatted(i + 1))
                        .header("parley-caller", "c" + i)
                        .header("parley-delegation", chain),
                MANY);
    }

    @Test
    void undecodableMessagesWithClaimsAreBounded() {
        bounded(i -> named(Integer.toString(i, 36), "@a9|f9|").header("parley-protocol", "SLIP"), MANY);
    }

    private static InputRecord named(String name, String text) {
        return InputRecord.text(text).key(name).header("parley-namespace", name).header("parley-sender", name);
    }

    private void bounded(IntFunction<InputRecord> messages, int count) {
        for (int i = 0; i < count; i++) {
            InputRecord message = messages.apply(i);
            long received = bytes(message.key()) + bytes(message.value());
            for (Header header : message.headers()) {
                received += header.key().length() + bytes(header.value());
            }
            pipeline.send(message);
            show();
            long written = ViewStores.PARTITIONED.stream()
                    .flatMap(store -> views.changes(store).stream())
                    .mapToLong(change -> change.key.get().length + bytes(change.value))
                    .sum();
            assertThat(written)
                    .as("bytes written for %d received, message %d", received, i)
                    .isPositive()
                    .isLessThanOrEqualTo(FLOOR + FACTOR * received);
        }
    }

    private void show() {
        List<AuditRecord> audit = pipeline.audit();
        audit.subList(audited, audit.size()).forEach(views::audit);
        audited = audit.size();
        for (Stage stage : TopicNames.DEAD_LETTER_STAGES) {
            List<TestRecord<byte[], byte[]>> letters = pipeline.deadLetters(stage);
            for (TestRecord<byte[], byte[]> letter : letters.subList(failed.getOrDefault(stage, 0), letters.size())) {
                views.deadLetter(stage, letter.key(), letter.value(), letter.headers(), letter.getRecordTime());
            }
            failed.put(stage, letters.size());
        }
    }

    private static long bytes(byte[] bytes) {
        return bytes == null ? 0 : bytes.length;
    }
}
