package dev.parley.log.tlog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.log.KeyFiles;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TlogProofTest {
    private static final String HASH = "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=";

    /** The example of the format of tree heads, with its cosignature. */
    private static final String EXAMPLE = "example.com/behind-the-sofa\n20852163\n" + HASH + "\n\n"
            + "— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n"
            + "— witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==\n";

    private static final NoteSigner SIGNER = NoteSigner.of("log.example/1", KeyFiles.newPair());
    private static final TestLog LOG = TestLog.of(700);

    private final long seed = Long.getLong("parley.seed", System.nanoTime());
    private final Random random = new Random(seed);

    @Test
    void theExampleCheckpointIsParsedAndPrinted() throws Exception {
        SignedNote note = SignedNote.parse(EXAMPLE.getBytes(UTF_8));
        TreeHead treeHead = TreeHead.parse(note);
        assertThat(treeHead.origin()).isEqualTo("example.com/behind-the-sofa");
        assertThat(treeHead.size()).isEqualTo(20_852_163);
        assertThat(treeHead.root()).isEqualTo(Base64.getDecoder().decode(HASH));
        assertThat(treeHead.extensions()).isEmpty();
        assertThat(treeHead.text()).isEqualTo(note.text());
        assertThat(Cosignature.time(note.signatures().get(1).bytes())).hasValue(1_679_315_147L);
        assertThat(Cosignature.time(note.signatures().get(0).bytes())).isEmpty();
    }

    @Test
    void extensionLinesAreKept() throws Exception {
        TreeHead treeHead = new TreeHead("origin with spaces + é", 0, new byte[32], List.of("one", " two"));
        assertThat(parsed(treeHead.text()).extensions()).containsExactly("one", " two");
        assertThat(parsed(treeHead.text()).text()).isEqualTo(treeHead.text());
        assertThat(parsed("o\n4611686018427387904\n" + HASH + "\n").size()).isEqualTo(MerkleHasher.MAX_SIZE);
    }

    @Test
    void otherCheckpointsAreRefused() {
        String size = "line 2: the tree size must be a decimal number from 0 to 2^62 without leading zeros, but was ";
        for (String value : new String[] {
            "",
            "01",
            "00",
            "-1",
            "+1",
            " 1",
            "1 ",
            "1.0",
            "0x1",
            "4611686018427387905",
            "9223372036854775808",
            "18446744073709551617",
            "99999999999999999999999",
            "١"
        }) {
            assertRefused("o\n" + value + "\n" + HASH + "\n", size + "'" + value + "'");
        }
        assertRefused("\n1\n" + HASH + "\n", "line 1: the origin must not be empty");
        assertRefused("o\n", "line 2: the tree size is missing");
        assertRefused("o\n1\n", "line 3: the root hash is missing");
        assertRefused("o\n1\nAAAA\n", "line 3: the hash must be 32 bytes in base64, but was 'AAAA'");
        assertRefused(
                "o\n1\n" + HASH.replace("I=", "J=") + "\n",
                "line 3: the hash must be 32 bytes in base64, but was '" + HASH.replace("I=", "J=") + "'");
        assertRefused("o\n1\n" + HASH + "\n\nx\n", "line 4: an extension line must not be empty");
    }

    @Test
    void longValuesAreCutAtWholeCharacters() {
        for (int length : new int[] {78, 79}) {
            String start = "x".repeat(length);
            assertRefused(
                    "o\n" + start + "😀zz\n" + HASH + "\n",
                    "line 2: the tree size must be a decimal number from 0 to 2^62 without leading zeros, but was '"
                            + start + "…'");
        }
    }

    @Test
    void aCheckpointChecksItsValues() {
        byte[] root = new byte[32];
        assertThatThrownBy(() -> new TreeHead("", 1, root)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new TreeHead("a\nb", 1, root)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new TreeHead("a", -1, root)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new TreeHead("a", 1, new byte[31])).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new TreeHead("a", 1, root, List.of(""))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aProofSurvivesPrintingAndParsing() throws Exception {
        for (Optional<byte[]> extra : List.of(Optional.<byte[]>empty(), Optional.of("extra".getBytes(UTF_8)))) {
            TlogProof parsed = TlogProof.parse(proof(extra).toBytes());
            assertThat(parsed.toBytes()).isEqualTo(proof(extra).toBytes());
            assertThat(parsed.extra().isPresent()).isEqualTo(extra.isPresent());
            extra.ifPresent(data -> assertThat(parsed.extra().orElseThrow()).isEqualTo(data));
            assertThat(parsed.index()).isEqualTo(300);
            assertThat(parsed.treeHead().origin()).isEqualTo("log.example/1");
            assertThat(parsed.includes(LOG.leaves.get(300))).isTrue();
            assertThat(parsed.includes(LOG.leaves.get(301))).isFalse();
            assertThat(parsed.note().verify(List.of(SIGNER.verifierKey())).isSigned())
                    .isTrue();
        }
    }

    @Test
    void aTreeOfOneLeafHasAProofWithoutHashes() throws Exception {
        String text = new TreeHead("o", 1, LOG.root(1)).text();
        SignedNote note = SignedNote.of(text).with(SIGNER.sign(text));
        TlogProof proof = TlogProof.of(Optional.empty(), InclusionProof.of(0, 1, LOG), note);
        assertThat(new String(proof.toBytes(), UTF_8)).startsWith("c2sp.org/tlog-proof@v1\nindex 0\n\no\n1\n");
        assertThat(TlogProof.parse(proof.toBytes()).includes(LOG.leaves.get(0))).isTrue();
    }

    @Test
    void otherProofsAreRefused() {
        String head = "c2sp.org/tlog-proof@v1\n";
        assertProofRefused("", "line 1: c2sp.org/tlog-proof@v1 is missing");
        assertProofRefused("c2sp.org/tlog-proof@v2\n", "line 1: the line must be c2sp.org/tlog-proof@v1");
        assertProofRefused(head, "line 2: the index is missing");
        assertProofRefused(
                head + "index 01\n",
                "line 2: the line must be 'index' and a decimal number from 0 to 2^62 "
                        + "without leading zeros, but was 'index 01'");
        assertProofRefused(head + "extra \n", "line 2: the extra data must be base64 and not empty, but was 'extra '");
        assertProofRefused(
                head + "extra AAAA\nextra AAAA\n",
                "line 3: the line must be 'index' and a decimal number from "
                        + "0 to 2^62 without leading zeros, but was 'extra AAAA'");
        assertProofRefused(head + "index 1\nAAAA\n", "line 3: the hash must be 32 bytes in base64, but was 'AAAA'");
        assertProofRefused(head + "index 1\n", "line 3: a hash or an empty line is missing");
        assertProofRefused(
                head + "index 1\n" + (HASH + "\n").repeat(64), "line 66: a proof must have at most 63 hashes");
        assertProofRefused(
                head + "index 1\n\no\n1\n", "line 4: a note must have an empty line between text and signatures");
        assertProofRefused(head + "index 1\n\no\n1\n\n— a AAAAAAA=\n", "line 6: the root hash is missing");
        assertProofRefused(
                head + "index 1\n\no\n1\n" + HASH + "\n\n— a\n",
                "line 8: a signature line must be an em dash, " + "the key name and base64, but was '— a'");
    }

    @Test
    void anIndexOutsideTheTreeProvesNothing() throws Exception {
        String proof = new String(proof(Optional.empty()).toBytes(), UTF_8);
        for (String index : new String[] {"299", "301", "700", "701", "4611686018427387904"}) {
            TlogProof other = TlogProof.parse(
                    proof.replace("index 300\n", "index " + index + "\n").getBytes(UTF_8));
            assertThat(other.includes(LOG.leaves.get(300))).as(index).isFalse();
        }
    }

    @Test
    void changedBytesEndInAFormatErrorOrAProofThatPrintsAsRead() throws Exception {
        byte[] proof = proof(Optional.of(new byte[] {1, 2, 3})).toBytes();
        byte[] key = SIGNER.verifierKey().toString().getBytes(UTF_8);
        byte[] treeHead = EXAMPLE.getBytes(UTF_8);
        int read = 0;
        for (int round = 0; round < 20_000; round++) {
            read += reprinted(mutated(proof), bytes -> TlogProof.parse(bytes).toBytes());
            read += reprinted(mutated(treeHead), bytes -> {
                SignedNote note = SignedNote.parse(bytes);
                note.verify(List.of(SIGNER.verifierKey()));
                String rest = note.toString().substring(note.text().length());
                return (TreeHead.parse(note).text() + rest).getBytes(UTF_8);
            });
            String text = new String(mutated(key), UTF_8);
            read += reprinted(
                    text.getBytes(UTF_8),
                    bytes -> VerifierKey.parse(text).toString().getBytes(UTF_8));
        }
        assertThat(read).as("parley.seed=%d", seed).isPositive();
    }

    private interface Reprint {
        byte[] apply(byte[] bytes) throws TlogFormatException;
    }

    private int reprinted(byte[] bytes, Reprint reprint) {
        try {
            assertThat(reprint.apply(bytes)).as("parley.seed=%d", seed).isEqualTo(bytes);
            return 1;
        } catch (TlogFormatException e) {
            assertThat(e).as("parley.seed=%d", seed).message().matches("(?s)line [1-9].*");
            return 0;
        } catch (RuntimeException e) {
            throw new AssertionError("parley.seed=" + seed, e);
        }
    }

    /** One to three changes: a byte of any or a meaningful value, a removed or a repeated part. */
    private byte[] mutated(byte[] bytes) {
        byte[] meaningful = "\n +=—/x0189AZ".getBytes(UTF_8);
        byte[] result = bytes;
        for (int change = random.nextInt(3); change >= 0 && result.length > 0; change--) {
            int from = random.nextInt(result.length);
            int to = from + random.nextInt(Math.min(60, result.length - from)) + 1;
            result = switch (random.nextInt(4)) {
                case 0 -> replaced(result, from, (byte) random.nextInt());
                case 1 -> replaced(result, from, meaningful[random.nextInt(meaningful.length)]);
                case 2 -> joined(result, from, to);
                default -> joined(result, to, from);
            };
        }
        return result;
    }

    private static byte[] replaced(byte[] bytes, int at, byte value) {
        byte[] result = bytes.clone();
        result[at] = value;
        return result;
    }

    private static byte[] joined(byte[] bytes, int end, int from) {
        byte[] result = Arrays.copyOf(bytes, end + bytes.length - from);
        System.arraycopy(bytes, from, result, end, bytes.length - from);
        return result;
    }

    private static TlogProof proof(Optional<byte[]> extra) throws Exception {
        String text = new TreeHead("log.example/1", 700, LOG.root(700)).text();
        SignedNote note = SignedNote.of(text).with(SIGNER.sign(text));
        return TlogProof.of(extra, InclusionProof.of(300, 700, LOG), note);
    }

    private static TreeHead parsed(String text) throws TlogFormatException {
        return TreeHead.parse(SignedNote.of(text));
    }

    private static void assertRefused(String text, String message) {
        assertThatThrownBy(() -> parsed(text))
                .isInstanceOf(TlogFormatException.class)
                .hasMessage(message);
    }

    private static void assertProofRefused(String proof, String message) {
        assertThatThrownBy(() -> TlogProof.parse(proof.getBytes(UTF_8)))
                .isInstanceOf(TlogFormatException.class)
                .hasMessage(message);
    }
}
