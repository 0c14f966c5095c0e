package dev.parley.query.read;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.errors.StreamsNotStartedException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the views say when their stores cannot be read. */
class KafkaViewsTest {

    static Iterable<RuntimeException> troubles() {
        return Map.of(
                        "a store that moves", new InvalidStateStoreException("migrated"),
                        "an application that starts", new StreamsNotStartedException("not started"),
                        "an application that is closed", new IllegalStateException("closed"),
                        "a registry that does not answer", new SerializationException("no schema"))
                .values();
    }

    @ParameterizedTest
    @MethodSource("troubles")
    void whatCannotBeReadNowIsUnavailableAndNoFailure(RuntimeException trouble) {
        KafkaViews views = new KafkaViews(
                store -> {
                    throw trouble;
                },
                null);

        assertThatThrownBy(views::accounting)
                .isInstanceOf(ViewsUnavailableException.class)
                .hasCause(trouble);
    }
}
