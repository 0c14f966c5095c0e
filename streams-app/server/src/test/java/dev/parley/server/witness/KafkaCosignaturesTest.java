package dev.parley.server.witness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AuditHead;
import dev.parley.log.KeyFiles;
import dev.parley.log.LogNotes;
import dev.parley.log.tlog.NoteSigner;
import dev.parley.log.tlog.SignedNote;
import dev.parley.log.tlog.WitnessPolicy;
import dev.parley.protocol.TopicNames;
import dev.parley.topology.topics.Topic;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.serialization.Serdes;
import org.junit.jupiter.api.Test;

/** A writer of the topic of cosigned heads cannot make an instance serve a head that witnesses did not cosign. */
class KafkaCosignaturesTest {
    private final NoteSigner key = NoteSigner.of("parley/audit", KeyFiles.newPair());
    private final NoteSigner w1 = NoteSigner.cosigner("w1", KeyFiles.newPair());
    private final NoteSigner w2 = NoteSigner.cosigner("w2", KeyFiles.newPair());
    private final KafkaCosignatures cosignatures = new KafkaCosignatures(
            new Topic<>(TopicNames.DEFAULT.auditCosignature(), Serdes.String(), null, Optional.empty()),
            Map.of(),
            new WitnessPolicy(List.of(w1.verifierKey(), w2.verifierKey()), 2),
            "parley/audit");

    private AuditHead head(String origin, long size, NoteSigner... cosigners) throws Exception {
        AuditHead head = new LogNotes(origin, List.of(key)).head(3, size, new byte[32], Instant.EPOCH);
        SignedNote note = LogNotes.parse(head.getNote());
        for (NoteSigner cosigner : cosigners) {
            note = note.with(cosigner.cosign(note.text(), size));
        }
        head.setNote(note.toString());
        return head;
    }

    @Test
    void onlyLargerHeadsWithTheQuorumAreServed() throws Exception {
        AuditHead first = head("parley/audit", 5, w1, w2);
        cosignatures.accept(first);
        cosignatures.accept(head("parley/audit", 9));
        cosignatures.accept(head("parley/audit", 9, w1, w1));
        cosignatures.accept(head("parley/audit", 9, w1, NoteSigner.cosigner("w2", KeyFiles.newPair())));
        cosignatures.accept(head("other/audit", 9, w1, w2));
        cosignatures.accept(head("parley/audit", 4, w1, w2));
        AuditHead otherSize = head("parley/audit", 9, w1, w2);
        otherSize.setSize(10L);
        cosignatures.accept(otherSize);
        AuditHead otherPartition = head("parley/audit", 9, w1, w2);
        otherPartition.setPartition(4);
        cosignatures.accept(otherPartition);
        for (String note : List.of("", "x", "parley/audit/3\n9\n", "\n\n")) {
            cosignatures.accept(AuditHead.newBuilder(first).setNote(note).build());
        }

        assertThat(cosignatures.head(3)).containsSame(first);
        assertThat(cosignatures.head(4)).isEmpty();

        AuditHead next = head("parley/audit", 9, w2, w1);
        cosignatures.accept(next);
        assertThat(cosignatures.head(3)).containsSame(next);
    }
}
