package dev.parley.load.sample;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.Checkpoint;
import dev.parley.serde.AvroSerdes;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.serialization.Serializer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PatchesTest {

    /** The stores of checkpoints, with their snapshots, index and keys. */
    @ParameterizedTest
    @CsvSource({"10, 1", "1000, 1", "1000, 10", "20000, 10"})
    void theStoresTakeAtMostThreeTimesTheBytesOfThePatches(int definitions, int operations) throws IOException {
        AvroSerdes.trustRecords();
        Patches context = new Patches(definitions);
        for (int i = 0; i < 4_000; i++) {
            context.apply(context.change(operations, definitions));
        }
        AtomicLong stored = new AtomicLong();
        try (AvroSerdes serdes = AvroSerdes.fromConfig(Map.of("schema.registry.url", "mock://patches"))) {
            Serializer<Checkpoint> serializer = serdes.values(Checkpoint.class).serializer();
            context.nodes().scan("", (key, node) -> {
                stored.addAndGet(key.length() + serializer.serialize("", node).length);
                return true;
            });
        }
        context.index().scan("", (key, value) -> {
            stored.addAndGet(key.length() + value.length());
            return true;
        });
        assertThat((double) stored.get() / context.bytes()).isBetween(1.0, 3.0);
    }
}
