package dev.parley.benchmarks;

import dev.parley.log.tlog.Frontier;
import dev.parley.log.tlog.InclusionProof;
import dev.parley.log.tlog.MerkleHasher;
import dev.parley.log.tlog.Tile;
import dev.parley.log.tlog.TileReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Proving a record of a large log, and verifying the proof, over tiles in memory. All records are equal, so every
 * perfect subtree of a level has the same root, and the log needs no memory.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class ProofBenchmark {
    /** Odd, so that the right edge has tiles of every level. */
    @Param({"10000001"})
    long records;

    private final SplittableRandom random = new SplittableRandom(1);
    private byte[] leaf;
    private byte[] root;
    private TileReader tiles;
    private InclusionProof proof;

    /** Computes the tiles and the root. */
    @Setup
    public void setUp() throws IOException {
        leaf = new MerkleHasher().leaf(new byte[MerkleHasher.BYTES]);
        byte[][] tile = new byte[Tile.LEVELS][];
        byte[][] perfect = new byte[Tile.LEVELS * Tile.HEIGHT][];
        perfect[0] = leaf;
        for (int level = 1; level < perfect.length; level++) {
            Frontier pair = new Frontier();
            pair.append(perfect[level - 1]);
            pair.append(perfect[level - 1]);
            perfect[level] = pair.root();
        }
        for (int level = 0; level < tile.length; level++) {
            ByteBuffer hashes = ByteBuffer.allocate(Tile.BYTES);
            while (hashes.hasRemaining()) {
                hashes.put(perfect[level * Tile.HEIGHT]);
            }
            tile[level] = hashes.array();
        }
        tiles = coordinates -> tile[coordinates.level()].clone();
        Frontier tree = new Frontier();
        while (tree.size() < records) {
            int level = Frontier.levelAt(tree.size(), records);
            tree.append(level, perfect[level]);
        }
        root = tree.root();
        proof = prove();
        if (!verify()) {
            throw new IllegalStateException("the proof does not lead to the root");
        }
    }

    /** Proves a random record. */
    @Benchmark
    public InclusionProof prove() throws IOException {
        return InclusionProof.of(random.nextLong(records), records, tiles);
    }

    /** Verifies a proof. */
    @Benchmark
    public boolean verify() {
        return proof.verify(leaf, root);
    }
}
