package dev.parley.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.audit.Links;
import dev.parley.audit.Redactions;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Redaction;
import dev.parley.encoding.ByteBuffers;
import dev.parley.json.ApiJson;
import dev.parley.log.KeyFiles;
import dev.parley.log.LogNotes;
import dev.parley.log.Trail;
import dev.parley.log.TrustedKey;
import dev.parley.log.tlog.InclusionProof;
import dev.parley.log.tlog.MerkleHasher;
import dev.parley.log.tlog.NoteSignature;
import dev.parley.log.tlog.NoteSigner;
import dev.parley.log.tlog.SignedNote;
import dev.parley.log.tlog.TlogProof;
import dev.parley.log.tlog.WitnessPolicy;
import dev.parley.log.verify.ProofCheck;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests what the proof of one message proves, and that a forged one proves nothing. */
class ProofCheckTest {
    private static final String CHAIN = "default|SLIP|1";
    private static final long SEED = Long.getLong("parley.seed", 36_2026L);

    @TempDir
    private Path directory;

    private final NoteSigner key = Trail.key();
    private final Trail trail = Trail.of(key, Map.of(CHAIN, 0, "default|CSP|x", 1), 9);
    private final AuditRecord record = trail.chain(CHAIN).get(4);
    private final byte[] message = ByteBuffers.of(record.getMessage().getRaw());

    /** A proof of what is at an index, with a record as its extra data. */
    private TlogProof proof(AuditRecord extra, long index, String note) throws Exception {
        ByteArrayOutputStream leaves = new ByteArrayOutputStream();
        MerkleHasher hasher = new MerkleHasher();
        for (AuditRecord link : trail.log(0)) {
            leaves.write(hasher.leaf(ByteBuffers.of(link.getHash())));
        }
        return TlogProof.of(
                Optional.of(ApiJson.bytes(extra)),
                InclusionProof.of(index, 9, tile -> leaves.toByteArray()),
                SignedNote.parse(note.getBytes(StandardCharsets.UTF_8)));
    }

    private byte[] sound() throws Exception {
        return proof(record, 4, trail.head(0).getNote()).toBytes();
    }

    private ProofCheck.Proven check(byte[] proof, Optional<byte[]> expected) throws Exception {
        return ProofCheck.check(proof, TrustedKey.present(List.of(key.verifierKey())), WitnessPolicy.NONE, expected);
    }

    private void assertNotProven(TlogProof proof, String reason) {
        assertThatThrownBy(() -> check(proof.toBytes(), Optional.empty()))
                .isInstanceOf(ProofCheck.NotProvenException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void aProofProvesTheRecordAndItsMessage() throws Exception {
        assertThat(check(sound(), Optional.of(message)))
                .isEqualTo(new ProofCheck.Proven(
                        Trail.ORIGIN,
                        0,
                        4,
                        9,
                        CHAIN,
                        4,
                        record.getVerdict(),
                        record.getCode(),
                        record.getSource().getTimestamp(),
                        true,
                        null,
                        null,
                        true));
        assertThat(check(sound(), Optional.empty()).message()).isNull();
        assertThatThrownBy(() -> check(sound(), Optional.of(new byte[] {1})))
                .isInstanceOf(ProofCheck.NotProvenException.class)
                .hasMessage("the record is of another message");
    }

    @Test
    void aRedactedOrPrivateRecordProvesItsMetadata() throws Exception {
        for (AuditRecord copy :
                List.of(Redactions.redact(record, Links.redactionOf(record)), Redactions.redact(record, null))) {
            byte[] proof = proof(copy, 4, trail.head(0).getNote()).toBytes();
            assertThat(check(proof, Optional.empty()).content()).isFalse();
            assertThatThrownBy(() -> check(proof, Optional.of(message)))
                    .isInstanceOf(ProofCheck.NotProvenException.class)
                    .hasMessageContaining("no content");
            copy.setVerdict("ACCEPTED".equals(copy.getVerdict()) ? "FLAGGED" : "ACCEPTED");
            assertNotProven(proof(copy, 4, trail.head(0).getNote()), "RECORD_CHANGED");
        }
    }

    @Test
    void aRedactionIsAClaimAndMustNameTheRecord() throws Exception {
        Redaction redaction = Links.redactionOf(record);
        redaction.setBy("ceo\u0007");
        byte[] proof = proof(
                        Redactions.redact(record, redaction), 4, trail.head(0).getNote())
                .toBytes();
        assertThat(check(proof, Optional.empty()).claimedRedaction())
                .isEqualTo(new ProofCheck.Claim("ceo\u0007", redaction.getTime(), redaction.getReason()));
        String file = Files.write(directory.resolve("r.proof"), proof).toString();
        String vkey = key.verifierKey().toString();
        assertThat(CommandRun.of("prove", "--check", file, "--key", vkey).out())
                .contains(
                        "content   not included: only the metadata is proven",
                        "redaction claimed by ceo\\u0007 at " + redaction.getTime() + ", not proven: "
                                + redaction.getReason());
        assertThat(CommandRun.of("prove", "--check", file, "--key", vkey, "--json")
                        .out())
                .contains("\"claimedRedaction\":{\"by\":\"ceo");
        assertThat(ApiJson.text(check(sound(), Optional.empty()))).doesNotContain("claimedRedaction");

        String another = "the redaction in the record must name its chain, sequence, source and hash";
        for (Consumer<Redaction> change : List.<Consumer<Redaction>>of(
                other -> other.setChain("default|CSP|x"),
                other -> other.setSequence(5L),
                other -> other.getSource().setOffset(99L),
                other -> other.setRecordHash(trail.records.get(0).getHash()))) {
            Redaction other = Links.redactionOf(record);
            other.setSource(
                    dev.parley.avro.Source.newBuilder(record.getSource()).build());
            change.accept(other);
            assertNotProven(
                    proof(Redactions.redact(record, other), 4, trail.head(0).getNote()), another);
        }
        record.setRedacted(Links.redactionOf(record));
        assertNotProven(
                proof(record, 4, trail.head(0).getNote()),
                "CONTENT_CHANGED: the content does not match the content hash");
    }

    @Test
    void aProofForAnotherMessageProvesNothing() throws Exception {
        assertNotProven(proof(record, 5, trail.head(0).getNote()), "index 5, but the record has index 4");
        AuditRecord forged = Links.messages(CHAIN, 5).get(4);
        forged.setLog(record.getLog());
        Links.sealed(forged);
        assertNotProven(proof(forged, 4, trail.head(0).getNote()), "the log does not contain the record");
        record.setDetail("made up");
        assertNotProven(proof(record, 4, trail.head(0).getNote()), "CONTENT_CHANGED");
    }

    @Test
    void aHeadOfAnotherLogDeploymentOrKeyProvesNothing() throws Exception {
        assertNotProven(proof(record, 4, trail.head(1).getNote()), "the head is of example.com/audit/1");
        String other = new LogNotes("example.com/other", List.of(key))
                .head(0, 9, new byte[32], Instant.EPOCH)
                .getNote();
        assertNotProven(proof(record, 4, other), "the head is of example.com/other/0");
        assertNotProven(proof(record, 4, trail.head(Trail.key(), 0, 9).getNote()), "no given key signed the head");
        String forged = trail.head(0, 8).getNote().replace("\n8\n", "\n9\n");
        assertNotProven(proof(record, 4, forged), "the signature of the head is forged");
    }

    private static NoteSigner witness(String name) {
        return NoteSigner.cosigner(name, KeyFiles.newPair());
    }

    @Test
    void aProofNeedsTheQuorumOfTheWitnesses() throws Exception {
        NoteSigner w1 = witness("w1");
        NoteSigner w2 = witness("w2");
        WitnessPolicy both = new WitnessPolicy(List.of(w1.verifierKey(), w2.verifierKey()), 2);
        WitnessPolicy any = new WitnessPolicy(both.witnesses(), 1);
        byte[] cosigned = proof(record, 4, Trail.cosigned(trail.head(0), w1, w2).getNote())
                .toBytes();
        byte[] twice = proof(record, 4, Trail.cosigned(trail.head(0), w1, w1).getNote())
                .toBytes();
        byte[] unknown = proof(
                        record,
                        4,
                        Trail.cosigned(trail.head(0), w1, witness("w2")).getNote())
                .toBytes();
        String line = witness("w2")
                .cosign(
                        SignedNote.parse(trail.head(0).getNote().getBytes(StandardCharsets.UTF_8))
                                .text(),
                        1)
                .line();
        NoteSignature foreign =
                NoteSignature.parse(line.getBytes(StandardCharsets.UTF_8)).get(0);
        byte[] forged = proof(
                        record,
                        4,
                        Trail.cosigned(trail.head(0), w1).getNote()
                                + new NoteSignature("w2", w2.verifierKey().keyId(), foreign.bytes()).line())
                .toBytes();

        assertThat(check(cosigned, both).witnesses()).containsExactly("w1", "w2");
        assertThat(check(twice, any).witnesses()).containsExactly("w1");
        for (byte[] insufficient : List.of(sound(), twice, unknown)) {
            assertThatThrownBy(() -> check(insufficient, both))
                    .isInstanceOf(ProofCheck.NotProvenException.class)
                    .hasMessageContaining("but needs those of 2 of the 2 witnesses w1, w2");
        }
        assertThatThrownBy(() -> check(forged, any))
                .isInstanceOf(ProofCheck.NotProvenException.class)
                .hasMessageContaining("a cosignature of the head is forged");

        String file = Files.write(directory.resolve("w.proof"), cosigned).toString();
        CommandRun run = CommandRun.of(
                "prove",
                "--check",
                file,
                "--key",
                key.verifierKey().toString(),
                "--witness",
                w1.verifierKey().toString(),
                "--witness",
                w2.verifierKey().toString());
        assertThat(run.out())
                .contains("witnesses w1, w2", "one history for all readers")
                .doesNotContain("that the log has");
        assertThat(run.exit()).isZero();
        assertThat(CommandRun.of(
                                "prove",
                                "--check",
                                file,
                                "--key",
                                key.verifierKey().toString(),
                                "--witness",
                                w1.verifierKey().toString(),
                                "--quorum",
                                "2")
                        .err())
                .contains("--quorum must be an integer from 1 to the number of witnesses, 1, but was 2");
        assertThat(CommandRun.of(
                                "prove",
                                "--check",
                                file,
                                "--key",
                                key.verifierKey().toString(),
                                "--witness",
                                key.verifierKey().toString())
                        .err())
                .contains("--witness: the key must be a key of a witness");
    }

    private ProofCheck.Proven check(byte[] proof, WitnessPolicy policy) throws Exception {
        return ProofCheck.check(proof, TrustedKey.present(List.of(key.verifierKey())), policy, Optional.empty());
    }

    @Test
    void extraDataMustBeOneAuditRecord() throws Exception {
        SignedNote note = SignedNote.parse(trail.head(0).getNote().getBytes(StandardCharsets.UTF_8));
        String json = ApiJson.text(record);
        for (String extra : List.of(
                "[]",
                "{}",
                "null",
                "x",
                json + "{}",
                "[".repeat(10_000),
                json.replace("\"chain\":", "\"chain\":1,\"chain\":"))) {
            TlogProof proof = new TlogProof(
                    Optional.of(extra.getBytes(StandardCharsets.UTF_8)),
                    4,
                    List.of(),
                    note,
                    dev.parley.log.tlog.TreeHead.parse(note));
            assertThatThrownBy(() -> check(proof.toBytes(), Optional.empty()))
                    .isInstanceOf(ProofCheck.NotProvenException.class)
                    .hasMessageContaining("the extra data must be an audit record in JSON")
                    .message()
                    .doesNotContain("`", "Exception", "com.fasterxml", "Source:");
        }
        assertNotProven(
                new TlogProof(Optional.empty(), 4, List.of(), note, dev.parley.log.tlog.TreeHead.parse(note)),
                "no audit record");
    }

    @Test
    void noChangedByteIsAccepted() throws Exception {
        byte[] sound = sound();
        Random random = new Random(SEED);
        for (int round = 0; round < 500; round++) {
            byte[] touched = sound.clone();
            touched[random.nextInt(touched.length)] ^= (byte) (1 << random.nextInt(8));
            assertThatThrownBy(() -> check(touched, Optional.empty()))
                    .as("seed %d, byte %d", SEED, Arrays.mismatch(sound, touched))
                    .isInstanceOfAny(
                            ProofCheck.NotProvenException.class, dev.parley.log.tlog.TlogFormatException.class);
        }
    }

    @Test
    void theCommandExitsWithZeroOneOrTwo() throws Exception {
        String file = Files.write(directory.resolve("a.proof"), sound()).toString();
        String original = Files.write(directory.resolve("original"), message).toString();
        String vkey = key.verifierKey().toString();
        CommandRun proven = CommandRun.of("prove", "--check", file, "--key", vkey, "--message", original);
        assertThat(proven.out())
                .contains(
                        "PROVEN: the deployment example.com/audit recorded in partition 0 of its log, at index 4 of 9",
                        CHAIN,
                        "equal to the given one",
                        "Not proven: that the verdict is right");
        assertThat(proven.exit()).isZero();
        CommandRun other = CommandRun.of("prove", "--check", file, "--key", vkey, "--message", file);
        assertThat(other.exit()).isEqualTo(1);
        assertThat(other.out()).contains("NOT PROVEN: the record is of another message");
        CommandRun none = CommandRun.of("prove", "--check", original, "--key", vkey);
        assertThat(none.exit()).isEqualTo(2);
        assertThat(none.err()).contains("is not a proof");
        assertThat(CommandRun.of("prove", "--check", file).err()).contains("--check requires --key");
        assertThat(CommandRun.of("prove").exit()).isEqualTo(2);
        assertThat(CommandRun.of("prove", "--conversation", "a/b", "--sequence", "1")
                        .err())
                .contains("NAMESPACE/PROTOCOL/CONVERSATION");
    }

    @Test
    void proofsThatFollowEachOtherInAFileAreCheckedOneByOne() throws Exception {
        byte[] one = sound();
        byte[] changed = one.clone();
        changed[one.length / 3] ^= 1;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(one);
        bytes.write(one);
        Path file = Files.write(directory.resolve("all.proofs"), bytes.toByteArray());
        String vkey = key.verifierKey().toString();

        CommandRun both = CommandRun.of("prove", "--check", file.toString(), "--key", vkey, "--json");
        assertThat(both.out().lines()).hasSize(2).allMatch(line -> line.contains("\"sequence\""));
        assertThat(both.err()).contains("2 of 2 proofs proven");
        assertThat(both.exit()).isZero();

        Files.write(file, changed, StandardOpenOption.APPEND);
        CommandRun some = CommandRun.of("prove", "--check", file.toString(), "--key", vkey);
        assertThat(some.out()).contains("PROVEN: the deployment", "NOT PROVEN: ");
        assertThat(some.err()).contains("2 of 3 proofs proven");
        assertThat(some.exit()).isEqualTo(1);

        Files.write(file, new byte[SignedNote.MAX_BYTES + 1]);
        CommandRun large = CommandRun.of("prove", "--check", file.toString(), "--key", vkey);
        assertThat(large.err()).contains("a proof must have at most");
        assertThat(large.exit()).isEqualTo(2);
    }
}
