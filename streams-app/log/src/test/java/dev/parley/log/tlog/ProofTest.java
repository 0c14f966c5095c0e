package dev.parley.log.tlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Compares proofs with the recursive definition of RFC 6962, and attacks them. */
class ProofTest {
    private static final int ALL = 66;
    private static final TestLog LOG = TestLog.of(5_000);

    private final long seed = Long.getLong("parley.seed", System.nanoTime());
    private final Random random = new Random(seed);

    @Test
    void eachLeafOfEachSmallTreeIsProven() throws Exception {
        for (int size = 1; size <= ALL; size++) {
            byte[] root = LOG.root(size);
            for (int index = 0; index < size; index++) {
                checkInclusion(index, size, root);
            }
        }
    }

    @Test
    void randomLeavesOfLargerTreesAreProven() throws Exception {
        for (int round = 0; round < 60; round++) {
            int size = random.nextInt(5_000) + 1;
            checkInclusion(random.nextInt(size), size, LOG.root(size));
        }
    }

    @Test
    void eachSmallTreeIsProvenToBeginWithEachSmallerOne() throws Exception {
        List<byte[]> roots = new ArrayList<>();
        for (int size = 0; size <= ALL; size++) {
            roots.add(LOG.root(size));
        }
        for (int size = 0; size <= ALL; size++) {
            for (int old = 0; old <= size; old++) {
                checkConsistency(old, size, roots.get(old), roots.get(size));
            }
        }
    }

    @Test
    void randomLargerTreesAreProvenToBeginWithSmallerOnes() throws Exception {
        for (int round = 0; round < 60; round++) {
            int size = random.nextInt(5_000) + 1;
            int old = random.nextInt(size) + 1;
            checkConsistency(old, size, LOG.root(old), LOG.root(size));
        }
    }

    @Test
    void noOtherIndexOrSizeIsProven() throws Exception {
        for (int size = 1; size <= 40; size++) {
            byte[] root = LOG.root(size);
            for (int index = 0; index < size; index++) {
                List<byte[]> hashes = InclusionProof.of(index, size, LOG).hashes();
                for (int other = -1; other <= size + 1; other++) {
                    assertThat(new InclusionProof(other, size, hashes).verify(LOG.leaves.get(index), root))
                            .as("index %d as %d of %d", index, other, size)
                            .isEqualTo(other == index);
                }
            }
        }
    }

    @Test
    void extremeSizesAreRefusedWithoutOverflow() {
        byte[] hash = new byte[32];
        long[] values = {Long.MIN_VALUE, -1, 0, 1, MerkleHasher.MAX_SIZE, MerkleHasher.MAX_SIZE + 1, Long.MAX_VALUE};
        for (long a : values) {
            for (long b : values) {
                for (int length : new int[] {0, 1, 62, 63, 64, 1_000}) {
                    List<byte[]> hashes = Collections.nCopies(length, hash);
                    assertThat(new InclusionProof(a, b, hashes).verify(hash, new byte[32]))
                            .as("%d in %d", a, b)
                            .isEqualTo(a == 0 && b == 1 && length == 0);
                    boolean same = a == b && a > 0 && a <= MerkleHasher.MAX_SIZE && length == 0;
                    assertThat(new ConsistencyProof(a, b, hashes).verify(hash, new byte[32]))
                            .as("%d to %d", a, b)
                            .isEqualTo(same);
                }
            }
        }
    }

    @Test
    void aLeafOfTheLargestTreeIsProven() {
        MerkleHasher hasher = new MerkleHasher();
        byte[] leaf = hasher.leaf(new byte[0]);
        byte[] root = leaf;
        List<byte[]> hashes = new ArrayList<>();
        for (int level = 0; level < 62; level++) {
            byte[] sibling = hasher.leaf(new byte[] {(byte) level});
            hashes.add(sibling);
            root = hasher.node(sibling, root);
        }
        assertThat(new InclusionProof(MerkleHasher.MAX_SIZE - 1, MerkleHasher.MAX_SIZE, hashes).verify(leaf, root))
                .isTrue();
        hashes.add(leaf);
        assertThat(new InclusionProof(MerkleHasher.MAX_SIZE - 1, MerkleHasher.MAX_SIZE, hashes)
                        .verify(leaf, hasher.node(leaf, root)))
                .isFalse();
    }

    @Test
    void theEmptyTreeNeedsNoProofAndHasOneRoot() {
        byte[] empty = MerkleHasher.emptyRoot();
        byte[] other = new byte[32];
        assertThat(new ConsistencyProof(0, 5, List.of()).verify(empty, other)).isTrue();
        assertThat(new ConsistencyProof(0, 5, List.of(other)).verify(empty, other))
                .isFalse();
        assertThat(new ConsistencyProof(0, 5, List.of()).verify(other, other)).isFalse();
        assertThat(new ConsistencyProof(0, 0, List.of()).verify(empty, empty)).isTrue();
        assertThat(new ConsistencyProof(0, 0, List.of()).verify(empty, other)).isFalse();
        assertThat(new ConsistencyProof(0, 0, List.of()).verify(other, other)).isFalse();
    }

    @Test
    void aMissingOrShortTileIsAnError() {
        TileReader pruned = tile -> {
            throw new IOException("pruned");
        };
        assertThatThrownBy(() -> InclusionProof.of(1, 300, pruned)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> InclusionProof.of(1, 256, tile -> new byte[32]))
                .isInstanceOf(IOException.class)
                .hasMessage("tile/0/000 must have 8192 bytes, but has 32");
        assertThatThrownBy(() -> InclusionProof.of(5, 5, LOG)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ConsistencyProof.of(6, 5, LOG)).isInstanceOf(IllegalArgumentException.class);
    }

    private void checkInclusion(int index, int size, byte[] root) throws IOException {
        String told = "parley.seed=" + seed + ", leaf " + index + " of " + size;
        InclusionProof proof = InclusionProof.of(index, size, LOG);
        byte[] leaf = LOG.leaves.get(index);
        assertThat(proof.hashes()).as(told).containsExactlyElementsOf(TestLog.path(index, LOG.leaves.subList(0, size)));
        assertThat(proof.verify(leaf, root)).as(told).isTrue();
        assertThat(proof.verify(changed(leaf), root)).as(told).isFalse();
        assertThat(proof.verify(leaf, changed(root))).as(told).isFalse();
        for (List<byte[]> hashes : mutations(proof.hashes())) {
            assertThat(new InclusionProof(index, size, hashes).verify(leaf, root))
                    .as(told)
                    .isFalse();
        }
    }

    private void checkConsistency(int old, int size, byte[] oldRoot, byte[] newRoot) throws IOException {
        String told = "parley.seed=" + seed + ", size " + old + " to " + size;
        ConsistencyProof proof = ConsistencyProof.of(old, size, LOG);
        List<byte[]> expected = old == 0 ? List.of() : TestLog.subproof(old, LOG.leaves.subList(0, size), true);
        assertThat(proof.hashes()).as(told).containsExactlyElementsOf(expected);
        assertThat(proof.verify(oldRoot, newRoot)).as(told).isTrue();
        assertThat(proof.verify(changed(oldRoot), newRoot)).as(told).isFalse();
        if (old > 0) {
            assertThat(proof.verify(oldRoot, changed(newRoot))).as(told).isFalse();
        }
        for (List<byte[]> hashes : mutations(proof.hashes())) {
            assertThat(new ConsistencyProof(old, size, hashes).verify(oldRoot, newRoot))
                    .as(told)
                    .isFalse();
        }
    }

    /** Each hash changed, shortened, removed and doubled, and one hash more at either end. */
    private List<List<byte[]>> mutations(List<byte[]> hashes) {
        List<List<byte[]>> mutations = new ArrayList<>();
        for (int i = 0; i < hashes.size(); i++) {
            mutations.add(with(hashes, i, changed(hashes.get(i))));
            mutations.add(with(hashes, i, new byte[31]));
            List<byte[]> removed = new ArrayList<>(hashes);
            removed.remove(i);
            mutations.add(removed);
            List<byte[]> doubled = new ArrayList<>(hashes);
            doubled.add(i, hashes.get(i));
            mutations.add(doubled);
        }
        List<byte[]> longer = new ArrayList<>(hashes);
        longer.add(new byte[32]);
        mutations.add(longer);
        return mutations;
    }

    private static List<byte[]> with(List<byte[]> hashes, int index, byte[] hash) {
        List<byte[]> result = new ArrayList<>(hashes);
        result.set(index, hash);
        return result;
    }

    private byte[] changed(byte[] hash) {
        byte[] changed = hash.clone();
        changed[random.nextInt(changed.length)] ^= (byte) (1 << random.nextInt(8));
        return changed;
    }
}
