package dev.parley.topology.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.avro.Source;
import dev.parley.avro.Stage;
import dev.parley.codec.Code;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.streams.test.TestRecord;
import org.assertj.core.api.AbstractAssert;
import org.assertj.core.api.Assertions;

/** Asserts about a dead letter. */
final class DeadLetterAssert extends AbstractAssert<DeadLetterAssert, TestRecord<byte[], byte[]>> {

    private DeadLetterAssert(TestRecord<byte[], byte[]> letter) {
        super(letter, DeadLetterAssert.class);
    }

    static DeadLetterAssert assertThatLetter(TestRecord<byte[], byte[]> letter) {
        return new DeadLetterAssert(letter);
    }

    /**
     * The key and the value byte for byte (no value where a summary stands for it), and every header that came in, in
     * order, ahead of what was added.
     */
    DeadLetterAssert isTheRecord(InputRecord wire) {
        boolean omitted = actual.headers().lastHeader("parley.error.value-sha256") != null;
        if (omitted ? actual.value() != null : !wire.isSameRecordAs(actual.key(), actual.value())) {
            failWithMessage("the dead letter's key or value is not that of the input record");
        }
        List<Header> kept = new ArrayList<>(List.of(actual.headers().toArray()));
        kept.removeIf(header ->
                header.key().startsWith("__streams.errors.") || header.key().startsWith("parley.error."));
        Assertions.assertThat(kept).isEqualTo(sent(wire));
        return this;
    }

    private static List<Header> sent(InputRecord wire) {
        List<Header> sent = new ArrayList<>(List.of(wire.headers().toArray()));
        sent.removeIf(header -> header.key().equals("parley-attempt"));
        return sent;
    }

    DeadLetterAssert failedAt(Stage stage, Code code) {
        return has("parley.error.stage", stage.name()).has("parley.error.code", code.name());
    }

    /** The header family of KIP-1034. */
    DeadLetterAssert cameFrom(Source source) {
        return has("__streams.errors.topic", source.getTopic())
                .has("__streams.errors.partition", Integer.toString(source.getPartition()))
                .has("__streams.errors.offset", Long.toString(source.getOffset()));
    }

    DeadLetterAssert isExplained() {
        Assertions.assertThat(header("__streams.errors.exception")).isNotBlank();
        Assertions.assertThat(header("__streams.errors.message")).isNotBlank();
        Assertions.assertThat(header("__streams.errors.stacktrace")).isNotNull();
        return this;
    }

    DeadLetterAssert has(String name, String value) {
        Headers headers = actual.headers();
        int found = 0;
        for (Header ignored : headers.headers(name)) {
            found++;
        }
        if (found != 1 || !Objects.equals(header(name), value)) {
            failWithMessage("expected header %s once, %s, but it stands %d times: %s", name, value, found, headers);
        }
        return this;
    }

    DeadLetterAssert hasNo(String name) {
        Assertions.assertThat(actual.headers().lastHeader(name)).as(name).isNull();
        return this;
    }

    private String header(String name) {
        Header header = actual.headers().lastHeader(name);
        return header == null ? null : new String(header.value(), UTF_8);
    }
}
