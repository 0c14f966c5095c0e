package dev.parley.log.tlog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.log.KeyFiles;
import java.nio.ByteBuffer;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SignedNoteTest {
    /** The example of the format. */
    private static final String EXAMPLE_KEY = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k";

    private static final String EXAMPLE = "This is an example message.\n\n"
            + "— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n";

    private static final KeyPair KEYS = KeyFiles.newPair();
    private static final NoteSigner SIGNER = NoteSigner.of("log.example/1", KEYS);
    private static final String TEXT = "log.example/1\n\nsecond\n";

    @Test
    void theExampleOfTheFormatVerifies() throws Exception {
        VerifierKey key = VerifierKey.parse(EXAMPLE_KEY);
        assertThat(key.name()).isEqualTo("example.com/foo");
        assertThat(key.type()).isEqualTo(VerifierKey.ED25519);
        assertThat(key).hasToString(EXAMPLE_KEY);
        SignedNote note = SignedNote.parse(EXAMPLE.getBytes(UTF_8));
        assertThat(note.text()).isEqualTo("This is an example message.\n");
        assertThat(note).hasToString(EXAMPLE);
        NoteVerification result = note.verify(List.of(key));
        assertThat(result.isSigned()).isTrue();
        assertThat(result.valid()).extracting(NoteVerification.Signed::key).containsExactly(key);
        assertThat(note.signatures().get(0).key()).isEqualTo("example.com/foo+530d903a");
    }

    /** The example of Go's package golang.org/x/mod/sumdb/note. */
    @Test
    void theExampleOfGoVerifies() throws Exception {
        VerifierKey key = VerifierKey.parse("PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW");
        String note = "If you think cryptography is the answer to your problem,\n"
                + "then you don't know what your problem is.\n\n— PeterNeumann"
                + " x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n";
        assertThat(SignedNote.parse(note.getBytes(UTF_8)).verify(List.of(key)).isSigned())
                .isTrue();
        String changed = note.replace("answer", "Answer");
        assertThat(SignedNote.parse(changed.getBytes(UTF_8))
                        .verify(List.of(key))
                        .isForged())
                .isTrue();
    }

    @Test
    void aSignedNoteSurvivesPrintingAndParsing() throws Exception {
        SignedNote note = SignedNote.of(TEXT).with(SIGNER.sign(TEXT));
        SignedNote parsed = SignedNote.parse(note.toBytes());
        assertThat(parsed.text()).isEqualTo(TEXT);
        VerifierKey key = VerifierKey.parse(SIGNER.verifierKey().toString());
        assertThat(parsed.verify(List.of(key)).isSigned()).isTrue();
        assertThat(parsed.toBytes()).isEqualTo(note.toBytes());
    }

    @Test
    void signaturesOfUnknownKeysAreListedAndNotForged() throws Exception {
        NoteSigner sameName = NoteSigner.of("log.example/1", KeyFiles.newPair());
        NoteSigner sameKey = NoteSigner.of("log.example/2", KEYS);
        SignedNote note = SignedNote.of(TEXT).with(sameName.sign(TEXT)).with(sameKey.sign(TEXT));
        NoteVerification result = note.verify(List.of(SIGNER.verifierKey()));
        assertThat(result.isSigned()).isFalse();
        assertThat(result.isForged()).isFalse();
        assertThat(result.valid()).isEmpty();
        assertThat(result.forged()).isEmpty();
        assertThat(note.with(SIGNER.sign(TEXT))
                        .verify(List.of(SIGNER.verifierKey()))
                        .isSigned())
                .isTrue();
        assertThat(note.verify(List.of()).isSigned()).isFalse();
        assertThat(note.verify(List.of()).isForged()).isFalse();
    }

    @Test
    void oneForgedSignatureOutweighsAValidOne() {
        NoteSignature valid = SIGNER.sign(TEXT);
        for (int length : new int[] {1, 63, 64, 65, 72}) {
            NoteSignature forged =
                    new NoteSignature(valid.name(), valid.keyId(), Arrays.copyOf(new byte[] {1}, length));
            NoteVerification result =
                    SignedNote.of(TEXT).with(valid).with(forged).verify(List.of(SIGNER.verifierKey()));
            assertThat(result.isForged()).isTrue();
            assertThat(result.forged()).containsExactly(forged);
            assertThat(result.valid()).hasSize(1);
        }
    }

    @Test
    void eachBitOfASignatureCounts() {
        NoteSignature valid = SIGNER.sign(TEXT);
        for (int bit = 0; bit < valid.bytes().length * 8; bit++) {
            byte[] bytes = valid.bytes().clone();
            bytes[bit / 8] ^= (byte) (1 << bit % 8);
            NoteSignature changed = new NoteSignature(valid.name(), valid.keyId(), bytes);
            assertThat(SIGNER.verifierKey().verifies(TEXT, changed))
                    .as("bit %d", bit)
                    .isFalse();
        }
    }

    @Test
    void anUnknownSignatureTypeIsKeptAndVerifiesNothing() throws Exception {
        byte[] mlDsa = new byte[1313];
        mlDsa[0] = 6;
        int keyId = ByteBuffer.wrap(TestLog.sha256("w.example\n".getBytes(UTF_8), mlDsa))
                .getInt();
        String text = "w.example+" + HexFormat.of().toHexDigits(keyId) + "+"
                + Base64.getEncoder().encodeToString(mlDsa);
        VerifierKey key = VerifierKey.parse(text);
        assertThat(key).hasToString(text);
        assertThat(key.canVerify()).isFalse();
        NoteSignature signature = new NoteSignature("w.example", keyId, new byte[2428]);
        SignedNote note = SignedNote.parse(
                SignedNote.of(TEXT).with(SIGNER.sign(TEXT)).with(signature).toBytes());
        NoteVerification result = note.verify(List.of(key, SIGNER.verifierKey()));
        assertThat(result.isSigned()).isTrue();
        assertThat(result.valid()).hasSize(1);
        assertThat(result.forged()).isEmpty();
    }

    @Test
    void sixteenLargeSignaturesAreAccepted() throws Exception {
        SignedNote note = SignedNote.of(TEXT);
        for (int i = 0; i < 16; i++) {
            note = note.with(new NoteSignature("w" + i, i, new byte[5_000]));
        }
        assertThat(SignedNote.parse(note.toBytes()).signatures()).hasSize(16);
    }

    @Test
    void theNumberOfSignaturesIsBounded() {
        SignedNote note = SignedNote.of(TEXT);
        for (int i = 0; i < NoteSignature.MAX_COUNT; i++) {
            note = note.with(new NoteSignature("w" + i, i, new byte[64]));
        }
        SignedNote full = note;
        NoteSignature more = new NoteSignature("more", 1, new byte[64]);
        assertThatThrownBy(() -> full.with(more)).isInstanceOf(IllegalArgumentException.class);
        assertRefused(full + more.line(), "line 69: a note must have at most 64 signatures");
    }

    @Test
    void errorsNameLineAndRequirement() {
        String sig = "— a AAAAAAA=\n";
        assertRefused("", "line 1: a note must have an empty line between text and signatures");
        assertRefused("text\n" + sig, "line 1: a note must have an empty line between text and signatures");
        assertRefused("text\n\n", "line 3: a signature line is missing");
        assertRefused("text\n\n— a AAAAAAA=", "line 3: the line must end in a newline");
        assertRefused(
                "text\n\n- a AAAAAAA=\n",
                "line 3: a signature line must be an em dash, the key name and base64, " + "but was '- a AAAAAAA='");
        assertRefused(
                "text\n\n" + sig + "— aAAAAAAA=\n",
                "line 4: a signature line must be an em dash, the key name and " + "base64, but was '— aAAAAAAA='");
        assertRefused(
                "text\n\n—  AAAAAAA=\n", "line 3: a key name must not be empty or contain spaces or '+', but was ''");
        assertRefused(
                "text\n\n— a+b AAAAAAA=\n",
                "line 3: a key name must not be empty or contain spaces or '+', but was 'a+b'");
        String form = "line 3: the signature must be a key ID of 4 bytes and a signature, in base64";
        assertRefused("text\n\n— a AAAAAA==\n", form);
        assertRefused("text\n\n— a AAAAAAA\n", form);
        assertRefused("text\n\n— a AAAAAAB=\n", form);
        assertRefused("text\n\n— a AAAAAAA= \n", form);
        assertRefused("text\n\n— a *\n", form);
        assertRefused("text\n\n— a \n", form);
        assertRefused("a\nb\r\n\n" + sig, "line 2: control characters are not allowed, but the text contains U+000d");
        assertRefused("a\u0000\n\n" + sig, "line 1: control characters are not allowed, but the text contains U+0000");
    }

    @ParameterizedTest
    @ValueSource(chars = {'\u0085', '\u00a0', '\u1680', '\u2003', '\u2028', '\u202f', '\u205f', '\u3000'})
    void aKeyNameHasNoUnicodeSpace(char space) {
        assertThatThrownBy(() -> SignedNote.parse(("text\n\n— a" + space + "b AAAAAAA=\n").getBytes(UTF_8)))
                .isInstanceOf(TlogFormatException.class)
                .hasMessageStartingWith("line 3: a key name must not be empty or contain spaces");
        assertThatThrownBy(() -> NoteSigner.of("a" + space, KEYS)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void invalidUtf8IsRefusedWithItsPosition() {
        byte[][] sequences = {
            {(byte) 0xff},
            {(byte) 0xc0, (byte) 0x80},
            {(byte) 0xed, (byte) 0xa0, (byte) 0x80},
            {(byte) 0xe2, (byte) 0x80}
        };
        for (byte[] sequence : sequences) {
            byte[] note = ("a\nb" + "?".repeat(sequence.length) + "\n\n— a AAAAAAA=\n").getBytes(UTF_8);
            System.arraycopy(sequence, 0, note, 3, sequence.length);
            assertThatThrownBy(() -> SignedNote.parse(note))
                    .isInstanceOf(TlogFormatException.class)
                    .hasMessage("line 2: byte 3 must be UTF-8");
        }
        byte[] cut = "a\n\n— a AAAAAAA=\n—".getBytes(UTF_8);
        assertThatThrownBy(() -> SignedNote.parse(Arrays.copyOf(cut, cut.length - 1)))
                .isInstanceOf(TlogFormatException.class)
                .hasMessage("line 4: byte 18 must be UTF-8");
    }

    @Test
    void aNoteIsNotLargerThanItsBound() {
        String sig = "\n— a AAAAAAA=\n";
        int rest = sig.getBytes(UTF_8).length + 1;
        byte[] largest = ("x".repeat(SignedNote.MAX_BYTES - rest) + "\n" + sig).getBytes(UTF_8);
        assertThat(largest).hasSize(SignedNote.MAX_BYTES);
        assertThat(accepted(largest)).isTrue();
        assertThat(accepted(Arrays.copyOf(largest, largest.length + 1))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "+",
                "example.com/foo",
                "example.com/foo+530d903a",
                "example.com/foo+530d903a+",
                "+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
                "example.com/fop+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
                "example.com/foo+530d903b+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
                "example.com/foo+530D903A+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
                "example.com/foo+530d903+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
                "example.com/foo+0530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
                "example.com/foo+530d903a+BOkyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
                "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U0=",
                "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k\n",
                "example.com/ foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
                "example.com/foo+530d903a+AQ=="
            })
    void otherVerifierKeysAreRefused(String text) {
        assertThatThrownBy(() -> VerifierKey.parse(text))
                .isInstanceOf(TlogFormatException.class)
                .hasMessageStartingWith("line 1: the verifier key ");
    }

    @Test
    void bytesThatAreNoPointAreNoKey() {
        int refused = 0;
        for (int i = 0; i < 32; i++) {
            byte[] encoded = new byte[33];
            encoded[0] = 1;
            encoded[1] = (byte) i;
            int keyId = ByteBuffer.wrap(TestLog.sha256("a\n".getBytes(UTF_8), encoded))
                    .getInt();
            String text = "a+" + HexFormat.of().toHexDigits(keyId) + "+"
                    + Base64.getEncoder().encodeToString(encoded);
            try {
                VerifierKey.parse(text);
            } catch (TlogFormatException e) {
                refused++;
                assertThat(e).hasMessageStartingWith("line 1: the verifier key must have an Ed25519 key of 32 bytes");
            }
        }
        assertThat(refused).isBetween(8, 24);
    }

    @Test
    void aSignerNeedsAPairOfEd25519Keys() throws Exception {
        KeyPair mixed = new KeyPair(KeyFiles.newPair().getPublic(), KEYS.getPrivate());
        assertThatThrownBy(() -> NoteSigner.of("a", mixed))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the public key does not belong to the private key");
        KeyPair ec = KeyPairGenerator.getInstance("EC").generateKeyPair();
        assertThatThrownBy(() -> NoteSigner.of("a", ec)).isInstanceOf(IllegalArgumentException.class);
        KeyPair half = new KeyPair(KEYS.getPublic(), ec.getPrivate());
        assertThatThrownBy(() -> NoteSigner.of("a", half)).isInstanceOf(IllegalArgumentException.class);
        KeyPair longer = KeyPairGenerator.getInstance("Ed448").generateKeyPair();
        assertThatThrownBy(() -> NoteSigner.of("a", longer)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void textsThatCannotBeNotesAreRefused() {
        for (String text : new String[] {"", "no newline", "tab\t\n", "nul\u0000\n"}) {
            assertThatThrownBy(() -> SignedNote.of(text)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void aCosignatureCoversTheTimeAndTheText() throws Exception {
        NoteSigner witness = NoteSigner.cosigner("witness.example/w1", KEYS);
        NoteSignature line = witness.cosign(TEXT, 1_679_315_147L);
        assertThat(Cosignature.time(line.bytes())).hasValue(1_679_315_147L);
        Signature independent = Signature.getInstance("Ed25519");
        independent.initVerify(KEYS.getPublic());
        independent.update(("cosignature/v1\ntime 1679315147\n" + TEXT).getBytes(UTF_8));
        assertThat(independent.verify(Arrays.copyOfRange(line.bytes(), 8, 72))).isTrue();
        VerifierKey key = VerifierKey.parse(witness.verifierKey().toString());
        assertThat(key.type()).isEqualTo(VerifierKey.COSIGNATURE);
        assertThat(key.keyId())
                .isEqualTo(ByteBuffer.wrap(TestLog.sha256(
                                "witness.example/w1\n\u0004".getBytes(UTF_8),
                                Arrays.copyOfRange(KEYS.getPublic().getEncoded(), 12, 44)))
                        .getInt());
        assertThat(key.verifies(TEXT, line)).isTrue();
        assertThat(key.verifies(TEXT + "x\n", line)).isFalse();
        for (int at = 0; at < line.bytes().length; at++) {
            byte[] bytes = line.bytes().clone();
            bytes[at] ^= 1;
            assertThat(key.verifies(TEXT, new NoteSignature(line.name(), line.keyId(), bytes)))
                    .isFalse();
        }
        assertThat(NoteSignature.parse(line.line().getBytes(UTF_8)))
                .singleElement()
                .satisfies(parsed -> assertThat(key.verifies(TEXT, parsed)).isTrue());
    }

    @Test
    void aCosignatureIsNoSignatureAndTheReverse() {
        NoteSigner witness = NoteSigner.cosigner("log.example/1", KEYS);
        assertThat(witness.verifierKey().keyId())
                .isNotEqualTo(SIGNER.verifierKey().keyId());
        NoteSignature cosigned = witness.cosign(TEXT, 5);
        byte[] bytes = Arrays.copyOfRange(cosigned.bytes(), 8, 72);
        NoteSignature relabelled =
                new NoteSignature("log.example/1", SIGNER.verifierKey().keyId(), bytes);
        assertThat(SIGNER.verifierKey().verifies(TEXT, relabelled)).isFalse();
        assertThatThrownBy(() -> SIGNER.sign("cosignature/v1\ntime 5\n" + TEXT))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> SIGNER.cosign(TEXT, 5)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> witness.sign(TEXT)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> witness.cosign(TEXT, -1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aNegativeTimeIsNoCosignature() {
        NoteSigner witness = NoteSigner.cosigner("w", KEYS);
        byte[] signature = Ed25519.sign(KEYS.getPrivate(), Cosignature.message(TEXT, -1));
        NoteSignature negative =
                new NoteSignature("w", witness.verifierKey().keyId(), Cosignature.encode(-1, signature));
        assertThat(Cosignature.time(negative.bytes())).isEmpty();
        assertThat(witness.verifierKey().verifies(TEXT, negative)).isFalse();
    }

    private static void assertRefused(String note, String message) {
        assertThatThrownBy(() -> SignedNote.parse(note.getBytes(UTF_8)))
                .isInstanceOf(TlogFormatException.class)
                .hasMessage(message);
    }

    private static boolean accepted(byte[] note) {
        try {
            return SignedNote.parse(note).signatures().size() == 1;
        } catch (TlogFormatException e) {
            return false;
        }
    }
}
