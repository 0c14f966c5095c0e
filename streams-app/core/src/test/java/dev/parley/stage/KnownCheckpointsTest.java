package dev.parley.stage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.checkpoint.CheckpointReader;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class KnownCheckpointsTest {
    @Test
    void anEmptyContextHasOnlyItsRoot() {
        KnownCheckpoints empty =
                new KnownCheckpoints(new CheckpointReader(key -> Optional.empty(), 0), "default", "ctx");

        assertThat(empty.knows("C0")).isTrue();
        assertThat(empty.knows("C1")).isFalse();
        assertThat(empty.names("C0").test("SRC")).isFalse();
    }
}
