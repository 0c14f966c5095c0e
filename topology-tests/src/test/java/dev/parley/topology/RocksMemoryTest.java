package dev.parley.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.config.ParleyConfig;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RocksMemoryTest {

    @ParameterizedTest
    @CsvSource({"512, 64", "768, 96", "1024, 128", "1025, 128", "65536, 128"})
    void byItselfItTakesAnEighthOfTheMemoryUpToABound(long memoryMib, long bytesMib) {
        assertThat(RocksMemory.bytesOf(memoryMib << 20)).isEqualTo(bytesMib << 20);
    }

    @Test
    void whatIsConfiguredIsTaken() {
        ParleyConfig config = new ParleyConfig(Map.of(ParleyConfig.STATE_MEMORY, 9L << 20));

        assertThat(StreamsSettings.pipeline(config)).containsEntry(RocksMemory.CONFIG, 9L << 20);
        assertThat(StreamsSettings.beside(config, "views")).containsEntry(RocksMemory.CONFIG, 9L << 20);
    }
}
