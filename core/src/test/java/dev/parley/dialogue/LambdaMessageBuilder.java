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
public final class LambdaSpeech {
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

    private LambdaSpeech(LambdaKind kind) {
        this.kind = kind;
    }

    public static LambdaSpeech message(LambdaKind kind) {
        return new LambdaSpeech(kind);
    }

    /** A message of statements, each of one token. */
    public static LambdaSpeech says(LambdaStatementKind... kinds) {
        LambdaSpeech speech = new LambdaSpeech(LambdaKind.STATEMENTS);
        for (LambdaStatementKind kind : kinds) {
            speech.statement(kind, "I");
        }
        return speech;
    }

    /** A message of one floor mark. */
    public static LambdaSpeech floor(LambdaFloor mark) {
        return new LambdaSpeech(LambdaKind.FLOOR).before(mark);
    }

    /** A message of one definition. */
    public static LambdaSpeech defines(String name, String value) {
        return new LambdaSpeech(LambdaKind.CONTEXT_ONLY).define(name, value);
    }

    /** The message that drives one column of the table. */
    public static LambdaSpeech of(LambdaEvent event) {
        return switch (event) {
            case HS ->
                message(LambdaKind.HANDSHAKE)
                        .statement(LambdaStatementKind.ASSERT, "A")
                        .statement(LambdaStatementKind.ASK, "U");
            case HSR -> message(LambdaKind.HANDSHAKE_REPLY).statement(LambdaStatementKind.ASSERT, "I");
            case CTX -> message(LambdaKind.CONTEXT_ONLY);
            case Q -> says(LambdaStatementKind.ASK);
            case A -> says(LambdaStatementKind.ASSERT);
            case C -> says(LambdaStatementKind.COMMAND);
            case OFF -> says(LambdaStatementKind.OFFER);
            case ACK -> says(LambdaStatementKind.ACK);
            case AGR -> says(LambdaStatementKind.AGREE);
            case DIS -> says(LambdaStatementKind.DISAGREE);
            case CNT -> says(LambdaStatementKind.COUNTER);
            case CLR -> says(LambdaStatementKind.CLARIFY);
            case ERR -> says(LambdaStatementKind.ERROR);
        };
    }

    public LambdaSpeech statement(LambdaStatementKind statement, String... tokens) {
        List<LambdaToken> list = new ArrayList<>();
        for (String token : tokens) {
            list.add(new LambdaToken(LambdaTokenKind.UNKNOWN, token));
        }
        statements.add(
                LambdaStatement.newBuilder().setKind(statement).setTokens(list).build());
        return this;
    }

    public LambdaSpeech define(String name, String value) {
        definitions.add(new LambdaDefinition(name, value));
        return this;
    }

    public LambdaSpeech by(String agent) {
        sender = agent;
        return this;
    }

    public LambdaSpeech id(String messageId) {
        id = messageId;
        return this;
    }

    public LambdaSpeech replyTo(String messageId) {
        replyTo = messageId;
        return this;
    }

    public LambdaSpeech raw(String bytes) {
        raw = bytes;
        return this;
    }

    public LambdaSpeech relay(String... agents) {
        relay = List.of(agents);
        return this;
    }

    public LambdaSpeech before(LambdaFloor mark) {
        before = mark;
        return this;
    }

    public LambdaSpeech after(LambdaFloor mark) {
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
                .setProtocol(Protocol.LAMBDA)
                .setConversation("talk")
                .setSender(sender)
                .setRecipients(List.of())
                .setReferences(List.of())
                .setPerformative(Performative.CONTROL)
                .setReplyTo(replyTo)
                .setSource(new Source("wire", 0, 0L, Instant.ofEpochMilli(0), null))
                .setRaw(ByteBuffer.wrap(raw.getBytes(StandardCharsets.UTF_8)))
                .setSha256(ByteBuffer.allocate(32))
                .setLambda(message)
                .build();
    }
}
