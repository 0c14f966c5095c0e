package dev.parley.audit;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.LogPosition;
import dev.parley.avro.Performative;
import dev.parley.avro.Profile;
import dev.parley.avro.Protocol;
import dev.parley.avro.Redaction;
import dev.parley.avro.Reference;
import dev.parley.avro.Source;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.encoding.Sha256;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Audit records for tests: accepted, rejected and undecodable ones in turn. */
public final class Links {
    private Links() {}

    /** An intact chain. */
    public static List<AuditRecord> chain(String name, int length) {
        List<AuditRecord> links = new ArrayList<>();
        ByteBuffer head = AuditChain.genesis();
        for (int i = 0; i < length; i++) {
            AuditRecord link = sealed(unhashed(name, i, head));
            links.add(link);
            head = link.getHash();
        }
        return links;
    }

    public static AuditRecord unhashed(String name, int i, ByteBuffer previous) {
        AuditRecord link = new AuditRecord();
        link.setAllowed(List.of());
        link.setChain(name);
        link.setSequence((long) i);
        link.setPreviousHash(previous);
        link.setSource(new Source("parley.wire", i % 3, 100L + i, Instant.ofEpochMilli(i), null));
        link.setRaw(ByteBuffer.wrap((name + i).getBytes(UTF_8)));
        link.setPayloadHash(new AuditChain().payloadHash(link.getRaw()));
        link.setProfile(Profile.LENIENT.name());
        link.setContentHash(AuditChain.genesis());
        link.setInnerMessages(List.of());
        // Each chain is in a log of its own.
        link.setLog(new LogPosition(Math.floorMod(name.hashCode(), 1 << 16), (long) i));
        link.setRules("1");
        link.setSalt(ByteBuffer.wrap(Sha256.of((name + i).getBytes(UTF_8)), 0, AuditChain.SALT_BYTES));
        switch (i % 3) {
            case 0 -> {
                link.setVerdict(Verdict.ACCEPTED.name());
                link.setStage(Stage.NONE.name());
                link.setWarnings(List.of("SLIP_RANGE", "SLIP_TURN_GAP"));
            }
            case 1 -> {
                link.setVerdict(Verdict.REJECTED.name());
                link.setStage(Stage.JUDGE.name());
                link.setCode("SLIP_TURN_REUSED");
                link.setWarnings(List.of("SLIP_RANGE"));
            }
            default -> {
                link.setVerdict(Verdict.UNDECODABLE.name());
                link.setStage(Stage.DECODE.name());
                link.setCode("SLIP_NO_START");
                link.setWarnings(List.of());
            }
        }
        return link;
    }

    /** An intact chain of decoded messages. */
    public static List<AuditRecord> messages(String name, int length) {
        List<AuditRecord> links = chain(name, length);
        ByteBuffer head = AuditChain.genesis();
        for (AuditRecord link : links) {
            ByteBuffer raw = link.getRaw();
            link.setRaw(null);
            link.setMessage(new AgentMessage(
                    link.getSource().getTopic() + "-" + link.getSequence(),
                    "default",
                    Protocol.SLIP.name(),
                    name,
                    "alice",
                    List.of("bob"),
                    Performative.ASSERT.name(),
                    null,
                    List.of(new Reference("task", "7")),
                    link.getSource(),
                    raw,
                    link.getPayloadHash(),
                    null,
                    null,
                    null,
                    null,
                    null,
                    null));
            link.setDetail("a sentence");
            link.setPreviousHash(head);
            sealed(link);
            head = link.getHash();
        }
        return links;
    }

    /** The audit record with hashes that match its fields. */
    public static AuditRecord sealed(AuditRecord link) {
        return new AuditChain().seal(link).auditRecord();
    }

    /** The record of a redaction, after another record of its chain. */
    public static AuditRecord redacting(Redaction redaction, AuditRecord before) {
        AuditRecord event = unhashed(before.getChain(), Math.toIntExact(before.getSequence() + 1), before.getHash());
        event.setVerdict(Verdict.ACCEPTED.name());
        event.setStage(Stage.NONE.name());
        event.setCode(null);
        event.setRedaction(redaction);
        return sealed(event);
    }

    /** A redaction request for a record. */
    public static Redaction redactionOf(AuditRecord link) {
        return new Redaction(
                link.getChain(),
                link.getSequence(),
                link.getSource(),
                link.getHash(),
                "names a customer",
                "requester",
                Instant.ofEpochMilli(5),
                false);
    }
}
