package dev.parley.audit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditManifest;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests signatures of chain heads and key files. */
class HeadSignatureVerifierTest {
    private final KeyPair pair = KeyFiles.newPair();
    private final HeadSignatureVerifier keys =
            HeadSignatureVerifier.of(List.of(KeyFiles.newPair().getPublic(), pair.getPublic()));

    private AuditHead signed() {
        AuditHead head = Links.head(Links.chain("default|SLIP|λ", 5));
        new HeadSigner(pair).sign(head);
        return head;
    }

    @Test
    void aSignedHeadVerifies() {
        assertThat(keys.check(signed(), RecordLocation.NONE)).isEmpty();
        assertThat(signed().getSignature().remaining()).isEqualTo(64);
        assertThat(signed().getKeyId()).isEqualTo(HeadSignatureVerifier.idOf(pair.getPublic()));
    }

    @Test
    void theKeyIdIsAPrefixOfTheHashOfItsX509Form() throws Exception {
        byte[] hash =
                MessageDigest.getInstance("SHA-256").digest(pair.getPublic().getEncoded());
        assertThat(HeadSignatureVerifier.idOf(pair.getPublic()))
                .isEqualTo(HexFormat.of().formatHex(hash).substring(0, 16));
    }

    @Test
    void theSignatureCoversTheDocumentedBytes() throws IOException {
        AuditHead head = signed();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        text(out, "parley.audit-head.v1");
        text(out, head.getChain());
        out.writeLong(head.getSequence());
        out.write(head.getHash().array());
        out.writeLong(head.getTime().toEpochMilli());
        text(out, head.getKeyId());
        assertThat(HeadSignatureVerifier.signedBytes(head)).isEqualTo(bytes.toByteArray());
    }

    private static void text(DataOutputStream out, String text) throws IOException {
        out.writeInt(text.getBytes(UTF_8).length);
        out.write(text.getBytes(UTF_8));
    }

    @Test
    void noFieldOfASignedHeadCanBeChanged() {
        for (Consumer<AuditHead> change : List.<Consumer<AuditHead>>of(
                head -> head.setChain("default|SLIP|2"),
                head -> head.setSequence(3L),
                head -> head.setHash(ByteBuffer.wrap(new byte[32])),
                head -> head.setTime(Instant.EPOCH),
                head -> head.setSignature(ByteBuffer.wrap(new byte[64])),
                head -> head.setSignature(ByteBuffer.wrap(new byte[3])))) {
            AuditHead head = signed();
            change.accept(head);
            assertThat(keys.check(head, RecordLocation.NONE))
                    .hasValueSatisfying(
                            auditFault -> assertThat(auditFault.code()).isEqualTo(FaultCode.HEAD_FORGED));
        }
    }

    @Test
    void aHeadMustBeSignedByAGivenKey() {
        AuditHead unsigned = Links.head(Links.chain("c", 1));
        assertThat(keys.check(unsigned, RecordLocation.NONE)).hasValueSatisfying(auditFault -> {
            assertThat(auditFault.code()).isEqualTo(FaultCode.HEAD_UNSIGNED);
            assertThat(auditFault.detail()).contains("not signed", HeadSignatureVerifier.idOf(pair.getPublic()));
        });
        AuditHead others = signed();
        new HeadSigner(KeyFiles.newPair()).sign(others);
        assertThat(keys.check(others, RecordLocation.NONE)).hasValueSatisfying(auditFault -> {
            assertThat(auditFault.code()).isEqualTo(FaultCode.HEAD_UNSIGNED);
            assertThat(auditFault.detail()).contains(others.getKeyId());
        });
        AuditHead without = signed();
        without.setSignature(null);
        assertThat(keys.check(without, RecordLocation.NONE))
                .hasValueSatisfying(auditFault -> assertThat(auditFault.code()).isEqualTo(FaultCode.HEAD_UNSIGNED));
        AuditHead nameless = signed();
        nameless.setKeyId(null);
        assertThat(keys.check(nameless, RecordLocation.NONE))
                .hasValueSatisfying(auditFault -> assertThat(auditFault.code()).isEqualTo(FaultCode.HEAD_UNSIGNED));
    }

    @Test
    void withoutKeysSignaturesAreNotVerified() {
        assertThat(HeadSignatureVerifier.of(List.of()).isEmpty()).isTrue();
        assertThat(keys.isEmpty()).isFalse();
        assertThat(HeadSignatureVerifier.of(List.of()).check(Links.head(Links.chain("c", 1)), RecordLocation.NONE))
                .isEmpty();
    }

    @Test
    void keysAreReadBackFromTheirFiles(@TempDir Path directory) throws IOException {
        Path secret = Files.writeString(directory.resolve("a.key"), KeyFiles.privatePem(pair));
        Path shown = Files.writeString(directory.resolve("a.pub"), KeyFiles.publicPem(pair.getPublic()));
        assertThat(KeyFiles.readPublic(shown)).isEqualTo(pair.getPublic());
        assertThat(KeyFiles.readPair(secret).getPublic()).isEqualTo(pair.getPublic());
        AuditHead head = Links.head(Links.chain("c", 1));
        new HeadSigner(KeyFiles.readPair(secret)).sign(head);
        assertThat(keys.check(head, RecordLocation.NONE)).isEmpty();
        assertThat(Files.readString(shown))
                .startsWith("-----BEGIN PUBLIC KEY-----\nMC")
                .endsWith("-----END PUBLIC KEY-----\n");
    }

    @Test
    void filesWithoutKeysAreRefusedWithARemedy(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("a.key");
        Files.writeString(file, "nothing");
        assertThatThrownBy(() -> KeyFiles.readPair(file)).hasMessageContaining("parley keygen");
        assertThatThrownBy(() -> KeyFiles.readPublic(file)).hasMessageContaining("must contain a public key");
        String pem = KeyFiles.privatePem(pair);
        Files.writeString(file, pem.substring(0, pem.indexOf("-----BEGIN PUBLIC")));
        assertThatThrownBy(() -> KeyFiles.readPair(file)).hasMessageContaining("openssl pkey");
        Files.writeString(file, "-----END PUBLIC KEY-----\n-----BEGIN PUBLIC KEY-----\n");
        assertThatThrownBy(() -> KeyFiles.readPublic(file)).hasMessageContaining("must contain a public key");
        KeyPair rsa = KeyPairGenerator.getInstance("RSA").generateKeyPair();
        Files.writeString(file, KeyFiles.privatePem(rsa));
        assertThatThrownBy(() -> KeyFiles.readPair(file)).hasMessageContaining("Ed25519");
        assertThatThrownBy(() -> KeyFiles.readPublic(file)).hasMessageContaining("Ed25519");
        assertThatThrownBy(() -> new HeadSigner(rsa)).hasMessageContaining("Ed25519");
    }

    @Test
    void mismatchedKeysDoNotSign() {
        KeyPair mixed = new KeyPair(KeyFiles.newPair().getPublic(), pair.getPrivate());
        assertThatThrownBy(() -> new HeadSigner(mixed)).hasMessageContaining("does not belong");
    }

    @Test
    void aSignerNamesItsKey() {
        assertThat(new HeadSigner(pair).keyId()).isEqualTo(HeadSignatureVerifier.idOf(pair.getPublic()));
    }

    private AuditManifest signedManifest() {
        AuditManifest manifest = unsignedManifest();
        new HeadSigner(pair).sign(manifest);
        return manifest;
    }

    private static AuditManifest unsignedManifest() {
        Journal journal = new Journal(3, null);
        Links.chain("c", 5).forEach(journal::add);
        return Manifests.next(3, journal.state(), null, Instant.ofEpochMilli(77));
    }

    @Test
    void aSignedManifestVerifies() {
        assertThat(keys.check(signedManifest(), RecordLocation.NONE)).isEmpty();
        assertThat(signedManifest().getKeyId()).isEqualTo(HeadSignatureVerifier.idOf(pair.getPublic()));
        assertThat(signedManifest().getSignature().remaining()).isEqualTo(64);
    }

    @Test
    void noFieldOfASignedManifestCanBeChanged() {
        for (Consumer<AuditManifest> change : List.<Consumer<AuditManifest>>of(
                manifest -> manifest.setPartition(4),
                manifest -> manifest.setNumber(2L),
                manifest -> manifest.setRecords(4L),
                manifest -> manifest.setRoot(ByteBuffer.wrap(new byte[32])),
                manifest -> manifest.setChains(2L),
                manifest -> manifest.setTime(Instant.EPOCH),
                manifest -> manifest.setPreviousHash(manifest.getRoot()),
                manifest -> manifest.setSignature(ByteBuffer.wrap(new byte[64])),
                manifest -> manifest.setSignature(ByteBuffer.wrap(new byte[3])))) {
            AuditManifest manifest = signedManifest();
            change.accept(manifest);
            assertThat(keys.check(manifest, RecordLocation.of("manifests-0", 2)))
                    .contains(new AuditFault(
                            FaultCode.MANIFEST_FORGED,
                            RecordLocation.of("manifests-0", 2),
                            "",
                            -1,
                            "the signature of manifest " + manifest.getNumber() + " of journal "
                                    + manifest.getPartition() + " is invalid"));
        }
    }

    @Test
    void aManifestMustBeSignedByAGivenKey() {
        String given = HeadSignatureVerifier.idOf(pair.getPublic());
        assertUnsigned(unsignedManifest(), "not signed");
        AuditManifest others = unsignedManifest();
        new HeadSigner(KeyFiles.newPair()).sign(others);
        assertUnsigned(others, "signed by key " + others.getKeyId());
        AuditManifest without = signedManifest();
        without.setSignature(null);
        assertUnsigned(without, "signed by key " + given);
        AuditManifest nameless = signedManifest();
        nameless.setKeyId(null);
        assertUnsigned(nameless, "not signed");
    }

    private void assertUnsigned(AuditManifest manifest, String how) {
        HeadSignatureVerifier one = HeadSignatureVerifier.of(List.of(pair.getPublic()));
        assertThat(one.check(manifest, RecordLocation.of("manifests-0", 2)))
                .contains(new AuditFault(
                        FaultCode.MANIFEST_UNSIGNED,
                        RecordLocation.of("manifests-0", 2),
                        "",
                        -1,
                        "manifest 1 of journal 3 is " + how + ", but the given keys are "
                                + HeadSignatureVerifier.idOf(pair.getPublic())));
    }

    @Test
    void withoutKeysManifestsAreNotVerified() {
        assertThat(HeadSignatureVerifier.of(List.of()).check(unsignedManifest(), RecordLocation.NONE))
                .isEmpty();
    }
}
