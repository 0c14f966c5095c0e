package dev.parley.dialogue;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.LambdaContext;
import dev.parley.avro.LambdaDefinition;
import dev.parley.avro.LambdaEntry;
import dev.parley.avro.LambdaFloor;
import dev.parley.avro.LambdaKind;
import dev.parley.avro.LambdaMessage;
import dev.parley.avro.LambdaStatement;
import dev.parley.avro.LambdaStatementKind;
import dev.parley.avro.LambdaToken;
import dev.parley.avro.LambdaTokenKind;
import dev.parley.avro.Performative;
import dev.parley.avro.Protocol;
import dev.parley.avro.Source;
import dev.parley.dialogue.lambda.LambdaEvent;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Builds decoded Λ messages. */
public final class LambdaMessageBuilder {
    private final LambdaKind kind;
    private final List<LambdaStatement> statements = new ArrayList<>();
    private final List<LambdaDefinition> definitions = new ArrayList<>();
    private String sender;
    private String id;
    private String replyTo;
    private String raw = "";
    private List<String> relay = List.of();
    private LambdaFloor before;
    private LambdaFloor after;

    private LambdaMessageBuilder(LambdaKind kind) {
        this.kind = kind;
    }

    public static LambdaMessageBuilder message(LambdaKind kind) {
        return new LambdaMessageBuilder(kind);
    }

    /** A message of statements, each of one token. */
    public static LambdaMessageBuilder statements(LambdaStatementKind... kinds) {
        LambdaMessageBuilder speech = new LambdaMessageBuilder(LambdaKind.STATEMENTS);
        for (LambdaStatementKind kind : kinds) {
            speech.statement(kind, "I");
        }
        return speech;
    }

    /** A message of one floor mark. */
    public static LambdaMessageBuilder floor(LambdaFloor mark) {
        return new LambdaMessageBuilder(LambdaKind.FLOOR).before(mark);
    }

    /** A message of one definition. */
    public static LambdaMessageBuilder defines(String name, String value) {
        return new LambdaMessageBuilder(LambdaKind.CONTEXT_ONLY).define(name, value);
    }

    /** The message that drives one column of the table. */
    public static LambdaMessageBuilder of(LambdaEvent event) {
        return switch (event) {
            case HS ->
                message(LambdaKind.HANDSHAKE)
                        .statement(LambdaStatementKind.ASSERT, "A")
                        .statement(LambdaStatementKind.ASK, "U");
            case HSR -> message(LambdaKind.HANDSHAKE_REPLY).statement(LambdaStatementKind.ASSERT, "I");
            case CTX -> message(LambdaKind.CONTEXT_ONLY);
            case Q -> statements(LambdaStatementKind.ASK);
            case A -> statements(LambdaStatementKind.ASSERT);
            case C -> statements(LambdaStatementKind.COMMAND);
            case OFF -> statements(LambdaStatementKind.OFFER);
            case ACK -> statements(LambdaStatementKind.ACK);
            case AGR -> statements(LambdaStatementKind.AGREE);
            case DIS -> statements(LambdaStatementKind.DISAGREE);
            case CNT -> statements(LambdaStatementKind.COUNTER);
            case CLR -> statements(LambdaStatementKind.CLARIFY);
            case ERR -> statements(LambdaStatementKind.ERROR);
        };
    }

    public LambdaMessageBuilder statement(LambdaStatementKind statement, String... tokens) {
        List<LambdaToken> list = new ArrayList<>();
        for (String token : tokens) {
            list.add(new LambdaToken(LambdaTokenKind.UNKNOWN, token));
        }
        statements.add(
                LambdaStatement.newBuilder().setKind(statement).setTokens(list).build());
        return this;
    }

    public LambdaMessageBuilder define(String name, String value) {
        definitions.add(new LambdaDefinition(name, value));
        return this;
    }

    public LambdaMessageBuilder by(String agent) {
        sender = agent;
        return this;
    }

    public LambdaMessageBuilder id(String messageId) {
        id = messageId;
        return this;
    }

    public LambdaMessageBuilder replyTo(String messageId) {
        replyTo = messageId;
        return this;
    }

    public LambdaMessageBuilder raw(String bytes) {
        raw = bytes;
        return this;
    }

    public LambdaMessageBuilder relay(String... agents) {
        relay = List.of(agents);
        return this;
    }

    public LambdaMessageBuilder before(LambdaFloor mark) {
        before = mark;
        return this;
    }

    public LambdaMessageBuilder after(LambdaFloor mark) {
        after = mark;
        return this;
    }

    public AgentMessage build() {
        List<LambdaContext> contexts = new ArrayList<>();
        for (LambdaDefinition definition : definitions) {
            contexts.add(new LambdaContext(
                    List.of(new LambdaEntry("def", definition.getName() + "=" + definition.getValue()))));
        }
        LambdaMessage message = LambdaMessage.newBuilder()
                .setKind(kind)
                .setId(id)
                .setAddress(List.of())
                .setRelay(relay)
                .setFloorBefore(before)
                .setFloorAfter(after)
                .setContexts(contexts)
                .setDefinitions(definitions)
                .setStatements(statements)
                .build();
        return AgentMessage.newBuilder()
                .setMessageId("wire-0-0")
                .setNamespace("default")
                .setProtocol(Protocol.LAMBDA.name())
                .setConversation("talk")
                .setSender(sender)
                .setRecipients(List.of())
                .setReferences(List.of())
                .setPerformative(Performative.CONTROL.name())
                .setReplyTo(replyTo)
                .setSource(new Source("wire", 0, 0L, Instant.ofEpochMilli(0), null))
                .setRaw(ByteBuffer.wrap(raw.getBytes(StandardCharsets.UTF_8)))
                .setSha256(ByteBuffer.allocate(32))
                .setLambda(message)
                .build();
    }
}
