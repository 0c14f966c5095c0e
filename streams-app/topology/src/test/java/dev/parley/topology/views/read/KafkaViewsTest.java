package dev.parley.topology.views.read;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.topology.views.store.ViewsUnavailableException;
import java.util.Map;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.errors.StreamsNotStartedException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Views over stores that cannot be read. */
class KafkaViewsTest {

    static Iterable<RuntimeException> failures() {
        return Map.of(
                        "a store that moves", new InvalidStateStoreException("migrated"),
                        "an application that starts", new StreamsNotStartedException("not started"),
                        "an application that is closed", new IllegalStateException("closed"),
                        "an unavailable registry", new SerializationException("no schema"))
                .values();
    }

    @ParameterizedTest
    @MethodSource("failures")
    void unreadableStoresMakeViewsUnavailable(RuntimeException failure) {
        KafkaViews views = new KafkaViews(
                StandaloneStores.of(store -> {
                    throw failure;
                }),
                null);

        assertThatThrownBy(views::accounting)
                .isInstanceOf(ViewsUnavailableException.class)
                .hasCause(failure);
    }
}
