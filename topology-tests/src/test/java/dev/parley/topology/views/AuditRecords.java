package dev.parley.topology.views;

import dev.parley.audit.AuditChain;
import dev.parley.avro.Accounting;
import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Checkpoint;
import dev.parley.avro.CspOperation;
import dev.parley.avro.CspOperator;
import dev.parley.avro.LogPosition;
import dev.parley.avro.Performative;
import dev.parley.avro.Profile;
import dev.parley.avro.Protocol;
import dev.parley.avro.Redaction;
import dev.parley.avro.Source;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.decode.ConversationKey;
import dev.parley.protocol.TopicNames;
import dev.parley.stage.RuleVersion;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;

/** Output records of the pipeline, as far as the views look at them. */
public final class AuditRecords {

    public static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");

    private AuditRecords() {}

    public static AuditRecord accepted(
            String namespace, Protocol protocol, String conversation, long sequence, String sender, Instant time) {
        return builder(new ConversationKey(namespace, protocol, conversation), sequence, time)
                .setVerdict(Verdict.ACCEPTED.name())
                .setMessage(AgentMessage.newBuilder()
                        .setMessageId("parley.wire-0-" + sequence)
                        .setNamespace(namespace)
                        .setProtocol(protocol.name())
                        .setConversation(conversation)
                        .setSender(sender)
                        .setPerformative(Performative.ASK.name())
                        .setSource(new Source("parley.wire", 0, sequence, time, null))
                        .setRaw(ByteBuffer.wrap(new byte[] {1}))
                        .setSha256(ByteBuffer.allocate(32))
                        .build())
                .build();
    }

    static AuditRecord rejected(String conversation, long sequence, String code) {
        AuditRecord record =
                accepted("default", Protocol.SLIP, conversation, sequence, "1", NOON.plusSeconds(sequence));
        record.setVerdict(Verdict.REJECTED.name());
        record.setStage(Stage.JUDGE.name());
        record.setCode(code);
        return record;
    }

    public static AuditRecord undecodable(int partition, long sequence) {
        return builder(ConversationKey.ofPartition("parley.wire", partition), sequence, NOON)
                .setVerdict(Verdict.UNDECODABLE.name())
                .setStage(Stage.DECODE.name())
                .setCode("UNKNOWN_PROTOCOL")
                .build();
    }

    public static Redaction redaction(AuditRecord record) {
        return new Redaction(
                record.getChain(),
                record.getSequence(),
                record.getSource(),
                record.getHash(),
                "names a customer",
                "requester",
                NOON,
                false);
    }

    public static AuditRecord redacting(Redaction redaction, long sequence) {
        AuditRecord record = builder(ConversationKey.parse(redaction.getChain()), sequence, NOON)
                .setVerdict(Verdict.ACCEPTED.name())
                .build();
        record.setSource(new Source(TopicNames.DEFAULT.redaction(), 0, sequence, NOON, null));
        record.setRedaction(redaction);
        return record;
    }

    private static AuditRecord.Builder builder(ConversationKey chain, long sequence, Instant time) {
        return AuditRecord.newBuilder()
                .setChain(chain.toString())
                .setSequence(sequence)
                .setHash(ByteBuffer.wrap(new byte[AuditChain.HASH_BYTES]).put(0, (byte) (sequence + 1)))
                .setPreviousHash(ByteBuffer.allocate(32))
                .setSource(new Source("parley.wire", 0, sequence, time, null))
                .setPayloadHash(ByteBuffer.allocate(32))
                .setProfile(Profile.LENIENT.name())
                .setContentHash(ByteBuffer.allocate(32))
                .setRules(RuleVersion.CURRENT)
                .setSalt(ByteBuffer.wrap(new byte[AuditChain.SALT_BYTES]))
                .setLog(new LogPosition(0, sequence));
    }

    public static Checkpoint checkpoint(String context, String id, String parent, long ordinal) {
        return Checkpoint.newBuilder()
                .setNamespace("default")
                .setContext(context)
                .setId(id)
                .setParent(parent)
                .setPatch("P" + ordinal)
                .setPatchHash(ByteBuffer.allocate(32))
                .setOperations(List.of(new CspOperation(CspOperator.ADD, "K" + ordinal, "V" + ordinal)))
                .setSource(new Source("parley.wire", 0, ordinal, NOON.plusSeconds(ordinal), null))
                .setOrdinal(ordinal)
                .setDepth(1)
                .setHash(ByteBuffer.allocate(32))
                .setStateBytes(4)
                .setDeltaBytes(4)
                .build();
    }

    static Accounting accounting(int partition, long inputs) {
        return Accounting.newBuilder()
                .setTopic("parley.wire")
                .setPartition(partition)
                .setInputs(inputs)
                .setAccepted(inputs)
                .build();
    }
}
