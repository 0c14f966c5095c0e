package dev.parley.log.tlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Compares frontier and tiles with the recursive definition of RFC 6962. */
class MerkleTreeTest {
    private static final MerkleHasher HASHER = new MerkleHasher();

    private final long seed = Long.getLong("parley.seed", System.nanoTime());
    private final Random random = new Random(seed);

    /** The leaves and roots are those of the reference tests of Certificate Transparency. */
    @Test
    void theRootsOfTheReferenceTestsAreReproduced() {
        String[] leaves = {
            "", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"
        };
        String[] roots = {
            "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
            "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
            "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
            "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
            "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
            "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
            "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"
        };
        Frontier frontier = new Frontier();
        assertThat(hex(frontier.root())).isEqualTo("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        for (int i = 0; i < leaves.length; i++) {
            frontier.append(HASHER.leaf(HexFormat.of().parseHex(leaves[i])));
            assertThat(hex(frontier.root())).as("%d leaves", i + 1).isEqualTo(roots[i]);
        }
    }

    @Test
    void frontierAndTilesHaveTheRootOfTheDefinitionAtEachSize() {
        TestLog log = new TestLog();
        Frontier frontier = new Frontier();
        for (int size = 0; size <= 600; size++) {
            byte[] root = log.root(size);
            assertThat(frontier.root()).as("size %d", size).isEqualTo(root);
            assertThat(log.tree.frontier().root()).as("size %d", size).isEqualTo(root);
            assertThat(Frontier.of(size, frontier.hashes()).root()).isEqualTo(root);
            byte[] leaf = HASHER.leaf(TestLog.data(size));
            frontier.append(leaf);
            log.add(leaf);
        }
    }

    @Test
    void aTreeRestoredFromItsRightEdgeContinuesAsTheOriginal() {
        for (int round = 0; round < 5; round++) {
            int before = random.nextInt(3_000);
            int after = random.nextInt(2_000);
            TestLog log = TestLog.of(before);
            TileTree restored =
                    TileTree.restore(before, (level, width) -> Arrays.copyOf(log.edge.get(level), width * 32));
            TestLog changes = new TestLog();
            for (int i = 0; i < after; i++) {
                byte[] leaf = HASHER.leaf(TestLog.data(before + i));
                log.add(leaf);
                restored.append(leaf, changes);
            }
            String told = "parley.seed=" + seed + ", " + before + " and " + after + " leaves";
            assertThat(restored.size()).as(told).isEqualTo(log.tree.size());
            assertThat(restored.frontier().root()).as(told).isEqualTo(log.root(before + after));
            changes.tiles.forEach((tile, hashes) -> assertThat(hashes).as(told).isEqualTo(log.tiles.get(tile)));
            for (int level = 0; level < 8; level++) {
                assertThat(restored.partial(level)).as(told).isEqualTo(log.tree.partial(level));
            }
        }
    }

    @Test
    void tilesHaveTheHashesOfTheDefinition() {
        TestLog log = TestLog.of(256 * 256 + 300);
        assertThat(log.tiles).hasSize(258);
        byte[] first = log.tiles.get(new Tile(0, 255, 256));
        for (int i = 0; i < 256; i++) {
            assertThat(slot(first, i)).isEqualTo(log.leaves.get(255 * 256 + i));
        }
        byte[] second = log.tiles.get(new Tile(1, 0, 256));
        for (int i = 0; i < 256; i++) {
            assertThat(slot(second, i)).isEqualTo(TestLog.root(log.leaves.subList(i * 256, (i + 1) * 256)));
        }
        assertThat(log.tree.partial(0)).hasSize(44 * 32);
        assertThat(log.tree.partial(1)).isEqualTo(TestLog.root(log.leaves.subList(65_536, 65_792)));
        assertThat(log.tree.partial(2)).isEqualTo(TestLog.root(log.leaves.subList(0, 65_536)));
        assertThat(log.tree.partial(3)).isEmpty();
    }

    @Test
    void subtreesStandForAnyRangeOfLeaves() {
        List<byte[]> leaves = TestLog.of(5_000).leaves;
        for (int round = 0; round < 20; round++) {
            int size = random.nextInt(5_000) + 1;
            Frontier frontier = new Frontier();
            while (frontier.size() < size) {
                int from = (int) frontier.size();
                int to = from + random.nextInt(size - from) + 1;
                while (frontier.size() < to) {
                    int at = (int) frontier.size();
                    int level = Frontier.levelAt(at, to);
                    frontier.append(level, TestLog.root(leaves.subList(at, at + (1 << level))));
                    assertThat(frontier.size()).isLessThanOrEqualTo(to);
                }
            }
            assertThat(frontier.root())
                    .as("parley.seed=%d, size %d", seed, size)
                    .isEqualTo(TestLog.root(leaves.subList(0, size)));
        }
    }

    @Test
    void aSubtreeMustBeAlignedAndWithinTheLargestTree() {
        byte[] hash = new byte[32];
        Frontier frontier = new Frontier();
        assertThat(frontier.canAppend(-1)).isFalse();
        assertThat(frontier.canAppend(63)).isFalse();
        frontier.append(hash);
        assertThat(frontier.canAppend(0)).isTrue();
        assertThat(frontier.canAppend(1)).isFalse();
        assertThatThrownBy(() -> frontier.append(1, hash)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> frontier.append(new byte[31])).isInstanceOf(IllegalArgumentException.class);
        Frontier full = new Frontier();
        full.append(62, hash);
        assertThat(full.size()).isEqualTo(MerkleHasher.MAX_SIZE);
        assertThat(full.root()).isEqualTo(hash);
        assertThat(full.canAppend(0)).isFalse();
        assertThat(full.canAppend(62)).isFalse();
    }

    @Test
    void aFrontierRefusesStoredHashesOfAnotherSize() {
        assertThatThrownBy(() -> Frontier.of(3, List.of(new byte[32])))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the frontier of 3 leaves cannot have 1 hashes");
        assertThatThrownBy(() -> Frontier.of(-1, new ArrayList<>())).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Frontier.of(1, List.of(new byte[33]))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aTreeWithoutSpaceRefusesALeaf() {
        TileTree full = TileTree.restore(MerkleHasher.MAX_SIZE, (level, width) -> new byte[width * 32]);
        assertThatThrownBy(() -> full.append(new byte[32], new TestLog())).isInstanceOf(IllegalArgumentException.class);
        TileTree last = TileTree.restore(MerkleHasher.MAX_SIZE - 1, (level, width) -> new byte[width * 32]);
        last.append(new byte[32], new TestLog());
        assertThat(last.frontier().hashes()).hasSize(1);
    }

    private static byte[] slot(byte[] tile, int slot) {
        return Arrays.copyOfRange(tile, slot * 32, slot * 32 + 32);
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}
