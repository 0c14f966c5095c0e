package dev.parley.audit;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Profile;
import dev.parley.avro.Source;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Links of audit chains for tests: accepted, rejected and undecodable ones in turn. */
final class Links {
    private Links() {}

    /** A sound chain. */
    static List<AuditRecord> chain(String name, int length) {
        List<AuditRecord> links = new ArrayList<>();
        ByteBuffer head = AuditChain.genesis();
        for (int i = 0; i < length; i++) {
            AuditRecord link = sealed(unhashed(name, i, head));
            links.add(link);
            head = link.getHash();
        }
        return links;
    }

    static AuditRecord unhashed(String name, int i, ByteBuffer previous) {
        AuditRecord link = new AuditRecord();
        link.setChain(name);
        link.setSequence((long) i);
        link.setPreviousHash(previous);
        link.setSource(new Source("parley.wire", i % 3, 100L + i, Instant.ofEpochMilli(i)));
        link.setRaw(ByteBuffer.wrap((name + i).getBytes(UTF_8)));
        link.setPayloadHash(new AuditChain().payloadHash(link.getRaw()));
        link.setProfile(Profile.LENIENT);
        switch (i % 3) {
            case 0 -> {
                link.setVerdict(Verdict.ACCEPTED);
                link.setStage(Stage.NONE);
                link.setWarnings(List.of("SLIP_RANGE", "SLIP_TURN_GAP"));
            }
            case 1 -> {
                link.setVerdict(Verdict.REJECTED);
                link.setStage(Stage.DIALOGUE);
                link.setCode("SLIP_TURN_REUSED");
                link.setWarnings(List.of("SLIP_RANGE"));
            }
            default -> {
                link.setVerdict(Verdict.UNDECODABLE);
                link.setStage(Stage.DECODE);
                link.setCode("SLIP_NO_START");
                link.setWarnings(List.of());
            }
        }
        return link;
    }

    /** The link with the hash that fits its fields. */
    static AuditRecord sealed(AuditRecord link) {
        link.setHash(new AuditChain().hash(link));
        return link;
    }
}
