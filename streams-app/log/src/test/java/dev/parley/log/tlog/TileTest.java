package dev.parley.log.tlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TileTest {
    @ParameterizedTest
    @CsvSource({
        "tile/0/000, 0, 0, 256",
        "tile/0/x001/x234/067, 0, 1234067, 256",
        "tile/0/x001/x234/067.p/12, 0, 1234067, 12",
        "tile/63/999.p/255, 63, 999, 255",
        "tile/1/x001/000.p/1, 1, 1000, 1",
        "tile/0/x004/x611/x686/x018/x427/x387/904, 0, 4611686018427387904, 256"
    })
    void pathsHaveTheFormOfTheFormat(String path, int level, long index, int width) {
        Tile tile = new Tile(level, index, width);
        assertThat(tile.path()).isEqualTo(path);
        assertThat(Tile.parse(path)).contains(tile);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "tile",
                "tile/",
                "tile/0",
                "tile/0/",
                "tile//000",
                "/tile/0/000",
                "tile/0/0",
                "tile/0/00",
                "tile/0/0000",
                "tile/0/000/",
                "tile/0/x000",
                "tile/0/000/000",
                "tile/0/x000/000",
                "tile/0/x000/001",
                "tile/0/x01/000",
                "tile/0/X001/000",
                "tile/0/x001/x000",
                "tile/0/x001//000",
                "tile/0/-01",
                "tile/0/+01",
                "tile/0/٠٠١",
                "tile/00/000",
                "tile/01/000",
                "tile/-1/000",
                "tile/64/000",
                "tile/0/000.p/0",
                "tile/0/000.p/01",
                "tile/0/000.p/256",
                "tile/0/000.p/",
                "tile/0/000.p/1/",
                "tile/0/000.p",
                "tile/0/000.p/1.p/1",
                "tile/0/.p/1",
                "tile/entries/",
                "tile/entries/x010/020",
                "tile/entries/273.p/112",
                "tile/0/../000",
                "tile/0/x004/x611/x686/x018/x427/x387/905",
                "tile/0/x018/x446/x744/x073/x709/x551/616",
                "tile/0/x001/x001/x001/x001/x001/x001/x001/x001/x001/x001/x001/x001/000"
            })
    void otherPathsAreRefused(String path) {
        assertThat(Tile.parse(path)).isEmpty();
    }

    @Test
    void anyPathThatIsAcceptedIsTheOneOfItsTile() {
        long seed = Long.getLong("parley.seed", System.nanoTime());
        Random random = new Random(seed);
        String[] parts = {
            "tile/", "0", "1", "63", "entries", "/", "x", "001", "000", "234", ".p/", "12", "256", "\u0000"
        };
        for (int round = 0; round < 50_000; round++) {
            StringBuilder path = new StringBuilder("tile/0/");
            for (int i = random.nextInt(8); i >= 0; i--) {
                path.append(parts[random.nextInt(parts.length)]);
            }
            Optional<Tile> tile = Tile.parse(path.toString());
            tile.ifPresent(
                    found -> assertThat(found.path()).as("parley.seed=%d", seed).isEqualTo(path.toString()));
        }
    }

    /** The example of the format, section "Partial Tiles". */
    @Test
    void aTreeOfSeventyThousandLeavesHasTheTilesOfTheExample() {
        long size = 70_000;
        assertThat(Tile.widthIn(0, 272, size)).isEqualTo(256);
        assertThat(Tile.widthIn(0, 273, size)).isEqualTo(112);
        assertThat(Tile.widthIn(0, 274, size)).isZero();
        assertThat(Tile.widthIn(1, 0, size)).isEqualTo(256);
        assertThat(Tile.widthIn(1, 1, size)).isEqualTo(17);
        assertThat(Tile.widthIn(2, 0, size)).isEqualTo(1);
        assertThat(Tile.widthIn(3, 0, size)).isZero();
        assertThat(Tile.widthIn(1, 0, 256)).isEqualTo(1);
        assertThat(Tile.widthIn(0, 1, 256)).isZero();
        assertThat(Tile.widthIn(63, 0, MerkleHasher.MAX_SIZE)).isZero();
        assertThat(Tile.widthIn(7, 0, MerkleHasher.MAX_SIZE)).isEqualTo(64);
        assertThat(Tile.widthIn(0, Long.MAX_VALUE, MerkleHasher.MAX_SIZE)).isZero();
    }

    @Test
    void aTreeContainsItsTilesAndTheirEarlierPartialOnes() {
        assertThat(new Tile(0, 273, 112).isIn(70_000)).isTrue();
        assertThat(new Tile(0, 273, 12).isIn(70_000)).isTrue();
        assertThat(new Tile(0, 273, 113).isIn(70_000)).isFalse();
        assertThat(new Tile(0, 272, 3).isIn(70_000)).isTrue();
    }

    @Test
    void coordinatesAreChecked() {
        assertThatThrownBy(() -> new Tile(-1, 0, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Tile(64, 0, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Tile(0, -1, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Tile(0, 0, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Tile(0, 0, 257)).isInstanceOf(IllegalArgumentException.class);
    }
}
