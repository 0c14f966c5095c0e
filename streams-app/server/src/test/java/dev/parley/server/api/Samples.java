package dev.parley.server.api;

import dev.parley.audit.AuditChain;
import dev.parley.avro.Accounting;
import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Checkpoint;
import dev.parley.avro.ConversationSummary;
import dev.parley.avro.CspOperation;
import dev.parley.avro.CspOperator;
import dev.parley.avro.DeadLetterSummary;
import dev.parley.avro.LambdaKind;
import dev.parley.avro.LambdaMessage;
import dev.parley.avro.LambdaStatement;
import dev.parley.avro.LambdaStatementKind;
import dev.parley.avro.LambdaTrust;
import dev.parley.avro.LogPosition;
import dev.parley.avro.Performative;
import dev.parley.avro.Profile;
import dev.parley.avro.Protocol;
import dev.parley.avro.Redaction;
import dev.parley.avro.SlipAct;
import dev.parley.avro.SlipFrame;
import dev.parley.avro.SlipMessage;
import dev.parley.avro.Source;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.json.model.Conversation;
import dev.parley.stage.RuleVersion;
import dev.parley.topology.topics.PrivateContent;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** Records for tests of the API. */
public final class Samples {

    public static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");

    private Samples() {}

    public static Source source(long offset) {
        return new Source("parley.wire", 3, offset, NOON.plusSeconds(offset), null);
    }

    public static ByteBuffer hash(int fill) {
        byte[] bytes = new byte[32];
        Arrays.fill(bytes, (byte) fill);
        return ByteBuffer.wrap(bytes);
    }

    public static ConversationSummary conversation(
            String namespace, Protocol protocol, String conversation, long messages) {
        return ConversationSummary.newBuilder()
                .setChain(namespace + '|' + protocol + '|' + conversation)
                .setNamespace(namespace)
                .setProtocol(protocol)
                .setConversation(conversation)
                .setFirstTime(NOON)
                .setLastTime(NOON.plusSeconds(messages))
                .setAccepted(messages)
                .setLastSequence(messages - 1)
                .setLastHash(hash(7))
                .setLastVerdict(Verdict.ACCEPTED)
                .build();
    }

    public static AuditRecord.Builder audit(String chain, long sequence) {
        return AuditRecord.newBuilder()
                .setChain(chain)
                .setSequence(sequence)
                .setHash(hash(1))
                .setPreviousHash(hash(0))
                .setSource(source(sequence))
                .setPayloadHash(hash(2))
                .setVerdict(Verdict.ACCEPTED.name())
                .setWarnings(List.of())
                .setProfile(Profile.LENIENT.name())
                .setContentHash(hash(3))
                .setRules(RuleVersion.CURRENT)
                .setSalt(ByteBuffer.wrap(new byte[AuditChain.SALT_BYTES]))
                .setLog(new LogPosition(0, sequence));
    }

    public static AgentMessage.Builder message(Protocol protocol, String conversation, long offset, String raw) {
        return AgentMessage.newBuilder()
                .setMessageId("parley.wire-3-" + offset)
                .setNamespace("default")
                .setProtocol(protocol.name())
                .setConversation(conversation)
                .setSender("0")
                .setRecipients(List.of("1"))
                .setPerformative(Performative.REQUEST.name())
                .setSource(source(offset))
                .setRaw(ByteBuffer.wrap(raw.getBytes(StandardCharsets.UTF_8)))
                .setSha256(hash(2));
    }

    public static AuditRecord slip(String conversation, long sequence) {
        String raw = "@a3|f0|c7|S0|d1|T" + sequence + "|k5#";
        return audit("default|SLIP|" + conversation, sequence)
                .setWarnings(List.of("SLIP_TURN_GAP"))
                .setMessage(message(Protocol.SLIP, conversation, sequence, raw)
                        .setSlip(SlipMessage.newBuilder()
                                .setAct(SlipAct.REQUEST)
                                .setFrame(SlipFrame.TASK)
                                .setConversation(7)
                                .setSource(0)
                                .setDestination(1)
                                .setTurn(sequence)
                                .setTaskId(5L)
                                .build())
                        .build())
                .build();
    }

    /** The record of a redaction in the same chain. */
    public static AuditRecord redacting(Redaction redaction, long sequence) {
        AuditRecord record = audit(redaction.getChain(), sequence)
                .setRaw(ByteBuffer.wrap(new byte[] {0, 1, (byte) 0xFF}))
                .build();
        record.setSource(new Source("parley.redaction.v1", 0, sequence, NOON.plusSeconds(61), null));
        record.setRedaction(redaction);
        return record;
    }

    public static AuditRecord privateLambda(String conversation) {
        return audit("default|LAMBDA|" + conversation, 0)
                .setMessage(message(Protocol.LAMBDA, conversation, 0, "prv: !secret")
                        .setLambda(LambdaMessage.newBuilder()
                                .setKind(LambdaKind.STATEMENTS)
                                .setTrust(LambdaTrust.PRIVATE)
                                .setStatements(List.of(LambdaStatement.newBuilder()
                                        .setKind(LambdaStatementKind.ASSERT)
                                        .setErrorDetail("secret")
                                        .build()))
                                .build())
                        .build())
                .build();
    }

    public static AuditRecord undecodable(String chain, byte[] raw) {
        return audit(chain, 0)
                .setVerdict(Verdict.UNDECODABLE.name())
                .setStage(Stage.DECODE.name())
                .setCode("UNKNOWN_PROTOCOL")
                .setPosition(0)
                .setDetail("Nothing tells which protocol this is.")
                .setRaw(ByteBuffer.wrap(raw))
                .build();
    }

    public static CspOperation operation(CspOperator operator, String name, String value) {
        return new CspOperation(operator, name, value);
    }

    public static Checkpoint checkpoint(
            String context,
            String id,
            String parent,
            long ordinal,
            Map<String, String> snapshot,
            CspOperation... operations) {
        return Checkpoint.newBuilder()
                .setNamespace("default")
                .setContext(context)
                .setId(id)
                .setParent(parent)
                .setPatch("P" + ordinal)
                .setPatchHash(hash(3))
                .setSender("A")
                .setOperations(List.of(operations))
                .setSource(source(ordinal))
                .setOrdinal(ordinal)
                .setDepth(ordinal)
                .setHash(hash(4))
                .setStateBytes(2)
                .setDeltaBytes(2)
                .setSnapshot(snapshot)
                .setSetters(snapshot == null ? null : Collections.nCopies(snapshot.size(), ordinal))
                .build();
    }

    public static DeadLetterSummary deadLetter(Stage stage, String code, long offset, String preview) {
        return DeadLetterSummary.newBuilder()
                .setStage(stage)
                .setCode(code)
                .setDetail("What is wrong.")
                .setPosition(4)
                .setProtocol(Protocol.LAMBDA)
                .setConversation("c")
                .setAttempt(1)
                .setSourceTopic("parley.wire")
                .setSourcePartition(0)
                .setSourceOffset(offset)
                .setTopic("parley.dlq." + stage.name().toLowerCase(java.util.Locale.ROOT) + ".v1")
                .setPartition(0)
                .setOffset(offset)
                .setTimestamp(NOON)
                .setValueSize(preview.length())
                .setSha256(hash(5))
                .setPreview(ByteBuffer.wrap(preview.getBytes(StandardCharsets.ISO_8859_1)))
                .setPrivateMark(PrivateContent.hasMark(ByteBuffer.wrap(preview.getBytes(StandardCharsets.ISO_8859_1))))
                .build();
    }

    public static Accounting accounting(String topic, int partition, long inputs, long accepted, long parked) {
        return Accounting.newBuilder()
                .setTopic(topic)
                .setPartition(partition)
                .setInputs(inputs)
                .setLog(0)
                .setInputsByLog(List.of(inputs))
                .setAccepted(accepted)
                .setParked(parked)
                .build();
    }

    /** What a peer answers about a conversation. */
    public static Conversation result() {
        return new Conversation(
                "default",
                "SLIP",
                "7",
                false,
                "default|SLIP|7",
                Instant.EPOCH,
                Instant.EPOCH,
                1,
                1,
                0,
                0,
                0,
                0,
                0,
                "00",
                "ACCEPTED",
                null,
                new Conversation.Links("/v1/conversations/default/SLIP/7", "/messages"));
    }
}
