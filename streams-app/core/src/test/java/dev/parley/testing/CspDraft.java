package dev.parley.testing;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.CspField;
import dev.parley.avro.CspIntent;
import dev.parley.avro.CspMessage;
import dev.parley.avro.CspOperation;
import dev.parley.avro.CspOperator;
import dev.parley.avro.Performative;
import dev.parley.avro.Protocol;
import dev.parley.avro.Source;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * A decoded CSP message in the making. Its raw bytes are whatever the test says they are: only their hash counts here.
 */
public final class CspDraft {
    private final CspMessage message = new CspMessage();
    private String namespace = "default";
    private String context = "ctx";
    private Instant time = Instant.EPOCH;

    public CspDraft(CspIntent intent) {
        message.setIntent(intent);
        message.setSender("MAIN");
        message.setRecipient("CODER");
        message.setCtx("C1");
        message.setHeaderFields(List.of());
        message.setOperations(List.of());
        message.setFields(List.of());
        message.setKeyOrder(List.of());
    }

    /** A patch; operations as "+k=v", "~k=v" and "-k", separated by blanks. */
    public static CspDraft patch(String id, String base, String target, String operations) {
        CspDraft draft = new CspDraft(CspIntent.PATCH).id(id).ctx(base);
        draft.message.setBase(base);
        draft.message.setTarget(target);
        draft.message.setOperations(Stream.of(operations.split(" "))
                .filter(text -> !text.isEmpty())
                .map(CspDraft::operation)
                .toList());
        return draft;
    }

    private static CspOperation operation(String text) {
        int sign = text.indexOf('=');
        return switch (text.charAt(0)) {
            case '+' -> new CspOperation(CspOperator.ADD, text.substring(1, sign), text.substring(sign + 1));
            case '~' -> new CspOperation(CspOperator.CHANGE, text.substring(1, sign), text.substring(sign + 1));
            default -> new CspOperation(CspOperator.REMOVE, text.substring(1), null);
        };
    }

    public CspDraft id(String id) {
        message.setId(id);
        return this;
    }

    public CspDraft from(String sender) {
        message.setSender(sender);
        return this;
    }

    public CspDraft to(String recipient) {
        message.setRecipient(recipient);
        return this;
    }

    public CspDraft ctx(String ctx) {
        message.setCtx(ctx);
        return this;
    }

    public CspDraft owner(String owner) {
        message.setOwner(owner);
        return this;
    }

    public CspDraft scope(String scope) {
        message.setScope(scope);
        return this;
    }

    public CspDraft status(String status) {
        message.setStatus(status);
        return this;
    }

    public CspDraft at(String task) {
        message.setErrorAt(task);
        return this;
    }

    public CspDraft field(String key, String value) {
        message.setFields(List.of(new CspField(key, value)));
        return this;
    }

    public CspDraft fields(CspField... fields) {
        message.setFields(List.of(fields));
        return this;
    }

    public CspDraft header(String key, String value) {
        message.setHeaderFields(List.of(new CspField(key, value)));
        return this;
    }

    public CspDraft operations(List<CspOperation> operations) {
        message.setOperations(operations);
        return this;
    }

    public CspDraft in(String otherNamespace, String otherContext) {
        namespace = otherNamespace;
        context = otherContext;
        return this;
    }

    public CspDraft time(Instant when) {
        time = when;
        return this;
    }

    /** The message whose bytes are those of its own fields. */
    public AgentMessage build() {
        return build(message.toString());
    }

    /** The message with these bytes. */
    public AgentMessage build(String bytes) {
        byte[] raw = bytes.getBytes(StandardCharsets.UTF_8);
        AgentMessage envelope = new AgentMessage();
        envelope.setMessageId("wire-0-0");
        envelope.setNamespace(namespace);
        envelope.setProtocol(Protocol.CSP.name());
        envelope.setConversation(context);
        envelope.setSender(message.getSender());
        envelope.setRecipients(List.of(message.getRecipient()));
        envelope.setPerformative(Performative.UNSPECIFIED.name());
        envelope.setReferences(List.of());
        envelope.setSource(new Source("wire", 0, 0L, time, null));
        envelope.setRaw(ByteBuffer.wrap(raw));
        envelope.setSha256(ByteBuffer.wrap(sha256(raw)));
        envelope.setCsp(message);
        return envelope;
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }
}
