package dev.parley.log.tlog;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A log in memory, and the definitions of RFC 6962 written as they are defined. */
final class TestLog implements TileReader, TileTree.Listener {
    final List<byte[]> leaves = new ArrayList<>();
    final Map<Tile, byte[]> tiles = new HashMap<>();
    final Map<Integer, byte[]> edge = new HashMap<>();
    final TileTree tree = new TileTree();

    static TestLog of(int size) {
        TestLog log = new TestLog();
        for (int i = 0; i < size; i++) {
            log.add(new MerkleHasher().leaf(data(i)));
        }
        return log;
    }

    static byte[] data(int index) {
        return ("entry " + index).getBytes(StandardCharsets.UTF_8);
    }

    void add(byte[] leaf) {
        leaves.add(leaf);
        tree.append(leaf, this);
    }

    byte[] root(int size) {
        return root(leaves.subList(0, size));
    }

    /** MTH of section 2.1 over hashes of leaves. */
    static byte[] root(List<byte[]> leaves) {
        if (leaves.isEmpty()) {
            return sha256();
        }
        if (leaves.size() == 1) {
            return leaves.get(0);
        }
        int split = split(leaves.size());
        return sha256(new byte[] {1}, root(leaves.subList(0, split)), root(leaves.subList(split, leaves.size())));
    }

    /** PATH of section 2.1.1. */
    static List<byte[]> path(int index, List<byte[]> leaves) {
        List<byte[]> path = new ArrayList<>();
        if (leaves.size() > 1) {
            int split = split(leaves.size());
            List<byte[]> left = leaves.subList(0, split);
            List<byte[]> right = leaves.subList(split, leaves.size());
            path.addAll(index < split ? path(index, left) : path(index - split, right));
            path.add(root(index < split ? right : left));
        }
        return path;
    }

    /** SUBPROOF of section 2.1.2. */
    static List<byte[]> subproof(int old, List<byte[]> leaves, boolean known) {
        List<byte[]> proof = new ArrayList<>();
        if (old == leaves.size()) {
            if (!known) {
                proof.add(root(leaves));
            }
            return proof;
        }
        int split = split(leaves.size());
        List<byte[]> left = leaves.subList(0, split);
        List<byte[]> right = leaves.subList(split, leaves.size());
        if (old <= split) {
            proof.addAll(subproof(old, left, known));
            proof.add(root(right));
        } else {
            proof.addAll(subproof(old - split, right, false));
            proof.add(root(left));
        }
        return proof;
    }

    private static int split(int size) {
        int split = 1;
        while (split * 2 < size) {
            split *= 2;
        }
        return split;
    }

    static byte[] sha256(byte[]... parts) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (byte[] part : parts) {
                digest.update(part);
            }
            return digest.digest();
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public byte[] read(Tile tile) throws IOException {
        byte[] full = tiles.get(new Tile(tile.level(), tile.index(), Tile.WIDTH));
        byte[] hashes = full == null ? tree.partial(tile.level()) : full;
        int length = tile.width() * MerkleHasher.BYTES;
        if (hashes.length < length) {
            throw new IOException(tile.path() + " is missing");
        }
        return Arrays.copyOf(hashes, length);
    }

    @Override
    public void hashAppended(int level, long count, byte[] tile) {
        edge.put(level, tile.clone());
    }

    @Override
    public void tileCompleted(Tile tile, byte[] hashes) {
        if (tiles.put(tile, hashes.clone()) != null) {
            throw new AssertionError(tile + " was completed twice");
        }
    }
}
