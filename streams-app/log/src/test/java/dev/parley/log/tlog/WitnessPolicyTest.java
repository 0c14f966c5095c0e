package dev.parley.log.tlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.log.KeyFiles;
import java.security.KeyPair;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A tree head counts only with valid cosignatures of enough different witnesses. */
class WitnessPolicyTest {
    private static final String TEXT = new TreeHead("example.com/audit/0", 5, new byte[32]).text();

    private final NoteSigner w1 = NoteSigner.cosigner("w1", KeyFiles.newPair());
    private final NoteSigner w2 = NoteSigner.cosigner("w2", KeyFiles.newPair());
    private final NoteSigner w3 = NoteSigner.cosigner("w3", KeyFiles.newPair());

    private WitnessPolicy policy(int quorum) {
        return new WitnessPolicy(List.of(w1.verifierKey(), w2.verifierKey(), w3.verifierKey()), quorum);
    }

    private static SignedNote note(NoteSigner... cosigners) {
        SignedNote note = SignedNote.of(TEXT);
        long time = 1_700_000_000;
        for (NoteSigner cosigner : cosigners) {
            note = note.with(cosigner.cosign(TEXT, time++));
        }
        return note;
    }

    @Test
    void aQuorumIsMetByThatManyWitnesses() {
        assertThat(policy(2).accepts(note(w1, w3))).isTrue();
        assertThat(policy(2).accepts(note(w2))).isFalse();
        assertThat(policy(3).accepts(note(w1, w2))).isFalse();
        assertThat(policy(3).accepts(note(w3, w2, w1))).isTrue();
        assertThat(policy(0).accepts(note())).isTrue();
        assertThat(WitnessPolicy.NONE.accepts(note())).isTrue();
    }

    @Test
    void severalCosignaturesOfOneWitnessCountOnce() {
        SignedNote repeated = note(w1, w1, w1);
        assertThat(repeated.verify(policy(2).witnesses()).valid()).hasSize(3);
        assertThat(policy(2).cosigners(repeated)).containsExactly(w1.verifierKey());
        assertThat(policy(2).accepts(repeated)).isFalse();
    }

    @Test
    void unknownWitnessesAndForgedCosignaturesDoNotCount() {
        NoteSigner unknown = NoteSigner.cosigner("w4", KeyFiles.newPair());
        NoteSigner impostor = NoteSigner.cosigner("w2", KeyFiles.newPair());
        NoteSignature forged = new NoteSignature(
                "w2", w2.verifierKey().keyId(), impostor.cosign(TEXT, 1).bytes());

        assertThat(policy(2).accepts(note(w1, unknown))).isFalse();
        assertThat(policy(2).accepts(note(w1, impostor))).isFalse();
        assertThat(policy(2).accepts(note(w1).with(forged))).isFalse();
        assertThat(policy(2).accepts(note(w1, w3).with(forged))).isTrue();
    }

    @Test
    void aCosignatureOfAnotherHeadOrWithAnotherTimeDoesNotCount() {
        String other = new TreeHead("example.com/audit/1", 5, new byte[32]).text();
        byte[] later = w1.cosign(TEXT, 1).bytes().clone();
        later[7]++;
        for (NoteSignature signature : List.of(
                w1.cosign(other, 1), new NoteSignature("w1", w1.verifierKey().keyId(), later))) {
            assertThat(policy(1).accepts(SignedNote.of(TEXT).with(signature))).isFalse();
        }
    }

    @Test
    void oneKeyIsOneWitness() {
        KeyPair pair = KeyFiles.newPair();
        VerifierKey one = NoteSigner.cosigner("one", pair).verifierKey();
        VerifierKey two = NoteSigner.cosigner("two", pair).verifierKey();
        assertThatThrownBy(() -> new WitnessPolicy(List.of(one, two), 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the witnesses one and two must have different keys");
        assertThatThrownBy(() -> new WitnessPolicy(List.of(one, one), 1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void keysOfLogsAndQuorumsOutOfRangeAreRefused() {
        VerifierKey log = NoteSigner.of("example.com/audit", KeyFiles.newPair()).verifierKey();
        assertThatThrownBy(() -> new WitnessPolicy(List.of(log), 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("has type 1");
        for (int quorum : new int[] {-1, 4}) {
            assertThatThrownBy(() -> policy(quorum))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("the quorum must be from 0 to the 3 witnesses, but was " + quorum);
        }
    }
}
