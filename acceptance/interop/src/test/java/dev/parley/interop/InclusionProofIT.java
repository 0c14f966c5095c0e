package dev.parley.interop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.cli.api.ApiClient;
import dev.parley.cli.transcript.Transcript;
import dev.parley.decode.ConversationKey;
import dev.parley.log.KeyFiles;
import dev.parley.log.tlog.InclusionProof;
import dev.parley.log.tlog.MerkleHasher;
import dev.parley.log.tlog.Tile;
import dev.parley.log.tlog.TileReader;
import dev.parley.log.tlog.TileTree;
import dev.parley.log.tlog.TlogProof;
import dev.parley.protocol.TopicNames;
import dev.parley.server.lifecycle.Application;
import dev.parley.topology.config.AuditKeys;
import dev.sigstore.encryption.signers.Verifiers;
import dev.sigstore.merkle.InclusionProofVerificationException;
import dev.sigstore.merkle.InclusionProofVerifier;
import dev.sigstore.rekor.client.Checkpoints;
import dev.sigstore.rekor.client.RekorEntry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Inclusion proofs and heads of the audit log, verified by Sigstore's library for Java. It does not compare the length
 * of a proof with index and size, so it is no opinion about a wrong index.
 */
@Tag("long")
class InclusionProofIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(120);
    private static final int SMALL = 70;
    private static final int LARGE = 3_000;
    private static final int ROUNDS = 3;
    private static final int STEP = 7;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final long seed = Long.getLong("parley.seed", System.nanoTime());
    private final Random random = new Random(seed);

    @TempDir
    private Path directory;

    @Test
    void proofsOfTreesOfManySizesVerifyAndTheirForgeriesDoNot() throws Exception {
        Log log = new Log();
        for (int size = 1; size <= LARGE; size++) {
            log.add("entry " + size);
            if (size <= SMALL) {
                for (int index = 0; index < size; index++) {
                    compare(log, index);
                }
            } else if (random.nextInt(30) == 0) {
                compare(log, random.nextInt(size));
            }
        }
    }

    @Test
    void proofsAndHeadsOfARunningDeploymentVerifyAndTheirForgeriesDoNot() throws Exception {
        KeyPair pair = KeyFiles.newPair();
        Path key = Files.writeString(directory.resolve("audit.key"), KeyFiles.privatePem(pair));
        Set<Long> sizes = new TreeSet<>();
        try (Deployment deployment = Deployment.open(directory);
                Application application =
                        Application.start(deployment.config(Map.of(AuditKeys.HEADS_KEY_FILES, key.toString())))) {
            ApiClient api = new ApiClient(application.uri());
            List<Transcript.Line> lines = KnownLoad.now("");
            for (int round = 0; round < ROUNDS; round++) {
                deployment.send(
                        application, lines.subList(round * lines.size() / ROUNDS, (round + 1) * lines.size() / ROUNDS));
                List<GenericRecord> audit = deployment.values(TopicNames.DEFAULT.audit());
                for (int i = round; i < audit.size(); i += STEP) {
                    // Undecodable records are in no conversation.
                    if (audit.get(i).get("message") != null) {
                        sizes.add(checkServed(api.bytes(path(audit.get(i)), TIMEOUT), pair));
                    }
                }
            }
        }
        assertThat(sizes).hasSizeGreaterThan(ROUNDS);
    }

    /** Checks a proof of the HTTP API; returns the size of the log. */
    private long checkServed(byte[] bytes, KeyPair pair) throws Exception {
        TlogProof proof = TlogProof.parse(bytes);
        RekorEntry.Checkpoint head = Checkpoints.from(proof.note().toString());
        byte[] signature = head.getSignatures().get(0).getSignature();
        byte[] text = head.getSignedData().getBytes(UTF_8);
        assertThat(head.getSignatures()).hasSize(1);
        assertThat(Verifiers.newVerifier(pair.getPublic()).verify(text, signature))
                .isTrue();
        assertThat(Verifiers.newVerifier(pair.getPublic()).verify(changed(text), signature))
                .isFalse();
        String hash = JSON.readTree(proof.extra().orElseThrow()).path("hash").asText();
        compare(
                leaf(HexFormat.of().parseHex(hash)),
                new InclusionProof(proof.index(), head.getSize(), proof.hashes()),
                Base64.getDecoder().decode(head.getBase64Hash()));
        return head.getSize();
    }

    private static String path(GenericRecord record) {
        return ApiClient.conversation(ConversationKey.parse(record.get("chain").toString())) + "/messages/"
                + record.get("sequence") + "/proof";
    }

    private void compare(Log log, int index) throws Exception {
        compare(log.leaves.get(index), InclusionProof.of(index, log.tree.size(), log), root(log.leaves));
    }

    /** Sigstore accepts a proof, and refuses it with a changed leaf, root or hash, and with one less or more. */
    private void compare(byte[] leaf, InclusionProof proof, byte[] root) throws Exception {
        assertThat(proof.verify(leaf, root)).as("seed %d, %s", seed, proof).isTrue();
        InclusionProofVerifier.verify(leaf, proof.index(), proof.size(), proof.hashes(), root);
        requireRefused(changed(leaf), proof, proof.hashes(), root);
        requireRefused(leaf, proof, proof.hashes(), changed(root));
        List<byte[]> longer = new ArrayList<>(proof.hashes());
        longer.add(root);
        requireRefused(leaf, proof, longer, root);
        if (!proof.hashes().isEmpty()) {
            int at = random.nextInt(proof.hashes().size());
            List<byte[]> other = new ArrayList<>(proof.hashes());
            other.set(at, changed(other.get(at)));
            requireRefused(leaf, proof, other, root);
            List<byte[]> shorter = new ArrayList<>(proof.hashes());
            shorter.remove(at);
            requireRefused(leaf, proof, shorter, root);
        }
    }

    private void requireRefused(byte[] leaf, InclusionProof proof, List<byte[]> hashes, byte[] root) {
        assertThatThrownBy(() -> InclusionProofVerifier.verify(leaf, proof.index(), proof.size(), hashes, root))
                .as("seed %d, %s", seed, proof)
                .isInstanceOf(InclusionProofVerificationException.class);
    }

    private byte[] changed(byte[] bytes) {
        byte[] changed = bytes.clone();
        changed[random.nextInt(changed.length)] ^= (byte) (1 << random.nextInt(8));
        return changed;
    }

    /** The hash of a leaf as RFC 6962 defines it. */
    private static byte[] leaf(byte[] data) throws NoSuchAlgorithmException {
        MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
        sha256.update((byte) 0);
        return sha256.digest(data);
    }

    /** The root of a tree as RFC 6962 defines it, with the hashes of Sigstore. */
    private static byte[] root(List<byte[]> leaves) {
        if (leaves.size() == 1) {
            return leaves.get(0);
        }
        int split = Integer.highestOneBit(leaves.size() - 1);
        return InclusionProofVerifier.hashChildren(
                root(leaves.subList(0, split)), root(leaves.subList(split, leaves.size())));
    }

    /** A log in memory. */
    private static final class Log implements TileReader, TileTree.Listener {
        private final TileTree tree = new TileTree();
        private final List<byte[]> leaves = new ArrayList<>();
        private final Map<Tile, byte[]> tiles = new HashMap<>();

        void add(String data) throws NoSuchAlgorithmException {
            leaves.add(leaf(data.getBytes(UTF_8)));
            tree.append(leaves.get(leaves.size() - 1), this);
        }

        @Override
        public byte[] read(Tile tile) {
            byte[] full = tiles.get(new Tile(tile.level(), tile.index(), Tile.WIDTH));
            byte[] hashes = full == null ? tree.partial(tile.level()) : full;
            return Arrays.copyOf(hashes, tile.width() * MerkleHasher.BYTES);
        }

        @Override
        public void hashAppended(int level, long count, byte[] tile) {
            // The tree keeps the right edge.
        }

        @Override
        public void tileCompleted(Tile tile, byte[] hashes) {
            tiles.put(tile, hashes.clone());
        }
    }
}
